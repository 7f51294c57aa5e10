"""Shikaku for python-constraint; model.md states the constraint program.

The four integers of a rectangle are one value, as the library knows no products.

Constraints: functions
"""

from itertools import chain, combinations

import constraint

from models.shared.model import Model, by_name
from models.shikaku.puzzle import Shikaku
from models.shikaku.rectangles import Rectangle, clues_left, covering, cut, fitting_rectangles


def textbook(puzzle: Shikaku) -> Model:
    """The rectangle of each clue, and functions of two of them, and of all."""
    problem = constraint.Problem()

    # The rectangle of a clue holds its cell, and has as many cells as the clue says.
    fitting = fitting_rectangles(puzzle)
    numbers = range(1, len(puzzle.clues) + 1)
    options = {number: [each for each in fitting if each.clue == number] for number in numbers}
    # The library accepts no variable without a value, nor a constraint without a variable.
    for number in options or {0: []}:
        problem.addVariable(number, options.get(number) or [Rectangle(number, 0, 0, 0, 0)])

    # No two rectangles overlap.
    meeting = {
        pair
        for found in covering(puzzle, fitting).values()
        for pair in combinations(sorted({each.clue for each in found}), 2)
    }
    for pair in sorted(meeting):
        problem.addConstraint(_apart, pair)

    # Together they have all cells.
    problem.addConstraint(lambda *placed: sum(each.height * each.width for each in placed) == puzzle.size)

    return Model(
        problem,
        lambda value: cut(puzzle, map(value, options)),
        view=lambda left: clues_left(puzzle, chain(*left.values())),
    )


def _apart(a: Rectangle, b: Rectangle) -> bool:
    return (
        a.top + a.height <= b.top
        or b.top + b.height <= a.top
        or a.left + a.width <= b.left
        or b.left + b.width <= a.left
    )


FORMULATIONS = by_name(textbook)
