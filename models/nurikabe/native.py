"""Nurikabe for a program in C, search.c: the grid as integers.

    height, width
    the number in each cell, -1 for a question mark, 0 for none      a line for each row

A solution has for each cell, row by row, 1 if it is sea and 0 if it is land.

`trials`: the rules of backtrack.py; trials also say on which cell to branch.

Constraints: reachability, clause, linear
"""

from pathlib import Path

from models.nurikabe.puzzle import Nurikabe
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered

SEARCH = Path(__file__).with_name("search.c")


def trials(puzzle: Nurikabe) -> Model:
    """Propagates, decides cells by trials, and branches on the cell whose trials decided most."""
    numbers = {cell: size or -1 for cell, size in puzzle.numbers.items()}
    lines = [[puzzle.height, puzzle.width], *puzzle.solution(lambda cell: numbers.get(cell, 0))]
    return Model(NativeInput(SEARCH, lines, puzzle.size), from_integers(puzzle, numbered(puzzle.cells)))


FORMULATIONS = by_name(trials)
