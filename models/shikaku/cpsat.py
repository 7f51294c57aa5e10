"""Shikaku for CP-SAT; model.md states the formulations.

Constraints: exactly one (`rectangles`); no overlap in two dimensions, product, linear (`textbook`)
"""

from ortools.sat.python import cp_model

from models.shared.cpsat import BulkModel
from models.shared.model import Model, Values, by_name
from models.shared.puzzle import Solution
from models.shikaku.puzzle import Shikaku
from models.shikaku.rectangles import Rectangle, covering, cut, fitting_rectangles


def rectangles(puzzle: Shikaku) -> Model:
    """A literal for each rectangle that fits its clue: set partitioning."""
    model = BulkModel()
    fitting = fitting_rectangles(puzzle)
    chosen = model.new_bool_vars({rectangle: str(tuple(rectangle)) for rectangle in fitting})

    # Each cell lies in one rectangle, a cell with a clue in one of that clue.
    for options in covering(puzzle, fitting).values():
        model.add_exactly_one(*[chosen[rectangle] for rectangle in options])

    return model.as_model(lambda value: cut(puzzle, [each for each, of in chosen.items() if value(of)]))


def textbook(puzzle: Shikaku) -> Model:
    """Integers, the place and the sides of the rectangle of each clue."""
    model = cp_model.CpModel()
    rows, columns, sides, areas = [], [], [], []
    for (row, column), area in puzzle.clues.items():
        # The rectangle of a clue holds its cell.
        of = f"of {row},{column}"
        top = model.new_int_var(0, row, f"top {of}")
        bottom = model.new_int_var(row + 1, puzzle.height, f"bottom {of}")
        left = model.new_int_var(0, column, f"left {of}")
        right = model.new_int_var(column + 1, puzzle.width, f"right {of}")
        height = model.new_int_var(1, puzzle.height, f"height {of}")
        width = model.new_int_var(1, puzzle.width, f"width {of}")
        rows.append(model.new_interval_var(top, height, bottom, f"rows {of}"))
        columns.append(model.new_interval_var(left, width, right, f"columns {of}"))
        sides.append((top, left, height, width))

        # It has as many cells as the clue says.
        areas.append(model.new_int_var(area or 1, area or puzzle.size, f"area {of}"))
        model.add_multiplication_equality(areas[-1], [height, width])

    # No two rectangles overlap.
    model.add_no_overlap_2d(rows, columns)

    # Together they have all cells.
    model.add(sum(areas) == puzzle.size)

    def decode(value: Values) -> Solution:
        placed = ([value(side) for side in four] for four in sides)
        return cut(puzzle, [Rectangle(number, *four) for number, four in enumerate(placed, 1)])

    return Model(model, decode)


FORMULATIONS = by_name(rectangles, textbook)
