"""Twenty Four Seven: the rules.

Numbers from 1 to 7 are written in some cells of a grid; the others stay empty. Every window of 7x7 cells
holds each number k exactly k times, and in each of its rows and columns four cells are filled and sum to 20.
All filled cells of the grid are connected along edges, and no 2x2 block of the grid is completely filled.

A number N outside, at an end of a row or column, says that the first filled cell that is met from there holds
N, if N is at most 7; else that the whole row or column sums to N.

## Data
- `givens`: a grid of words, with the numbers that are given and `.` in the other cells, filled or empty.
- `windows`: the top left corners of the windows, as row and column from 0: `[[0, 0]]` for a grid of 7x7.
  A cell may lie in no window: then only the rules for all cells of the grid and the clues outside bind it.
- `outside` (optional): the clues outside as `top`, `bottom` (left to right), `left`, `right` (top to bottom),
  `.` where there is none. None is greater than 7 times the cells of its line: no line sums to more.

A solution is a list of rows of integers, 0 for an empty cell. The answer is the product of the sizes of the
connected groups of empty cells.

## Links
- Jane Street, Twenty Four Seven, June 2018: https://www.janestreet.com/puzzles/twenty-four-seven-index/
- Jane Street, Twenty Four Seven Four-in-One, February 2023:
  https://www.janestreet.com/puzzles/twenty-four-seven-four-in-one-index/
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, InstanceError, read_document
from models.shared.grid import (
    Cell,
    Labels,
    cells_of,
    connected_parts,
    draw_regions,
    place,
    read_grid,
    read_integer,
    write_in_cell,
)
from models.shared.puzzle import Ingredient, Reported, Solution, is_grid
from models.shared.sides import SideClues, Sides, draw_sides, line_from, read_sides, text_with_sides

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GOWEN = "gowen100, Jane-Street-Solutions", "https://github.com/gowen100/Jane-Street-Solutions"
HOEK = "Willem Hoek, Solving the Jane Street puzzle of Dec 2020 - Backtracking with OCaml"
HOEK_URL = "https://whoek.com/b/howto-solve-jane-street-puzzle-dec-2020-backtracking-with-ocaml"
MIGUELBPER = "miguelbper, jane-street-puzzles", "https://github.com/miguelbper/jane-street-puzzles"
INGREDIENTS = (Ingredient.SUMS, Ingredient.CONNECTIVITY)

LAZY = "Z3 (gowen100)", *GOWEN, "connected by lazy cuts"
EXHAUSTIVE = "numpy search (gowen100)", *GOWEN, "all solutions, by clock times in the notebook"
OTHER_LAZY = "Z3 (miguelbper)", *MIGUELBPER, "connected by lazy cuts"
BACKTRACKING = "OCaml search (Hoek)", HOEK, HOEK_URL, "one solution"

REPORTED = tuple(
    Reported(instance, system, source, total_s=total_s, note=note, url=url)
    for (system, source, url, note), figures in (
        (LAZY, {"june_2018": 0.2144, "march_2019_a": 0.1137, "march_2019_b": 0.1546, "march_2019_c": 0.1416}),
        (LAZY, {"december_2020_a": 0.1436, "december_2020_c": 0.1446, "december_2020_d": 0.2832}),
        (LAZY, {"february_2023": 0.4009}),
        (EXHAUSTIVE, {"june_2018": 450, "march_2019_b": 2684, "march_2019_c": 242}),
        (EXHAUSTIVE, {"december_2020_a": 4, "december_2020_c": 68, "december_2020_d": 453}),
        (OTHER_LAZY, {"june_2018": 0.50, "february_2023": 0.15}),
        (BACKTRACKING, {"december_2020_a": 2, "december_2020_c": 3248}),
    )
    for instance, total_s in figures.items()
)
"""Not among them: the search of gowen100 on march_2019_a, which has one more given there."""

NUMBERS = range(1, 8)
"""The numbers that are written; each k of them k times in a window."""

WINDOW, FILLED, TOTAL = 7, 4, 20
"""The rows and columns of a window; the filled cells of each of them, and their sum."""

EMPTY = 0


class TwentyFourSevenDocument(Document):
    """The keys of an instance file."""

    givens: str
    windows: list[list[int]]
    outside: Sides = Sides()


def parse(table: dict[str, Any]) -> "TwentyFourSeven":
    """The puzzle in the table of a TOML file.

    Raises:
        InstanceError: if the table breaks the format.
    """
    document = read_document(TwentyFourSevenDocument, table)
    words = read_grid("givens", document.givens, spaced=True)
    height, width = len(words), len(words[0])
    givens: dict[Cell, int] = {}
    for cell in cells_of(words):
        if (word := words[cell[0]][cell[1]]) != ".":
            givens[cell] = read_integer("givens", word, cell)
            if givens[cell] not in NUMBERS:
                raise InstanceError(f"{place('givens', cell)}: {word} is outside 1..7")
    windows: list[Cell] = []
    for number, corner in enumerate(document.windows, 1):
        if len(corner) != 2 or not (0 <= corner[0] <= height - WINDOW and 0 <= corner[1] <= width - WINDOW):
            raise InstanceError(
                f"windows, entry {number}: {corner} is not the row and column, from 0, of the top left "
                f"corner of {WINDOW}x{WINDOW} cells in a grid of {height}x{width}"
            )
        windows.append((corner[0], corner[1]))
    if not windows:
        raise InstanceError("windows: there are none; write [[0, 0]] for a grid of 7x7 cells")
    clues = read_sides("outside", document.outside, height, width)
    for (side, line), number in clues.items():
        name, length = ("column", height) if side.on_columns else ("row", width)
        if number > NUMBERS[-1] * length:
            raise InstanceError(
                f"outside.{side}, entry {line + 1}: {number} is more than a {name} can sum to, "
                f"{NUMBERS[-1]} x {length}"
            )
    return TwentyFourSeven(height, width, givens, tuple(dict.fromkeys(windows)), clues)


@dataclass(frozen=True)
class TwentyFourSeven:
    """One instance; a solution is a list of rows of integers, 0 for an empty cell.

    Attributes:
        windows: the top left corners, each once.
        outside: a number up to 7 is the first that is met from there, a greater one the sum of the line.
    """

    height: int
    width: int
    givens: Mapping[Cell, int]
    windows: tuple[Cell, ...]
    outside: SideClues

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells, row by row."""
        return [(row, column) for row in range(self.height) for column in range(self.width)]

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.height * self.width

    def solution(self, value_of: Callable[[Cell], int]) -> list[list[int]]:
        """The solution in which each cell holds `value_of(cell)`, 0 if it is empty."""
        return [[value_of((row, column)) for column in range(self.width)] for row in range(self.height)]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width):
            return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]
        broken = []
        for row, column in self.cells:
            if not 0 <= (value := solution[row][column]) <= 7:
                broken.append(f"{_at(row, column)} holds {value}, not 0 for an empty cell or 1 to 7")
        for (row, column), value in self.givens.items():
            if solution[row][column] != value:
                broken.append(f"{_at(row, column)} holds {solution[row][column]}, but {value} is given")
        for number, (top, left) in enumerate(self.windows, 1):
            window = [row[left : left + 7] for row in solution[top : top + 7]]
            broken += [f"window {number}: {rule}" for rule in _broken_in_window(window)]
        for row, column in self.cells:
            block = [line[column : column + 2] for line in solution[row : row + 2]]
            if [len(line) for line in block] == [2, 2] and all(map(all, block)):
                broken.append(f"the 2x2 block with its top left corner in {_at(row, column)} is filled")
        groups = connected_parts(cell for cell in self.cells if solution[cell[0]][cell[1]])
        if len(groups) > 1:
            broken.append(f"the filled cells are {len(groups)} groups, not one")
        for (side, line), number in self.outside.items():
            seen = [solution[r][c] for r, c in line_from(side, line, self.height, self.width)]
            name = f"{'column' if side.on_columns else 'row'} {line + 1}"
            if number > 7:
                if sum(seen) != number:
                    broken.append(f"{name} sums to {sum(seen)}, not {number}")
            elif next(filter(None, seen), 0) != number:
                first = next(filter(None, seen), "nothing")
                broken.append(f"{name} shows {first} from the {side}, not {number}")
        return broken

    def answer(self, solution: Solution) -> int:
        """The product of the sizes of the connected groups of empty cells."""
        return prod(map(len, connected_parts(cell for cell in self.cells if not solution[cell[0]][cell[1]])))

    def text(self, solution: Solution | None) -> str:
        """The grid with the clues outside."""
        return text_with_sides(self._labels, lambda cell: self._word(cell, solution) or " ", self.outside)

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with the clues outside; givens in bold, empty cells grey, each window in a frame."""
        empty = [(r, c) for r, c in self.cells if solution and not solution[r][c]]
        draw_regions(
            axes, self._labels, dict.fromkeys(self.cells, "#ffffff") | dict.fromkeys(empty, "#d9d9d9")
        )
        for row in range(1, self.height):
            axes.plot([0, self.width], [row, row], color="#999999", linewidth=0.5)
        for column in range(1, self.width):
            axes.plot([column, column], [0, self.height], color="#999999", linewidth=0.5)
        if len(self.windows) > 1:
            for top, left in self.windows:
                x, y = [left, left + 7, left + 7, left, left], [top, top, top + 7, top + 7, top]
                axes.plot(x, y, color="#333333", linewidth=1.2)
        size = min(14, 120 / self.width)
        for cell in self.cells:
            word = self._word(cell, solution).strip(".")
            write_in_cell(axes, cell, word, size, cell in self.givens)
        draw_sides(axes, self.outside, self.height, self.width, 0.8 * size)

    @property
    def _labels(self) -> Labels:
        return (("A",) * self.width,) * self.height

    def _word(self, cell: Cell, solution: Solution | None) -> str:
        if solution:
            return str(solution[cell[0]][cell[1]] or "")
        return str(self.givens.get(cell, "."))


def _broken_in_window(window: list[list[int]]) -> list[str]:
    broken = []
    values = [value for row in window for value in row]
    for k in NUMBERS:
        if values.count(k) != k:
            broken.append(f"it has {values.count(k)} cells with {k}, not {k}")
    columns = [list(column) for column in zip(*window, strict=True)]
    for name, lines in (("row", window), ("column", columns)):
        for number, line in enumerate(lines, 1):
            filled = sum(value != EMPTY for value in line)
            if filled != FILLED:
                broken.append(f"its {name} {number} has {filled} filled cells, not {FILLED}")
            if sum(line) != TOTAL:
                broken.append(f"its {name} {number} sums to {sum(line)}, not {TOTAL}")
    return broken


def _at(row: int, column: int) -> str:
    return f"row {row + 1}, column {column + 1}"
