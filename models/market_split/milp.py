"""Market Split as an integer program without an objective; model.md states it.

Constraints: linear
"""

import pulp

from models.market_split.lattice import Lattice, integer_solutions
from models.market_split.puzzle import MarketSplit
from models.shared.milp import program
from models.shared.model import Model, by_name, from_integers, reasoned


@reasoned(integer_solutions)
def lattice(puzzle: MarketSplit, known: Lattice) -> Model:
    """Integers that are added to one solution of the equations."""
    problem = program("market_split")

    # Each customer goes to the first division or to the second.
    x = {i: problem.add_variable(f"x_{i}", cat=pulp.LpBinary) for i in puzzle.customers}

    # It is one solution of the equations and, each so many times, vectors that change no total.
    y = [problem.add_variable(f"y_{k}", *b, cat=pulp.LpInteger) for k, b in enumerate(known.bounds)]
    for i in puzzle.customers:
        terms = [(variable, -vector[i]) for variable, vector in zip(y, known.basis, strict=True)]
        problem += pulp.LpAffineExpression([(x[i], 1), *terms]) == known.start[i]

    return Model(problem, from_integers(puzzle, x), [*x.values()])


def textbook(puzzle: MarketSplit) -> Model:
    """A binary variable for each customer, an equation for each product."""
    problem = program("market_split")

    # Each customer goes to the first division or to the second.
    x = {i: problem.add_variable(f"x_{i}", cat=pulp.LpBinary) for i in puzzle.customers}

    # Of each product the first division sells its total.
    for row, total in puzzle.equations:
        problem += pulp.LpAffineExpression(zip(x.values(), row, strict=True)) == total

    return Model(problem, from_integers(puzzle, x), [*x.values()])


FORMULATIONS = by_name(lattice, textbook)
