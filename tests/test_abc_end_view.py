"""ABC End View: what parse refuses, damaged solutions, lines of collections, propagation."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.abc_end_view.adapter import adapt
from models.abc_end_view.backtrack import first_seen, letters_once
from models.abc_end_view.puzzle import parse
from models.shared.bits import fixpoint, members
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.search import Tally

SMALL = {"size": 3, "letters": 2, "top": ". . a", "left": "a . .", "right": "b a b"}
SOLUTION = [[1, 2, 0], [2, 0, 1], [0, 1, 2]]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"letters": 4}, "letters: 4 do not fit into a row of 3 cells; write at most 3"),
        ({"top": "a b"}, "top: 2 entries; it needs 3, with . for no letter"),
        ({"left": ". c ."}, "left, entry 2: 'c' is neither . nor a letter up to b"),
        ({"right": ". . A"}, "right, entry 3: 'A' is neither . nor a letter up to b"),
        ({"givens": "a..\n.."}, "givens, row 2: 2 cells; every row needs 3"),
        ({"givens": "...\n.x.\n..."}, "givens, row 2, column 2: 'x' is neither . nor a letter up to b"),
    ],
)
def test_what_parse_refuses(more: dict[str, Any], message: str) -> None:
    with pytest.raises(InstanceError) as error:
        parse(document(SMALL | more))
    assert str(error.value) == message


def test_any_change_of_a_cell_or_clue_breaks_a_rule() -> None:
    puzzle = parse(document(SMALL))
    assert not puzzle.check(SOLUTION) and puzzle.answer(SOLUTION) == "b.a"
    for (row, column), value in product(puzzle.cells, (-1, 0, 1, 2, 3)):
        damaged = [[*line] for line in SOLUTION]
        damaged[row][column] = value
        assert bool(puzzle.check(damaged)) == (damaged != SOLUTION)
    for more in ({"top": ". . b"}, {"bottom": "a . ."}, {"right": "a . ."}, {"givens": "b..\n...\n..."}):
        assert parse(document(SMALL | more)).check(SOLUTION)


def test_what_collections_write() -> None:
    table, solution = adapt(SMALL | {"solution": ["a b .", "b . a", ". a b"], "givens": ["a . ."] * 3})
    assert solution == SOLUTION and table == SMALL | {"givens": "a . .\na . .\na . ."}


@given(values=st.lists(st.integers(1, 15), min_size=3, max_size=5), letter=st.integers(1, 3))
def test_propagation_of_a_line_keeps_its_fillings(values: list[int], letter: int) -> None:
    """The fillings are listed; where nothing is open, propagation tells whether there is one."""
    cells = [(0, c) for c in range(len(values))]
    words = [*product(*map(members, values))]
    seen = [word for word in words if next(filter(None, word), 0) == letter and word.count(letter) == 1]
    once = [word for word in words if sorted(filter(None, word)) == [1, 2, 3]]
    for rule, number, fillings in ((first_seen, letter, seen), (letters_once, 3, once)):
        domains = dict(zip(cells, values, strict=True))
        found = fixpoint(domains, lambda left, rule=rule, n=number: rule(left, cells, n, Tally()))
        assert found or not fillings
        assert not found or len(words) > 1 or fillings
        assert all(domains[i] >> v & 1 for word in fillings for i, v in zip(cells, word, strict=True))
