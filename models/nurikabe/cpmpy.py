"""Nurikabe in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: count, clause, minimum, implication
"""

import cpmpy

from models.nurikabe.islands import WET, Told, given, largest_island, most_sea, reached
from models.nurikabe.puzzle import Nurikabe
from models.shared.connected import steps_for_cpmpy
from models.shared.model import Model, Reasoned


def textbook(puzzle: Nurikabe, told: Told | None = None) -> Model:
    """One integer for each cell, WET or its island, and the steps from a root to each."""
    model, (values, some) = cpmpy.Model(), told or given(puzzle)
    islands = range(1, len(puzzle.numbers) + 1)
    x = {i: cpmpy.intvar(0, max(values[i])) for i in puzzle.cells}

    # Each cell is sea or of one island.
    model += [cpmpy.InDomain(x[i], values[i]) for i in puzzle.cells]
    sea, land = {i: x[i] == WET for i in puzzle.cells}, {i: x[i] != WET for i in puzzle.cells}

    # Islands do not touch.
    for i, k in ((a, b) for a in puzzle.cells for b in puzzle.near[a] if a < b):
        model += sea[i] | sea[k] | (x[i] == x[k])

    # An island has as many cells as its number says.
    for island, size in zip(islands, puzzle.numbers.values(), strict=True):
        if size:
            model += cpmpy.Count([x[i] for i in puzzle.cells if island in values[i]], island) == size

    # No 2x2 block is sea.
    model += [cpmpy.any([land[i] for i in block]) for block in puzzle.blocks]

    # Islands are connected with their numbers.
    numbers = {i: cpmpy.BoolVal(True) for i in puzzle.numbers}
    model += steps_for_cpmpy(land, numbers, puzzle.near, largest_island(puzzle))

    # The sea is connected with its root, its first cell of some.
    root = {i: cpmpy.all([sea[i], *(land[k] for k in some[:place])]) for place, i in enumerate(some)}
    model += steps_for_cpmpy(sea, root, puzzle.near, most_sea(puzzle))

    return Model(model, lambda value: puzzle.solution(lambda i: int(value(x[i]) == WET)), list(x.values()))


FORMULATIONS = {"reach": Reasoned(reached, textbook), "textbook": textbook}
