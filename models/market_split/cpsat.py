"""Market Split for CP-SAT; model.md states the constraint program.

Constraints: linear
"""

from ortools.sat.python import cp_model

from models.market_split.lattice import Lattice, integer_solutions
from models.market_split.puzzle import MarketSplit
from models.shared.model import Model, by_name, from_integers, reasoned


@reasoned(integer_solutions)
def lattice(puzzle: MarketSplit, known: Lattice) -> Model:
    """Integers alone: how often vectors that change no total are added to one solution of the equations."""
    model = cp_model.CpModel()
    y = [model.new_int_var(*bounds, f"y{k}") for k, bounds in enumerate(known.bounds)]
    added = cp_model.LinearExpr.weighted_sum
    x = {i: known.start[i] + added(y, [vector[i] for vector in known.basis]) for i in puzzle.customers}

    # Each customer goes to the first division or to the second.
    for i in puzzle.customers:
        model.add_linear_constraint(x[i], 0, 1)

    return Model(model, from_integers(puzzle, x))


def textbook(puzzle: MarketSplit) -> Model:
    """A literal for each customer, an equation for each product."""
    model = cp_model.CpModel()

    # Each customer goes to the first division or to the second.
    x = {i: model.new_bool_var(f"x{i}") for i in puzzle.customers}

    # Of each product the first division sells its total.
    for row, total in puzzle.equations:
        model.add(cp_model.LinearExpr.weighted_sum([*x.values()], row) == total)

    return Model(model, from_integers(puzzle, x))


FORMULATIONS = by_name(lattice, textbook)
