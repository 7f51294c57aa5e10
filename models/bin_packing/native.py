"""Bin packing for a program in C, search.c: the sizes as they stand.

    the capacity, and how many items there are
    the size of each item

A solution has the bin of each item, in the order of their sizes; any number tells bins apart.

It is the search of backtrack.py: with seed 1 branches and failures are the same.

Constraints: linear
"""

from pathlib import Path

from models.bin_packing.puzzle import BinPacking
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered

SEARCH = Path(__file__).with_name("search.c")


def bin_completion(puzzle: BinPacking) -> Model:
    """One bin after the other, the fullest ones first."""
    lines = [[puzzle.capacity, puzzle.size], puzzle.sizes]
    return Model(NativeInput(SEARCH, lines, puzzle.size), from_integers(puzzle, numbered(puzzle.items)))


FORMULATIONS = by_name(bin_completion)
