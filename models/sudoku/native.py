"""Sudoku for programs in C, search.c and learning.c: the rules and clues as they stand, as integers.

    rows and columns of a box; how many digits; the row divisor, or 0;
      1 if it divides so few rows that they are listed, else 0
    the digits in increasing order
    the givens, -1 for none, of the cells of a row, for each of the n rows; likewise
    the remote clues; the product clues

n is the number of cells of a box. A solution has the digit of each cell, row by row.

search.c reads several requests, each with its instance, one after the other. learning.c keeps a clause of
each solution, so that its memory grows with them.

Constraints: all different, table (clues), regular (multiples); exactly one, clause (`learning`)
"""

from collections.abc import Mapping
from pathlib import Path

from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered
from models.sudoku.clues import rows_are_listed
from models.sudoku.puzzle import Sudoku

SEARCH = Path(__file__).with_name("search.c")


def locked_candidates(puzzle: Sudoku, program: Path = SEARCH) -> Model:
    """Propagation, and the cell with the fewest digits whose units failed most often."""
    n = puzzle.side

    def rows(clues: Mapping[Cell, int]) -> list[list[int]]:
        # No two digits have a larger product.
        most = puzzle.digits[-1] ** 2 + 1
        return [[min(clues.get((row, column), -1), most) for column in range(n)] for row in range(n)]

    # A row is less than 10^n: of the multiples of a larger divisor it can only be 0.
    divisor = min(puzzle.row_divisor or 0, 10**n)
    lines = [
        [*puzzle.box, len(puzzle.digits), divisor, int(rows_are_listed(puzzle))],
        puzzle.digits,
        *(row for clues in (puzzle.givens, puzzle.remote, puzzle.product) for row in rows(clues)),
    ]
    return Model(NativeInput(program, lines, puzzle.size), from_integers(puzzle, numbered(puzzle.cells)))


def learning(puzzle: Sudoku) -> Model:
    """Clauses learned from failures; restarts."""
    return locked_candidates(puzzle, Path(__file__).with_name("learning.c"))


FORMULATIONS = by_name(locked_candidates, learning)
