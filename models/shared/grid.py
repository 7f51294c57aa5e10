"""Rectangular grids: reading, regions, text and pictures."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from models.shared.document import InstanceError, shorten
from models.shared.graph import graph_of, parts_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Cell = tuple[int, int]
"""Row and column, both from 0, row 0 at the top."""

Labels = tuple[tuple[str, ...], ...]
"""A grid of words, rows first."""

PALETTE = ("#dbe9f6", "#fde8cf", "#dff0d8", "#f6dfe6", "#e8e2f3", "#fbf6c9", "#d9f0ee", "#ececec")
"""Light fills for neighbouring regions, on which dark text is readable."""


@dataclass(frozen=True)
class Grid:
    """The cells of a rectangular grid, which many puzzles are; a solution is a list of its rows."""

    height: int
    width: int

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells, row by row."""
        return list(product(range(self.height), range(self.width)))

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.height * self.width

    @cached_property
    def near(self) -> dict[Cell, list[Cell]]:
        """The cells that share an edge with each cell, row by row."""
        inside = set(self.cells)
        return {
            (r, c): [k for k in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if k in inside]
            for r, c in self.cells
        }

    @property
    def rows_and_columns(self) -> list[list[Cell]]:
        """The cells of each row, then of each column."""
        rows = [[(row, column) for column in range(self.width)] for row in range(self.height)]
        return rows + [list(column) for column in zip(*rows, strict=True)]

    @property
    def blocks(self) -> list[list[Cell]]:
        """The cells of each 2x2 block."""
        corners = product(range(self.height - 1), range(self.width - 1))
        return [[(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)] for r, c in corners]

    def solution(self, value_of: Callable[[Cell], Any]) -> list[list[Any]]:
        """The rows of the grid in which each cell has the value `value_of(cell)`."""
        return [[value_of((row, column)) for column in range(self.width)] for row in range(self.height)]


def read_grid(field: str, text: str, shape: tuple[int, int] | None = None, spaced: bool = False) -> Labels:
    """The rows of a text block: words separated by white space, or single characters.

    Args:
        shape: the number of rows and columns that the grid must have.
        spaced: whether words are separated by white space even if every row has only one.

    Raises:
        InstanceError: if the grid is empty, ragged or of another shape.
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    spaced = spaced or any(len(line.split()) > 1 for line in lines)
    rows = tuple(tuple(line.split()) if spaced else tuple(line) for line in lines)
    if not rows or not rows[0]:
        raise InstanceError(f"{field}: the grid is empty; write one row a line")
    height, width = shape or (len(rows), len(rows[0]))
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            raise InstanceError(f"{field}, row {number}: {len(row)} cells; every row needs {width}")
    if len(rows) != height:
        raise InstanceError(f"{field}: {len(rows)} rows; the grid has {height}")
    return rows


def read_integer(field: str, word: str, cell: Cell) -> int:
    """The integer written in a cell; raises InstanceError if the word is not an integer."""
    try:
        return int(word)
    except ValueError:
        raise InstanceError(f"{place(field, cell)}: {shorten(word)} is not a whole number") from None


def read_numbers(field: str, words: Labels, bounds: range | None = None) -> dict[Cell, int]:
    """The numbers of a grid by cell, `.` for none; raises InstanceError for others than in bounds."""
    numbers = {}
    for cell in cells_of(words):
        if (word := words[cell[0]][cell[1]]) != ".":
            numbers[cell] = read_integer(field, word, cell)
            if bounds and numbers[cell] not in bounds:
                raise InstanceError(f"{place(field, cell)}: {word} is outside {bounds[0]}..{bounds[-1]}")
    return numbers


def in_words(cell: Cell) -> str:
    """The place of a cell, counted from 1."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def place(field: str, cell: Cell) -> str:
    """The place of a cell in a field, in words."""
    return f"{field}, {in_words(cell)}"


def changed(solution: Sequence[Sequence[int]], givens: Mapping[Cell, int]) -> list[str]:
    """The cells that do not hold what is given, in words."""
    return [
        f"{in_words((r, c))} holds {solution[r][c]}, but {value} is given"
        for (r, c), value in givens.items()
        if solution[r][c] != value
    ]


def word(cell: Cell, givens: Mapping[Cell, int], solution: Sequence[Sequence[int]] | None) -> str:
    """What stands in a cell: nothing for 0 in a solution, `.` without one where nothing is given."""
    if solution:
        return str(solution[cell[0]][cell[1]] or "")
    return str(givens.get(cell, "."))


def cells_of(grid: Sequence[Sequence[object]]) -> list[Cell]:
    """All cells, row by row."""
    return [(row, column) for row, line in enumerate(grid) for column in range(len(line))]


def neighbours(cell: Cell, size: int) -> list[Cell]:
    """The cells of a square grid that share an edge with a cell."""
    row, column = cell
    beside = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
    return [(r, c) for r, c in beside if 0 <= r < size and 0 <= c < size]


def labels_text(parts: Iterable[Iterable[Cell]], size: int) -> str:
    """The parts of a square grid as a text block of labels, numbered in reading order."""
    ordered = sorted(map(sorted, parts))
    label = {cell: number for number, part in enumerate(ordered) for cell in part}
    width = len(str(len(ordered)))
    lines = (" ".join(f"{label[row, column]:0{width}}" for column in range(size)) for row in range(size))
    return "\n".join(lines) + "\n"


