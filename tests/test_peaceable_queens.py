"""Peaceable Queens: malformed files, the checker, known optima, bounds and symmetries, the searches."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from bench.contract import SolveRequest, Task
from bench.drivers import native
from models.peaceable_queens import backtrack as search
from models.peaceable_queens import native as program
from models.peaceable_queens.generate import plant
from models.peaceable_queens.local import local
from models.peaceable_queens.puzzle import PeaceableQueens, parse
from models.peaceable_queens.random_instances import INSTANCES, candidates
from models.peaceable_queens.symmetry import inequalities
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.search import Tally
from tests.languages import found_alike, needs_compiler

KNOWN = (0, 0, 1, 2, 4, 5, 7)
"""OEIS A250000: full boards of 1, 2, ... rows and columns."""


def board(*rows: str) -> PeaceableQueens:
    return parse(document({"board": "\n".join(rows)}))


def full(n: int) -> PeaceableQueens:
    return board(*["." * n] * n)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([""], "board: the grid is empty; write one row a line"),
        (["..", "."], "board, row 2: 1 cells; every row needs 2"),
        (["..", ".x"], "board, row 2, column 2: write . for a square, # for none"),
        (["##"], "board: there is no square; write . for one"),
        (["." * 51], "board: 1x51 cells; at most 50x50 are allowed"),
    ],
)
def test_a_malformed_board_is_refused_in_words(rows: list[str], says: str) -> None:
    with pytest.raises(InstanceError) as error:
        board(*rows)
    assert str(error.value) == says


@pytest.mark.parametrize(
    ("solution", "broken"),
    [
        (["W..", "..B", "W.."], ["there are 2 white queens and 1 black ones"]),
        (["W..", "..B", "..."], []),
        (["W.B", "...", "..."], ["the queens in row 1, column 1 and row 1, column 3 attack"]),
        (["..W", "...", "B.."], ["the queens in row 1, column 3 and row 3, column 1 attack"]),
        (["..W", ".B.", "..."], ["row 2, column 2 holds a queen, but is no square", "the queens in "]),
        (["w..", "...", "..."], ["row 1, column 1 holds 'w', not W, B or ."]),
        *(
            (wrong, ["the solution is not 3 texts of 3 characters"])
            for wrong in (None, "...", ["..."] * 2, [3] * 3)
        ),
    ],
)
def test_each_rule_is_checked_and_holes_do_not_protect(solution: Any, broken: list[str]) -> None:
    found = board("...", ".#.", "...").check(solution)
    assert len(found) == len(broken) and all(map(str.startswith, found, broken))


@settings(max_examples=30)
@given(INSTANCES)
def test_lines_are_where_queens_attack(table: dict[str, Any]) -> None:
    puzzle = parse(table)
    attacks = {*puzzle.attacks()}
    for i in puzzle.squares:
        for j in puzzle.squares:
            rows = [[*"." * len(puzzle.board[0])] for _ in puzzle.board]
            rows[i[0]][i[1]], rows[j[0]][j[1]] = "W", "B"
            attacked = bool(puzzle.check(["".join(row) for row in rows]))
            assert i == j or attacked == ((i, j) in attacks)


@settings(max_examples=15)
@given(INSTANCES)
def test_some_best_solution_keeps_the_inequalities(table: dict[str, Any]) -> None:
    """With each line of no queen at either colour's choice."""
    puzzle = parse(table)
    values = {True: 0, False: 0}
    for solution in candidates(puzzle):
        if not puzzle.check(solution):
            kept = True
            for weights, most in inequalities(puzzle):
                least = 0
                for line, weight in weights.items():
                    signs = {solution[r][c] for r, c in puzzle.lines[line]} - {"."}
                    least += weight if signs == {"W"} else min(0, weight) * (not signs)
                kept &= least <= most
            values[kept] = max(values[kept], puzzle.answer(solution))
    assert values[True] >= values[False]


@pytest.mark.parametrize("seed", [1, 2])
def test_branch_and_bound_finds_the_known_values(seed: int) -> None:
    for n, known in enumerate(KNOWN[:6], 1):
        puzzle = full(n)
        values = [puzzle.answer(s) for s in search.lines(puzzle, Tally(seed)) if not puzzle.check(s)]
        assert values == sorted({*values}) and values[-1] == known


def test_annealing_improves_to_the_known_values() -> None:
    for n, known in enumerate(KNOWN, 1):
        puzzle = full(n)
        values: list[int] = []
        for solution in local(puzzle, Tally(n)):
            assert puzzle.check(solution) == []
            values.append(puzzle.answer(solution))
            if values[-1] == known:
                break
        assert values == sorted({*values})


def test_generated_boards_miss_an_eighth_of_their_squares() -> None:
    for size in (1, 2, 5, 8, 50):
        planted = plant(size, Random(size))
        puzzle = parse(document(planted.table([])))
        assert puzzle.size == size * size - size * size // 8 and puzzle.check(planted.solution) == []
    with pytest.raises(ValueError, match="1 to 50"):
        plant(51, Random(1))


@needs_compiler
def test_the_searches_in_c_and_python_branch_alike() -> None:
    for puzzle in (full(6), board("..#...", "......", "#.....", ".....#", "......")):
        python, c = found_alike(puzzle, search.lines, program.lines(puzzle))
        assert [*map(puzzle.answer, python)] == [*map(puzzle.answer, c)]


@needs_compiler
def test_annealing_in_c_finds_good_armies_and_stops_at_its_limit() -> None:
    puzzle, values = full(10), list[int]()
    request = SolveRequest(Task.BEST, 0.5, 1, 1, "c")
    done = native.solve(program.local(puzzle), request, lambda s, _: values.append(puzzle.answer(s)))
    assert not done.complete and values == sorted({*values}) and 12 <= values[-1] <= 14
