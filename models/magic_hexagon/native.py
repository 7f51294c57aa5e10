"""Magic hexagon for search.c, which states propagation and search.

The instance is three lines of integers:
    0 for `propagation`, 1 for `pairs`, 2 for `loops`
    the order, and the least number
    for each cell, row by row, the number that is given minus the least number; -1 if none is given
A solution has the number of each cell, row by row, minus the least number.

`pairs`: propagation that also looks at the values of the last two open cells of a line. One of 12 symmetric
    solutions, unless numbers are given.

`loops`: nested loops over the cells, of which the last of each line is computed; one of 12, too.

`propagation`: the search of backtrack.py, step by step: with seed 1, branches, failures and propagations are
    the same numbers. Of 12 symmetric solutions it writes one, not all.

Constraints: all different, sum, less than
"""

from pathlib import Path

from models.magic_hexagon.geometry import stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.model import Model, by_name
from models.shared.native import NativeInput, numbered

SEARCH = Path(__file__).with_name("search.c")


def pairs(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions; the last two open cells of a line by their values."""
    return _model(puzzle, 1)


def loops(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions, by nested loops over the cells."""
    return _model(puzzle, 2)


def propagation(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions, as in backtrack.py."""
    return _model(puzzle, 0)


def _model(puzzle: MagicHexagon, formulation: int) -> Model:
    # With a least number beyond this, no two lines of different lengths have the same sum.
    bound = 2 * puzzle.order * puzzle.size
    index = numbered(puzzle.cells)
    lines = [
        [formulation],
        [puzzle.order, max(-bound, min(puzzle.start, bound))],
        [puzzle.givens[i] - puzzle.start if i in puzzle.givens else -1 for i in puzzle.cells],
    ]
    return Model(
        NativeInput(SEARCH, lines, puzzle.size),
        lambda value: puzzle.solution(lambda i: puzzle.start + value(index[i])),
        stands_for=stands_for(puzzle),
    )


FORMULATIONS = by_name(pairs, propagation, loops)
