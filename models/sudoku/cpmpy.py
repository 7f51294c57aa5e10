"""Sudoku in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: all different, table, clause over equalities, linear
"""

from itertools import pairwise
from typing import Any

import cpmpy

from models.shared.grid import Cell, neighbours
from models.shared.model import Model, by_name, from_integers
from models.sudoku.clues import divisible_rows, factor_pairs, remote_cells
from models.sudoku.puzzle import Sudoku


def textbook(puzzle: Sudoku) -> Model:
    """Integers, one for each cell."""
    model = cpmpy.Model()

    # Each cell holds one digit.
    x = {i: cpmpy.intvar(min(domain), max(domain)) for i, domain in puzzle.domains.items()}
    out = [cpmpy.intvar(puzzle.digits[0], puzzle.digits[-1]) for _ in range(len(puzzle.digits) - puzzle.side)]
    if len(puzzle.digits) <= puzzle.digits[-1] - puzzle.digits[0]:
        model += [cpmpy.InDomain(digit, puzzle.digits) for digit in [*x.values(), *out]]

    # Each row, column and box holds each digit once that is not left out.
    model += [lesser < greater for lesser, greater in pairwise(out)]
    for unit in puzzle.units:
        model += cpmpy.AllDifferent([x[i] for i in unit] + out)

    def holding(cells: list[Cell], v: int) -> list[Any]:
        return [x[i] == v for i in cells if v in puzzle.domains[i]]

    # Some cell N steps away holds N.
    for cell, steps in puzzle.remote.items():
        model += cpmpy.any(holding(remote_cells(cell, steps, puzzle.side), steps))

    # Two cells beside the clue hold a pair of digits with its product.
    for cell, clue in puzzle.product.items():
        beside = neighbours(cell, puzzle.side)
        model += cpmpy.any(
            cpmpy.sum(holding(beside, a)) >= 2
            if a == b
            else cpmpy.any(holding(beside, a)) & cpmpy.any(holding(beside, b))
            for a, b in factor_pairs(clue, puzzle.digits)
        )

    # Each row is a multiple of the divisor: one of a list, or by long division.
    rows = divisible_rows(puzzle)
    for row, words in enumerate(rows or ()):
        model += (
            cpmpy.Table([x[row, c] for c in range(puzzle.side)], words) if words else cpmpy.BoolVal(False)
        )
    divisor = puzzle.row_divisor or 0 if rows is None else 0
    for row in range(puzzle.side if divisor else 0):
        before: Any = 0
        for column in range(puzzle.side):
            is_last = column == puzzle.side - 1
            remainder = 0 if is_last or divisor == 1 else cpmpy.intvar(0, divisor - 1)
            model += 10 * before + x[row, column] == divisor * cpmpy.intvar(0, 9) + remainder
            before = remainder

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
