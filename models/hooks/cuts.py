"""The ways to cut a grid into hooks, outside in.

What is left of the grid is always a square, so hooks of size k are cut from one of (n-k+1)^2 squares, each
in four ways; a layout is a path from the whole grid to nothing. Cells are sets of bits, row by row.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from models.hooks.puzzle import Hooks, peels
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


Cuts = list[tuple[Cut, int]]
"""The ways to cut the hook of one size, with the numbers that it can have."""

GRID = (0, 0)
"""The whole grid, the first square."""


def cuts(puzzle: Hooks, size: int) -> Iterator[Cut]:
    """Yields the cuts for hooks of a size, or for the one that is printed."""
    n, printed = puzzle.n, puzzle.hooks
    for top, left in product(range(n - size + 1), repeat=2):
        for rest, hook in peels(top, left, size):
            if printed is None or all(printed[cell] == size for cell in hook):
                corner = hook[0][0], hook[-1][1]
                yield Cut(corner, (top, left), rest, sum(1 << n * row + column for row, column in hook))


def possible_numbers(puzzle: Hooks, size: int) -> int:
    """The numbers that a hook of a size has room for, as a set of bits."""
    if puzzle.by_size:
        return 1 << size
    # The three cells of the hook of size 2 make a block with the one of size 1, which is filled.
    room = 2 * size - 1 - (size == 2 and puzzle.no_full_2x2)
    return between(1, min(puzzle.n, room))


def possible_sizes(puzzle: Hooks) -> dict[int, list[int]]:
    """The sizes that the hook of each number may have."""
    sizes = range(1, puzzle.n + 1)
    return {v: [k for k in sizes if possible_numbers(puzzle, k) >> v & 1] for v in sizes}


def possible(level: Cuts) -> int:
    """The numbers that the hook of a size can have."""
    left = 0
    for _, numbers in level:
        left |= numbers
    return left


def on_paths(levels: list[Cuts]) -> bool:
    """Leaves cuts, by size, that are on a path from the whole grid to nothing; False if there is none."""
    n = len(levels) - 1
    squares = {GRID}
    for size in range(n, 0, -1):
        levels[size] = [entry for entry in levels[size] if entry[0].square in squares]
        squares = {cut.rest for cut, _ in levels[size]}
    for size in range(2, n + 1):
        squares = {cut.square for cut, _ in levels[size - 1]}
        levels[size] = [entry for entry in levels[size] if entry[0].rest in squares]
    return all(levels[1:])


def all_different(levels: list[Cuts]) -> bool:
    """One round of propagation of all different numbers; False on a contradiction."""
    once = twice = held = 0
    numbers = [possible(level) for level in levels]
    for left in numbers[1:]:
        twice |= once & left
        once |= left
        if not left & (left - 1):
            if held & left:
                return False
            held |= left
    only = once & ~twice & ~held
    for size, left in enumerate(numbers[1:], 1):
        allowed = left if not left & (left - 1) else left & only or left & ~held
        if allowed != left:
            levels[size] = [(cut, kept & allowed) for cut, kept in levels[size] if kept & allowed]
    return once.bit_count() == len(levels) - 1
