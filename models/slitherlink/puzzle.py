"""Slitherlink: the rules.

Along the sides of the cells of a grid runs one closed loop, which neither crosses nor touches itself. A clue
is the number of sides of its cell that are on the loop. There is a loop even where no clue asks for it.

## Data
- `givens`: rows of words, a number from 0 to 4 or `.`. Blanks may be left out.

The answer is the length of the loop, in sides of a cell.

A solution is a list of rows of integers, 1 for a cell inside the loop and 0 for one outside.

## Links
- Nikoli: https://www.nikoli.co.jp/en/puzzles/slitherlink/
- Slitherlink on Wikipedia: https://en.wikipedia.org/wiki/Slitherlink
- Loopy in Simon Tatham's puzzles: https://www.chiark.greenend.org.uk/~sgtatham/puzzles/doc/loopy.html
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from math import nan
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, read_document
from models.shared.grid import (
    CORNERS,
    Cell,
    Grid,
    connected_parts,
    in_words,
    read_grid,
    read_numbers,
    write_in_cell,
)
from models.shared.puzzle import Ingredient, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.PATHS,)

Dot = tuple[int, int]
"""Row and column of a corner of cells: those of the cell below it to the right."""

Edge = tuple[Dot, Dot]
"""A side of a cell, from its upper or left end."""


class SlitherlinkDocument(Document):
    """The keys of an instance file."""

    givens: str


def parse(table: dict[str, Any]) -> "Slitherlink":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    words = read_grid("givens", read_document(SlitherlinkDocument, table).givens)
    return Slitherlink(len(words), len(words[0]), read_numbers("givens", words, range(5)))


@dataclass(frozen=True)
class Slitherlink(Grid):
    """One instance; `clues` are the numbers, by cell."""

    clues: Mapping[Cell, int]

    @cached_property
    def dots(self) -> list[Dot]:
        """The corners of all cells, row by row."""
        return Grid(self.height + 1, self.width + 1).cells

    @cached_property
    def edges(self) -> list[Edge]:
        """The sides of all cells, those of each dot to the right and down together."""
        ends = (((r, c), end) for r, c in self.dots for end in ((r, c + 1), (r + 1, c)))
        return [(dot, end) for dot, end in ends if end[0] <= self.height and end[1] <= self.width]

    def around(self, cell: Cell) -> list[Edge]:
        """The upper, left, right and lower side of a cell."""
        r, c = cell
        a, b, d, e = cell, (r, c + 1), (r + 1, c), (r + 1, c + 1)
        return [(a, b), (a, d), (b, e), (d, e)]

    def beside(self, edge: Edge) -> tuple[Cell, Cell]:
        """The cells to the left and right of who goes along an edge; one may be outside of the grid."""
        (r, c), (below, _) = edge
        return ((r - 1, c), (r, c)) if below == r else ((r, c), (r, c - 1))

    def enclosed(self, value_of: Callable[[Edge], Any]) -> Solution:
        """The solution whose loop has the edges with 1: an odd number of them is left of a cell inside."""
        left = self.solution(lambda cell: round(value_of((cell, (cell[0] + 1, cell[1])))))
        return [[total % 2 for total in accumulate(row)] for row in left]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width) or not {*chain(*solution)} <= {0, 1}:
            return [f"the solution is not {self.height} rows of {self.width} numbers each, 0 or 1"]
        inside, broken = {(r, c) for r, c in self.cells if solution[r][c]}, []
        for (r, c), number in self.clues.items():
            beside = [(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)]
            sides = sum(((r, c) in inside) != (cell in inside) for cell in beside)
            if sides != number:
                broken.append(f"{in_words((r, c))} has {sides} sides on the loop, not {number}")
        for r, c in self.dots:
            a, b, d, e = (cell in inside for cell in ((r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c)))
            if a == e != b == d:
                broken.append(f"the loop touches itself at the upper left corner of {in_words((r, c))}")
        if not inside:
            broken.append("there is no loop: no cell is inside")
        # With a margin outside, as each part beyond the first has a loop of its own.
        around = {(r, c) for r in range(-1, self.height + 1) for c in range(-1, self.width + 1)}
        for word, cells in (("inside", inside), ("outside", around - inside)):
            if (parts := len(connected_parts(cells))) > 1:
                broken.append(f"the cells {word} are in {parts} parts, each with a loop")
        return broken

    def answer(self, solution: Solution) -> int:
        """The length of the loop."""
        return len(self._loop(solution))

    def text(self, solution: Solution | None) -> str:
        """The dots and clues, and the loop."""
        loop, lines = {*self._loop(solution)}, []
        for r in range(self.height + 1):
            upper = lower = ""
            for dot in ((r, c) for c in range(self.width + 1)):
                ends = [(r - 1, dot[1]), (r + 1, dot[1]), (r, dot[1] - 1), (r, dot[1] + 1)]
                up, down, left, right = ((min(dot, end), max(dot, end)) in loop for end in ends)
                upper += (CORNERS[up, down, left, right].strip() or "·") + "   ───"[3 * right :][:3]
                lower += " │"[down] + f" {self.clues.get(dot, ' ')} "
            lines += [upper.rstrip(), lower.rstrip()]
        return "\n".join(lines[:-1])

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The dots and clues; the loop with its inside shaded."""
        size = min(14, 140 / max(self.height, self.width))
        rows, columns = zip(*self.dots, strict=True)
        axes.plot(columns, rows, "o", markersize=size / 6, color="#333333")
        for cell, clue in self.clues.items():
            write_in_cell(axes, cell, str(clue), size, given=True)
        # A number that is none ends a line.
        x = [place for (_, left), (_, right) in self._loop(solution) for place in (left, right, nan)]
        y = [place for (above, _), (below, _) in self._loop(solution) for place in (above, below, nan)]
        axes.plot(x, y, color="#1f4e9c", linewidth=size / 5, solid_capstyle="round")
        if solution:
            axes.imshow(solution, "Blues", vmax=8, extent=(0, self.width, self.height, 0))
        axes.set(xlim=(-0.2, self.width + 0.2), ylim=(self.height + 0.2, -0.2), aspect="equal")
        axes.axis("off")

    def position(self, unknown: Edge) -> tuple[float, float]:
        """The middle of an edge."""
        (above, left), (below, right) = unknown
        return (left + right) / 2, (above + below) / 2

    def _loop(self, solution: Solution | None) -> list[Edge]:
        """The edges between a cell inside and one outside; none without a solution."""
        inside = {(r, c) for r, c in self.cells if solution and solution[r][c]}
        return [edge for edge in self.edges if len(inside.intersection(self.beside(edge))) == 1]
