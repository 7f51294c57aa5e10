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

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, InstanceError, read_document
from models.shared.grid import Cell, Grid, Labels, changed, read_grid, read_numbers, word
from models.shared.partly_filled import (
    EMPTY,
    draw_cells,
    font_size,
    full_blocks,
    out_of_range,
    product_of_empty_groups,
    separate_groups,
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


class TwentyFourSevenDocument(Document):
    """The keys of an instance file."""

    givens: str
    windows: list[list[int]]
    outside: Sides = Sides()


def parse(table: dict[str, Any]) -> "TwentyFourSeven":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(TwentyFourSevenDocument, table)
    words = read_grid("givens", document.givens, spaced=True)
    height, width = len(words), len(words[0])
    givens = read_numbers("givens", words, NUMBERS)
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
class TwentyFourSeven(Grid):
    """One instance; a solution is a list of rows of integers, 0 for an empty cell.

    Attributes:
        windows: the top left corners, each once.
        outside: a number up to 7 is the first that is met from there, a greater one the sum of the line.
    """

    givens: Mapping[Cell, int]
    windows: tuple[Cell, ...]
    outside: SideClues

    @property
    def seen(self) -> list[tuple[list[Cell], int]]:
        """The clues outside, each with the cells as they are met from there."""
        return [
            (line_from(side, line, self.height, self.width), number)
            for (side, line), number in self.outside.items()
        ]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width):
            return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]
        broken = out_of_range(solution, NUMBERS[-1]) + changed(solution, self.givens)
        for number, (top, left) in enumerate(self.windows, 1):
            window = [row[left : left + 7] for row in solution[top : top + 7]]
            broken += [f"window {number}: {rule}" for rule in _broken_in_window(window)]
        broken += full_blocks(solution) + separate_groups(solution)
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
        return product_of_empty_groups(solution)

    def text(self, solution: Solution | None) -> str:
        """The grid with the clues outside."""
        return text_with_sides(
            self._labels, lambda cell: word(cell, self.givens, solution) or " ", self.outside
        )

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with the clues outside; givens in bold, empty cells grey, each window in a frame."""
        draw_cells(axes, self._labels, self.givens, solution, dict.fromkeys(self.cells, "#ffffff"))
        if len(self.windows) > 1:
            for top, left in self.windows:
                x, y = [left, left + 7, left + 7, left, left], [top, top, top + 7, top + 7, top]
                axes.plot(x, y, color="#333333", linewidth=1.2)
        draw_sides(axes, self.outside, self.height, self.width, 0.8 * font_size(self.width))

    @property
    def _labels(self) -> Labels:
        return (("A",) * self.width,) * self.height


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
