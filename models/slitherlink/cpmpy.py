"""Slitherlink in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: linear, half-reified linear
"""

import cpmpy

from models.shared.loop import loop_for_cpmpy
from models.shared.model import Model, by_name
from models.slitherlink.puzzle import Slitherlink


def textbook(puzzle: Slitherlink) -> Model:
    """Binary variables for the edges; numbers that grow along the loop."""
    model = cpmpy.Model()

    # Each edge is on the loop or not.
    x = {e: cpmpy.boolvar() for e in puzzle.edges}

    # A clue is the number of edges around its cell.
    for cell, clue in puzzle.clues.items():
        model += cpmpy.sum([x[e] for e in puzzle.around(cell)]) == clue

    # The edges form one loop.
    model += loop_for_cpmpy(x)

    return Model(model, lambda value: puzzle.enclosed(lambda e: value(x[e])), list(x.values()))


FORMULATIONS = by_name(textbook)
