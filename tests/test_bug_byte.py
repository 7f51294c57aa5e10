"""Bug Byte: graphs that are generated, and what is told of them."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from models.bug_byte.generate import plant, spoil
from models.bug_byte.puzzle import parse
from models.shared.generator import document


@settings(max_examples=30)
@given(st.integers(1, 30), st.randoms(use_true_random=False))
def test_the_clues_of_a_graph_are_true_until_one_is_spoilt(size: int, rng: random.Random) -> None:
    planted = plant(size, random.Random(rng.random()))
    labels, others = planted.clues
    assert len(labels) == len(planted.solution) == size
    clues = rng.sample([*labels, *others], rng.randint(0, size + len(others)))
    told = parse(document(planted.table(clues)))
    assert told.check(planted.solution) == []
    assert len(told.givens) + len(told.sums) + len(told.listed) == len(clues)
    spoilt = spoil(planted, clues, rng)
    assert bool(spoilt) == bool(told.sums)
    if spoilt:
        assert len({*spoilt} - {*clues}) == 1
        assert parse(document(planted.table(spoilt))).check(planted.solution)
