"""Queens Domination: the rules.

As few queens as possible stand on a board so that each square is occupied or attacked. A queen attacks along
its row, its column and both diagonals, as far as the next hole of the board: a hole is no square, holds no
queen and need not be attacked. Queens do not stand in each other's way, as what one of them hides from
another it attacks itself.

## Data
- `board`: a grid with `.` for a square and `#` for a hole; at most 2,500 of them, and one square at least.

A solution is a list of rows of integers, 1 for a queen and 0 elsewhere. The answer is the number of queens.

## Links
- OEIS A075458, the fewest queens on n x n squares for n up to 25: https://oeis.org/A075458
- Finozhenok and Weakley, An improved lower bound for domination numbers of the queen's graph, 2007:
  https://ajc.maths.uq.edu.au/pdf/37/ajc_v37_p295.pdf
- Bozóki, Gál, Marosi and Weakley, Domination of the rectangular queen's graph, 2016:
  https://arxiv.org/abs/1606.02060
- Bird, Computational methods for domination problems, 2017: https://dspace.library.uvic.ca/handle/1828/8634
- Langlois-Rémillard, Müßig and Róldan, Complexity of chess domination problems, 2022, boards of any shape and
  their integer program: https://arxiv.org/abs/2211.05651
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

from models.shared.document import Document, InstanceError, read_document, shorten
from models.shared.grid import Cell, Grid, cells_of, draw_regions, in_words, place, read_grid, write_in_cell
from models.shared.puzzle import Objective, Sense, Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_CELLS = 2_500


class QueensDominationDocument(Document):
    """The keys of an instance file."""

    board: str


def parse(table: dict[str, Any]) -> "QueensDomination":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    words = read_grid("board", read_document(QueensDominationDocument, table).board)
    cells = cells_of(words)
    if len(cells) > MOST_CELLS:
        raise InstanceError(f"board: {len(cells)} cells; at most {MOST_CELLS} are allowed")
    for r, c in cells:
        if words[r][c] not in (".", "#"):
            where = place("board", (r, c))
            raise InstanceError(f"{where}: {shorten(words[r][c])} is neither . for a square nor # for a hole")
    holes = frozenset((r, c) for r, c in cells if words[r][c] == "#")
    if len(holes) == len(cells):
        raise InstanceError("board: it has no square; write . for each")
    return QueensDomination(len(words), len(words[0]), holes)


@dataclass(frozen=True)
class QueensDomination(Grid):
    """One instance; `holes` are the cells that are no squares."""

    holes: frozenset[Cell]
    objective: ClassVar[Objective] = Objective(Sense.LEAST, "queens")

    @cached_property
    def squares(self) -> list[Cell]:
        """The squares, row by row."""
        return [cell for cell in self.cells if cell not in self.holes]

    @property
    def size(self) -> int:
        """The number of squares."""
        return len(self.squares)

    def solution(self, value_of: Callable[[Cell], int]) -> list[list[int]]:
        """The solution in which each square has `value_of(square)`."""
        return super().solution(lambda cell: 0 if cell in self.holes else value_of(cell))

    def placed(self, queens: Iterable[Cell]) -> list[list[int]]:
        """The solution with these queens."""
        squares = {*queens}
        return self.solution(lambda square: int(square in squares))

    @cached_property
    def lines(self) -> list[list[Cell]]:
        """The squares in a row, a column or a diagonal between two holes or borders."""
        squares, found = {*self.squares}, []
        for (r, c), (down, right) in product(self.squares, ((0, 1), (1, 0), (1, 1), (1, -1))):
            if (r - down, c - right) not in squares:
                line = [(r, c)]
                while (following := (line[-1][0] + down, line[-1][1] + right)) in squares:
                    line.append(following)
                found.append(line)
        return found

    @cached_property
    def attackers(self) -> dict[Cell, list[Cell]]:
        """For each square those from which a queen occupies or attacks it, row by row."""
        found: dict[Cell, set[Cell]] = {square: set() for square in self.squares}
        for line in self.lines:
            for square in line:
                found[square].update(line)
        return {square: sorted(others) for square, others in found.items()}

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.height, self.width):
            return [f"the solution is not {self.height} rows of {self.width} whole numbers each"]
        broken, reached, squares = [], set[Cell](), {*self.squares}
        for r, c in self.cells:
            if solution[r][c] not in (0, 1):
                broken.append(f"{in_words((r, c))} holds {solution[r][c]}, neither 1 for a queen nor 0")
            elif solution[r][c] and (r, c) in self.holes:
                broken.append(f"the queen in {in_words((r, c))} stands in a hole")
            elif solution[r][c]:
                reached.add((r, c))
                for down, right in product((-1, 0, 1), repeat=2):
                    row, column = r + down, c + right
                    while (row, column) in squares and (row, column) != (r, c):
                        reached.add((row, column))
                        row, column = row + down, column + right
        missed = [square for square in self.squares if square not in reached]
        return broken + [f"no queen occupies or attacks {in_words(square)}" for square in missed]

    def answer(self, solution: Solution) -> int:
        """The number of queens."""
        return sum(map(sum, solution))

    def text(self, solution: Solution | None) -> str:
        """The board, `#` for a hole and `Q` for a queen."""
        queens = self._queens(solution)
        signs = super().solution(lambda cell: "#" if cell in self.holes else "Q" if cell in queens else ".")
        return "\n".join(map(" ".join, signs))

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """A chessboard with black holes, and the queens."""
        fill = {(r, c): ("#f3ead8", "#d3b58e")[(r + c) % 2] for r, c in self.squares}
        labels = super().solution(lambda cell: "#" if cell in self.holes else ".")
        draw_regions(axes, tuple(map(tuple, labels)), fill | dict.fromkeys(self.holes, "#333333"))
        for square in self._queens(solution):
            write_in_cell(axes, square, "♛", min(22, 200 / max(self.height, self.width)), given=True)

    def _queens(self, solution: Solution | None) -> list[Cell]:
        return [(r, c) for r, c in self.squares if solution and solution[r][c]]
