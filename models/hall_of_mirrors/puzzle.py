"""Hall of Mirrors: the rules.

A laser shines from a dot half a cell outside each end of each row and column of a square grid, straight into
the grid. Mirrors stand in some cells, on one of their two diagonals, no two of them in cells that share an
edge. Both faces of a mirror reflect: there the light turns by 90 degrees. It ends at the dot where it leaves
the grid. The number of a laser is the product of the lengths of its segments, between dots and middles of
cells with mirrors, in cells: n + 1 if it meets no mirror in a grid of n x n cells. Some of the numbers are
given. The light of the laser at the other end takes the same way back, so both have the same number.

## Data
- `size`: the number of rows, and of columns
- `top`, `bottom` (left to right), `left`, `right` (top to bottom), all optional: the numbers of the lasers
  there, `.` where none is given

A solution is a list of rows, texts of one character a cell, which is `/` or `\\` for a mirror and `.` for
none. The answer is the product of four sums: for each side, of the numbers there that are not given.

## Links
- Jane Street, Hall of Mirrors 3, March 2025: https://www.janestreet.com/puzzles/hall-of-mirrors-3-index/
- miguelbper, a model for Z3 that chooses a path for each number: https://github.com/miguelbper/jane-street-puzzles
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise, product
from math import prod
from typing import TYPE_CHECKING, Annotated, Any

from models.shared.document import Document, read_document, within
from models.shared.grid import Cell, Grid, draw_regions, in_words
from models.shared.puzzle import Ingredient, Solution
from models.shared.sides import Side, SideClues, Sides, draw_sides, line_from, read_line, text_with_sides

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.PATHS, Ingredient.SUMS)

SIGNS = "./\\"
"""What a cell holds; models call it 0, 1 and 2."""

INWARDS = dict(zip(Side, [(1, 0), (-1, 0), (0, 1), (0, -1)], strict=True))
"""The step, of rows and columns, with which a laser enters from a side."""


class HallOfMirrorsDocument(Document, Sides):
    """The keys of an instance file."""

    size: Annotated[int, within(1, 50)]


def parse(table: dict[str, Any]) -> "HallOfMirrors":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(HallOfMirrorsDocument, table)
    n = document.size
    lines = {side: read_line(side, getattr(document, side), n, 1) for side in Side}
    return HallOfMirrors(n, n, {(side, line): k for side, of in lines.items() for line, k in of.items()})


@dataclass(frozen=True)
class HallOfMirrors(Grid):
    """One instance.

    Attributes:
        clues: the numbers that are given, by the side and line of the laser.
    """

    clues: SideClues

    @property
    def beside(self) -> list[tuple[Cell, Cell]]:
        """The pairs of cells that share an edge."""
        return [(i, k) for i in self.cells for k in self.near[i] if i < k]

    def solution(self, value_of: Callable[[Cell], int]) -> Solution:
        """The solution in which each cell holds the sign with that number."""
        return ["".join(SIGNS[value] for value in row) for row in super().solution(value_of)]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        n = self.height
        if not (
            isinstance(solution, list)
            and len(solution) == n
            and all(isinstance(row, str) and len(row) == n and {*row} <= {*SIGNS} for row in solution)
        ):
            return [f"the solution is not {n} rows of {n} characters each, of which each is . or / or \\"]
        broken = [
            f"mirrors stand side by side in {in_words((r, c))} and {in_words((y, x))}"
            for (r, c), (y, x) in self.beside
            if "." not in (solution[r][c], solution[y][x])
        ]
        found = numbers(solution)
        return broken + [
            f"{laser(*clue)} has the number {found[clue]}, but {number} is given"
            for clue, number in self.clues.items()
            if found[clue] != number
        ]

    def answer(self, solution: Solution) -> int:
        """The product of the sums of the numbers that are not given, side by side."""
        found = {clue: number for clue, number in numbers(solution).items() if clue not in self.clues}
        return prod(sum(number for (at, _), number in found.items() if at == side) for side in Side)

    def text(self, solution: Solution | None) -> str:
        """The grid with its numbers, and with its mirrors."""
        rows = solution or ["." * self.width] * self.height
        return text_with_sides(self._labels, lambda cell: rows[cell[0]][cell[1]], self.clues)

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with its numbers; the mirrors, and the light of lasers with a number, in thin lines."""
        draw_regions(axes, self._labels, dict.fromkeys(self.cells, "#ffffff"), thin_lines=True)
        digits = max((len(str(number)) for number in self.clues.values()), default=1)
        size = min(11, 110 / self.height, 320 / (self.height * digits))
        draw_sides(axes, self.clues, self.height, self.width, size)
        ways = {frozenset(way): way for way in (trace(solution, *clue) for clue in self.clues if solution)}
        for way in ways.values():
            y, x = ([part + 0.5 for part in line] for line in zip(*way, strict=True))
            axes.plot(x, y, linewidth=1.2, alpha=0.8, zorder=3)
        for r, c in self.cells:
            if (sign := solution[r][c] if solution else ".") != ".":
                ends = (r + 0.85, r + 0.15) if sign == "/" else (r + 0.15, r + 0.85)
                width = min(3, 30 / self.height)
                axes.plot([c + 0.15, c + 0.85], ends, color="#1f4e9c", linewidth=width, zorder=4)

    @property
    def _labels(self) -> tuple[tuple[str, ...], ...]:
        return (("",) * self.width,) * self.height


def laser(side: Side, line: int) -> str:
    """Names a laser."""
    return f"the laser at the {side} of {'column' if side.on_columns else 'row'} {line + 1}"


def trace(rows: Solution, side: Side, line: int) -> list[Cell]:
    """The way of a laser: the cells of its mirrors, between those outside in whose middle its dots are."""
    n = len(rows)
    r, c = line_from(side, line, n, n)[0]
    dr, dc = INWARDS[side]
    points = [(r - dr, c - dc)]
    while 0 <= r < n and 0 <= c < n:
        if rows[r][c] != ".":
            points.append((r, c))
            dr, dc = (-dc, -dr) if rows[r][c] == "/" else (dc, dr)
        r, c = r + dr, c + dc
    return [*points, (r, c)]


def numbers(rows: Solution) -> dict[tuple[Side, int], int]:
    """The number of each laser: the product of the lengths of its segments."""
    return {
        (side, line): prod(abs(r - y) + abs(c - x) for (r, c), (y, x) in pairwise(trace(rows, side, line)))
        for side, line in product(Side, range(len(rows)))
    }
