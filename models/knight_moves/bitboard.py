"""Sets of cells of a square board as bits of an integer, and knight's moves from all of them at once."""

from collections.abc import Iterable

from models.shared.grid import Cell


class Bitboard:
    """The cells of a board as bits.

    Attributes:
        bit: of each cell.
        board: all cells.
        end: a bit that is no cell.
    """

    def __init__(self, side: int) -> None:
        """Numbers the bits row by row, with two to spare in each: so no move leads into another row."""
        self.width = side + 2
        cells = [(row, column) for row in range(side) for column in range(side)]
        self.bit = {(row, column): 1 << row * self.width + column for row, column in cells}
        self.board = self.union(cells)
        self.end = 1 << side * self.width

    def union(self, cells: Iterable[Cell]) -> int:
        """Returns cells as a set of bits."""
        return sum(self.bit[i] for i in cells)

    def moves(self, cells: int) -> int:
        """Returns the cells that are a knight's move away from some cell of a set."""
        cells &= self.board
        near, far = cells << 1 | cells >> 1, cells << 2 | cells >> 2
        one, two = self.width, 2 * self.width
        return (near << two | near >> two | far << one | far >> one) & self.board
