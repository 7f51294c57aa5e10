"""The hooks that a square can lose: the ways to cut it, for searches that cut the grid outside in.

What is left of the grid is always a square, so hooks of size k are cut from one of (n-k+1)^2 squares, each
in four ways; a layout is a path from the whole grid to nothing. Cells are sets of bits, row by row.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from models.hooks.puzzle import Hooks
from models.shared.bits import between


class Cut(NamedTuple):
    """A hook that a square loses; squares by the row and column of their top left corner.

    Attributes:
        corner: the row and column of the hook, which share this cell.
        square, rest: the square before and after.
        cells: those of the hook.
    """

    corner: tuple[int, int]
    square: tuple[int, int]
    rest: tuple[int, int]
    cells: int


def cuts(puzzle: Hooks, size: int) -> Iterator[Cut]:
    """Yields the cuts for hooks of a size, or for the one that is printed."""
    n, printed = puzzle.n, puzzle.hooks
    allowed = sum(1 << n * i + j for (i, j), hook in printed.items() if hook == size) if printed else -1
    for top, left in product(range(n - size + 1), repeat=2):
        cells = box(n, top, left, size)
        # The row goes at the top or at the bottom, the column on the left or on the right.
        for down, right in product((1, 0), repeat=2) if size > 1 else [(1, 1)]:
            rest = top + down, left + right
            hook = cells & ~box(n, *rest, size - 1)
            if not hook & ~allowed:
                corner = top + (size - 1) * (1 - down), left + (size - 1) * (1 - right)
                yield Cut(corner, (top, left), rest, hook)


def box(n: int, top: int, left: int, size: int) -> int:
    """The cells of a square in a grid of n rows and columns."""
    row = between(left, left + size - 1)
    return sum(row << n * (top + k) for k in range(size))


def possible_numbers(puzzle: Hooks, size: int) -> int:
    """The numbers that a hook of a size has room for, as a set of bits."""
    if puzzle.by_size:
        return 1 << size
    # The three cells of the hook of size 2 make a block with the one of size 1, which is filled.
    room = 2 * size - 1 - (size == 2 and puzzle.no_full_2x2)
    return between(1, min(puzzle.n, room))
