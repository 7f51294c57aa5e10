"""Nurikabe: the rules.

Each cell of a grid is sea or land. The land falls into islands, parts connected along edges, each of which
holds exactly one number, and as many cells as it says; a question mark is a number that is not told. The sea
is connected along edges too, and has no 2x2 block. It may be empty.

## Data
- `givens`: a grid of words: a number, from 1 to the number of cells of the grid; `?` for an unknown one; `.`
  in the other cells.

A solution is a list of rows of integers, 1 for sea and 0 for land. The answer is the length of all coasts, in
sides of a cell; the border of the grid is no coast.

## Links
- Nikoli: https://www.nikoli.co.jp/en/puzzles/nurikabe/
- Nurikabe on Wikipedia: https://en.wikipedia.org/wiki/Nurikabe_(puzzle)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, read_document
from models.shared.grid import (
    Cell,
    Grid,
    connected_parts,
    draw_regions,
    grid_text,
    in_words,
    read_grid,
    read_numbers,
    write_in_cell,
)
from models.shared.puzzle import Ingredient, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.CONNECTIVITY,)

SEA, LAND = 1, 0


class NurikabeDocument(Document):
    """The keys of an instance file."""

    givens: str


def parse(table: dict[str, Any]) -> "Nurikabe":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    words = read_grid("givens", read_document(NurikabeDocument, table).givens, spaced=True)
    height, width = len(words), len(words[0])
    told = tuple(tuple("." if word == "?" else word for word in row) for row in words)
    sizes = read_numbers("givens", told, range(1, height * width + 1))
    grid = Grid(height, width)
    return Nurikabe(height, width, {(r, c): sizes.get((r, c)) for r, c in grid.cells if words[r][c] != "."})


@dataclass(frozen=True)
class Nurikabe(Grid):
    """One instance.

    Attributes:
        numbers: the cells that have one, row by row, with the size of their island, None for a question mark.
    """

    numbers: Mapping[Cell, int | None]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width):
            return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]
        kind = {(r, c): solution[r][c] for r, c in self.cells}
        broken = [f"{in_words(i)} is neither 1, sea, nor 0, land" for i in kind if kind[i] not in (SEA, LAND)]
        broken += [f"{in_words(i)} is sea, but has a number" for i in self.numbers if kind[i] == SEA]
        for island in connected_parts(cell for cell in self.cells if kind[cell] == LAND):
            held = sorted(island & self.numbers.keys())
            where = f"the island of {in_words(min(island))}"
            if len(held) != 1:
                broken.append(f"{where} has {len(held)} numbers")
            elif self.numbers[held[0]] not in (None, len(island)):
                broken.append(f"{where} has {len(island)} cells, but its number is {self.numbers[held[0]]}")
        if (parts := len(connected_parts(cell for cell in self.cells if kind[cell] == SEA))) > 1:
            broken.append(f"the sea has {parts} parts")
        flooded = [block[0] for block in self.blocks if all(kind[i] == SEA for i in block)]
        return broken + [f"the 2x2 block of {in_words(i)} is sea" for i in flooded]

    def answer(self, solution: Solution) -> int:
        """The length of all coasts."""
        lines = [*solution, *zip(*solution, strict=True)]
        return sum(a != b for line in lines for a, b in pairwise(line))

    def text(self, solution: Solution | None) -> str:
        """The grid with its numbers; sea has a #."""
        signs = solution or self.solution(lambda _: LAND)
        words = self.solution(lambda i: "#" if signs[i[0]][i[1]] == SEA else self._word(i) or ".")
        return grid_text((("A",) * self.width,) * self.height, lambda i: words[i[0]][i[1]])

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with its numbers; the sea is dark."""
        colours = {SEA: "#35526e", LAND: "#fbf6e3"}
        fill = {(r, c): colours[solution[r][c]] if solution else "#ffffff" for r, c in self.cells}
        draw_regions(axes, (("A",) * self.width,) * self.height, fill, thin_lines=True)
        size = min(14, 140 / max(self.height, self.width))
        for cell in self.numbers:
            write_in_cell(axes, cell, self._word(cell), size, given=True)

    def _word(self, cell: Cell) -> str:
        return str(self.numbers[cell] or "?") if cell in self.numbers else ""
