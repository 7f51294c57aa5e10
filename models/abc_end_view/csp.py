"""ABC End View for python-constraint; model.md states the constraint program.

Constraints: some in set, functions
"""

from functools import partial

import constraint

from models.abc_end_view.puzzle import AbcEndView
from models.shared.model import Model, by_name


def textbook(puzzle: AbcEndView) -> Model:
    """Integers, one for each cell."""
    problem = constraint.Problem()

    # Each cell holds a letter or nothing.
    for i, values in puzzle.domains.items():
        problem.addVariable(i, values)

    # Each row and column holds each letter once.
    for line in puzzle.rows_and_columns:
        for v in range(1, puzzle.letters + 1):
            problem.addConstraint(constraint.SomeInSetConstraint({v}, 1, exact=True), line)

    # The first letter that is seen from a clue is this.
    for cells, letter in puzzle.seen:
        problem.addConstraint(partial(_is_first, letter), cells)

    return Model(problem, puzzle.solution)


def _is_first(letter: int, *held: int) -> bool:
    return next(filter(None, held), 0) == letter


FORMULATIONS = by_name(textbook)
