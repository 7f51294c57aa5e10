"""Cross Sums: the rules.

A grid has blocked cells, and entries: stretches of open cells in a row or column that end at blocked cells or
at the border. Each open cell gets a digit from 1 to 9, or with the rule `signed_sum` a digit or its negative.

- Rule `sum` (Kakuro): the clue of an entry is the sum of its digits, which differ.
- Rule `sum_or_product`: the clue of an entry is the sum of its digits, or their product.
- Rule `signed_sum`: the clue of an entry is its sum. No absolute value occurs twice in a row or column of the
  whole grid, and exactly one number in every row and every column of the grid is negative.

## Data
- `cells`: a grid of words, `.` for an open cell and `#` for a blocked one.
- `rule`: `sum`, `sum_or_product` or `signed_sum`.
- `across`, `down`: a line for each entry: its number, the row and column of its first cell from 0, its
  length, and its clue. The number is only a name. A stretch that is not listed has no clue, and no rule.
- `answer_rule` (optional): `sum_of_digits`, the default, the sum of all cells; or
  `sum_of_cells_next_to_negatives`, the sum over the negative cells of the cells that share an edge with them.

A row or column of blocked cells alone has no negative number: with the rule `signed_sum` the instance has no
solution then, and neither if a row or column has ten open cells; with `sum`, if an entry has ten.

A solution is a list of rows of integers, 0 for a blocked cell.

## Links
- Jane Street, Number Cross 2, August 2015: https://www.janestreet.com/puzzles/number-cross-2-index/
- Jane Street, Number Cross 3, July 2016: https://www.janestreet.com/puzzles/number-cross-3-index/
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, Literal

from models.shared.document import Document, InstanceError, read_document, shorten
from models.shared.grid import (
    Cell,
    Labels,
    cells_of,
    draw_regions,
    grid_text,
    in_words,
    place,
    read_grid,
    write_in_cell,
)
from models.shared.puzzle import Ingredient, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.PERMUTATION, Ingredient.SUMS)

AnswerRule = Literal["sum_of_digits", "sum_of_cells_next_to_negatives"]
"""What the setter asks for."""

DIGITS = range(1, 10)
"""The absolute values of open cells."""

BLOCKED = 0

INTEGER = re.compile(r"-?[0-9]{1,18}")
"""A number of an entry: at most 18 digits, so that it fits into 64 bits wherever a program reads it."""


class Rule(StrEnum):
    """What an open cell may hold, and what a clue says."""

    SUM = "sum"
    SUM_OR_PRODUCT = "sum_or_product"
    SIGNED_SUM = "signed_sum"


class CrossSumsDocument(Document):
    """The keys of an instance file."""

    cells: str
    rule: Literal["sum", "sum_or_product", "signed_sum"]
    across: str = ""
    down: str = ""
    answer_rule: AnswerRule = "sum_of_digits"


def parse(table: dict[str, Any]) -> "CrossSums":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(CrossSumsDocument, table)
    words = read_grid("cells", document.cells, spaced=True)
    height, width = len(words), len(words[0])
    word_in = {(row, column): words[row][column] for row, column in cells_of(words)}
    for cell, word in word_in.items():
        if word not in (".", "#"):
            raise InstanceError(f"{place('cells', cell)}: {shorten(word)} is neither . nor #")
    blocked = frozenset(cell for cell, word in word_in.items() if word == "#")
    if len(blocked) == len(word_in):
        raise InstanceError("cells: all are blocked; write . for at least one open cell")
    return CrossSums(
        height,
        width,
        Rule(document.rule),
        blocked,
        read_entries("across", document.across, words, (0, 1)),
        read_entries("down", document.down, words, (1, 0)),
        document.answer_rule,
    )


def read_entries(field: str, text: str, words: Labels, step: Cell) -> tuple["Entry", ...]:
    """The entries of a text block, one a line; `step` leads from a cell of an entry to the next one.

    Raises InstanceError if one is not a stretch of open cells from border to border, or is listed twice.
    """

    def is_open(row: int, column: int) -> bool:
        return 0 <= row < len(words) and 0 <= column < len(words[0]) and words[row][column] == "."

    entries: dict[Cell, Entry] = {}
    for line, content in enumerate(text.strip().splitlines(), 1):
        parts, at = content.split(), f"{field}, line {line}"
        if len(parts) != 5:
            raise InstanceError(f"{at}: {len(parts)} words; write number, row, column, length and clue")
        for part in parts:
            if not INTEGER.fullmatch(part):
                raise InstanceError(f"{at}: {shorten(part)} is not a whole number of at most 18 digits")
        number, row, column, length, clue = map(int, parts)
        if length < 1:
            raise InstanceError(f"{at}: a length of {length}; an entry has at least one cell")
        if not (0 <= row < len(words) and 0 <= column < len(words[0])):
            raise InstanceError(
                f"{at}: row {row}, column {column} is outside the grid of {len(words)}x{len(words[0])} cells;"
                " rows and columns count from 0"
            )
        first = f"row {row}, column {column}"
        if (row, column) in entries:
            raise InstanceError(f"{at}: the entry from {first} is listed before; remove it")
        stretch = [(row, column)]
        while is_open(*stretch[-1]):
            stretch.append((stretch[-1][0] + step[0], stretch[-1][1] + step[1]))
        cells = tuple(stretch[:-1])
        if len(cells) != length:
            raise InstanceError(
                f"{at}: a length of {length}, but there are {len(cells)} open cells from {first} to the next "
                "blocked cell or the border"
            )
        if is_open(row - step[0], column - step[1]):
            raise InstanceError(
                f"{at}: the cell before {first} is open; an entry begins at the first open cell of its "
                "stretch"
            )
        entries[row, column] = Entry(number, cells, clue)
    return tuple(entries.values())


@dataclass(frozen=True)
class Entry:
    """Cells of a row or column, in reading order, and what they say together."""

    number: int
    cells: tuple[Cell, ...]
    clue: int


@dataclass(frozen=True)
class CrossSums:
    """One instance; a solution is a list of rows of integers, 0 for a blocked cell.

    Attributes:
        blocked: the cells that hold nothing.
    """

    height: int
    width: int
    rule: Rule
    blocked: frozenset[Cell]
    across: tuple[Entry, ...]
    down: tuple[Entry, ...]
    answer_rule: AnswerRule

    @cached_property
    def cells(self) -> list[Cell]:
        """The open cells, row by row."""
        grid = ((row, column) for row in range(self.height) for column in range(self.width))
        return [cell for cell in grid if cell not in self.blocked]

    @property
    def size(self) -> int:
        """The number of open cells."""
        return len(self.cells)

    def solution(self, value_of: Callable[[Cell], int]) -> list[list[int]]:
        """The solution in which each open cell holds `value_of(cell)`."""
        grid = [[BLOCKED] * self.width for _ in range(self.height)]
        for row, column in self.cells:
            grid[row][column] = value_of((row, column))
        return grid

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width):
            return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]
        signed = self.rule == Rule.SIGNED_SUM
        broken = []
        for row, values in enumerate(solution):
            for column, value in enumerate(values):
                where = in_words((row, column))
                if (row, column) in self.blocked:
                    if value != 0:
                        broken.append(f"{where} holds {value}, but it is blocked")
                elif not 1 <= (abs(value) if signed else value) <= 9:
                    which = "1 to 9 or the negative of one" if signed else "1 to 9"
                    broken.append(f"{where} holds {value}, not {which}")
        for direction, entries in (("across", self.across), ("down", self.down)):
            for entry in entries:
                values = [solution[row][column] for row, column in entry.cells]
                name = f"{entry.number} {direction}, from {in_words(entry.cells[0])}"
                either = self.rule == Rule.SUM_OR_PRODUCT
                if sum(values) != entry.clue and not (either and prod(values) == entry.clue):
                    which = f"sums to {sum(values)}"
                    if either:
                        which += f" and has the product {prod(values)}"
                    broken.append(f"{name}, {which}, not {entry.clue}")
                if self.rule == Rule.SUM and len({*values}) < len(values):
                    broken.append(f"{name}, has a digit twice")
        if signed:
            broken += _broken_in_lines("row", solution)
            broken += _broken_in_lines("column", [list(line) for line in zip(*solution, strict=True)])
        return broken

    def answer(self, solution: Solution) -> int:
        """What the setter asks for."""
        if self.answer_rule == "sum_of_digits":
            return sum(map(sum, solution))
        return sum(
            solution[r][c]
            for row, column in self.cells
            if solution[row][column] < 0
            for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            if 0 <= r < self.height and 0 <= c < self.width
        )

    def text(self, solution: Solution | None) -> str:
        """The grid, with the clues in the cell before an entry or in the margin: down \\ across."""
        clues = self._clues()

        def word(cell: Cell) -> str:
            row, column = cell[0] - 1, cell[1] - 1
            if (row, column) in clues:
                return "\\".join(clues[row, column])
            if min(row, column) < 0 or (row, column) in self.blocked:
                return " "
            return str(solution[row][column]) if solution else "."

        margin = ("#",) * (self.width + 1)
        return grid_text((margin, *(("#", *row) for row in self.labels)), word)

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid, with the clues in the cell before an entry or in the margin, a diagonal between two."""
        fill = {cell: "#d9d9d9" if cell in self.blocked else "#ffffff" for cell in cells_of(self.labels)}
        draw_regions(axes, self.labels, fill, thin_lines=True)
        size = min(14, 120 / self.width)
        for (row, column), (down, across) in self._clues().items():
            # Two clues share a cell: that of the entry across is above the diagonal.
            across_y, down_x = 0.5, 0.5
            if down and across:
                across_y, down_x = 0.28, 0.26
                axes.plot([column, column + 1], [row, row + 1], color="#777777", linewidth=0.6)
            axes.text(column + 0.93, row + across_y, across, ha="right", va="center", fontsize=0.6 * size)
            axes.text(column + down_x, row + 0.74, down, ha="center", va="center", fontsize=0.6 * size)
        if solution:
            for row, column in self.cells:
                write_in_cell(axes, (row, column), str(solution[row][column]), size, False)
        axes.set(xlim=(-1, self.width + 0.05), ylim=(self.height + 0.05, -1))

    @property
    def labels(self) -> Labels:
        """The grid as in an instance file."""
        return tuple(
            tuple("#" if (row, column) in self.blocked else "." for column in range(self.width))
            for row in range(self.height)
        )

    def _clues(self) -> dict[Cell, tuple[str, str]]:
        """The clues down and across of the entries that begin after a cell, or after one of the margin."""
        down = {(each.cells[0][0] - 1, each.cells[0][1]): str(each.clue) for each in self.down}
        across = {(each.cells[0][0], each.cells[0][1] - 1): str(each.clue) for each in self.across}
        return {cell: (down.get(cell, ""), across.get(cell, "")) for cell in {**down, **across}}


def _broken_in_lines(name: str, lines: list[list[int]]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        values = [abs(value) for value in line if value != 0]
        for digit in sorted({*values}):
            if values.count(digit) > 1:
                yield f"{name} {number} has the absolute value {digit} {values.count(digit)} times"
        negative = sum(value < 0 for value in line)
        if negative != 1:
            yield f"{name} {number} has {negative} negative numbers, not 1"
