"""Perfect squares for python-constraint; model.md states the constraint program.

The row and the column of a square are one value, so that one that is placed removes values of the others.

Constraints: functions
"""

from itertools import product

import constraint

from models.perfect_squares.puzzle import PerfectSquares, Place
from models.shared.model import Left, Model, by_name
from models.shared.search import View


def textbook(puzzle: PerfectSquares) -> Model:
    """The place of each square, and functions of two of them."""
    problem, sides = constraint.Problem(), puzzle.sides

    # Each square is inside the rectangle.
    inside = all(side <= min(puzzle.height, puzzle.width) for side in sides)
    for i, side in enumerate(sides):
        rows, columns = range(puzzle.height - side + 1), range(puzzle.width - side + 1)
        # The library accepts no variable without a value.
        problem.addVariable(i, [*product(rows, columns)] or [(0, 0)])

    # No two squares overlap.
    def apart(a: int, b: int) -> constraint.FunctionConstraint:
        def holds(i: Place, j: Place) -> bool:
            down, right = j[0] - i[0], j[1] - i[1]
            return down >= a or -down >= b or right >= a or -right >= b

        return constraint.FunctionConstraint(holds)

    for i, j in puzzle.pairs:
        problem.addConstraint(apart(sides[i], sides[j]), [i, j])

    # They fill the rectangle.
    problem.addConstraint(lambda *_: inside and puzzle.fills, [0])

    # Equal squares are in order.
    for i, j in puzzle.equal:
        problem.addConstraint(lambda a, b: a < b, [i, j])

    def view(left: Left) -> View:
        return View({(*place, sides[i]): [sides[i]] for i, places in left.items() for place in places})

    return Model(problem, puzzle.solution, view=view)


FORMULATIONS = by_name(textbook)
