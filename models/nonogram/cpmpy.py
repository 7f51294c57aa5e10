"""Nonogram in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: regular
"""

import cpmpy

from models.nonogram.clue_models import automaton
from models.nonogram.puzzle import Nonogram
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: Nonogram) -> Model:
    """Each line is a word of its automaton."""
    model = cpmpy.Model()

    # Each cell is filled or empty.
    x = {i: cpmpy.intvar(0, 1) for i in puzzle.cells}

    # Each line has the blocks of its clue.
    for cells, clue in puzzle.lines:
        steps, accepting = automaton(clue)
        model += cpmpy.Regular([x[i] for i in cells], steps, 0, accepting)

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
