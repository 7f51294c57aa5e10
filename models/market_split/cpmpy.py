"""Market Split in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: weighted sum
"""

import cpmpy

from models.market_split.puzzle import MarketSplit
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: MarketSplit) -> Model:
    """An integer 0 or 1 for each customer, an equation for each product."""
    model = cpmpy.Model()

    # Each customer goes to the first division or to the second.
    x = {i: cpmpy.intvar(0, 1) for i in puzzle.customers}

    # Of each product the first division sells its total.
    for row, total in puzzle.equations:
        model += cpmpy.sum(amount * x[i] for i, amount in enumerate(row)) == total

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
