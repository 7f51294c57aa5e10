"""Choco Banana for a program in C, search.c: the grid as integers.

    height, width
    the number that is given in each cell, or 0      a line for each row

A solution has an integer for each cell, row by row, 1 if it is shaded.

`propagation`: the search of backtrack.py with shaving; with seed 1, branches, failures and propagations are
the same numbers.

Constraints: table (rectangles), clause (blocks), connected, sum (sizes of groups)
"""

from pathlib import Path

from models.choco_banana.puzzle import ChocoBanana
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered

SEARCH = Path(__file__).with_name("search.c")


def propagation(puzzle: ChocoBanana) -> Model:
    """Propagates, and tries both shades of a cell, before it branches."""
    lines = [[puzzle.height, puzzle.width], *puzzle.solution(lambda i: puzzle.numbers.get(i, 0))]
    return Model(NativeInput(SEARCH, lines, puzzle.size), from_integers(puzzle, numbered(puzzle.cells)))


FORMULATIONS = by_name(propagation)
