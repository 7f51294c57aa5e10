"""Nonogram: the rules.

Each cell of a grid is filled or empty. The clue of a line, which is a row or a column, has the lengths of its
blocks in their order. A block is a run of filled cells, with an empty cell or the border at either end. A
line may have no clue: then nothing is said of its cells.

## Data
- `rows`, `columns`: a list of texts, the clue of each row from the top, and of each column from the left.
  A clue is the lengths with blanks between them, as in "3 1 2"; "0" if no cell of the line is filled; "?" if
  the line has no clue.

A solution is a list of rows of integers, 1 for a filled cell and 0 for an empty one. The answer is the middle
row, `#` for a filled cell.

## Links
- CSPLib prob012: https://www.csplib.org/Problems/prob012/
- Robert Bosch, Painting by Numbers, Optima 65, 2001: http://oberlin.edu/math/faculty/bosch/pbn-page.html
- Jan Wolter, Survey of Paint-by-Number Puzzle Solvers: https://webpbn.com/survey/
- Mikael Zayenz Lagerkvist, Gecode's model: https://github.com/Gecode/gecode/blob/master/examples/nonogram.cpp
- Håkan Kjellerstrand, models for many solvers: http://www.hakank.org/common_cp_models/#nonogram
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, InstanceError, read_document, shorten
from models.shared.grid import Cell, Grid, in_words, write_in_cell
from models.shared.puzzle import Ingredient, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.WORDS,)

Clue = tuple[int, ...]
"""The lengths of the blocks of a line, in order."""


class NonogramDocument(Document):
    """The keys of an instance file."""

    rows: list[str]
    columns: list[str]


def parse(table: dict[str, Any]) -> "Nonogram":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(NonogramDocument, table)
    height, width = len(document.rows), len(document.columns)
    if not (height and width):
        raise InstanceError(f'{"columns" if height else "rows"}: there are none; "?" is one without clue')
    rows = tuple(read_clue(f"rows, entry {n}", text, width) for n, text in enumerate(document.rows, 1))
    columns = (read_clue(f"columns, entry {n}", text, height) for n, text in enumerate(document.columns, 1))
    return Nonogram(height, width, rows, tuple(columns))


def read_clue(place: str, text: str, length: int) -> Clue | None:
    """The clue of a line of so many cells, None for `?`; raises InstanceError if it is none, or too long."""
    parts = text.split()
    if parts == ["?"]:
        return None
    if not parts:
        raise InstanceError(f'{place}: it is empty; write "0" for a line without blocks, "?" for no clue')
    for part in parts if parts != ["0"] else ():
        if not (part.isascii() and part.isdigit() and len(part) <= 9 and int(part) > 0):
            raise InstanceError(f"{place}: {shorten(part)} is no length of a block, 1 or more")
    clue = tuple(int(part) for part in parts if part != "0")
    if (least := sum(clue) + len(clue) - 1) > length:
        raise InstanceError(f"{place}: these blocks need {least} cells; it has {length}")
    return clue


def blocks(line: Iterable[int]) -> Clue:
    """The lengths of the blocks of a line."""
    return tuple(len(list(run)) for filled, run in groupby(line, bool) if filled)


def words(clue: Clue | None) -> list[str]:
    """The clue as it is written beside its line."""
    return ["?"] if clue is None else [*map(str, clue)] or ["0"]


@dataclass(frozen=True)
class Nonogram(Grid):
    """One instance; a line without a clue has None."""

    rows: tuple[Clue | None, ...]
    columns: tuple[Clue | None, ...]

    @cached_property
    def lines(self) -> list[tuple[list[Cell], Clue]]:
        """The cells and the clue of each row, then of each column, that has one."""
        lines = zip(self.rows_and_columns, (*self.rows, *self.columns), strict=True)
        return [(cells, clue) for cells, clue in lines if clue is not None]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width):
            return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]
        broken = [
            f"{in_words((r, c))} holds {value}, not 0 or 1"
            for r, row in enumerate(solution)
            for c, value in enumerate(row)
            if value not in (0, 1)
        ]
        columns = zip(*solution, strict=True)
        for name, lines, clues in (("row", solution, self.rows), ("column", columns, self.columns)):
            for number, (line, clue) in enumerate(zip(lines, clues, strict=True), 1):
                if clue is not None and (found := blocks(line)) != clue:
                    has, should = (" ".join(words(each)) for each in (found, clue))
                    broken.append(f"{name} {number} has the blocks {has}, not {should}")
        return broken

    def answer(self, solution: Solution) -> str:
        """The middle row."""
        return "".join(".#"[value] for value in solution[self.height // 2])

    def text(self, solution: Solution | None) -> str:
        """The grid with its clues at the left and above."""
        clues, high, wide = self._clues()
        signs = {(r, c): " #"[solution[r][c]] if solution else "." for r, c in self.cells} | clues
        span = max(map(len, clues.values())) + 1
        lines = (
            "".join(signs.get((r, c), "").rjust(span) for c in range(-wide, self.width))
            for r in range(-high, self.height)
        )
        return "\n".join(line.rstrip() for line in lines)

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with its clues at the left and above, and its filled cells dark."""
        (clues, high, wide), height, width = self._clues(), self.height, self.width
        for r, c in self.cells:
            if solution and solution[r][c]:
                axes.fill([c, c + 1, c + 1, c], [r, r, r + 1, r + 1], "#2b3a55", linewidth=0)
        for at in range(height + 1):
            axes.plot([-wide, width], [at, at], color="#777777", linewidth=0.4 if at % 5 else 1.2)
        for at in range(width + 1):
            axes.plot([at, at], [-high, height], color="#777777", linewidth=0.4 if at % 5 else 1.2)
        for cell, word in clues.items():
            write_in_cell(axes, cell, word, min(10, 180 / max(height + high, width + wide)), True)
        axes.set(xlim=(-wide - 0.1, width + 0.1), ylim=(height + 0.1, -high - 0.1), aspect="equal")
        axes.axis("off")

    def _clues(self) -> tuple[dict[Cell, str], int, int]:
        """The words of the clues in cells above and left of the grid, which need so many rows and columns."""
        rows, columns = ([*map(words, clues)] for clues in (self.rows, self.columns))
        found = {(row, c): word for row, clue in enumerate(rows) for c, word in enumerate(clue, -len(clue))}
        for column, clue in enumerate(columns):
            found |= {(r, column): word for r, word in enumerate(clue, -len(clue))}
        return found, max(map(len, columns)), max(map(len, rows))
