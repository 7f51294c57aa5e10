"""Generates Domino Tilings: a square of random numbers from 1 to 9, in which one cell in twenty is a hole.

Of both colours of the chessboard there are as many cells. No clue could be left out.
"""

from collections.abc import Sequence
from random import Random

from models.domino_tiling.matching import partners
from models.domino_tiling.puzzle import HOLE, DominoTiling
from models.shared.generator import Clue, Planted

SIZE = "cells on a side"


def plant(size: int, rng: Random) -> Planted | None:
    """A board with some tiling; None if the holes leave none."""
    if size < 2:
        raise ValueError("the board needs 2 cells or more on a side")
    cells = [(row, column) for row in range(size) for column in range(size)]
    holes = set()
    for odd in (0, 1):
        colour = [cell for cell in cells if sum(cell) % 2 == odd]
        holes.update(rng.sample(colour, len(colour) - size * size * 19 // 40))
    numbers = {cell: rng.randint(1, 9) for cell in cells if cell not in holes}
    puzzle = DominoTiling(size, size, numbers)
    if (found := partners(puzzle, rng.sample(puzzle.colour, len(puzzle.colour)))) is None:
        return None
    rows = map("".join, puzzle.solution(lambda cell: str(numbers.get(cell, HOLE))))
    table = {"board": "\n".join(rows) + "\n"}
    return Planted(puzzle.partners(found.__getitem__), [], lambda _: table)


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> None:
    """There is no clue that could be false."""
