"""Shikaku for a program in C, search.c: the grid as integers.

    height, width
    the number in each cell, -1 for a question mark, 0 for no clue      a line for each row

A solution has for each cell, row by row, the number of its clue; these are counted from 1, row by row.

`exact_cover`: the search of backtrack.py, with other ties.

Constraints: exactly one
"""

from pathlib import Path

from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered
from models.shikaku.puzzle import Shikaku

SEARCH = Path(__file__).with_name("search.c")


def exact_cover(puzzle: Shikaku) -> Model:
    """Propagates, and branches on the cell with the fewest rectangles for its weight."""
    areas = {cell: area or -1 for cell, area in puzzle.clues.items()}
    lines = [[puzzle.height, puzzle.width], *puzzle.solution(lambda cell: areas.get(cell, 0))]
    return Model(NativeInput(SEARCH, lines, puzzle.size), from_integers(puzzle, numbered(puzzle.cells)))


FORMULATIONS = by_name(exact_cover)
