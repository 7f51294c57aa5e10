"""Generates Sudokus: a pattern with its digits, rows and columns permuted, of which any cell may be given."""

from collections.abc import Sequence
from math import isqrt
from random import Random

from models.shared.generator import Clue, Planted, one_changed
from models.shared.givens import planted_grid
from models.shared.puzzle import Solution

SIZE = "cells on a side"


def plant(size: int, rng: Random) -> Planted:
    """A filled grid with the squarest boxes."""
    if size < 1:
        raise ValueError("the grid needs 1 cell or more on a side")
    height = next(h for h in range(isqrt(size), 0, -1) if size % h == 0)
    box, digits = (height, size // height), " ".join(map(str, range(1, size + 1)))
    return planted_grid(random_grid(*box, rng), {"box": list(box), "digits": digits})


def random_grid(height: int, width: int, rng: Random) -> Solution:
    """A grid with boxes of this size that holds each digit once in each row, column and box."""
    side = height * width
    digits = rng.sample(range(1, side + 1), side)

    def permuted(bands: int, lines: int) -> list[int]:
        order = rng.sample(range(bands), bands)
        return [band * lines + line for band in order for line in rng.sample(range(lines), lines)]

    rows, columns = permuted(width, height), permuted(height, width)
    return [[digits[(c + r % height * width + r // height) % side] for c in columns] for r in rows]


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One given has another digit."""
    return one_changed(clues, range(1, len(planted.solution) + 1), rng)
