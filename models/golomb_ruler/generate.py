"""Generates Golomb rulers: a quarter of the distances that a perfect ruler would have is forbidden.

None of them can be left out, and there is always a best solution.
"""

from collections.abc import Sequence
from random import Random

from models.golomb_ruler.bounds import greedy_ruler
from models.shared.generator import Clue, Planted, Table

SIZE = "marks"
LARGEST = 20  # The greedy ruler of many more is longer than any may be.


def plant(size: int, rng: Random) -> Planted:
    """Random distances, and the greedy ruler without them, than which none is to be longer."""
    if not 2 <= size <= LARGEST:
        raise ValueError(f"2 to {LARGEST} marks can be generated")
    pairs = size * (size - 1) // 2
    forbidden = sorted(rng.sample(range(1, pairs + 1), pairs // 4))
    ruler = greedy_ruler(size, frozenset(forbidden))

    told: Table = {"marks": size, "longest": ruler[-1], "forbidden": forbidden}
    return Planted(ruler, [], lambda _: told)


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> None:
    """Nothing is told of a ruler that could be wrong."""
