"""Choco Banana: the rules.

Some cells of a grid are shaded. The shaded cells fall into groups that are connected along edges, and so do
the unshaded ones. Every shaded group is a full rectangle; a square or a single cell counts as one. No
unshaded group is a full rectangle. A number in a cell is the size of the group, shaded or not, that holds the
cell.

## Data
- `cells`: a grid of words, a number or `.` where there is none. Several numbers may lie in one group, and a
  group may have none.

A solution is a list of rows of integers, 1 for a shaded cell and 0 for an unshaded one. The answer is the
product, over the rows, of the number of unshaded cells.

## Links
- Jane Street, Choco Banana, July 2023: https://www.janestreet.com/puzzles/choco-banana-index/
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, InstanceError, read_document
from models.shared.grid import (
    Cell,
    Grid,
    Labels,
    connected_parts,
    draw_regions,
    grid_text,
    in_words,
    place,
    read_grid,
    read_numbers,
)
from models.shared.puzzle import Ingredient, Reported, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.CONNECTIVITY,)

REPORTED = (
    Reported(
        instance="july_2023",
        system="numpy search (miguelbper)",
        source="miguelbper, jane-street-puzzles",
        total_s=1.17,
        note="nine pruning rules",
        url="https://github.com/miguelbper/jane-street-puzzles",
    ),
    Reported(
        instance="july_2023_example",
        system="Z3 (gowen100)",
        source="gowen100, Jane-Street-Solutions",
        total_s=196,
        url="https://github.com/gowen100/Jane-Street-Solutions",
    ),
)
"""Not among them: july_2023 by gowen100, solved by hand and then verified in 20.7 s."""

SHADED = 1
UNSHADED = 0


class ChocoBananaDocument(Document):
    """The keys of an instance file."""

    cells: str


def parse(table: dict[str, Any]) -> "ChocoBanana":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(ChocoBananaDocument, table)
    words = read_grid("cells", document.cells, spaced=True)
    height, width = len(words), len(words[0])
    numbers = read_numbers("cells", words)
    for cell, number in numbers.items():
        if not 1 <= number <= height * width:
            raise InstanceError(
                f"{place('cells', cell)}: {number} is not the size of a group in {height}x{width} cells; "
                f"write 1 to {height * width}, or . for no number"
            )
    return ChocoBanana(height, width, numbers)


@dataclass(frozen=True)
class ChocoBanana(Grid):
    """One instance; a solution is a list of rows of integers, 1 for a shaded cell and 0 for an unshaded one.

    Attributes:
        numbers: by the cell, the size of its group.
    """

    numbers: Mapping[Cell, int]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width):
            return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]
        broken = [
            f"{in_words((row, column))} has {value}, not 1 for a shaded cell or 0 for an unshaded one"
            for row, column in self.cells
            if (value := solution[row][column]) not in (SHADED, UNSHADED)
        ]
        if broken:
            return broken
        for group in self._groups(solution):
            first = min(group)
            shaded = solution[first[0]][first[1]] == SHADED
            name = f"the {'shaded' if shaded else 'unshaded'} group of {in_words(first)}"
            rectangle = is_rectangle(group)
            if shaded and not rectangle:
                broken.append(f"{name} is no full rectangle")
            if not shaded and rectangle:
                broken.append(f"{name} is a full rectangle")
            broken += [
                f"{name} has {len(group)} cell{'s' * (len(group) > 1)}, not {self.numbers[cell]} "
                f"as {in_words(cell)} says"
                for cell in sorted(group)
                if self.numbers.get(cell, len(group)) != len(group)
            ]
        return broken

    def answer(self, solution: Solution) -> int:
        """The product, over the rows, of the number of unshaded cells."""
        return prod(row.count(UNSHADED) for row in solution)

    def text(self, solution: Solution | None) -> str:
        """The grid with its numbers; a shaded cell has a #, and lines are drawn between the groups."""

        def content(cell: Cell) -> str:
            shaded = solution and solution[cell[0]][cell[1]] == SHADED
            number = str(self.numbers.get(cell, "" if shaded else "."))
            return f"#{number}" if shaded else number

        return grid_text(self._labels(solution), content)

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with its numbers; shaded cells brown, unshaded cells light yellow."""
        fill = dict.fromkeys(self.cells, "#ffffff")
        if solution:
            colours = {SHADED: "#b98f6b", UNSHADED: "#fff7cf"}
            fill = {(row, column): colours[solution[row][column]] for row, column in self.cells}
        draw_regions(axes, self._labels(solution), fill, thin_lines=True)
        # In the corner of its cell, where it leaves room for what a search that is watched knows of the cell.
        for (row, column), number in self.numbers.items():
            size = min(11, 100 / self.width)
            axes.text(column + 0.06, row + 0.08, str(number), size=size, ha="left", va="top", weight="bold")

    def _groups(self, solution: Solution) -> list[set[Cell]]:
        """The connected groups of shaded cells and of unshaded cells."""
        return [
            group
            for value in (SHADED, UNSHADED)
            for group in connected_parts(cell for cell in self.cells if solution[cell[0]][cell[1]] == value)
        ]

    def _labels(self, solution: Solution | None) -> Labels:
        if not solution:
            return (("A",) * self.width,) * self.height
        label = {cell: str(number) for number, group in enumerate(self._groups(solution)) for cell in group}
        return tuple(map(tuple, self.solution(label.__getitem__)))


def is_rectangle(group: set[Cell]) -> bool:
    """Whether a group fills the rows and columns that it lies in."""
    rows, columns = zip(*group, strict=True)
    return len({*rows}) * len({*columns}) == len(group)
