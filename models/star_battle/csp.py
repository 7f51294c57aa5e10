"""Star Battle for python-constraint; model.md states the constraint program.

Constraints: sum, functions
"""

import constraint

from models.shared.csp import ExactSum
from models.shared.model import Model, by_name
from models.star_battle.puzzle import StarBattle


def textbook(puzzle: StarBattle) -> Model:
    """Variables with the values 0 and 1, one for each cell."""
    problem = constraint.Problem()

    # Each cell holds a star or none.
    for i in puzzle.cells:
        problem.addVariable(i, [0, 1])

    # Each row, column and region has k stars.
    for unit in puzzle.units:
        problem.addConstraint(ExactSum(puzzle.stars), unit)

    # Stars do not touch.
    for pair in puzzle.touching:
        problem.addConstraint(_not_both, pair)

    return Model(problem, puzzle.solution)


def _not_both(one: int, other: int) -> bool:
    """Whether one of two cells holds no star."""
    return not (one and other)


FORMULATIONS = by_name(textbook)
