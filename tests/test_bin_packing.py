"""Bin packing: the rules, bounds, the graph of arcs, the searches, notations of collections."""

from collections.abc import Callable
from itertools import islice, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.bin_packing import native as program
from models.bin_packing.adapter import adapt
from models.bin_packing.backtrack import bin_completion
from models.bin_packing.first_fit import first_fit, least_bins
from models.bin_packing.generate import plant
from models.bin_packing.local import best_items, exchanges
from models.bin_packing.puzzle import BinPacking, parse
from models.bin_packing.random_instances import INSTANCES, candidates
from models.bin_packing.reflect import arcs_of, balances, packing
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.search import Tally
from tests.languages import found_alike, needs_compiler

PUZZLES = INSTANCES.map(parse)


def optimum(puzzle: BinPacking) -> int | None:
    """The least number of bins of all packings; None if there are none."""
    return min((puzzle.answer(each) for each in candidates(puzzle) if not puzzle.check(each)), default=None)


def uniform(size: int, seed: int, capacity: int = 150, least: int = 20, most: int = 100) -> BinPacking:
    """Items of random sizes."""
    rng = Random(seed)
    return BinPacking(capacity, tuple(rng.randint(least, most) for _ in range(size)))


@pytest.mark.parametrize(
    ("capacity", "sizes", "says"),
    [
        (0, [1], "capacity: should be 1..100000, not 0"),
        (9, [], "sizes: 0 items; 1 to 1000 are allowed"),
        (9, [1] * 1001, "sizes: 1001 items; 1 to 1000 are allowed"),
        (9, [3, 0], "sizes, entry 2: should be 1..100000, not 0"),
        (9, "3 3", "sizes: should be a list, not '3 3'"),
    ],
)
def test_a_malformed_file_is_refused_in_words(capacity: int, sizes: Any, says: str) -> None:
    with pytest.raises(InstanceError) as error:
        parse(document({"capacity": capacity, "sizes": sizes}))
    assert str(error.value) == says


def test_broken_rules_are_told() -> None:
    puzzle = BinPacking(10, (7, 4, 6, 3))
    assert puzzle.check([0, 1, 1, 0]) == [] and puzzle.answer([0, 1, 1, 0]) == 2
    assert puzzle.check([0, 0, 1, 1]) == ["the items of bin 0 have size 11, more than 10"]
    order = "the bins are not numbered from 0, in the order of their first items"
    for numbers in ([1, 0, 0, 1], [0, 2, 2, 0], [-1, 1, 1, -1]):
        assert puzzle.check(numbers) == [order]
    for shape in (None, 2, "0110", [], [0, 1, 1], [0, 1, 1, True], [0, 1, 1, 0.0], [[0, 1, 1, 0]]):
        assert puzzle.check(shape) == ["the solution is not a list of 4 whole numbers"]


@settings(max_examples=40)
@given(PUZZLES, st.data())
def test_an_item_in_another_full_bin_breaks_its_capacity(puzzle: BinPacking, data: st.DataObject) -> None:
    for solution in islice((each for each in candidates(puzzle) if not puzzle.check(each)), 20):
        i, b = data.draw(st.sampled_from(puzzle.items)), data.draw(st.sampled_from(solution))
        load = sum(size for size, other in zip(puzzle.sizes, solution, strict=True) if other == b)
        moved = puzzle.solution(lambda k: b if k == i else solution[k])  # noqa: B023
        fits = solution[i] == b or load + puzzle.sizes[i] <= puzzle.capacity
        assert (puzzle.check(moved) == []) == fits


@settings(max_examples=40)
@given(PUZZLES)
def test_the_optimum_is_between_the_bound_and_first_fit(puzzle: BinPacking) -> None:
    least = least_bins(puzzle.falling, puzzle.capacity)
    if best := optimum(puzzle):
        assert least <= best <= len(first_fit(puzzle))
        assert puzzle.check(puzzle.packing(first_fit(puzzle))) == []


