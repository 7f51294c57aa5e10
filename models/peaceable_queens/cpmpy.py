"""Peaceable Queens in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: clauses, linear
"""

import cpmpy

from models.peaceable_queens.puzzle import BLACK, SIGNS, WHITE, PeaceableQueens
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: PeaceableQueens) -> Model:
    """An integer for each square, a clause for each attack."""
    model = cpmpy.Model()

    # A square is empty, or has a white or a black queen.
    x = {i: cpmpy.intvar(0, len(SIGNS) - 1) for i in puzzle.squares}

    # No queen attacks one of the other colour.
    for i, j in puzzle.attacks():
        model += (x[i] != WHITE) | (x[j] != BLACK)

    # Both armies have equally many queens, as many as possible.
    white, black = (cpmpy.sum(x[i] == colour for i in puzzle.squares) for colour in (WHITE, BLACK))
    model += white == black
    model.maximize(white)

    return Model(model, from_integers(puzzle, x), [*x.values()])


FORMULATIONS = by_name(textbook)
