"""Altered States: rules, parser, checker and drawing.

A square grid is filled with letters. A word, such as the name of a state, scores if it can be read along
king's moves: from a letter to the next in one of the up to eight cells around it. A cell may be used again,
but not twice in succession. If allowed, one letter of each word may be replaced: any letter may stand in its
place. A word scores once, however often it is there. The grid should score as much as possible.

## Data
- `n`: the number of rows and of columns, from 2 to 7.
- `replaced` (optional): 1 if one letter of each word may be replaced, 0 if none.
- `words`: a table of the words, in capital letters without blanks, with the points that they score.

A solution is a list of rows of capital letters. The answer is what it scores.

## Links
- Altered States, March 2014: https://www.janestreet.com/puzzles/altered-states-index/
- Altered States 2, June 2024: https://www.janestreet.com/puzzles/altered-states-2-index/
- PyCSP3 model, recreational/AlteredStates: https://github.com/xcsp3team/PyCSP3-models
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from models.shared.document import Document, InstanceError, read_document, shorten, within
from models.shared.grid import Cell, Grid, draw_regions, grid_text, write_in_cell
from models.shared.puzzle import Ingredient, Objective, Sense, Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.WORDS, Ingredient.PATHS)

LARGEST, MOST_POINTS = 7, 2**31 - 1
"""The most rows, and what all words score at most: it fits into 32 bits, as clingo needs it."""


class AlteredStatesDocument(Document):
    """The keys of an instance file."""

    n: Annotated[int, within(2, LARGEST)]
    replaced: Annotated[int, within(0, 1)] = 0
    words: dict[str, Annotated[int, within(1)]]


def parse(table: dict[str, Any]) -> "AlteredStates":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(AlteredStatesDocument, table)
    if not 1 <= (total := sum(document.words.values())) <= MOST_POINTS:
        raise InstanceError(f"words: they score {total} together; this should be 1..{MOST_POINTS}")
    if wrong := [word for word in document.words if not re.fullmatch("[A-Z]+", word)]:
        raise InstanceError(f"words: {shorten(wrong[0])} should be capital letters")
    return AlteredStates(document.n, document.n, document.words, document.replaced)


@dataclass(frozen=True)
class AlteredStates(Grid):
    """One instance; a solution is a list of rows of letters.

    Attributes:
        points: what each word scores.
        replaced: how many letters of a word may be replaced.
    """

    points: Mapping[str, int]
    replaced: int
    objective: ClassVar = Objective(Sense.MOST, "points")

    @cached_property
    def letters(self) -> str:
        """The letters of the words, each once; no other is of use."""
        return "".join(sorted({letter for word in self.points for letter in word}))

    @cached_property
    def moves(self) -> dict[Cell, list[Cell]]:
        """The cells that a king reaches from each cell, row by row."""
        around = {(r, c): product(range(r - 1, r + 2), range(c - 1, c + 2)) for r, c in self.cells}
        return {i: [k for k in cells if k != i and k in around] for i, cells in around.items()}

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        n = self.height
        if isinstance(solution, list) and [*map(type, solution)] == [list] * n:
            right = [isinstance(a, str) and re.fullmatch("[A-Z]", a) for row in solution for a in row]
            if {*map(len, solution)} == {n} and all(right):
                return []
        return [f"the solution is not {n} rows of {n} capital letters each"]

    def answer(self, solution: Solution) -> int:
        """What all words score that can be read."""
        return sum(self.points[word] for word in self.found(solution))

    def found(self, solution: Solution) -> list[str]:
        """The words that can be read."""

        def read(word: str) -> bool:
            # Where a walk can end that reads the word so far, with so many letters replaced.
            ends = {(i, 0) for i in self.cells}
            for k, letter in enumerate(word):
                steps = {(j, used) for i, used in ends for j in self.moves[i]} if k else ends
                now = {((r, c), used + (solution[r][c] != letter)) for (r, c), used in steps}
                ends = {(i, used) for i, used in now if used <= self.replaced}
            return bool(ends)

        return [*filter(read, self.points)]

    def text(self, solution: Solution | None) -> str:
        """The grid, and below it the words, those that are there if there is a solution."""
        rows = solution or [["."] * self.width] * self.height
        grid = grid_text((("",) * self.width,) * self.height, lambda cell: rows[cell[0]][cell[1]])
        return "\n".join([grid, *self._lines(solution)])

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with its letters; below it the words, those that are there if there is a solution."""
        n, lines = self.height, self._lines(solution)
        draw_regions(axes, (("",) * n,) * n, dict.fromkeys(self.cells, "#ffffff"), thin_lines=True)
        for row, column in self.cells:
            write_in_cell(axes, (row, column), solution[row][column] if solution else "", 90 / n, given=False)
        axes.text(n / 2, n * 1.04, "\n".join(lines), ha="center", va="top", fontsize=7)
        axes.set(ylim=(n * (1.1 + 0.05 * len(lines)), -0.05))

    def _lines(self, solution: Solution | None) -> list[str]:
        """The words with their points, the best first, some to a line, under how much that is."""
        words = sorted(self.found(solution) if solution else self.points, key=lambda word: -self.points[word])
        each = [f"{word} {self.points[word]:,}" for word in words]
        total = f"{sum(self.points[word] for word in words):,} points"
        summary = f"{len(words)} of {len(self.points)} words: {total}"
        return [summary, *(", ".join(each[at : at + 4]) for at in range(0, len(each), 4))]
