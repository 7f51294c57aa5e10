"""Block Party: the rules.

A grid is cut into connected regions. A region of k cells holds 1..k once each. For every number K in the
grid, the nearest other K lies at distance exactly K: |dr| + |dc| over the whole grid (`taxicab`), or along
the same row or the same column only (`row-column`). The answer is the sum over the rows of the product of the
row's values.

## Data
- `distance`: `taxicab` or `row-column`.
- `regions`: a grid of labels, one a cell; the cells of a label are a region.
- `givens`: a grid of the same shape, with the numbers that are given and `.` in the other cells.

A solution is a list of rows of integers.

## Links
- Jane Street, Block Party 4, June 2022: https://www.janestreet.com/puzzles/block-party-4-index/
- Paul A. Rubin, "Block Party" Puzzle, with a model for CPLEX and one for CP Optimizer, July 2022:
  https://orinanobworld.blogspot.com/2022/07/block-party-puzzle.html
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from math import prod
from typing import TYPE_CHECKING, Any, Literal

from models.shared.document import Document, InstanceError, read_document
from models.shared.grid import (
    Cell,
    Grid,
    Labels,
    changed,
    draw_regions,
    grid_text,
    in_words,
    place,
    read_grid,
    read_numbers,
    regions_of,
    word,
    write_in_cell,
)
from models.shared.puzzle import Ingredient, Reported, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.PERMUTATION, Ingredient.DISTANCE)

RUBIN = partial(
    Reported,
    instance="june_2022",
    source="Paul A. Rubin, OR in an OB World, on Block Party 4",
    formulation="textbook",
    url="https://orinanobworld.blogspot.com/2022/07/block-party-puzzle.html",
)

REPORTED = (
    RUBIN(
        system="CPLEX (IP)",
        variables=1100,
        presolved_variables=119,
        presolved_constraints=211,
        total_s=0.01,
        note="solved at the root",
    ),
    RUBIN(
        system="CP Optimizer (CP)",
        variables=100,
        constraints=7399,
        presolved_variables=90,
        branches=2678,
        search_s=0.05,
        total_s=0.12,
        note="search is the engine, the rest extraction",
    ),
)

Distance = Literal["taxicab", "row-column"]
"""Distances over the whole grid, or along rows and columns only."""


class BlockPartyDocument(Document):
    """The keys of an instance file."""

    distance: Distance
    regions: str
    givens: str


def parse(table: dict[str, Any]) -> "BlockParty":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(BlockPartyDocument, table)
    labels = read_grid("regions", document.regions)
    regions = regions_of("regions", labels)
    height, width = len(labels), len(labels[0])
    words = read_grid("givens", document.givens, (height, width), spaced=True)
    numbers = read_numbers("givens", words)
    givens: dict[Cell, int] = {}
    for region in regions.values():
        seen: dict[int, Cell] = {}
        for cell in filter(numbers.__contains__, region):
            value = givens[cell] = numbers[cell]
            at = place("givens", cell)
            if not 1 <= value <= len(region):
                raise InstanceError(f"{at}: {value} is outside 1..{len(region)}, the size of its region")
            if value in seen:
                where = in_words(seen[value])
                raise InstanceError(f"{at}: a second {value} in its region, after the one in {where}")
            seen[value] = cell
    return BlockParty(height, width, document.distance, labels, tuple(regions.values()), givens)


@dataclass(frozen=True)
class BlockParty(Grid):
    """One instance; a solution is a list of rows of integers."""

    distance: Distance
    labels: Labels
    regions: tuple[tuple[Cell, ...], ...]
    givens: Mapping[Cell, int]

    @cached_property
    def domains(self) -> dict[Cell, tuple[int, ...]]:
        """The values that each cell can hold by its region's size and the givens."""
        return {
            cell: (self.givens[cell],) if cell in self.givens else tuple(range(1, len(region) + 1))
            for region in self.regions
            for cell in region
        }

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width):
            return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]
        broken = changed(solution, self.givens)
        for region in self.regions:
            values = sorted(solution[row][column] for row, column in region)
            if values != list(range(1, len(region) + 1)):
                label = self.labels[region[0][0]][region[0][1]]
                broken.append(f"region {label} holds {values}, not 1..{len(region)} once each")
        for row, column in self.cells:
            value, nearest = solution[row][column], self._nearest(solution, row, column)
            if nearest != value:
                far = f"at distance {nearest}" if nearest else "nowhere"
                where = in_words((row, column))
                broken.append(f"{where} holds {value}, but the nearest other {value} is {far}")
        return broken

    def answer(self, solution: Solution) -> int:
        """The sum over the rows of the product of the row's values."""
        return sum(prod(row) for row in solution)

    def text(self, solution: Solution | None) -> str:
        """The grid with its regions."""
        return grid_text(self.labels, lambda cell: word(cell, self.givens, solution))

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with its regions; givens in bold."""
        draw_regions(axes, self.labels)
        for cell in self.cells:
            text = word(cell, self.givens, solution).strip(".")
            write_in_cell(axes, cell, text, min(14, 150 / self.height), cell in self.givens)

    def _nearest(self, solution: Solution, row: int, column: int) -> int | None:
        """The distance from a cell to the nearest other one that holds the same; None if there is none."""
        for distance in range(1, self.height + self.width):
            for r in range(max(0, row - distance), min(self.height, row + distance + 1)):
                aside = distance - abs(row - r)
                if self.distance == "row-column" and aside not in (0, distance):
                    continue
                for c in (column - aside, column + aside):
                    if 0 <= c < self.width and solution[r][c] == solution[row][column]:
                        return distance
        return None
