"""Domino Tiling in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: sum
"""

import cpmpy

from models.domino_tiling.puzzle import DominoTiling
from models.shared.model import Model, by_name


def textbook(puzzle: DominoTiling) -> Model:
    """A Boolean for each domino on the board, of which one covers each cell."""
    model = cpmpy.Model()
    laid = {domino: cpmpy.boolvar() for domino in puzzle.scores}

    # Each cell that is no hole is covered once.
    for options in puzzle.options.values():
        model += cpmpy.sum(laid[domino] for domino in options.values()) == 1

    # The tiling with the highest score is wanted; CPMpy accepts no sum of nothing.
    if laid:
        model.maximize(cpmpy.sum(score * laid[domino] for domino, score in puzzle.scores.items()))

    return Model(model, lambda value: puzzle.tiling(d for d in laid if value(laid[d])), [*laid.values()])


FORMULATIONS = by_name(textbook)