@given(st.lists(st.integers(1, 30), min_size=1, max_size=12), st.integers(30, 40))
def test_the_bound_is_the_best_of_all_sizes(sizes: list[int], capacity: int) -> None:
    """As Martello and Toth define it."""
    bounds = []
    for k in range(capacity // 2 + 1):
        alone = sum(size > capacity - k for size in sizes)
        large = [size for size in sizes if capacity - k >= size > capacity / 2]
        small = sum(size for size in sizes if capacity / 2 >= size >= k)
        room = len(large) * capacity - sum(large)
        bounds.append(alone + len(large) + max(0, -(-(small - room) // capacity)))
    assert least_bins(sorted(sizes, reverse=True), capacity) == max(bounds)


@settings(max_examples=50)
@given(PUZZLES)
def test_each_arc_has_room_for_its_item(puzzle: BinPacking) -> None:
    """Doubled: what is in a bin is no more than both paths say, and these meet at the middle at most."""
    arcs = arcs_of(puzzle)
    assert len({*arcs}) == len(arcs) and len(list(balances(arcs))) == len({0, *(arc.head for arc in arcs)})
    for tail, head, size, reflected in arcs:
        assert 0 <= tail <= puzzle.capacity and head <= puzzle.capacity
        assert tail + 2 * size <= (2 * puzzle.capacity - head if reflected else head)


def test_paths_are_put_together() -> None:
    """Bins of 10 with 6 and 4, with 5, 3 and 2, and with 5 and another one that is not there."""
    puzzle = BinPacking(10, (6, 4, 5, 3, 2, 5))
    uses = {(0, 8, 6, True): 1, (0, 8, 4, False): 1, (0, 10, 5, False): 3}
    uses |= {(0, 6, 3, False): 1, (6, 10, 2, False): 1, (10, 10, 0, True): 2}
    assert packing(puzzle, arcs_of(puzzle), lambda arc: uses.get(tuple(arc), 0)) == [0, 0, 1, 2, 2, 2]


@pytest.mark.parametrize("search", [bin_completion, lambda *given: islice(exchanges(*given), 1)])
@settings(max_examples=50)
@given(puzzle=PUZZLES, seed=st.integers(1, 3))
def test_searches_find_better_and_better_packings(
    search: Callable[..., Any], puzzle: BinPacking, seed: int
) -> None:
    tally = Tally(seed)
    bounds: list[float] = []
    tally.on_bound = bounds.append
    found = list(search(puzzle, tally))
    assert not any(map(puzzle.check, found))
    numbers = [puzzle.answer(each) for each in found]
    assert all(a > b for a, b in pairwise(numbers))
    best = optimum(puzzle)
    assert bool(found) == (best is not None)
    if search is bin_completion and best:
        assert numbers[-1] == best >= max(bounds)


@pytest.mark.parametrize(
    ("puzzle", "best"),
    [
        (uniform(54, 162, least=25, most=90), 22),
        (uniform(60, 88, least=30), 27),
        (BinPacking(100, (99, 2) * 20), 21),
    ],
)
def test_known_optima_between_the_bounds_are_proven(puzzle: BinPacking, best: int) -> None:
    assert puzzle.answer(list(bin_completion(puzzle, Tally()))[-1]) == best


@given(st.lists(st.integers(1, 20), max_size=8), st.integers(1, 40))
def test_one_or_two_items_fill_a_room_best(sizes: list[int], room: int) -> None:
    sums = [*sizes, *(a + b for i, a in enumerate(sizes) for b in sizes[i + 1 :])]
    found = best_items(sorted(sizes, reverse=True), room)
    assert sum(found) == max((total for total in sums if total <= room), default=0) and len(found) <= 2


def test_exchanges_find_fewer_bins_than_first_fit() -> None:
    puzzle = uniform(120, 2)
    *_, last = islice(exchanges(puzzle, Tally()), 2)
    assert puzzle.check(last) == [] and puzzle.answer(last) < len(first_fit(puzzle))


@given(st.integers(1, 60), st.integers(0, 9))
def test_what_is_planted_fills_its_bins(size: int, seed: int) -> None:
    planted = plant(size, Random(seed))
    puzzle = parse(document(planted.table([])))
    assert puzzle.check(planted.solution) == [] and puzzle.size == size
    assert puzzle.answer(planted.solution) * puzzle.capacity == sum(puzzle.sizes)


def test_an_instance_of_a_collection_is_read() -> None:
    fields = {
        "name": "small",
        "capacity": 10,
        "sizes": "7 4  6 3",
        "lower_bound": 2,
        "solution": [0, 1, 1, 0],
    }
    for sizes in ("7 4  6 3", [7, 4, 6, 3]):
        own, solution = adapt(fields | {"sizes": sizes})
        assert parse(document(own)) == BinPacking(10, (7, 4, 6, 3)) and solution == [0, 1, 1, 0]
    for wrong in ({"sizes": "7 -4"}, {"sizes": None}, {"capacity": "10"}, {"sizes": "7 1e3"}):
        with pytest.raises(InstanceError):
            parse(document(adapt(fields | wrong)[0]))


@needs_compiler
def test_the_searches_in_c_and_python_branch_alike() -> None:
    rng = Random(1)
    puzzles = [uniform(40, seed, rng.choice([100, 150, 1000])) for seed in range(4)]
    puzzles += [uniform(30, 1, 64, 1, 64), BinPacking(10, (11, 2)), uniform(12, 1, 100_000, 20_000, 90_000)]
    puzzles += [parse(document(plant(36, rng).table([]))), uniform(60, 88, least=30)]
    for puzzle in puzzles:
        python, c = found_alike(puzzle, bin_completion, program.bin_completion(puzzle))
        assert [*map(puzzle.answer, python)] == [*map(puzzle.answer, c)]
