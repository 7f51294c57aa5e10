"""Quasigroup completion for python-constraint; model.md states the constraint program.

Constraints: all different
"""

import constraint

from models.quasigroup_completion.puzzle import QuasigroupCompletion
from models.shared.model import Model, by_name


def textbook(puzzle: QuasigroupCompletion) -> Model:
    """Integers, one for each cell."""
    problem = constraint.Problem()

    # Each cell holds one number.
    for i, values in puzzle.domains.items():
        problem.addVariable(i, list(values))

    # Each row and column holds each number once.
    for line in puzzle.rows_and_columns:
        problem.addConstraint(constraint.AllDifferentConstraint(), line)

    return Model(problem, puzzle.solution)


FORMULATIONS = by_name(textbook)
