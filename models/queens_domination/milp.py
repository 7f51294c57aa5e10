"""Queens Domination as an integer program; model.md states it.

Constraints: set covering
"""

import pulp

from models.queens_domination.puzzle import QueensDomination
from models.shared.milp import program, total
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: QueensDomination) -> Model:
    """A binary variable for each square, an inequality for each."""
    problem = program("queens_domination", puzzle.objective.sense)
    x = {(r, c): problem.add_variable(f"x_{r}_{c}", cat=pulp.LpBinary) for r, c in puzzle.squares}

    # There are as few queens as possible.
    problem += total(x.values())

    # Each square is occupied or attacked.
    for attackers in puzzle.attackers.values():
        problem += total(x[square] for square in attackers) >= 1

    return Model(problem, from_integers(puzzle, x))


FORMULATIONS = by_name(textbook)
