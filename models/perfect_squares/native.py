"""Perfect squares for programs in C, as integers.

    height, width
    the number of squares
    the side of each square, the largest first

A solution has three integers for each square, sorted: its row, its column and its side.

Constraints: subset sums, reflections and rotations
"""

from pathlib import Path

from models.perfect_squares.puzzle import PerfectSquares
from models.shared.model import Model, by_name
from models.shared.native import NativeInput

SEARCH = Path(__file__).with_name("search.c")


def skyline(puzzle: PerfectSquares) -> Model:
    """Fills the narrowest valley below what is filled, if sums of sides can fill all."""
    lines = [[puzzle.height, puzzle.width], [puzzle.size], [*puzzle.sides]]
    return Model(
        NativeInput(SEARCH, lines, 3 * puzzle.size),
        lambda value: [[value(3 * i), value(3 * i + 1), value(3 * i + 2)] for i in range(puzzle.size)],
    )


FORMULATIONS = by_name(skyline)
