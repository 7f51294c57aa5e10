"""Nurikabe for python-constraint; model.md states the constraint program.

Constraints: functions, values in a set
"""

from functools import partial

import constraint

from models.nurikabe.islands import WET, Told, given, reached
from models.nurikabe.puzzle import Nurikabe
from models.shared.connected import are_connected
from models.shared.grid import Cell
from models.shared.model import Model, Reasoned


def textbook(puzzle: Nurikabe, told: Told | None = None) -> Model:
    """One variable for each cell, WET or its island, and functions of these."""
    problem = constraint.Problem()
    values, _ = told or given(puzzle)

    # Each cell is sea or of one island.
    for i in puzzle.cells:
        problem.addVariable(i, values[i])

    # Islands do not touch.
    for i, k in ((a, b) for a in puzzle.cells for b in puzzle.near[a] if a < b):
        problem.addConstraint(lambda a, b: a == b or WET in (a, b), [i, k])

    # No 2x2 block is sea.
    for block in puzzle.blocks:
        problem.addConstraint(lambda *held: any(value != WET for value in held), block)

    # An island has as many cells as its number says, and is connected.
    for island, size in enumerate(puzzle.numbers.values(), 1):
        cells = [i for i in puzzle.cells if island in values[i]]
        problem.addConstraint(partial(_is_part, cells, island, size), cells)

    # The sea is connected.
    problem.addConstraint(partial(_is_part, puzzle.cells, WET, None), puzzle.cells)

    return Model(problem, lambda value: puzzle.solution(lambda i: int(value(i) == WET)))


def _is_part(cells: list[Cell], kind: int, size: int | None, *held: int) -> bool:
    inside = [value == kind for value in held]
    return size in (None, sum(inside)) and are_connected(cells, *inside)


FORMULATIONS = {"reach": Reasoned(reached, textbook), "textbook": textbook}
