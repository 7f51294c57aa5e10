"""Sets of cells of a grid as bits of an integer: what is beside them, connected, a rectangle."""

from collections.abc import Iterator

from models.shared.grid import Cell

Cells = int
"""A set of cells: of each, the bit row * (width + 1) + column, so that a bit between two rows is no cell."""


class Bitboard:
    """The cells of a grid as bits.

    Attributes:
        bit: of each cell, row by row.
        board: all cells.
    """

    def __init__(self, height: int, width: int) -> None:
        """Numbers the bits row by row."""
        self.height, self.width, self.stride = height, width, width + 1
        rows, columns = range(height), range(width)
        self.bit = {(row, column): 1 << row * self.stride + column for row in rows for column in columns}
        self.board = sum(self.bit.values())
        # Of each 2x2 block its top left cell, and how far from that each of its cells is.
        self.corners = self.board >> 1 & self.board >> self.stride & self.board
        self.block = (0, 1, self.stride, self.stride + 1)

    def around(self, cells: Cells) -> Cells:
        """Returns the cells of a set and those that share an edge with one of them."""
        stride = self.stride
        return (cells | cells << 1 | cells >> 1 | cells << stride | cells >> stride) & self.board

    def connected(self, some: Cells, cells: Cells) -> Cells:
        """Returns the cells of a set to which a path in it leads from some of its cells."""
        stride, before = self.stride, 0
        while some != before:
            before = some
            some |= (some << 1 | some >> 1 | some << stride | some >> stride) & cells
        return some

    def groups(self, cells: Cells) -> Iterator[Cells]:
        """Yields the connected groups of a set."""
        while cells:
            group = self.connected(cells & -cells, cells)
            yield group
            cells &= ~group

    def is_rectangle(self, group: Cells) -> bool:
        """Whether connected cells are a full rectangle: no 2x2 block has exactly three of them."""
        right, below, across = group >> 1, group >> self.stride, group >> self.stride + 1
        return not (group & right & (below ^ across) | below & across & (group ^ right)) & self.corners

    def rectangles(self, cell: Cell, size: int) -> Iterator[Cells]:
        """Yields the rectangles of a size that hold a cell."""
        row, column = cell
        for height in range(1, min(size, self.height) + 1):
            width = size // height
            if height * width != size or width > self.width:
                continue
            rectangle = sum(1 << self.stride * line for line in range(height)) * ((1 << width) - 1)
            for top in range(max(0, row - height + 1), min(row, self.height - height) + 1):
                for left in range(max(0, column - width + 1), min(column, self.width - width) + 1):
                    yield rectangle << self.stride * top + left

    def completed(self, shaded: Cells, unshaded: Cells) -> tuple[Cells, Cells]:
        """Returns what is shaded and unshaded if no 2x2 block has exactly three shaded cells; one step."""
        views = [(shaded >> distance, unshaded >> distance) for distance in self.block]
        for last, distance in enumerate(self.block):
            (a, not_a), (b, not_b), (c, not_c) = views[:last] + views[last + 1 :]
            shaded |= (a & b & c & self.corners) << distance
            unshaded |= ((not_a & b & c | a & not_b & c | a & b & not_c) & self.corners) << distance
        return shaded, unshaded


def bits(cells: Cells) -> Iterator[Cells]:
    """Yields the cells of a set, each as a set of its own."""
    while cells:
        yield cells & -cells
        cells &= cells - 1
