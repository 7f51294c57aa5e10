"""Twenty Four Seven for python-constraint; model.md states the constraint program.

That the filled cells are connected is a function of all cells, in place of steps.

Constraints: some in set, exact sum, functions
"""

from functools import partial

import constraint

from models.shared.connected import are_connected
from models.shared.csp import ExactSum, written
from models.shared.model import Model, by_name
from models.shared.partly_filled import EMPTY
from models.twenty_four_seven.layout import domain, lines, windows
from models.twenty_four_seven.puzzle import FILLED, NUMBERS, TOTAL, TwentyFourSeven


def textbook(puzzle: TwentyFourSeven) -> Model:
    """Integers, with counts, sums and functions."""
    problem = constraint.Problem()

    # Each cell holds one value.
    for i in puzzle.cells:
        problem.addVariable(i, domain(puzzle, i))

    # A window holds each k in 1..7 k times.
    for window in windows(puzzle):
        for k in NUMBERS:
            problem.addConstraint(constraint.SomeInSetConstraint({k}, k, exact=True), window)

    # In a row or column of a window four cells are filled, and sum to 20.
    for line in lines(puzzle):
        problem.addConstraint(constraint.SomeInSetConstraint({*NUMBERS}, FILLED, exact=True), line)
        problem.addConstraint(ExactSum(TOTAL), line)

    # Some cell of each 2x2 block is empty.
    for block in puzzle.blocks:
        problem.addConstraint(constraint.SomeInSetConstraint({EMPTY}), block)

    for seen, clue in puzzle.seen:
        if clue in NUMBERS:
            # The first number of the line is this.
            problem.addConstraint(partial(_is_first, clue), seen)
        else:
            # The line sums to the number.
            problem.addConstraint(ExactSum(clue), seen)

    # All filled cells are connected along edges.
    problem.addConstraint(partial(are_connected, puzzle.cells), puzzle.cells)

    return Model(problem, puzzle.solution, view=written({EMPTY: "·"}))


def _is_first(number: int, *held: int) -> bool:
    """Whether the first cell that is not empty holds the number."""
    return next(filter(None, held), EMPTY) == number


FORMULATIONS = by_name(textbook)
