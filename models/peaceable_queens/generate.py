"""Generates boards for Peaceable Queens: a square of which one cell in eight is missing."""

from itertools import product
from random import Random

from models.peaceable_queens.puzzle import MOST
from models.shared.generator import Planted

SIZE = "cells on a side"


def plant(size: int, rng: Random) -> Planted:
    """A board, with no queens as its solution, as nothing is told of the best one."""
    if not 1 <= size <= MOST:
        raise ValueError(f"a board has 1 to {MOST} cells on a side")
    missing = set(rng.sample(list(product(range(size), repeat=2)), size * size // 8))
    rows = ["".join(".#"[(r, c) in missing] for c in range(size)) for r in range(size)]
    return Planted(["." * size] * size, [], lambda _: {"board": "\n".join(rows) + "\n"})


def spoil(*_: object) -> None:
    """None: there are no clues."""
