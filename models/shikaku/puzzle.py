"""Shikaku: the rules.

A grid is cut along its lines into rectangles; a square counts as one. Some cells have a clue, a number or a
question mark. Each rectangle holds exactly one clue, and as many cells as it says if that is a number.

## Data
- `clues`: a grid of words: a number, from 1 to the number of cells of the grid; `?` for a clue that says
  nothing of the area; `.` in the other cells.

A solution is a list of rows of integers: for each cell the number of the clue in its rectangle, where clues
are counted from 1, row by row. The answer is the length of all cuts, in sides of a cell.

## Links
- Nikoli: https://www.nikoli.co.jp/en/puzzles/shikaku/
- Shikaku on Wikipedia: https://en.wikipedia.org/wiki/Shikaku
- Rectangles in Simon Tatham's puzzles: https://www.chiark.greenend.org.uk/~sgtatham/puzzles/doc/rect.html
- the Global Constraint Catalogue, geost: https://sofdem.github.io/gccat/gccat/KShikaku.html
- NP-complete: Takenaga, Aoyagi, Iwata and Kasai, Shikaku and Ripple Effect are NP-complete, Congressus
  Numerantium 216 (2013), 119-127
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, read_document
from models.shared.grid import (
    Cell,
    Grid,
    Labels,
    cells_of,
    draw_regions,
    grid_text,
    in_words,
    read_grid,
    read_numbers,
    write_in_cell,
)
from models.shared.puzzle import Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ShikakuDocument(Document):
    """The keys of an instance file."""

    clues: str


def parse(table: dict[str, Any]) -> "Shikaku":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    words = read_grid("clues", read_document(ShikakuDocument, table).clues, spaced=True)
    height, width = len(words), len(words[0])
    numbers = tuple(tuple("." if word == "?" else word for word in row) for row in words)
    areas = read_numbers("clues", numbers, range(1, height * width + 1))
    clues = {(r, c): areas.get((r, c)) for r, c in cells_of(words) if words[r][c] != "."}
    return Shikaku(height, width, clues)


@dataclass(frozen=True)
class Shikaku(Grid):
    """One instance.

    Attributes:
        clues: the cells that have one, row by row, with the area of their rectangle, None if it is not given.
    """

    clues: Mapping[Cell, int | None]

    @property
    def givens(self) -> dict[Cell, int]:
        """The number of each clue, which its cell holds in any solution."""
        return {cell: number for number, cell in enumerate(self.clues, 1)}

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width):
            return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]
        parts: dict[int, list[Cell]] = {}
        for row, column in self.cells:
            parts.setdefault(solution[row][column], []).append((row, column))
        broken = [
            f"{in_words(cells[0])} holds {label}, but clues are counted from 1 to {len(self.clues)}"
            for label, cells in parts.items()
            if not 1 <= label <= len(self.clues)
        ]
        for number, (cell, area) in enumerate(self.clues.items(), 1):
            cells = parts.get(number, [])
            where = f"the clue in {in_words(cell)}"
            if cell not in cells:
                broken.append(f"{where} is not in its own rectangle, that of number {number}")
            elif area not in (None, len(cells)):
                broken.append(f"{where} says {area}, but its rectangle has {len(cells)} cells")
            # They are no more than those of the smallest rectangle around them.
            sides = [max(line) - min(line) + 1 for line in zip(*cells, strict=True)]
            if cells and len(cells) < sides[0] * sides[1]:
                broken.append(f"the cells of {where} are no rectangle")
        return broken

    def answer(self, solution: Solution) -> int:
        """The length of all cuts."""
        lines = [*solution, *zip(*solution, strict=True)]
        return sum(a != b for line in lines for a, b in pairwise(line))

    def text(self, solution: Solution | None) -> str:
        """The grid with its clues, and with its cuts."""
        return grid_text(self._labels(solution), lambda cell: self._word(cell) or "."[bool(solution) :])

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with its clues; the rectangles in colours that differ between neighbours."""
        draw_regions(axes, self._labels(solution), thin_lines=True)
        size = min(14, 140 / max(self.height, self.width))
        for cell in self.clues:
            write_in_cell(axes, cell, self._word(cell), size, given=True)

    def _labels(self, solution: Solution | None) -> Labels:
        return tuple(
            map(tuple, self.solution(lambda cell: str(solution[cell[0]][cell[1]] if solution else 0)))
        )

    def _word(self, cell: Cell) -> str:
        return str(self.clues[cell] or "?") if cell in self.clues else ""
