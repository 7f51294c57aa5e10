"""Domino Tiling: rules, parser, checker and drawing.

A board is a grid of numbers with some holes. Dominoes, each on two cells that share an edge, are laid so that
they cover every cell once, and no hole. A domino scores the product of its two numbers. The tiling with the
highest score is wanted.

## Data
- `board`: a grid of characters, a number from 0 to 9 or `.` for a hole.

A solution is a list of rows, each a text: `<` and `>` are the left and the right half of a domino, `^` and
`v` the upper and the lower one, and `.` is a hole. The answer is its score.

## Links
- domino tilings on Wikipedia: https://en.wikipedia.org/wiki/Domino_tiling
- the mutilated chessboard: https://en.wikipedia.org/wiki/Mutilated_chessboard_problem
- how many tilings a full board of 2n x 2n cells has: https://oeis.org/A004003
- Thurston, Conway's tiling groups, American Mathematical Monthly 97 (1990): https://doi.org/10.2307/2324578
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from models.shared.document import Document, InstanceError, read_document
from models.shared.grid import Cell, Grid, grid_text, in_words, read_grid, read_numbers, write_in_cell
from models.shared.puzzle import Objective, Sense, Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Domino = tuple[Cell, Cell]
"""The two cells of a domino; the first one is to the left of the other, or above."""

HOLE = "."
OTHER_HALF: Mapping[str, tuple[int, int, str]] = {
    "<": (0, 1, ">"), ">": (0, -1, "<"), "^": (1, 0, "v"), "v": (-1, 0, "^")
}  # fmt: skip
"""How many rows and columns further the other half of a domino is, and its sign."""


class DominoDocument(Document):
    """The keys of an instance file."""

    board: str


def parse(table: dict[str, Any]) -> "DominoTiling":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    words = read_grid("board", read_document(DominoDocument, table).board)
    if not (numbers := read_numbers("board", words, range(10))):
        raise InstanceError("board: all cells are holes; write a number in some")
    return DominoTiling(len(words), len(words[0]), numbers)


@dataclass(frozen=True)
class DominoTiling(Grid):
    """One instance.

    Attributes:
        numbers: those of the cells that are no holes, row by row.
    """

    numbers: Mapping[Cell, int]
    objective: ClassVar = Objective(Sense.MOST, "points")

    @cached_property
    def scores(self) -> dict[Domino, int]:
        """What each domino on the board scores."""
        beside = (((r, c), other) for r, c in self.numbers for other in ((r, c + 1), (r + 1, c)))
        return {(i, j): self.numbers[i] * self.numbers[j] for i, j in beside if j in self.numbers}

    @cached_property
    def options(self) -> dict[Cell, dict[Cell, Domino]]:
        """Of each cell that is no hole, the cells beside it, with the domino on both."""
        found: dict[Cell, dict[Cell, Domino]] = {cell: {} for cell in self.numbers}
        for domino in self.scores:
            i, j = domino
            found[i][j] = found[j][i] = domino
        return found

    @cached_property
    def colour(self) -> list[Cell]:
        """The cells of one colour of the chessboard, that with more cells."""
        return max(([cell for cell in self.numbers if sum(cell) % 2 == odd] for odd in (0, 1)), key=len)

    def tiling(self, dominoes: Iterable[Domino]) -> list[str]:
        """The solution with these dominoes."""
        half = {}
        for i, j in dominoes:
            half[i], half[j] = "<>" if i[0] == j[0] else "^v"
        return ["".join(row) for row in self.solution(lambda cell: half.get(cell, HOLE))]

    def partners(self, of: Callable[[Cell], Cell]) -> list[str]:
        """The solution in which each cell of `colour` shares a domino with the cell `of` it."""
        return self.tiling(self.options[i][of(i)] for i in self.colour)

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        rows = solution if isinstance(solution, list) else []
        if [len(row) if isinstance(row, str) else -1 for row in rows] != [self.width] * self.height:
            return [f"the solution is not {self.height} texts of {self.width} characters each"]
        half, broken = {(r, c): rows[r][c] for r, c in self.cells}, []
        for (r, c), sign in half.items():
            down, right, other = OTHER_HALF.get(sign, (0, 0, ""))
            if (r, c) not in self.numbers and sign != HOLE:
                broken.append(f"{in_words((r, c))} is a hole, but has {sign!r}")
            elif (r, c) in self.numbers and not other:
                broken.append(f"{in_words((r, c))} has {sign!r}, which is no half of a domino")
            elif other and half.get((r + down, c + right)) != other:
                broken.append(f"{in_words((r, c))} has {sign!r}, but no {other!r} is beside it there")
        return broken

    def answer(self, solution: Solution) -> int:
        """The score."""
        return sum(self.scores[domino] for domino in self._laid(solution))

    def _laid(self, solution: Solution | None) -> list[Domino]:
        """The dominoes of a solution; none without one."""
        rows = solution or [HOLE * self.width] * self.height
        return [(i, j) for i, j in self.scores if rows[i[0]][i[1]] == ("<" if i[0] == j[0] else "^")]

    def text(self, solution: Solution | None) -> str:
        """The board with its numbers, and lines around holes and dominoes."""
        label = dict.fromkeys(self.numbers, "") | {cell: str(d) for d in self._laid(solution) for cell in d}
        labels = tuple(map(tuple, self.solution(lambda cell: label.get(cell, HOLE))))
        return grid_text(labels, lambda cell: str(self.numbers.get(cell, "")))

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The board with its numbers, holes in grey; dominoes are darker the more they score."""
        from matplotlib.collections import PatchCollection
        from matplotlib.patches import FancyBboxPatch, Rectangle

        squares = [Rectangle((c, r), 1, 1) for r, c in self.cells]
        fills = ["#ffffff" if cell in self.numbers else "#777777" for cell in self.cells]
        axes.add_collection(PatchCollection(squares, facecolor=fills, edgecolor="#bbbbbb", linewidth=0.4))
        laid, shape = self._laid(solution), "round,pad=-0.08,rounding_size=0.25"
        boxes = [FancyBboxPatch((c, r), x - c + 1, y - r + 1, boxstyle=shape) for (r, c), (y, x) in laid]
        colours = [(0.84, 0.37, 0.0, 0.08 + self.scores[domino] / 110) for domino in laid]
        axes.add_collection(PatchCollection(boxes, facecolor=colours, edgecolor="#333333", linewidth=0.8))
        for cell, number in self.numbers.items():
            write_in_cell(axes, cell, str(number), min(14, 160 / max(self.height, self.width)), given=True)
        axes.set(xlim=(-0.05, self.width + 0.05), ylim=(self.height + 0.05, -0.05), aspect="equal")
        axes.axis("off")
