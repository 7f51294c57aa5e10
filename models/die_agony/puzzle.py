"""Die Agony: the rules.

A die with an unknown number on each face starts in the bottom left cell of a grid with score 0. On its Nth
move it tips into an orthogonally adjacent cell, and its score grows by N times the number on the face that
is then on top; the new score must equal the value in the cell. It ends when it first reaches the top right
cell, within `max_moves` moves. The start cell's own value plays no part before a move enters it again.
The answer is the sum of the values in the cells that the die never enters.

## Data
- `grid`: the values of the cells, whole numbers, top row first
- `faces`: `integer` if the numbers on the die are whole, `rational` if they may be fractions
- `max_moves`: the largest number of moves

## Links
- Jane Street, Die Agony, December 2022: https://www.janestreet.com/puzzles/die-agony-index/
- Willem Hoek, a search in OCaml: https://whoek.com/b/howto-solve-the-jane-street-puzzle-december-2022.html
- a search in Python: https://zorzi.dev/posts/jane_street/jane_2022_12
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal

from models.shared.document import Document, InstanceError, read_document, shorten, within
from models.shared.grid import Cell, cells_of, draw_regions, grid_text, in_words, read_grid, read_integer
from models.shared.puzzle import Ingredient, Reported, Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.SUMS, Ingredient.PATHS)

REPORTED = (
    Reported(
        instance="december_2022",
        system="OCaml, recursive backtracking",
        source="Willem Hoek, Solving the Jane Street puzzle of December 2022",
        branches=304,
        note="304 positions to the first solution",
        url="https://whoek.com/b/howto-solve-the-jane-street-puzzle-december-2022.html",
    ),
)

TOP, BOTTOM, NORTH, SOUTH, WEST, EAST = range(6)
NAMES = ("top", "bottom", "north", "south", "west", "east")
"""The places of a die; `faces` of a solution are in this order, in the starting position."""


class DieAgonyDocument(Document):
    """The keys of an instance file."""

    grid: str
    faces: Literal["integer", "rational"]
    max_moves: Annotated[int, within(1, 10_000)]


def parse(table: dict[str, Any]) -> "DieAgony":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(DieAgonyDocument, table)
    words = enumerate(read_grid("grid", document.grid, spaced=True))
    grid = tuple(tuple(read_integer("grid", word, (r, c)) for c, word in enumerate(row)) for r, row in words)
    if len(grid) * len(grid[0]) < 2:
        raise InstanceError("grid: the start is the end; the grid needs two cells or more")
    return DieAgony(grid, document.faces, document.max_moves)


@dataclass(frozen=True)
class DieAgony:
    """One instance; a solution is {"path": [[row, column], ...], "faces": [top, bottom, north, ...]}."""

    grid: tuple[tuple[int, ...], ...]
    faces: Literal["integer", "rational"]
    max_moves: int

    @property
    def start(self) -> Cell:
        """The bottom left cell."""
        return len(self.grid) - 1, 0

    @property
    def end(self) -> Cell:
        """The top right cell."""
        return 0, len(self.grid[0]) - 1

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(cells_of(self.grid))

    def solution(self, path: list[Cell], faces: Mapping[int, Fraction]) -> Solution:
        """The solution that visits these cells, with the values of the faces that are used."""
        return {
            "path": [list(cell) for cell in path],
            "faces": [None if face not in faces else written(faces[face]) for face in range(6)],
        }

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not (isinstance(solution, dict) and set(solution) == {"path", "faces"}):
            return ["the solution is not an object with the keys path and faces"]
        path, faces = solution["path"], solution["faces"]
        if not (
            isinstance(path, list)
            and all(isinstance(cell, list) and len(cell) == 2 for cell in path)
            and all(type(part) is int for cell in path for part in cell)
        ):
            return ["path is not a list of [row, column]"]
        if not (isinstance(faces, list) and len(faces) == 6):
            return ["faces is not a list of six numbers or nulls"]
        values: list[Fraction | None] = []
        for face in faces:
            if type(face) is int or (isinstance(face, str) and re.fullmatch(r"-?[0-9]+/[1-9][0-9]*", face)):
                values.append(Fraction(face))
            elif face is None:
                values.append(None)
            else:
                return [f"{shorten(face)} is no whole number, no fraction such as '7/3', and not null"]
        return self._walk([(row, column) for row, column in path], values)

    def _walk(self, path: list[Cell], values: list[Fraction | None]) -> list[str]:
        """The broken rules of a walk, rolled cell by cell."""
        broken = []
        if not path or path[0] != self.start:
            return [f"the path does not start in row {self.start[0] + 1}, column 1"]
        if path[-1] != self.end or self.end in path[:-1]:
            broken.append("the path does not end where it first reaches the top right cell")
        if len(path) - 1 > self.max_moves:
            broken.append(f"{len(path) - 1} moves; at most {self.max_moves} are allowed")
        # die[place] is the face, by its place in the starting position, that is now there.
        die = list(range(6))
        score = Fraction(0)
        used: set[int] = set()
        for number, ((row, column), (r, c)) in enumerate(pairwise(path), 1):
            move = f"move {number}, to {in_words((r, c))}"
            top, bottom, north, south, west, east = die
            match (r - row, c - column):
                case (-1, 0):
                    die = [south, north, top, bottom, west, east]
                case (1, 0):
                    die = [north, south, bottom, top, west, east]
                case (0, -1):
                    die = [east, west, north, south, top, bottom]
                case (0, 1):
                    die = [west, east, north, south, bottom, top]
                case _:
                    return [*broken, f"{move}: that is no neighbour"]
            if not (0 <= r < len(self.grid) and 0 <= c < len(self.grid[0])):
                return [*broken, f"{move}: outside the grid"]
            used.add(die[TOP])
            value = values[die[TOP]]
            if value is None:
                return [*broken, f"{move}: the face on top has no value"]
            score += number * value
            if score != self.grid[r][c]:
                return [*broken, f"{move}: the score is {score}, but the cell has {self.grid[r][c]}"]
        for face, value in enumerate(values):
            if value is not None and face not in used:
                broken.append(f"face {face + 1} has the value {value}, but is never on top")
            if value is not None and self.faces == "integer" and value.denominator != 1:
                broken.append(f"face {face + 1} has the value {value}, but faces are integers")
        return broken

    def answer(self, solution: Solution) -> int:
        """The sum of the values in the cells that are not visited."""
        visited = {tuple(cell) for cell in solution["path"]}
        return sum(self.grid[r][c] for r, c in cells_of(self.grid) if (r, c) not in visited)

    def text(self, solution: Solution | None) -> str:
        """The grid; with a solution each cell's last move in brackets, then the faces."""
        labels = tuple(tuple(f"{r} {c}" for c in range(len(self.grid[0]))) for r in range(len(self.grid)))
        moves = {(r, c): move for move, (r, c) in enumerate(solution["path"] if solution else [])}
        words = {(r, c): str(self.grid[r][c]) for r, c in cells_of(self.grid)}
        words |= {cell: f"{words[cell]} ({move})" for cell, move in moves.items()}
        lines = [grid_text(labels, words.__getitem__)]
        if solution:
            lines.append(f"{len(solution['path']) - 1} moves (the last one into each cell in brackets)")
            lines.append(f"faces: {by_place(solution['faces'])}")
        return "\n".join(lines)

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The grid and the walk, from light to dark as time goes; unvisited cells stay grey."""
        labels = tuple(tuple("x" for _ in row) for row in self.grid)
        path = [tuple(cell) for cell in solution["path"]] if solution else []
        fill = {cell: "#ffffff" if cell in path or not path else "#e0e0e0" for cell in cells_of(self.grid)}
        draw_regions(axes, labels, fill)
        for row, column in cells_of(self.grid):
            axes.plot([column, column + 1], [row, row], color="#bbbbbb", linewidth=0.8, zorder=1)
            axes.plot([column, column], [row, row + 1], color="#bbbbbb", linewidth=0.8, zorder=1)
            value = str(self.grid[row][column])
            axes.text(column + 0.06, row + 0.06, value, ha="left", va="top", fontsize=9, zorder=4)
        # Each move is shifted a little by its time, so that visits of one cell do not hide each other.
        shift = 0.35 / max(1, len(path))
        points = [(c + 0.5 + shift * move, r + 0.45 + shift * move) for move, (r, c) in enumerate(path)]
        for move, ((x0, y0), (x1, y1)) in enumerate(pairwise(points), 1):
            shade = 0.75 - 0.75 * move / len(path)
            axes.annotate(
                "", (x1, y1), (x0, y0),
                arrowprops={"arrowstyle": "-|>", "color": (shade, shade * 0.8 + 0.1, 0.75), "linewidth": 1.3},
                zorder=3,
            )  # fmt: skip
        if solution:
            below = f"{len(path) - 1} moves; {by_place(solution['faces'])}"
            axes.text(len(self.grid[0]) / 2, len(self.grid) + 0.3, below, ha="center", fontsize=9)
            axes.set_ylim(len(self.grid) + 0.5, -0.05)


def by_place(faces: list[int | str | None]) -> str:
    """The faces of a solution by the names of their places."""
    named = zip(NAMES, faces, strict=True)
    return ", ".join(f"{name} {'?' if face is None else face}" for name, face in named)


def written(value: Fraction) -> int | str:
    """A face as a solution writes it."""
    return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
