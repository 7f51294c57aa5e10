"""Market Split for python-constraint; model.md states the constraint program.

Constraints: weighted sum
"""

import constraint

from models.market_split.puzzle import MarketSplit
from models.shared.csp import ExactSum
from models.shared.model import Model, by_name


def textbook(puzzle: MarketSplit) -> Model:
    """A 0 or 1 for each customer, an equation for each product."""
    problem = constraint.Problem()

    # Each customer goes to the first division or to the second.
    problem.addVariables(puzzle.customers, [0, 1])

    # Of each product the first division sells its total.
    for row, total in puzzle.equations:
        problem.addConstraint(ExactSum(total, row), puzzle.customers)

    return Model(problem, puzzle.solution)


FORMULATIONS = by_name(textbook)
