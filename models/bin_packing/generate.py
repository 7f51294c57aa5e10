"""Generates Falkenauer's triplets: three items for each bin of 1000, which they fill.

One is of size 380 to 490, the next from 250 to half of the rest; what remains of the items fills another
bin. So the least number of bins is known, but hard to reach: none has free space.
"""

from random import Random

from models.bin_packing.puzzle import MOST_ITEMS, BinPacking
from models.shared.generator import Planted

SIZE = "items"
CAPACITY = 1000


def plant(size: int, rng: Random) -> Planted:
    """The items in random order; nothing can be left out."""
    if size > MOST_ITEMS:
        raise ValueError(f"there are at most {MOST_ITEMS} items")
    items: list[tuple[int, int]] = []
    for begin in range(0, size, 3):
        large = rng.randint(380, 490)
        middle = rng.randint(250, (CAPACITY - large) // 2)
        parts = [[CAPACITY], [large, CAPACITY - large], [large, middle, CAPACITY - large - middle]]
        items += [(part, begin) for part in parts[min(3, size - begin) - 1]]
    rng.shuffle(items)
    puzzle = BinPacking(CAPACITY, tuple(part for part, _ in items))
    table = {"capacity": CAPACITY, "sizes": [*puzzle.sizes]}
    return Planted(puzzle.solution(lambda i: items[i][1]), [], lambda _: table)


def spoil(*_: object) -> None:
    """There is always a packing."""
