"""Perfect squares in CPMpy, for any of its solvers; model.md states the formulations.

CPMpy has no constraint of rectangles that do not overlap: a clause keeps two apart.

Constraints: clause over inequalities, linear; cumulative (`cumulative`)
"""

import cpmpy

from models.perfect_squares.puzzle import PerfectSquares
from models.shared.model import Model, Values, by_name
from models.shared.puzzle import Solution


def cumulative(puzzle: PerfectSquares) -> Model:
    """`textbook`, with the lengths of squares in rows and columns."""
    return textbook(puzzle, cumulative=True)


def textbook(puzzle: PerfectSquares, cumulative: bool = False) -> Model:
    """Integers, the row and the column of each square."""
    model, sides = cpmpy.Model(), puzzle.sides
    rows = [cpmpy.intvar(0, puzzle.height - 1) for _ in sides]
    columns = [cpmpy.intvar(0, puzzle.width - 1) for _ in sides]

    # Each square is inside the rectangle.
    for row, column, side in zip(rows, columns, sides, strict=True):
        model += [row + side <= puzzle.height, column + side <= puzzle.width]

    # No two squares overlap.
    for i, j in puzzle.pairs:
        apart = [(a[i] + sides[i] <= a[j], a[j] + sides[j] <= a[i]) for a in (rows, columns)]
        model += cpmpy.any(apart[0] + apart[1])

    # In no row or column are they longer than it.
    for begin, most in ((rows, puzzle.width), (columns, puzzle.height)) if cumulative else ():
        model += cpmpy.Cumulative(begin, [*sides], demand=[*sides], capacity=most)

    # They fill the rectangle.
    if not puzzle.fills:
        model += cpmpy.BoolVal(False)

    # Equal squares are in order.
    for i, j in puzzle.equal:
        model += puzzle.width * rows[i] + columns[i] < puzzle.width * rows[j] + columns[j]

    def decode(value: Values) -> Solution:
        return puzzle.solution(lambda i: (value(rows[i]), value(columns[i])))

    return Model(model, decode, decisions=rows + columns)


FORMULATIONS = by_name(cumulative, textbook)
