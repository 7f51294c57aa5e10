"""Peaceable Queens: the rules.

White and black queens stand on a board, at most one on a square. No queen attacks one of the other colour:
the two share no row, column or diagonal, whatever stands between them. Queens of one colour may. Both armies
have equally many queens, as many as possible.

## Data
- `board`: a grid of characters, `.` for a square and `#` where there is none; queens attack across that.

A solution is a list of rows of text: `W` for a white queen, `B` for a black one, `.` for none. The answer is
the number of queens of one army.

## Links
- CSPLib 110: https://www.csplib.org/Problems/prob110/
- OEIS A250000, with what is proven up to 15x15, and Ainley's armies up to 30x30: https://oeis.org/A250000
- Smith, Petrie, Gent, models and symmetry breaking, 2004: https://doi.org/10.1007/978-3-540-24664-0_19
- Clinch, Drescher, Huynh, Saffidine, bounds and algorithms, 2024: https://arxiv.org/abs/2406.06974
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, ClassVar

from models.shared.document import Document, InstanceError, read_document
from models.shared.grid import Cell, Labels, cells_of, in_words, place, read_grid, write_in_cell
from models.shared.puzzle import Objective, Sense, Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 50  # Rows and columns.

EMPTY, WHITE, BLACK = range(3)
SIGNS = ".WB"
QUEENS, SHADES = {"W": "♕", "B": "♛"}, {"W": "#fde8cf", "B": "#9dbfdf", "#": "#555555"}
Line = tuple[str, int]
"""Its kind and its number."""


class PeaceableQueensDocument(Document):
    """The keys of an instance file."""

    board: str


def parse(table: dict[str, Any]) -> "PeaceableQueens":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    board = read_grid("board", read_document(PeaceableQueensDocument, table).board)
    if max(len(board), len(board[0])) > MOST:
        raise InstanceError(f"board: {len(board)}x{len(board[0])} cells; at most {MOST}x{MOST} are allowed")
    for row, column in cells_of(board):
        if board[row][column] not in (".", "#"):
            raise InstanceError(f"{place('board', (row, column))}: write . for a square, # for none")
    puzzle = PeaceableQueens(board)
    if not puzzle.squares:
        raise InstanceError("board: there is no square; write . for one")
    return puzzle


@dataclass(frozen=True)
class PeaceableQueens:
    """One instance; the squares of its board are those cells that are `.`."""

    board: Labels

    objective: ClassVar = Objective(Sense.MOST, "queens of one army")

    @cached_property
    def squares(self) -> list[Cell]:
        """The squares of the board, row by row."""
        return [(row, column) for row, column in cells_of(self.board) if self.board[row][column] == "."]

    @property
    def size(self) -> int:
        """The number of squares."""
        return len(self.squares)

    @cached_property
    def lines(self) -> dict[Line, list[Cell]]:
        """The squares of each row, then of each column, then of the diagonals of both kinds."""
        found: dict[Line, list[Cell]] = {}
        kinds = {"row": (1, 0), "column": (0, 1), "up": (1, 1), "down": (-1, 1)}
        for (kind, (r, c)), (row, column) in product(kinds.items(), self.squares):
            found.setdefault((kind, r * row + c * column), []).append((row, column))
        return found

    def attacks(self) -> Iterator[tuple[Cell, Cell]]:
        """Each pair of different squares on one line."""
        for line in self.lines.values():
            yield from permutations(line, 2)

    def solution(self, value_of: Callable[[Cell], int]) -> list[str]:
        """The rows, where square i is EMPTY, WHITE or BLACK by `value_of(i)`; the armies are made equal."""
        colours = {i: value_of(i) for i in self.squares}
        armies = [[i for i, value in colours.items() if value == army] for army in (WHITE, BLACK)]
        sign = {i: SIGNS[colours[i]] for pair in zip(*armies, strict=False) for i in pair}
        return ["".join(sign.get((r, c), ".") for c in range(len(row))) for r, row in enumerate(self.board)]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        height, width = len(self.board), len(self.board[0])
        is_rows = isinstance(solution, list) and len(solution) == height
        if not is_rows or not all(isinstance(row, str) and len(row) == width for row in solution):
            return [f"the solution is not {height} texts of {width} characters"]
        armies: dict[str, list[Cell]] = {"W": [], "B": [], ".": []}
        broken = []
        for cell in cells_of(self.board):
            if (sign := solution[cell[0]][cell[1]]) not in armies:
                broken.append(f"{in_words(cell)} holds {sign!r}, not W, B or .")
            elif sign != "." and self.board[cell[0]][cell[1]] == "#":
                broken.append(f"{in_words(cell)} holds a queen, but is no square")
            armies.setdefault(sign, []).append(cell)
        if len(armies["W"]) != len(armies["B"]):
            broken.append(f"there are {len(armies['W'])} white queens and {len(armies['B'])} black ones")
        return broken + [
            f"the queens in {in_words(i)} and {in_words(j)} attack"
            for i, j in product(armies["W"], armies["B"])
            if i[0] == j[0] or i[1] == j[1] or abs(i[0] - j[0]) == abs(i[1] - j[1])
        ]

    def answer(self, solution: Solution) -> int:
        """The number of queens of one army."""
        return sum(row.count("W") for row in solution)

    def text(self, solution: Solution | None) -> str:
        """The board, `#` where there is no square, with the queens."""
        signs = {(r, c): solution[r][c] for r, c in self.squares} if solution else {}
        rows = enumerate(self.board)
        return "\n".join(" ".join(signs.get((r, c), sign) for c, sign in enumerate(row)) for r, row in rows)

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The board, orange below white queens, blue below black ones; dark where there is no square."""
        height, width = len(self.board), len(self.board[0])
        for r, c in cells_of(self.board):
            sign = solution[r][c] if solution and self.board[r][c] == "." else self.board[r][c]
            colour = SHADES.get(sign, ("#ffffff", "#ececec")[(r + c) % 2])
            axes.fill([c, c + 1, c + 1, c], [r, r, r + 1, r + 1], colour, edgecolor="#999999", lw=0.5)
            write_in_cell(axes, (r, c), QUEENS.get(sign, ""), 200 / max(height, width), given=False)
        axes.set(xlim=(-0.05, width + 0.05), ylim=(height + 0.05, -0.05), aspect="equal")
        axes.axis("off")
