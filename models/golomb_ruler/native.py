"""Golomb ruler for a program in C, search.c.

    how many marks there are, where the last one may be at most, how many distances are forbidden
    the forbidden distances

A solution has the marks in ascending order, the first of them 0.

It is the search of backtrack.py: with seed 1 branches and failures are the same.

Constraints: all different
"""

from pathlib import Path

from models.golomb_ruler.puzzle import GolombRuler
from models.shared.model import Model, by_name
from models.shared.native import NativeInput

SEARCH = Path(__file__).with_name("search.c")


def shift(puzzle: GolombRuler) -> Model:
    """Marks from left to right, by shifts of sets of bits."""
    m, forbidden = puzzle.size, sorted(puzzle.forbidden)
    lines = [[m, puzzle.longest, len(forbidden)], forbidden]
    return Model(NativeInput(SEARCH, lines, m), lambda value: [*map(value, range(m))])


FORMULATIONS = by_name(shift)
