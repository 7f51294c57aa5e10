"""Nurikabe: rules, how far islands reach, propagation, notations of collections, what is planted."""

from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.nurikabe.adapter import adapt
from models.nurikabe.backtrack import trials
from models.nurikabe.generate import plant, refute, spoil
from models.nurikabe.islands import WET, reached
from models.nurikabe.puzzle import Nurikabe, parse
from models.nurikabe.random_instances import INSTANCES, candidates
from models.shared.document import InstanceError
from models.shared.generator import Table, document
from models.shared.grid import connected_parts
from models.shared.search import Tally

GIVENS = ["1 . .", ". . .", ". ? ."]
SOLVED = [[0, 1, 0], [1, 1, 0], [0, 0, 0]]


def puzzle(*rows: str) -> Nurikabe:
    """The puzzle with these rows."""
    return parse(document({"givens": "\n".join(rows)}))


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([""], "givens: the grid is empty"),
        ([". .", "."], "givens, row 2: 1 cells; every row needs 2"),
        (["x ."], "givens, row 1, column 1: 'x' is not a whole number"),
        ([". 0"], "givens, row 1, column 2: 0 is outside 1..2"),
        ([". .", "5 ."], "givens, row 2, column 1: 5 is outside 1..4"),
    ],
)
def test_a_malformed_table_is_refused_with_the_place(rows: list[str], says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        puzzle(*rows)
    assert says in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("solution", "broken"),
    [
        (SOLVED, []),
        (
            [[1, 1, 0], [1, 1, 0], [0, 0, 0]],
            ["row 1, column 1 is sea, but has", "the 2x2 block of row 1, col"],
        ),
        ([[0, 0, 1], [1, 1, 1], [0, 0, 0]], ["the island of row 1, column 1 has 2 cells, but its number"]),
        ([[0, 1, 0], [1, 1, 1], [1, 0, 1]], ["the island of row 1, column 3 has 0 numbers"]),
        ([[0, 0, 0], [1, 1, 0], [0, 0, 0]], ["the island of row 1, column 1 has 2 numbers"]),
        ([[0, 1, 0], [1, 0, 0], [0, 0, 0]], ["the sea has 2 parts"]),
        ([[0, 1, 0], [1, 2, 0], [0, 0, 0]], ["row 2, column 2 is neither 1", "the sea has 2 parts"]),
        ([[0, 1, 0]] * 2, ["the solution is not 3 rows of 3"]),
    ],
)
def test_each_rule_is_checked(solution: Any, broken: list[str]) -> None:
    found = puzzle(*GIVENS).check(solution)
    assert len(found) == len(broken) and all(map(str.startswith, found, broken))


def test_the_sea_may_be_empty_and_the_answer_is_the_length_of_coasts() -> None:
    assert puzzle("1").check([[0]]) == puzzle(". 2").check([[0, 0]]) == puzzle(".").check([[1]]) == []
    assert puzzle(*GIVENS).answer(SOLVED) == 6


@given(INSTANCES)
def test_every_solution_is_within_what_islands_reach_and_has_a_root(table: Table) -> None:
    whole = parse(table)
    values, roots = reached(whole)
    for each in candidates(whole):
        if not whole.check(each):
            sea = {(r, c) for r, c in whole.cells if each[r][c]}
            assert not sea or sea & {*roots}
            assert all(WET in values[cell] for cell in sea)
            for island, cell in enumerate(whole.numbers, 1):
                part = next(part for part in connected_parts({*whole.cells} - sea) if cell in part)
                assert all(island in values[i] for i in part)


def test_collections_are_read() -> None:
    moves = ["mouse,left,3,1", "mouse,left,1,3", "mouse,left,3,3", "mouse,right,5,5"]
    expected = ({"givens": "\n".join(GIVENS)}, SOLVED)
    assert adapt({"puzzlink": "3/3/1l.g&id=5", "moves": moves}) == expected
    assert adapt({"givens": GIVENS, "solution": ["0 1 0", "1 1 0", "0 0 0"]}) == expected
    assert adapt({"puzzlink": "1/3/-10+1ffg"}) == ({"givens": "16\n511\n."}, None)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "givens: should be a list of texts, not None"),
        ({"puzzlink": "3/3/2"}, "has 1 cells; a grid of 3x3 has 9"),
        ({"puzzlink": "3/x/2"}, "should end in WIDTH/HEIGHT/CODE"),
    ],
)
def test_what_cannot_be_read_is_named(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(InstanceError, match=says):
        adapt(fields)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 6), st.integers(0, 10**6))
def test_what_is_planted_is_a_solution_that_is_not_spoilt(size: int, seed: int) -> None:
    """Another solution is none of what is planted in place of this."""
    rng = Random(seed)
    planted = plant(size, rng)
    if not planted:
        return
    told = [clue for clue in planted.clues[0] if rng.random() < 0.5]
    for clues in (planted.clues[0], told):
        assert parse(document(planted.table(clues))).check(planted.solution) == []
    if spoilt := spoil(planted, told, rng):
        assert parse(document(planted.table(spoilt))).check(planted.solution)
    whole = parse(document(planted.table(planted.clues[0])))
    for other in islice(trials(whole, Tally()), 2):
        if other != planted.solution and (changed := refute(planted, other, rng)):
            after = parse(document(changed.table(changed.clues[0])))
            assert after.check(changed.solution) == [] != after.check(other)