def regions_of(field: str, labels: Labels) -> dict[str, tuple[Cell, ...]]:
    """The cells of each label, row by row; raises InstanceError if they are not connected."""
    regions: dict[str, tuple[Cell, ...]] = {}
    for cell in cells_of(labels):
        label = labels[cell[0]][cell[1]]
        regions[label] = (*regions.get(label, ()), cell)
    for label, cells in regions.items():
        parts = connected_parts(cells)
        if len(parts) > 1:
            stray = min(sorted(parts, key=len)[0])
            raise InstanceError(
                f"{place(field, stray)}: region {label} is not connected; give this part a label of its own"
            )
    return regions


def connected_parts(cells: Iterable[Cell]) -> list[set[Cell]]:
    """The connected components of the cells, where cells that share an edge are adjacent."""
    members = set(cells)
    edges = (
        ((row, column), other)
        for row, column in members
        for other in ((row + 1, column), (row, column + 1))
        if other in members
    )
    return parts_of(graph_of(edges, members))


def grid_text(labels: Labels, content: Callable[[Cell], str]) -> str:
    """The grid in box-drawing characters, with lines only between regions."""
    height, width = len(labels), len(labels[0])
    words = {cell: content(cell) for cell in cells_of(labels)}
    span = max(map(len, words.values())) + 2

    def differ(a: Cell, b: Cell) -> bool:
        inside = [0 <= row < height and 0 <= column < width for row, column in (a, b)]
        return any(inside) and (not all(inside) or labels[a[0]][a[1]] != labels[b[0]][b[1]])

    lines = []
    for row in range(height + 1):
        border = ""
        for column in range(width + 1):
            up, down = (differ((r, column - 1), (r, column)) for r in (row - 1, row))
            left, right = (differ((row - 1, c), (row, c)) for c in (column - 1, column))
            border += CORNERS[up, down, left, right]
            if column < width:
                border += ("─" if right else " ") * span
        lines.append(border.rstrip())
        if row < height:
            line = "".join(
                ("│" if differ((row, column - 1), (row, column)) else " ")
                + (words[row, column].center(span) if column < width else "")
                for column in range(width + 1)
            )
            lines.append(line.rstrip())
    return "\n".join(lines)


CORNERS = dict(zip(product((False, True), repeat=4), " ╶╴─╷┌┐┬╵└┘┴│├┤┼", strict=True))
"""The sign for lines up, down, left and right."""


def draw_regions(
    axes: "Axes", labels: Labels, fill: Mapping[Cell, str] | None = None, thin_lines: bool = False
) -> None:
    """Draws regions, in colours that differ between neighbours, and lines between them, thin ones inside."""
    import networkx
    from matplotlib.collections import LineCollection, PolyCollection

    graph, borders = networkx.Graph(), []
    graph.add_nodes_from(word for row in labels for word in row)
    for row, column in cells_of(labels):
        for other in ((row + 1, column), (row, column + 1)):
            inside = other[0] < len(labels) and other[1] < len(labels[0])
            if inside and labels[row][column] != labels[other[0]][other[1]]:
                graph.add_edge(labels[row][column], labels[other[0]][other[1]])
                borders.append([other[::-1], (column + 1, row + 1)])
    colours = networkx.greedy_color(graph, "DSATUR")
    squares, fills = [], []
    for row, column in cells_of(labels):
        squares.append([(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)])
        fills.append((fill or {}).get((row, column)) or PALETTE[colours[labels[row][column]] % len(PALETTE)])
    # Below all else, as single squares would be; one artist is drawn in a fraction of their time.
    axes.add_collection(PolyCollection(squares, facecolors=fills, linewidths=0))
    axes.add_collection(
        LineCollection(borders, colors="#333333", linewidths=1.6, zorder=2, capstyle="projecting")
    )
    height, width = len(labels), len(labels[0])
    axes.plot([0, width, width, 0, 0], [0, 0, height, height, 0], color="#333333", linewidth=2.2)
    axes.set(xlim=(-0.05, width + 0.05), ylim=(height + 0.05, -0.05), aspect="equal")
    axes.axis("off")
    if thin_lines:
        axes.hlines(range(1, height), 0, width, color="#999999", linewidth=0.5)
        axes.vlines(range(1, width), 0, height, color="#999999", linewidth=0.5)


def write_in_cell(axes: "Axes", cell: Cell, text: str, size: float, given: bool) -> None:
    """Writes in the middle of a cell: bold black if it is given, blue if it was found."""
    write_at(axes, (cell[1] + 0.5, cell[0] + 0.5), text, size, given)


def write_at(
    axes: "Axes", place: tuple[float, float], text: str, size: float, given: bool, **more: Any
) -> None:
    """Writes likewise at a place of the axes; `more` is for matplotlib."""
    colour, weight = ("#111111", "bold") if given else ("#1f4e9c", "normal")
    style: dict[str, Any] = {"fontsize": size, "color": colour, "fontweight": weight, **more}
    x, y = place
    axes.text(x, y, text, ha="center", va="center", parse_math=False, **style)
