"""Market Split as an integer program without an objective; model.md states it.

Constraints: linear
"""

import pulp

from models.market_split.puzzle import MarketSplit
from models.shared.milp import program
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: MarketSplit) -> Model:
    """A binary variable for each customer, an equation for each product."""
    problem = program("market_split")

    # Each customer goes to the first division or to the second.
    x = {i: problem.add_variable(f"x_{i}", cat=pulp.LpBinary) for i in puzzle.customers}

    # Of each product the first division sells its total.
    for row, total in puzzle.equations:
        problem += pulp.LpAffineExpression(zip(x.values(), row, strict=True)) == total

    return Model(problem, from_integers(puzzle, x))


FORMULATIONS = by_name(textbook)
