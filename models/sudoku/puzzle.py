"""Sudoku: the rules.

A grid of n rows and n columns is cut into boxes of n cells. Of some digits, n are used; each row, column and
box holds each used digit once. Some digits are given, and there may be three kinds of clues; a cell with
one of the first two is filled in like any other:

- remote: for a number N in a cell, at least one of the cells exactly N steps up, down, left or right of it
  holds the digit N;
- product: for a number P in a cell, two of its up to four edge neighbours hold digits with the product P;
- row divisor: every row, read as a number of n digits, is a multiple of D; it may start with 0.

## Data
- `box`: the number of rows and of columns of a box; n is their product.
- `digits`: n or more different digits with blanks between them, each a whole number from 0 on. If there are
  more than n, which of them are used is to be found.
- `givens`, `remote`, `product` (each optional): grids of n rows with n words each, `.` in the other cells. A
  remote number is one of the digits. Blanks may be left out where every word is one character.
- `row_divisor` (optional): D; all digits are then below 10.
- `answer_rule` (optional): `middle_row`, the default, for the digits in row n // 2 + 1; or
  `sum_of_squares_on_clue_cells`, of the digits in the cells that have a remote or a product clue.

A solution is a list of rows of integers, the digits.

## Links
- Peter Norvig, Solving Every Sudoku Puzzle, 2006: https://norvig.com/sudoku.html
- Jane Street, Rather Square Sudoku, January 2018: https://www.janestreet.com/puzzles/rather-square-sudoku-index/
- Jane Street, Remote Sudoku, April 2019: https://www.janestreet.com/puzzles/remote-sudoku-index/
- Jane Street, Somewhat Square Sudoku, January 2025: https://www.janestreet.com/puzzles/somewhat-square-sudoku-index/
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any, Literal

from models.shared.document import Document, InstanceError, read_document, shorten, within
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
    write_in_cell,
)
from models.shared.puzzle import Ingredient, Reported, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.PERMUTATION,)


def on_github(
    instance: str, system: str, page: str, total_s: float | None = None, note: str = ""
) -> Reported:
    """What a page of a repository on GitHub reports."""
    author, repository, *_ = page.split("/")
    source, url = f"{author}, {repository}", f"https://github.com/{page}"
    return Reported(instance, f"{system} ({author})", source, total_s=total_s, note=note, url=url)


GOWEN = "gowen100/Jane-Street-Solutions/blob/HEAD"
MIGUELBPER = "miguelbper/jane-street-puzzles/blob/main/2025"
GSLIN = "gslin/jane-street-puzzle-202501"
PUBLISHED = "finds the greatest divisor, too"

REPORTED = (
    on_github("january_2018", "Numba search", f"{GOWEN}/2018_01_RatherSquareSudoku.ipynb", 3178.34),
    on_github("january_2018", "Z3", f"{GOWEN}/2018_01_RatherSquareSudoku-Z3.ipynb", 0.38),
    on_github("april_2019", "Z3", f"{GOWEN}/2019_04_RemoteSudoku-Z3.ipynb", 0.12),
    on_github(
        "january_2025", "Z3", f"{GOWEN}/2025_01_SomewhatSquareSudoku.ipynb", 1.5, "the divisor is given"
    ),
    on_github(
        "january_2025", "CP-SAT", f"{MIGUELBPER}/2025-01-somewhat-square-sudoku-ortools.py", 0.61, PUBLISHED
    ),
    on_github("january_2025", "C search", GSLIN, note=f"no result within 12 hours; {PUBLISHED}"),
    on_github("january_2025", "pruned C search", GSLIN, 360.0, f"about 6 minutes; {PUBLISHED}"),
)

AnswerRule = Literal["middle_row", "sum_of_squares_on_clue_cells"]


class SudokuDocument(Document):
    """The keys of an instance file."""

    box: list[int]
    digits: str
    givens: str | None = None
    remote: str | None = None
    product: str | None = None
    row_divisor: Annotated[int, within(1)] | None = None
    answer_rule: AnswerRule = "middle_row"


def parse(table: dict[str, Any]) -> "Sudoku":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(SudokuDocument, table)
    if len(document.box) != 2 or min(document.box) < 1:
        raise InstanceError("box: write two numbers, the rows and the columns of a box, as in [3, 3]")
    rows, columns = document.box
    side = rows * columns
    digits = read_digits(document.digits, side)
    if document.row_divisor is not None and digits[-1] > 9:
        raise InstanceError(
            f"row_divisor: rows are read as numbers only if all digits are below 10, not {digits[-1]}"
        )

    def clues(field: str) -> dict[Cell, int]:
        text = getattr(document, field)
        if text is None:
            return {}
        numbers = read_numbers(field, read_grid(field, text, (side, side), spaced=side == 1))
        for cell, number in numbers.items():
            if number < 0:
                raise InstanceError(f"{place(field, cell)}: {number} is below 0")
            if field != "product" and number not in digits:
                raise InstanceError(f"{place(field, cell)}: {number} is not one of the digits")
        return numbers

    givens, remote, product = clues("givens"), clues("remote"), clues("product")
    box, divisor = (rows, columns), document.row_divisor
    return Sudoku(side, side, box, digits, givens, remote, product, divisor, document.answer_rule)


def read_digits(text: str, side: int) -> tuple[int, ...]:
    """The digits, ascending; raises InstanceError if one is none or stands there twice, or some lack."""
    digits = set()
    for number, word in enumerate(text.split(), 1):
        if not (word.isascii() and word.isdigit() and len(word) <= 4):
            raise InstanceError(
                f"digits, entry {number}: {shorten(word)} is not a whole number below 10000; "
                "write blanks between digits"
            )
        if int(word) in digits:
            raise InstanceError(f"digits, entry {number}: {word} stands there a second time")
        digits.add(int(word))
    if len(digits) < side:
        raise InstanceError(f"digits: {len(digits)} digits; a row of {side} cells needs at least {side}")
    return tuple(sorted(digits))


@dataclass(frozen=True)
class Sudoku(Grid):
    """One instance; the digits are in increasing order."""

    box: tuple[int, int]
    digits: tuple[int, ...]
    givens: Mapping[Cell, int]
    remote: Mapping[Cell, int]
    product: Mapping[Cell, int]
    row_divisor: int | None
    answer_rule: AnswerRule

    @property
    def side(self) -> int:
        """The number of rows, of columns, of boxes, and of digits that are used."""
        return self.height

    @cached_property
    def units(self) -> list[list[Cell]]:
        """The cells of each row, then of each column, then of each box; in each unit row by row."""
        height, width = self.box
        boxes = [
            [(top + r, left + c) for r in range(height) for c in range(width)]
            for top in range(0, self.side, height)
            for left in range(0, self.side, width)
        ]
        return self.rows_and_columns + boxes

    @cached_property
    def domains(self) -> dict[Cell, tuple[int, ...]]:
        """The digits that each cell can hold by what is given in it."""
        return {cell: (self.givens[cell],) if cell in self.givens else self.digits for cell in self.cells}

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        n = self.side
        if not is_grid(solution, n, n):
            return [f"the solution is not {n} rows of {n} whole numbers each"]
        used = sorted({value for row in solution for value in row})
        broken = [f"{value} is not one of the digits" for value in used if value not in self.digits][:1]
        if len(used) != n:
            broken.append(f"{len(used)} different digits are used, not {n}")
        for number, unit in enumerate(self.units):
            values = [solution[row][column] for row, column in unit]
            for value in sorted(set(values)):
                if (times := values.count(value)) > 1:
                    name = ("row", "column", "box")[number // n]
                    broken.append(f"{name} {number % n + 1} has {times} cells with {value}")
        broken += changed(solution, self.givens)
        for (row, column), steps in self.remote.items():
            ends = [(row - steps, column), (row + steps, column)]
            ends += [(row, column - steps), (row, column + steps)]
            if not any(0 <= r < n and 0 <= c < n and solution[r][c] == steps for r, c in ends):
                where = in_words((row, column))
                broken.append(f"{where} has the clue {steps}, but no {steps} is {steps} steps away")
        for (row, column), product in self.product.items():
            beside = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
            values = [solution[r][c] for r, c in beside if 0 <= r < n and 0 <= c < n]
            if not any(a * b == product for a, b in combinations(values, 2)):
                where = in_words((row, column))
                broken.append(f"{where} has the clue {product}, but no two cells beside it give that")
        if self.row_divisor is not None and not broken:
            for number, values in enumerate(solution, 1):
                row_number = int("".join(map(str, values)))
                if row_number % self.row_divisor:
                    broken.append(f"row {number}: {row_number} is not a multiple of {self.row_divisor}")
        return broken

    def answer(self, solution: Solution) -> int | str:
        """The middle row, as a number if all digits are below 10; or the sum of squares on the clue cells."""
        if self.answer_rule == "sum_of_squares_on_clue_cells":
            return sum(int(solution[row][column]) ** 2 for row, column in {*self.remote, *self.product})
        middle = solution[self.side // 2]
        return int("".join(map(str, middle))) if self.digits[-1] < 10 else " ".join(map(str, middle))

    def text(self, solution: Solution | None) -> str:
        """The grid with its boxes; a clue stands behind the digit of its cell."""
        text = grid_text(
            self._labels, lambda cell: " ".join([self._word(cell, solution) or ".", *self._clues(cell)])
        )
        return text if self.row_divisor is None else f"{text}\n{self._divisor}"

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with its boxes; givens in bold, clues small in the corners."""
        n = self.side
        draw_regions(axes, self._labels, thin_lines=True)
        size = min(14, 140 / n) * (0.8 if self.remote or self.product else 1)
        for cell in self.cells:
            write_in_cell(axes, cell, self._word(cell, solution), size, cell in self.givens)
            for corner, clue in enumerate(self._clues(cell)):
                x, y = (cell[1] + 0.06, cell[0] + (0.17, 0.84)[corner])
                axes.text(x, y, clue, ha="left", va="center", fontsize=min(5, 50 / n), color="#a02020")
        if self.row_divisor is not None:
            axes.text(n / 2, n + 0.6, self._divisor, ha="center", va="center", fontsize=8)
            axes.set_ylim(n + 1, -0.05)

    @property
    def _labels(self) -> Labels:
        height, width = self.box
        return tuple(
            tuple(f"{row // height},{column // width}" for column in range(self.side))
            for row in range(self.side)
        )

    @property
    def _divisor(self) -> str:
        return f"every row is a multiple of {self.row_divisor}"

    def _word(self, cell: Cell, solution: Solution | None) -> str:
        return str(solution[cell[0]][cell[1]] if solution else self.givens.get(cell, ""))

    def _clues(self, cell: Cell) -> list[str]:
        clues = {"×": self.product.get(cell), "↔": self.remote.get(cell)}
        return [f"{sign}{number}" for sign, number in clues.items() if number is not None]
