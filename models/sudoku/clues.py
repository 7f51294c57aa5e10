"""The cells that a clue speaks of."""

from itertools import combinations

from models.shared.grid import Cell, neighbours


def remote_cells(cell: Cell, steps: int, side: int) -> list[Cell]:
    """The cells exactly so many steps up, down, left or right of a cell; the cell itself for 0 steps."""
    row, column = cell
    ends = {(row - steps, column), (row + steps, column), (row, column - steps), (row, column + steps)}
    return sorted((r, c) for r, c in ends if 0 <= r < side and 0 <= c < side)


def product_pairs(cell: Cell, side: int) -> list[tuple[Cell, Cell]]:
    """All pairs of edge neighbours of a cell."""
    return list(combinations(sorted(neighbours(cell, side)), 2))
