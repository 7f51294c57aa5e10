"""Nonogram for python-constraint; model.md states the constraint program.

Constraints: functions of lines
"""

from functools import partial

import constraint

from models.nonogram.puzzle import Clue, Nonogram
from models.shared.model import Model, by_name


def textbook(puzzle: Nonogram) -> Model:
    """Each line has the blocks of its clue."""
    problem = constraint.Problem()

    # Each cell is filled or empty.
    problem.addVariables(puzzle.cells, [0, 1])

    # Each line has the blocks of its clue.
    for cells, clue in puzzle.lines:
        problem.addConstraint(partial(_has, clue), cells)

    return Model(problem, puzzle.solution)


def _has(clue: Clue, *line: int) -> bool:
    return tuple(len(run) for run in bytes(line).split(b"\0") if run) == clue


FORMULATIONS = by_name(textbook)
