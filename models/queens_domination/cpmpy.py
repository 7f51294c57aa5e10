"""Queens Domination in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: clause
"""

import cpmpy

from models.queens_domination.puzzle import QueensDomination
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: QueensDomination) -> Model:
    """A Boolean for each square, a clause for each."""
    model = cpmpy.Model()
    x = {square: cpmpy.boolvar() for square in puzzle.squares}

    # Each square is occupied or attacked.
    for attackers in puzzle.attackers.values():
        model += cpmpy.any([x[square] for square in attackers])

    # There are as few queens as possible.
    model.minimize(cpmpy.sum([*x.values()]))

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
