"""Generates Sudokus: a random grid, from which givens are deleted as long as its solution is the only one.

The grid is a pattern with its digits, rows and columns permuted. Cells, of which `hardness` is the share, are
deleted many at a time, which is what makes 36x36 possible, if Norvig's search proves within BRANCHES that the
solution is the only one; else one half after the other.

In a draft of the hard kind each cell is given with the same probability, and nothing is proved: with about
HOLES of the cells empty there are few solutions, or one, and neither propagation nor luck finds them.
"""

from dataclasses import replace
from functools import partial
from math import isqrt
from random import Random
from typing import Any

from models.shared.generator import Draft
from models.shared.givens import one_more, two_exchanged, with_givens
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.second_solution import is_only_solution
from models.sudoku.backtrack import norvig
from models.sudoku.puzzle import Sudoku

SIZE = "cells on a side"

BRANCHES = 100  # How many the proof that there is no second solution may need.
PROOFS = 250  # How many such proofs are tried.

HOLES = 0.6
"""The largest share of empty cells in the hard kind: with 0.7 Norvig's search in C solves 25x25 in 0.2 s."""


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A Sudoku with exactly one solution."""
    puzzle = empty(size)
    solution = random_grid(puzzle, rng)
    cells = [cell for cell in puzzle.cells if rng.random() < hardness]
    rng.shuffle(cells)
    return with_givens(Draft(table(puzzle), solution), needed(puzzle, solution, cells))


def hard_draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A Sudoku with one solution or more, in which up to HOLES of the cells are empty."""
    puzzle = empty(size)
    solution = random_grid(puzzle, rng)
    given = {cell for cell in puzzle.cells if rng.random() >= HOLES * hardness}
    return with_givens(Draft(table(puzzle), solution), given)


def empty(size: int) -> Sudoku:
    """The Sudoku without givens with the squarest boxes; raises ValueError if there is none of this size."""
    if size < 1:
        raise ValueError("the grid needs 1 cell or more on a side")
    height = next(h for h in range(isqrt(size), 0, -1) if size % h == 0)
    box, digits = (height, size // height), tuple(range(1, size + 1))
    return Sudoku(size, size, box, digits, {}, {}, {}, None, "middle_row")


def table(puzzle: Sudoku) -> dict[str, Any]:
    """The keys of an instance file that state the grid."""
    return {"box": list(puzzle.box), "digits": " ".join(map(str, puzzle.digits))}


def random_grid(puzzle: Sudoku, rng: Random) -> Solution:
    """A grid that holds each digit once in each row, column and box."""
    height, width = puzzle.box
    digits = rng.sample(puzzle.digits, puzzle.side)

    def permuted(bands: int, lines: int) -> list[int]:
        order = rng.sample(range(bands), bands)
        return [band * lines + line for band in order for line in rng.sample(range(lines), lines)]

    rows, columns = permuted(width, height), permuted(height, width)
    return [[digits[(c + r % height * width + r // height) % puzzle.side] for c in columns] for r in rows]


def needed(puzzle: Sudoku, solution: Solution, cells: list[Cell]) -> set[Cell]:
    """Givens for which the solution is the only one: all but those of the cells that can be deleted."""
    given = {(row, column): solution[row][column] for row, column in puzzle.cells}
    parts, proofs = [cells], 0
    while parts and proofs < PROOFS:
        part, proofs = parts.pop(), proofs + 1
        fewer = {cell: digit for cell, digit in given.items() if cell not in part}
        if is_only_solution(partial(norvig, replace(puzzle, givens=fewer)), solution, BRANCHES):
            given = fewer
        elif len(part) > 1:
            middle = len(part) // 2
            parts += [part[middle:], part[:middle]]
    return set(given)


narrow = one_more
spoil = two_exchanged
