"""Perfect squares for CP-SAT; model.md states the formulations.

Constraints: no overlap in two dimensions, linear; cumulative (`leftmost`)
"""

from ortools.sat.python import cp_model

from models.perfect_squares.puzzle import PerfectSquares
from models.shared.model import Model, by_name

Places = list[cp_model.IntVar]
"""The row of each square, or the column."""


def leftmost(puzzle: PerfectSquares) -> Model:
    """Branches on a column, then on a row, that can be the least, when CP-SAT follows the model's order."""
    model, rows, columns = placed(puzzle, cumulative=True)
    for unknowns in (columns, rows):
        model.add_decision_strategy(unknowns, cp_model.CHOOSE_LOWEST_MIN, cp_model.SELECT_MIN_VALUE)
    return _as_model(puzzle, model, rows, columns)


def textbook(puzzle: PerfectSquares) -> Model:
    """Integers, the row and the column of each square."""
    return _as_model(puzzle, *placed(puzzle))


def placed(puzzle: PerfectSquares, cumulative: bool = False) -> tuple[cp_model.CpModel, Places, Places]:
    """A model with its rows and columns."""
    model = cp_model.CpModel()
    rows, columns, tall, wide = [], [], [], []
    for i, side in enumerate(puzzle.sides):
        rows.append(model.new_int_var(0, puzzle.height - 1, f"row of {i}"))
        columns.append(model.new_int_var(0, puzzle.width - 1, f"column of {i}"))
        tall.append(model.new_fixed_size_interval_var(rows[i], side, f"rows of {i}"))
        wide.append(model.new_fixed_size_interval_var(columns[i], side, f"columns of {i}"))

        # Each square is inside the rectangle.
        model.add(rows[i] + side <= puzzle.height)
        model.add(columns[i] + side <= puzzle.width)

    # No two squares overlap.
    model.add_no_overlap_2d(wide, tall)

    # In no row or column are they longer than it.
    if cumulative:
        model.add_cumulative(tall, puzzle.sides, puzzle.width)
        model.add_cumulative(wide, puzzle.sides, puzzle.height)

    # They fill the rectangle.
    model.add(puzzle.fills)

    # Equal squares are in order.
    for i, j in puzzle.equal:
        model.add(puzzle.width * rows[i] + columns[i] < puzzle.width * rows[j] + columns[j])

    return model, rows, columns


def _as_model(puzzle: PerfectSquares, model: cp_model.CpModel, rows: Places, columns: Places) -> Model:
    return Model(model, lambda value: puzzle.solution(lambda i: (value(rows[i]), value(columns[i]))))


FORMULATIONS = by_name(leftmost, textbook)
