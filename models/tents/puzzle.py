"""Tents: the rules.

Some cells of a rectangular grid hold trees, and as many of the others get tents. Each tent belongs to one
tree, with which its cell shares an edge, and each tree has one tent. Tents do not touch, not even diagonally.
The number of tents in some rows and columns is given.

## Data
- `trees`: a grid, `T` for a tree and `.` for an empty cell. Blanks may be left out.
- `row_counts`, `col_counts` (optional): the number of tents in each row from the top, and in each column from
  the left, with blanks between them; `.` or `?` if it is not given.

A solution is a list of rows of integers, 1 for a tent and 0 for any other cell; which tree a tent has is no
part of it. The answer has for each row the column of its first tent, 0 if there is none.

## Links
- Simon Tatham, Tents: https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/tents.html
- Bas Jacobs, Trees and Tents, 2019, an integer program: https://www.basjacobs.com/post/2019-04-21-trees-and-tents/
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, InstanceError, read_document, shorten
from models.shared.graph import graph_of, parts_of
from models.shared.grid import Cell, Grid, Labels, cells_of, draw_regions, in_words, place, read_grid
from models.shared.puzzle import Solution, is_grid
from models.shared.sides import Side, SideClues, draw_sides, line_from, read_line, text_with_sides

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class TentsDocument(Document):
    """The keys of an instance file."""

    trees: str
    row_counts: str | None = None
    col_counts: str | None = None


def parse(table: dict[str, Any]) -> "Tents":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(TentsDocument, table)
    words = read_grid("trees", document.trees)
    for r, c in cells_of(words):
        if words[r][c] not in ("T", "."):
            raise InstanceError(f"{place('trees', (r, c))}: {shorten(words[r][c])} is neither T nor .")
    trees = frozenset((r, c) for r, c in cells_of(words) if words[r][c] == "T")
    rows, columns = (text and text.replace("?", ".") for text in (document.row_counts, document.col_counts))
    counts = {(Side.LEFT, n): k for n, k in read_line("row_counts", rows, len(words), 0).items()}
    counts |= {(Side.TOP, n): k for n, k in read_line("col_counts", columns, len(words[0]), 0).items()}
    return Tents(len(words), len(words[0]), trees, counts)


@dataclass(frozen=True)
class Tents(Grid):
    """One instance; `counts` has the rows at the left side and the columns at the top."""

    trees: frozenset[Cell]
    counts: SideClues

    @cached_property
    def empty(self) -> list[Cell]:
        """The cells without a tree, row by row."""
        return [i for i in self.cells if i not in self.trees]

    @cached_property
    def pairs(self) -> list[tuple[Cell, Cell]]:
        """Each tree with each empty cell next to it."""
        return [(tree, i) for tree in sorted(self.trees) for i in self.near[tree] if i not in self.trees]

    @property
    def lines(self) -> list[tuple[list[Cell], int]]:
        """The cells of each row and column whose number of tents is given, and that number."""
        return [(line_from(*end, self.height, self.width), count) for end, count in self.counts.items()]

    @property
    def touching(self) -> list[tuple[Cell, Cell]]:
        """The pairs of empty cells that share an edge or a corner, each once."""
        inside, steps = {*self.empty}, ((0, 1), (1, -1), (1, 0), (1, 1))
        pairs = (((r, c), (r + down, c + right)) for r, c in self.empty for down, right in steps)
        return [(a, b) for a, b in pairs if b in inside]

    def solution(self, value_of: Callable[[Cell], Any]) -> list[list[Any]]:
        """The rows of the grid in which each empty cell has the value `value_of(cell)`."""
        return super().solution(lambda i: 0 if i in self.trees else value_of(i))

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width):
            return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]
        broken, tents = [], {(r, c) for r, c in self.cells if solution[r][c] == 1}
        for r, c in self.cells:
            if solution[r][c] not in (0, 1):
                broken.append(f"{in_words((r, c))} holds {solution[r][c]}, neither 1 for a tent nor 0")
            if (r, c) in tents & self.trees:
                broken.append(f"{in_words((r, c))} holds a tent, but there is a tree")
            if (r, c) in tents and tents & {(r, c + 1), (r + 1, c - 1), (r + 1, c), (r + 1, c + 1)}:
                broken.append(f"the tent in {in_words((r, c))} touches another")
        for (side, line), count in self.counts.items():
            if (n := sum(cell[side.on_columns] == line for cell in tents)) != count:
                broken.append(f"{('row', 'column')[side.on_columns]} {line + 1} has {n} tents, not {count}")
        # A tree has two tents at most, which do not touch: a part of as many of both can be paired.
        for part in parts_of(graph_of((pair for pair in self.pairs if pair[1] in tents), tents | self.trees)):
            if len(part & tents) != len(part & self.trees):
                broken.append(f"the {len(part)} trees and tents around {in_words(min(part))} are no pairs")
        return broken

    def answer(self, solution: Solution) -> str:
        """The column of the first tent in each row, counted from 1; 0 if there is none."""
        return " ".join(str(row.index(1) + 1 if 1 in row else 0) for row in solution)

    def text(self, solution: Solution | None) -> str:
        """The grid with the numbers of tents at its sides, `T` for a tree and `^` for a tent."""
        signs = self.solution(lambda i: " ^"[solution[i[0]][i[1]]] if solution else ".")
        return text_with_sides(self._labels, lambda i: str(signs[i[0]][i[1]] or "T"), self.counts)

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with the numbers of tents at its sides; trees are green discs, tents triangles."""
        draw_regions(axes, self._labels, dict.fromkeys(self.cells, "#ffffff"), thin_lines=True)
        size = min(14, 120 / max(self.height, self.width))
        for r, c in self.cells:
            if (r, c) in self.trees or (solution and solution[r][c]):
                marker, colour = ("o", "#3f7d3a") if (r, c) in self.trees else ("^", "#1f4e9c")
                axes.plot(c + 0.5, r + 0.5, marker=marker, markersize=size, color=colour)
        draw_sides(axes, self.counts, self.height, self.width, size)

    @property
    def _labels(self) -> Labels:
        return (("",) * self.width,) * self.height
