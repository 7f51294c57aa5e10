"""Exact cover: the search finds what trying all sets of options finds, each once, at every step."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from models.shared.exact_cover import exact_covers
from models.shared.search import Step, Tally, View

ITEMS = st.lists(st.sampled_from([(0, 1), (1, 1), (1, 1), (2, 2), (0, 0), (1, 3)]), max_size=5)


@given(items=ITEMS, drawn=st.data(), seed=st.integers(1, 3))
def test_each_cover_is_found_once(items: list[tuple[int, int]], drawn: st.DataObject, seed: int) -> None:
    """Options may cover nothing, and be equal."""
    covered = st.sets(st.sampled_from(range(len(items)))) if items else st.just(set())
    options = drawn.draw(st.lists(covered, max_size=7))

    def is_cover(chosen: tuple[bool, ...]) -> bool:
        times = [
            sum(k in option for option, c in zip(options, chosen, strict=True) if c)
            for k in range(len(items))
        ]
        return all(least <= n <= most for n, (least, most) in zip(times, items, strict=True))

    every = [chosen for chosen in product((False, True), repeat=len(options)) if is_cover(chosen)]
    expected = sorted([k for k, c in enumerate(chosen) if c] for chosen in every)
    for step in (Step.ALL_DIFFERENT, Step.FULL, Step.SHAVING):
        tally = Tally(seed, step)
        assert sorted(exact_covers(items, options, tally, str, lambda *_: View())) == expected
        assert tally.undecided is not None and tally.failures <= tally.branches
