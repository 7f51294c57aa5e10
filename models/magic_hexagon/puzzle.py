"""Magic hexagon: the rules.

The numbers start, start + 1, ... go one into each cell of a hexagon with `order` cells on a side, so that
all lines in all three directions have the same sum.

## Data
    order     the number of cells on a side
    start     the least number
    givens    the numbers of a row a line, `.` for a cell that is not given (optional)
A solution is a list of rows of whole numbers, as the hexagon lies: the first and the last have `order`.

## Links
- CSPLib, problem 23, proposed by Toby Walsh, with models in several languages: https://www.csplib.org/Problems/prob023/
- PyCSP3 model, academic/MagicHexagon: https://github.com/xcsp3team/PyCSP3-models
- History, and hexagons that do not start at 1: https://en.wikipedia.org/wiki/Magic_hexagon
- Tom Dooner's Choco model, of which he reports in the draft of a post (below):
  https://github.com/tdooner/aristotle-solver-csp
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import cos, pi, sin
from typing import TYPE_CHECKING, Annotated, Any

from models.shared.document import Document, InstanceError, read_document, within
from models.shared.grid import Cell, changed, place, read_numbers, write_at
from models.shared.puzzle import Ingredient, Reported, Solution, is_ragged_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.PERMUTATION, Ingredient.SUMS)

REPORTED = (
    Reported(
        instance="aristotle",
        system="Choco",
        source='Tom Dooner, Solving "Aristotle\'s Number Puzzle" with Constraint Satisfaction, 2016',
        failures=137,
        total_s=0.5,
        note="137 backtracks",
        url="https://github.com/tdooner/tdooner.com/blob/1fc7b0a9e6d941685917ef9ae9886ad69590b415"
        "/source/2016-01-07-solving-aristotle.html.markdown",
    ),
)


class MagicHexagonDocument(Document):
    """The keys of an instance file."""

    order: Annotated[int, within(1, 50)]
    start: int
    givens: str | None = None


def parse(table: dict[str, Any]) -> "MagicHexagon":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(MagicHexagonDocument, table)
    lengths = row_lengths(document.order)
    last = document.start + sum(lengths) - 1
    givens: dict[Cell, int] = {}
    rows = tuple(tuple(line.split()) for line in (document.givens or "").strip().splitlines())
    if rows and len(rows) != len(lengths):
        raise InstanceError(
            f"givens: {len(rows)} rows; a hexagon of order {document.order} has {len(lengths)}"
        )
    for row, (words, length) in enumerate(zip(rows, lengths, strict=False)):
        if len(words) != length:
            raise InstanceError(f"givens, row {row + 1}: {len(words)} cells; this row needs {length}")
    for cell, value in read_numbers("givens", rows, range(document.start, last + 1)).items():
        if value in givens.values():
            raise InstanceError(f"{place('givens', cell)}: {value} is given a second time")
        givens[cell] = value
    return MagicHexagon(document.order, document.start, givens)


def row_lengths(order: int) -> list[int]:
    """The number of cells in each row, from the top: order, ..., 2 order - 1, ..., order."""
    return [2 * order - 1 - abs(row - order + 1) for row in range(2 * order - 1)]


@dataclass(frozen=True)
class MagicHexagon:
    """One instance; a solution is a list of rows of integers, as the hexagon lies."""

    order: int
    start: int
    givens: Mapping[Cell, int]

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells, row by row; columns count from the left end of the row."""
        return [
            (row, column) for row, length in enumerate(row_lengths(self.order)) for column in range(length)
        ]

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.cells)

    @property
    def diameter(self) -> int:
        """The number of lines in each of the three directions, and of cells in the longest of them."""
        return 2 * self.order - 1

    @property
    def values(self) -> range:
        """The numbers to place."""
        return range(self.start, self.start + len(self.cells))

    def domain(self, cell: Cell) -> range:
        """The numbers that a cell can hold: what is given, or any of them."""
        return range(self.givens[cell], self.givens[cell] + 1) if cell in self.givens else self.values

    @property
    def line_sum(self) -> int | None:
        """The sum of every line; None if that would not be a whole number."""
        total = sum(self.values)
        return None if total % self.diameter else total // self.diameter

    def solution(self, value_of: Callable[[Cell], int]) -> list[list[int]]:
        """The solution in which each cell i holds `value_of(i)`."""
        return [[value_of((r, c)) for c in range(length)] for r, length in enumerate(row_lengths(self.order))]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        lengths = row_lengths(self.order)
        if not is_ragged_grid(solution, lengths):
            return [f"the solution is not rows of {', '.join(map(str, lengths))} whole numbers"]
        broken = changed(solution, self.givens)
        if sorted(value for row in solution for value in row) != list(self.values):
            broken.append(f"the cells do not hold {self.values[0]}..{self.values[-1]} once each")
        sums = {f"row {number + 1}": sum(row) for number, row in enumerate(solution)}
        for number in range(self.diameter):
            # In a row above the middle, the diagonal that falls to the left keeps its column; below the
            # middle it loses one a row. The other diagonal is its mirror image.
            falling, rising = 0, 0
            for row, values in enumerate(solution):
                column = number - max(0, row - self.order + 1)
                if 0 <= column < len(values):
                    falling += values[column]
                    rising += values[len(values) - 1 - column]
            sums[f"left diagonal {number + 1}"], sums[f"right diagonal {number + 1}"] = falling, rising
        target = sums["row 1"]
        broken += [
            f"{line} adds up to {total}, row 1 to {target}" for line, total in sums.items() if total != target
        ]
        return broken

    def answer(self, solution: Solution) -> int:
        """The common sum."""
        return sum(solution[0])

    def text(self, solution: Solution | None) -> str:
        """The rows, each shifted by half a cell."""
        width = max(len(str(value)) for value in (self.values[0], self.values[-1])) + 2
        width += width % 2
        return "\n".join(
            " " * ((self.diameter - length) * width // 2)
            + "".join(self._word((row, column), solution).center(width) for column in range(length)).rstrip()
            for row, length in enumerate(row_lengths(self.order))
        )

    def position(self, unknown: Cell) -> tuple[float, float]:
        """The middle of a cell on the axes of `draw`."""
        row, column = unknown
        return column - row_lengths(self.order)[row] / 2, -row * 0.866

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """Hexagons with their numbers; givens in bold."""
        for row, column in self.cells:
            x, y = self.position((row, column))
            corners = [(x + sin(pi * k / 3) / 3**0.5, y + cos(pi * k / 3) / 3**0.5) for k in range(6)]
            axes.fill(*zip(*corners, strict=True), facecolor="#dbe9f6", edgecolor="#333333", linewidth=1.5)
            given = (row, column) in self.givens
            word = self._word((row, column), solution).strip(".")
            write_at(axes, (x, y), word, min(16, 60 / self.order), given)
        axes.set_aspect("equal")
        axes.axis("off")

    def _word(self, cell: Cell, solution: Solution | None) -> str:
        return str(solution[cell[0]][cell[1]] if solution else self.givens.get(cell, "."))
