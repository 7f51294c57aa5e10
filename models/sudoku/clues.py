"""The cells that a clue speaks of, and the digits."""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

from models.shared.grid import Cell, neighbours


def remote_cells(cell: Cell, steps: int, side: int) -> list[Cell]:
    """The cells exactly so many steps up, down, left or right of a cell; the cell itself for 0 steps."""
    row, column = cell
    ends = {(row - steps, column), (row + steps, column), (row, column - steps), (row, column + steps)}
    return sorted((r, c) for r, c in ends if 0 <= r < side and 0 <= c < side)


def product_pairs(cell: Cell, side: int) -> list[tuple[Cell, Cell]]:
    """All pairs of edge neighbours of a cell."""
    return list(combinations(sorted(neighbours(cell, side)), 2))


def factor_pairs(product: int, digits: Sequence[int]) -> list[tuple[int, int]]:
    """All pairs of digits with this product, the smaller one first; a digit with itself counts too."""
    return [(a, b) for a, b in combinations_with_replacement(digits, 2) if a * b == product]
