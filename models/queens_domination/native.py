"""Queens Domination for programs in C, search.c and local.c: the board as integers.

    height, width
    of each cell 1 for a square, 0 for a hole      a line for each row

A solution has for each cell, row by row, 1 for a queen and 0 elsewhere, and fewer queens than those before.

`cover`: the search of backtrack.py: with seed 1 branches and failures are the same. `local`: that of
local.py, which never ends.

Constraints: set covering, symmetry
"""

from pathlib import Path

from models.queens_domination.puzzle import QueensDomination
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered


def cover(puzzle: QueensDomination) -> Model:
    """Branch and bound on the square that the fewest can reach."""
    return _model(puzzle, "search.c")


def local(puzzle: QueensDomination) -> Model:
    """Tabu search: one queen at a time moves."""
    return _model(puzzle, "local.c")


def _model(puzzle: QueensDomination, source: str) -> Model:
    lines = [[puzzle.height, puzzle.width], *puzzle.solution(lambda _: 1)]
    decode = from_integers(puzzle, numbered(puzzle.cells))
    return Model(NativeInput(Path(__file__).with_name(source), lines, len(puzzle.cells)), decode)


FORMULATIONS = by_name(cover, local)
