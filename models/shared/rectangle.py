"""Puzzles with a value for each cell of a rectangle, and those in which some cells hold a number."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, TypeVar

from models.shared.document import InstanceError
from models.shared.grid import (
    Cell,
    Labels,
    cells_of,
    connected_parts,
    draw_regions,
    place,
    read_integer,
    write_in_cell,
)
from models.shared.puzzle import Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Value = TypeVar("Value")

EMPTY = 0
"""What a cell without a number has in a solution."""


@dataclass(frozen=True)
class Rectangle:
    """One instance; a solution is a list of rows of integers."""

    height: int
    width: int

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells, row by row."""
        return [(row, column) for row in range(self.height) for column in range(self.width)]

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.height * self.width

    @cached_property
    def near(self) -> dict[Cell, list[Cell]]:
        """The cells that share an edge with each cell."""
        cells = set(self.cells)
        return {
            (r, c): [k for k in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if k in cells]
            for r, c in self.cells
        }

    @property
    def blocks(self) -> list[list[Cell]]:
        """The cells of each 2x2 block."""
        return [
            [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]
            for r in range(self.height - 1)
            for c in range(self.width - 1)
        ]

    def solution(self, value_of: Callable[[Cell], Value]) -> list[list[Value]]:
        """The rows of the grid in which each cell has the value `value_of(cell)`."""
        return [[value_of((row, column)) for column in range(self.width)] for row in range(self.height)]

    def misshapen(self, solution: Solution) -> list[str]:
        """What is wrong with the shape of a solution, in words."""
        if is_grid(solution, self.height, self.width):
            return []
        return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]


@dataclass(frozen=True)
class PartlyFilled(Rectangle):
    """One instance in which some cells hold a number, 1 or more, and the others are empty."""

    givens: Mapping[Cell, int]

    def out_of_range(self, solution: Solution, most: int) -> list[str]:
        """The cells that hold no number up to `most`, and are not empty."""
        return [
            f"{at((r, c))} holds {value}, not {EMPTY} for an empty cell or 1 to {most}"
            for r, c in self.cells
            if not 0 <= (value := solution[r][c]) <= most
        ]

    def changed(self, solution: Solution) -> list[str]:
        """The cells that do not hold what is given."""
        return [
            f"{at((r, c))} holds {solution[r][c]}, but {value} is given"
            for (r, c), value in self.givens.items()
            if solution[r][c] != value
        ]

    def full_blocks(self, solution: Solution) -> list[str]:
        """The 2x2 blocks that are completely filled."""
        return [
            f"the 2x2 block with its top left corner in {at((row, column))} is filled"
            for row in range(self.height - 1)
            for column in range(self.width - 1)
            if all(solution[row][column : column + 2] + solution[row + 1][column : column + 2])
        ]

    def separate_groups(self, solution: Solution) -> list[str]:
        """How many groups of filled cells there are, if there is more than one."""
        groups = connected_parts((r, c) for r, c in self.cells if solution[r][c] != EMPTY)
        return [f"the filled cells are {len(groups)} groups, not one"] if len(groups) > 1 else []

    def product_of_empty_groups(self, solution: Solution) -> int:
        """The product of the sizes of the connected groups of empty cells."""
        return prod(map(len, connected_parts((r, c) for r, c in self.cells if solution[r][c] == EMPTY)))

    def word(self, cell: Cell, solution: Solution | None) -> str:
        """What stands in a cell."""
        if solution:
            return str(solution[cell[0]][cell[1]] or "")
        return str(self.givens.get(cell, "."))

    def draw_cells(
        self,
        axes: "Axes",
        solution: Solution | None,
        labels: Labels,
        fill: Mapping[Cell, str],
        without: Collection[Cell] = (),
    ) -> None:
        """Draws the regions, empty cells grey, and what stands in most cells; givens in bold."""
        empty = [(r, c) for r, c in self.cells if solution and solution[r][c] == EMPTY]
        draw_regions(axes, labels, {**fill, **dict.fromkeys(empty, "#d9d9d9")})
        axes.hlines(range(1, self.height), 0, self.width, color="#999999", linewidth=0.5)
        axes.vlines(range(1, self.width), 0, self.height, color="#999999", linewidth=0.5)
        for cell in self.cells:
            if cell not in without:
                word = self.word(cell, solution).strip(".")
                write_in_cell(axes, cell, word, font_size(self), cell in self.givens)


def read_numbers(field: str, words: Labels, least: int, most: int) -> dict[Cell, int]:
    """The numbers of a grid of words by their cell; `.` stands for no number.

    Raises:
        InstanceError: if a word is neither `.` nor a number from `least` to `most`.
    """
    numbers = {}
    for cell in cells_of(words):
        if (word := words[cell[0]][cell[1]]) != ".":
            numbers[cell] = read_integer(field, word, cell)
            if not least <= numbers[cell] <= most:
                raise InstanceError(f"{place(field, cell)}: {word} is outside {least}..{most}")
    return numbers


def font_size(puzzle: Rectangle) -> float:
    """The size at which numbers fit their cells, in points."""
    return min(14, 120 / puzzle.width)


def at(cell: Cell) -> str:
    """The place of a cell in words, counted from 1."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"
