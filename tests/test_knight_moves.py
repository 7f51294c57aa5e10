"""Knight Moves: the rules, and which numbers each cell can have."""

import random
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import catalogue
from bench.catalogue import ROOT
from models.knight_moves.backtrack import possible_visits
from models.knight_moves.puzzle import KnightMoves, parse
from models.knight_moves.random_instances import INSTANCES, candidates, walk
from models.knight_moves.visits import moves, orbits
from models.shared.document import InstanceError
from models.shared.random_instances import header

REAL = catalogue.load(ROOT / "instances/knight_moves/march_2016.toml").puzzle
assert isinstance(REAL, KnightMoves)
SOLUTION = [
    [0, 0, 10, 0, 0, 0, 0, 0],
    [0, 0, 0, 22, 0, 12, 0, 0],
    [0, 9, 28, 11, 26, 21, 0, 13],
    [0, 0, 1, 4, 23, 14, 25, 0],
    [0, 5, 8, 27, 20, 3, 0, 0],
    [7, 0, 19, 2, 15, 24, 17, 0],
    [0, 0, 6, 0, 18, 0, 0, 0],
    [0, 0, 0, 0, 0, 16, 0, 0],
]

WALK = [[1, 0, 0], [0, 0, 2], [3, 0, 0]]
"""A path of three cells on a small board."""


def small(**keys: Any) -> dict[str, Any]:
    """A table of a board of nine cells."""
    return header("knight_moves") | {"size": 3, "steps": [1, 9]} | keys


def test_the_published_solution_passes() -> None:
    assert REAL.check(SOLUTION) == []
    assert REAL.answer(SOLUTION) == 19675656


@given(st.integers(0, 63), st.integers(-1, 29))
def test_any_other_number_in_a_cell_is_refused(cell: int, number: int) -> None:
    """Knight Moves has one solution, so every change breaks a rule."""
    changed = [row.copy() for row in SOLUTION]
    changed[cell // 8][cell % 8] = number
    assert bool(REAL.check(changed)) == (changed != SOLUTION)


@given(st.integers(1, 28), st.integers(1, 28))
def test_two_numbers_that_change_places_are_refused(a: int, b: int) -> None:
    swapped = [[{a: b, b: a}.get(number, number) for number in row] for row in SOLUTION]
    assert bool(REAL.check(swapped)) == (a != b)


@pytest.mark.parametrize(
    ("keys", "broken"),
    [
        ({}, ""),
        ({"steps": [4, 9]}, "3 cells are visited, not 4 to 9"),
        ({"givens": ". . .\n1 . .\n. . ."}, "row 2, column 1: is not visited, but 1 is given"),
        ({"row_sums": "1 . 4"}, "row 3 sums to 3, not 4"),
        ({"column_sums": "4 0 1"}, "column 3 sums to 2, not 1"),
        ({"rotation": True}, "the visited cells are others after a quarter turn of the board"),
        (
            {"regions": "AAA\nAAA\nBBB", "equal_region_visits": True},
            "the regions have different numbers of visited cells",
        ),
        ({"regions": "AAA\nAAA\nBBB", "equal_region_visits": False, "equal_region_sums": True}, ""),
        ({"regions": "AAA\nBBB\nBBB", "equal_region_sums": True}, "the regions have different sums"),
        ({"equal_line_visits": True}, "the rows and columns have different numbers of visited cells"),
        ({"first_seen": {"bottom": "1 . ."}}, "column 1 shows 3 from the bottom, not 1"),
        ({"first_seen": {"top": ". 1 ."}}, "column 2 shows nothing from the top, not 1"),
        ({"first_seen": {"left": "1 2 3", "right": "1 2 3"}}, ""),
    ],
)
def test_each_clue_is_checked(keys: dict[str, Any], broken: str) -> None:
    assert parse(small(**keys)).check(WALK) == [broken] * bool(broken)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"steps": [1, 10]}, "steps: write the least and the greatest number of visited cells, within 1..9"),
        ({"steps": [2, 1]}, "steps: write the least and the greatest number of visited cells, within 1..9"),
        ({"givens": "1 . .\n. . .\n. . 1"}, "givens, row 3, column 3: a second 1, after"),
        ({"steps": [1, 3], "givens": "4 . .\n. . .\n. . ."}, "givens, row 1, column 1: 4 is outside 1..3"),
        ({"row_sums": "1 2"}, "row_sums: 2 entries; it needs 3, with . for no number"),
        ({"first_seen": {"top": "0 . ."}}, "first_seen.top, entry 1: '0' is neither . nor a whole number"),
        (
            {"equal_region_sums": True},
            "regions: this key is missing; equal_region_visits and equal_region_sums need it",
        ),
    ],
)
def test_a_malformed_table_is_refused_with_the_place(keys: dict[str, Any], says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        parse(small(**keys))
    assert says in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("side", range(1, 7))
def test_moves_and_orbits_are_those_of_the_definitions(side: int) -> None:
    cells = [(row, column) for row in range(side) for column in range(side)]
    assert moves(side) == {
        (r, c): [(s, d) for s, d in cells if (r - s) ** 2 + (c - d) ** 2 == 5] for r, c in cells
    }
    assert sorted(cell for orbit in orbits(side) for cell in orbit) == cells
    for orbit in orbits(side):
        assert [(column, side - 1 - row) for row, column in orbit] == [*orbit[1:], orbit[0]]


@settings(max_examples=50)
@given(INSTANCES)
def test_no_number_of_a_solution_is_ruled_out(table: dict[str, Any]) -> None:
    puzzle = parse(table)
    possible = possible_visits(puzzle)
    for board in candidates(puzzle):
        if not puzzle.check(board):
            assert sum(map(bool, chain.from_iterable(board))) in possible.lengths
            assert all(board[row][column] in possible.numbers[row, column] for row, column in puzzle.cells)


@given(st.randoms(use_true_random=False))
def test_all_numbers_given_leave_one_each(rng: random.Random) -> None:
    """The cells that are not visited have 0 alone, as all numbers are in other cells."""
    path = walk(4, 5, rng)
    board = [[0] * 4 for _ in range(4)]
    for t, (row, column) in enumerate(path, 1):
        board[row][column] = t
    givens = "\n".join(" ".join(str(number or ".") for number in row) for row in board)
    puzzle = parse(small(size=4, steps=[len(path)] * 2, givens=givens))
    assert possible_visits(puzzle).numbers == {(r, c): [board[r][c]] for r, c in puzzle.cells}


def test_the_lengths_of_a_real_puzzle() -> None:
    """Of all T that make the sums of the regions of Knight Moves 4 equal, 50 alone is possible."""
    puzzle = catalogue.load(ROOT / "instances/knight_moves/september_2021.toml").puzzle
    assert isinstance(puzzle, KnightMoves)
    possible = possible_visits(replace(puzzle, steps=(33, 85)))
    assert possible.lengths == [50]
    assert possible == possible_visits(puzzle)
