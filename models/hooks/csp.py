"""Hooks for python-constraint; model.md states the constraint program.

Products, runs and what is connected are plain functions of the cells, where the other backends have automata
and steps.

Constraints: all different, sum, values in a set, functions
"""

from collections.abc import Callable
from functools import partial

import constraint

from models.hooks.line_clues import sums
from models.hooks.puzzle import Hooks, product_of_first_two, sum_of_first_block
from models.shared.connected import are_connected
from models.shared.csp import ExactSum
from models.shared.model import Left, Model, by_name
from models.shared.partly_filled import EMPTY
from models.shared.search import View
from models.shared.sides import line_from


def textbook(puzzle: Hooks) -> Model:
    """One variable for each cell, for the hook of each row and column, and for the number of each hook."""
    problem = constraint.Problem()
    n, cells = puzzle.n, puzzle.cells
    lines, sizes = range(n), range(1, n + 1)

    # Each cell holds one value.
    problem.addVariables(cells, list(range(n + 1)))
    for i, v in puzzle.fixed:
        problem.addConstraint(constraint.InSetConstraint({v}), [i])

    # Each number v is in v cells.
    for v in sizes:
        problem.addConstraint(constraint.SomeInSetConstraint({v}, n=v, exact=True), cells)

    # Each hook takes a row and a column, from the outside in.
    for axis in ("row", "column"):
        taken = [(axis, r) for r in lines]
        problem.addVariables(taken, list(sizes))
        problem.addConstraint(constraint.AllDifferentConstraint(), taken)
        for r in lines[1:-1]:
            problem.addConstraint(lambda a, b, c: not a < b > c, taken[r - 1 : r + 2])
    for (r, c), k in (puzzle.hooks or {}).items():
        problem.addConstraint(partial(_is_hook, k), [("row", r), ("column", c)])

    # Each number has a hook, and each hook a number.
    number = [("number of hook", k) for k in sizes]
    problem.addVariables(number, list(sizes))
    problem.addConstraint(constraint.AllDifferentConstraint(), number)
    for k in sizes if puzzle.by_size else []:
        problem.addConstraint(constraint.InSetConstraint({k}), [number[k - 1]])

    # A filled cell holds the number of its hook.
    for r, c in cells:
        for k in sizes:
            scope = [("row", r), ("column", c), number[k - 1], (r, c)]
            problem.addConstraint(partial(_holds_its_number, k), scope)

    # Some cell of each 2x2 block is empty.
    for block in puzzle.blocks:
        problem.addConstraint(constraint.SomeInSetConstraint({EMPTY}), block)

    # Lines, regions and neighbours have their sums.
    for group, total in sums(puzzle):
        problem.addConstraint(ExactSum(total), group)

    # The first two filled cells of a line have the product, the first run of filled cells has the sum.
    for (side, line), product in puzzle.first_two_product.items():
        problem.addConstraint(partial(_shows, product_of_first_two, product), line_from(side, line, n, n))
    for (side, line), total in puzzle.first_block_sum.items():
        problem.addConstraint(partial(_shows, sum_of_first_block, total), line_from(side, line, n, n))

    # All filled cells are connected.
    if puzzle.connected:
        problem.addConstraint(partial(are_connected, cells), cells)

    return Model(problem, puzzle.solution, view=_view)


def _is_hook(k: int, row: int, column: int) -> bool:
    """Whether a cell in a row and a column of these hooks lies in the hook of size k."""
    return max(row, column) == k


def _holds_its_number(k: int, row: int, column: int, number: int, value: int) -> bool:
    """Whether a cell is empty or has the number of hook k, if it lies in that."""
    return not _is_hook(k, row, column) or value in (EMPTY, number)


def _shows(seen_in: Callable[[list[int]], int | None], number: int, *line: int) -> bool:
    return seen_in(list(line)) == number


def _view(left: Left) -> View:
    """The values that each cell can have, and what is known of the rows, columns and hooks."""
    cells, notes = {}, []
    for variable, values in left.items():
        if isinstance(variable[0], str):
            notes.append(f"{variable[0]} {variable[1]}: {', '.join(map(str, values))}")
        else:
            cells[variable] = [value or "·" for value in values]
    return View(cells, notes=notes)


FORMULATIONS = by_name(textbook)
