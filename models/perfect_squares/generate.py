"""Generates Perfect Squares: rectangles of squares, put side by side; of some attempts the most varied one.

No clue can be left out. Reflections are solutions, too: only of one square there is a single one.
"""

from collections.abc import Collection, Sequence
from math import lcm
from random import Random

from models.perfect_squares.puzzle import MOST_SQUARES
from models.shared.generator import Clue, Planted, Table

SIZE = "squares"

ATTEMPTS = 30
MOST_PER_SQUARE = 10  # rows or columns of the rectangle


def plant(size: int, rng: Random) -> Planted | None:
    """A rectangle with its squares; a clue, which says another rectangle, is only told to spoil it."""
    if not 1 <= size <= MOST_SQUARES:
        raise ValueError(f"there are 1 to {MOST_SQUARES} squares")
    attempts = [joined(size, rng) for _ in range(ATTEMPTS)]
    # Few different sides make it easy, and so does a long rectangle.
    fitting = [each for each in attempts if max(each[:2]) <= min(MOST_PER_SQUARE * size, 2 * min(each[:2]))]
    if not fitting:
        return None
    height, width, squares = max(fitting, key=lambda each: len({side for _, _, side in each[2]}))

    def table(clues: Collection[Clue]) -> Table:
        told_height, told_width = next(iter(clues), (height, width))
        sides = sorted((side for _, _, side in squares), reverse=True)
        return {"width": told_width, "height": told_height, "squares": sides}

    return Planted(sorted(map(list, squares)), [], table)


def joined(count: int, rng: Random) -> tuple[int, int, list[tuple[int, int, int]]]:
    """The height and the width of a rectangle, and its squares: two smaller rectangles side by side."""
    if count == 1:
        return 1, 1, [(0, 0, 1)]
    first = 1 if rng.random() < 0.5 else rng.randrange(1, count)
    parts = [joined(first, rng), joined(count - first, rng)]
    rng.shuffle(parts)
    height, left, found = lcm(parts[0][0], parts[1][0]), 0, []
    for tall, wide, squares in parts:
        scale = height // tall
        found += [(scale * r, left + scale * c, scale * side) for r, c, side in squares]
        left += scale * wide
    if rng.random() < 0.5:
        return left, height, [(c, r, side) for r, c, side in found]
    return height, left, found


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """The rectangle is another one of the same area; None if none is as wide and high as the squares."""
    told = planted.table(clues)
    area, largest = told["width"] * told["height"], told["squares"][0]
    shapes = [
        (height, area // height)
        for height in range(largest, area // largest + 1)
        if area % height == 0 and height not in (told["height"], told["width"])
    ]
    return [rng.choice(shapes)] if shapes else None
