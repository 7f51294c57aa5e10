"""Slitherlink for a program in C, search.c: the grid as integers.

    height, width
    the clue of each cell, or -1      a line for each row

A solution has an integer for each cell, row by row, 1 if it is inside the loop.

`propagation`: the search of backtrack.py with shaving; with seed 1, branches, failures and propagations are
the same numbers.

Constraints: sum, one loop (ends of paths), parity (inside and outside)
"""

from pathlib import Path

from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered
from models.slitherlink.puzzle import Slitherlink

SEARCH = Path(__file__).with_name("search.c")


def propagation(puzzle: Slitherlink) -> Model:
    """Propagates, and tries both values of each edge, before it branches."""
    lines = [[puzzle.height, puzzle.width], *puzzle.solution(lambda i: puzzle.clues.get(i, -1))]
    return Model(NativeInput(SEARCH, lines, puzzle.size), from_integers(puzzle, numbered(puzzle.cells)))


FORMULATIONS = by_name(propagation)
