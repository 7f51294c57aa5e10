"""Sudoku for python-constraint; model.md states the constraint program.

Constraints: all different, functions
"""

from functools import partial
from itertools import combinations, pairwise
from operator import lt

import constraint

from models.shared.grid import neighbours
from models.shared.model import Left, Model, by_name
from models.shared.search import View
from models.sudoku.clues import remote_cells
from models.sudoku.puzzle import Sudoku


def textbook(puzzle: Sudoku) -> Model:
    """Integers, one for each cell."""
    problem = constraint.Problem()

    # Each cell holds one digit.
    for i in puzzle.cells:
        problem.addVariable(i, list(puzzle.domains[i]))
    out = [(-1, k) for k in range(len(puzzle.digits) - puzzle.side)]
    for k in out:
        problem.addVariable(k, list(puzzle.digits))

    # Each row, column and box holds each digit once that is not left out.
    for pair in pairwise(out):
        problem.addConstraint(lt, pair)
    for unit in puzzle.units:
        problem.addConstraint(constraint.AllDifferentConstraint(), unit + out)

    # Some cell N steps away holds N.
    for cell, steps in puzzle.remote.items():
        away = remote_cells(cell, steps, puzzle.side)
        problem.addConstraint(partial(_some, steps if away else None), away or [cell])

    # Two cells beside the clue hold a pair of digits with its product.
    for cell, product in puzzle.product.items():
        problem.addConstraint(partial(_some_product, product), neighbours(cell, puzzle.side) or [cell])

    # Each row is a multiple of the divisor.
    if puzzle.row_divisor is not None:
        for row in puzzle.units[: puzzle.side]:
            problem.addConstraint(partial(_is_multiple, puzzle.row_divisor), row)

    def view(left: Left) -> View:
        """The digits left of each cell, and those that are left out."""
        without = [f"without {left[k][0]}" for k in out if len(left.get(k, ())) == 1]
        return View({i: left[i] for i in puzzle.cells if i in left}, notes=without)

    return Model(problem, puzzle.solution, view=view)


def _some(value: int | None, *held: int) -> bool:
    """Whether a cell holds the value, which is None where there is no cell: a constraint needs one."""
    return value in held


def _some_product(product: int, *held: int) -> bool:
    """Whether two cells hold digits with the product."""
    return any(a * b == product for a, b in combinations(held, 2))


def _is_multiple(divisor: int, *row: int) -> bool:
    """Whether the row, read as a number, is a multiple of the divisor."""
    return int("".join(map(str, row))) % divisor == 0


FORMULATIONS = by_name(textbook)
