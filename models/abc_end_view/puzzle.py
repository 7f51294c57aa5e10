"""ABC End View, or Easy as ABC: the rules.

In a grid of n rows and n columns each row and each column holds each of the first k letters once; its other
cells are empty. A letter at the border is the first that is seen from there in its row or column.

## Data
- `size`: n, and `letters`: k, from a to the k-th letter.
- `top`, `bottom`, `left`, `right` (optional): n words each, the letters at the border from the left or from
  the top, `.` where there is none.
- `givens` (optional): n rows of n words, letters that are given, or `.`. Blanks may be left out.

A solution is a list of rows of integers, 0 for an empty cell, 1 for a, 2 for b and so on. The answer is the
middle row.

## Links
- Rules and history, in a wiki of the World Puzzle Championship: https://wpcunofficial.miraheze.org/wiki/Easy_as
- A question about a model in Prolog: http://stackoverflow.com/questions/10686773/end-view-puzzle-prolog
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from models.shared.document import Document, InstanceError, read_document, shorten, within
from models.shared.grid import Cell, Grid, Labels, changed, draw_regions, place, read_grid, write_in_cell
from models.shared.puzzle import Ingredient, Solution, is_grid
from models.shared.sides import Side, Sides, draw_sides, line_from, text_with_sides

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.PERMUTATION,)

ALPHABET = ".abcdefghijklmnopqrstuvwxyz"  # What the numbers from 0 on stand for.


class AbcEndViewDocument(Document, Sides):
    """The keys of an instance file."""

    size: Annotated[int, within(1, 100)]
    letters: Annotated[int, within(1, 26)]
    givens: str | None = None


def parse(table: dict[str, Any]) -> "AbcEndView":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(AbcEndViewDocument, table)
    n, k = document.size, document.letters
    if k > n:
        raise InstanceError(f"letters: {k} do not fit into a row of {n} cells; write at most {n}")
    clues: dict[tuple[Side, int], int] = {}
    for side in Side:
        words = text.split() if (text := getattr(document, side)) is not None else ["."] * n
        if len(words) != n:
            raise InstanceError(f"{side}: {len(words)} entries; it needs {n}, with . for no letter")
        for line, word in enumerate(words):
            if letter := _read(f"{side}, entry {line + 1}", word, k):
                clues[side, line] = letter
    grid = read_grid("givens", f"{'.' * n}\n" * n if document.givens is None else document.givens, (n, n))
    given = [(r, c) for r in range(n) for c in range(n) if grid[r][c] != "."]
    return AbcEndView(
        n, n, k, clues, {(r, c): _read(place("givens", (r, c)), grid[r][c], k) for r, c in given}
    )


def _read(where: str, word: str, letters: int) -> int:
    if len(word) != 1 or word not in ALPHABET[: letters + 1]:
        raise InstanceError(f"{where}: {shorten(word)} is neither . nor a letter up to {ALPHABET[letters]}")
    return ALPHABET.index(word)


@dataclass(frozen=True)
class AbcEndView(Grid):
    """One instance; `clues` has the letters at the border, by the side and the row or column."""

    letters: int
    clues: Mapping[tuple[Side, int], int]
    givens: Mapping[Cell, int]

    @property
    def domains(self) -> dict[Cell, list[int]]:
        """What each cell can hold: what is given, or 0 for nothing or a letter."""
        return {i: [self.givens[i]] if i in self.givens else [*range(self.letters + 1)] for i in self.cells}

    @property
    def seen(self) -> list[tuple[list[Cell], int]]:
        """The cells of a row or column in the order in which they are seen from a clue, and its letter."""
        return [(line_from(*end, self.height, self.width), letter) for end, letter in self.clues.items()]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width):
            return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]
        broken, columns = changed(solution, self.givens), [list(line) for line in zip(*solution, strict=True)]
        for name, lines in (("row", solution), ("column", columns)):
            for number, line in enumerate(lines, 1):
                if sorted(value for value in line if value != 0) != [*range(1, self.letters + 1)]:
                    broken.append(f"{name} {number} does not hold each letter from 1 to {self.letters} once")
        for (side, line), (cells, letter) in zip(self.clues, self.seen, strict=True):
            if (first := next((solution[r][c] for r, c in cells if solution[r][c] != 0), 0)) != letter:
                broken.append(f"{side}, entry {line + 1}: the first letter is number {first}, not {letter}")
        return broken

    def answer(self, solution: Solution) -> str:
        """The middle row."""
        return "".join(ALPHABET[value] for value in solution[self.height // 2])

    def text(self, solution: Solution | None) -> str:
        """The grid with the letters at its border, `-` for a cell that is empty in the solution."""
        shown = self._shown(solution, "-")
        return text_with_sides(self._labels, lambda i: shown.get(i, "."), self._border)

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid with the letters at its border."""
        draw_regions(axes, self._labels, dict.fromkeys(self.cells, "#ffffff"), thin_lines=True)
        for cell, letter in self._shown(solution, "").items():
            write_in_cell(axes, cell, letter, min(14, 120 / self.height), cell in self.givens)
        draw_sides(axes, self._border, self.height, self.width, min(14, 120 / self.height))

    @property
    def _border(self) -> dict[tuple[Side, int], Any]:
        return {end: ALPHABET[letter] for end, letter in self.clues.items()}

    def _shown(self, solution: Solution | None, empty: str) -> dict[Cell, str]:
        held = {(r, c): solution[r][c] for r, c in self.cells} if solution else self.givens
        return {i: ALPHABET[value] if value else empty for i, value in held.items()}

    @property
    def _labels(self) -> Labels:
        return (("",) * self.width,) * self.height
