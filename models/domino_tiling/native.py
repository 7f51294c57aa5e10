"""Domino Tiling for a program in C, search.c: the board as integers.

    height, width
    the number in each cell, -1 for a hole      a line for each row

A solution has for each cell, row by row, the place of the other cell of its domino in the same order, from 0
on; -1 for a hole. `matching` is the search of backtrack.py, with other ties.

Constraints: matching
"""

from pathlib import Path

from models.domino_tiling.puzzle import DominoTiling
from models.shared.model import Model, by_name
from models.shared.native import NativeInput, numbered

SEARCH = Path(__file__).with_name("search.c")


def matching(puzzle: DominoTiling) -> Model:
    """Covers one cell after the other, by the path on which least is lost."""
    lines = [[puzzle.height, puzzle.width], *puzzle.solution(lambda cell: puzzle.numbers.get(cell, -1))]
    cells, place = puzzle.cells, numbered(puzzle.cells)
    problem = NativeInput(SEARCH, lines, puzzle.size)
    return Model(problem, lambda value: puzzle.partners(lambda i: cells[value(place[i])]))


FORMULATIONS = by_name(matching)
