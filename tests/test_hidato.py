"""Hidato: malformed files, the checker, collections, a king's moves, the candidates."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.hidato.adapter import adapt
from models.hidato.generate import planted_path
from models.hidato.puzzle import Hidato, parse
from models.hidato.random_instances import candidates
from models.shared.document import InstanceError
from models.shared.generator import document


@pytest.mark.parametrize(
    ("givens", "says"),
    [
        ("", "givens: the grid is empty"),
        (". .\n. . .", "givens, row 2: 3 cells; every row needs 2"),
        (". .\n. 5", "givens, row 2, column 2: 5 is outside 1..4"),
        ("x .\n. .", "givens, row 1, column 1: 'x' is not a whole number"),
        ("3 .\n. 3", "givens, row 1, column 1: 3 is given twice; leave out one of them"),
    ],
)
def test_a_malformed_grid_is_refused_with_the_place(givens: str, says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        parse(document({"givens": givens}))
    assert str(refused.value).startswith(says)


@settings(max_examples=40)
@given(height=st.integers(1, 5), width=st.integers(1, 5), seed=st.integers(0, 999), data=st.data())
def test_a_path_is_a_solution_until_a_number_changes(
    height: int, width: int, seed: int, data: st.DataObject
) -> None:
    puzzle = Hidato(height, width, {})
    solution = planted_path(puzzle, Random(seed)).solution
    assert puzzle.check(solution) == []
    row, column = data.draw(st.sampled_from(puzzle.cells))
    was = solution[row][column]
    assert Hidato(height, width, {(row, column): was + 1}).check(solution) == [
        f"row {row + 1}, column {column + 1} holds {was}, but {was + 1} is given"
    ]
    solution[row][column] = data.draw(st.integers(-1, puzzle.size + 1).filter(lambda v: v != was))
    assert f"no cell holds {was}" in puzzle.check(solution)


def test_numbers_that_follow_each_other_touch() -> None:
    puzzle = Hidato(1, 3, {})
    assert puzzle.check([[1, 3, 2]]) == ["1 and 2 do not touch"]
    assert puzzle.check([[1, 2]]) == ["the solution is not 1 rows of 3 whole numbers each"]
    assert puzzle.touching == {(0, 0): [(0, 1)], (0, 1): [(0, 0), (0, 2)], (0, 2): [(0, 1)]}
    assert puzzle.answer([[1, 2, 3]]) == "1 2 3"


def test_a_king_has_24_paths_through_four_cells() -> None:
    assert sum(not Hidato(2, 2, {}).check(solution) for solution in candidates(Hidato(2, 2, {}))) == 24


def test_a_grid_of_a_collection_with_its_solution() -> None:
    fields: dict[str, Any] = {"givens": [". 4", "1 ."], "solution": ["3 4", "1 2"]}
    table, solution = adapt(fields)
    assert parse(document(table)).check(solution) == []
    with pytest.raises(InstanceError, match="givens: should be a list of texts"):
        adapt({"givens": "1 2"})
