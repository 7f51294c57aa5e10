"""Market Split for CP-SAT; model.md states the constraint program.

Constraints: linear
"""

from ortools.sat.python import cp_model

from models.market_split.puzzle import MarketSplit
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: MarketSplit) -> Model:
    """A literal for each customer, an equation for each product."""
    model = cp_model.CpModel()

    # Each customer goes to the first division or to the second.
    x = {i: model.new_bool_var(f"x{i}") for i in puzzle.customers}

    # Of each product the first division sells its total.
    for row, total in puzzle.equations:
        model.add(cp_model.LinearExpr.weighted_sum([*x.values()], row) == total)

    return Model(model, from_integers(puzzle, x))


FORMULATIONS = by_name(textbook)
