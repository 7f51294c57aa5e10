"""Perfect squares: the rules.

Squares are put into a rectangle, with sides along its sides and corners at whole numbers. They do not
overlap, and they fill the rectangle. If all sides are different, it is perfect.

## Data
- `width`, `height`: the sides of the rectangle, from 1 to 1000.
- `squares`: the side of each square, from 1 to 1000; there are 1 to 100 squares. Squares of one side can
  change places, which is no other solution.

A solution is a sorted list of the row and the column of the upper left corner of each square, from 0, and its
side. Solutions that are reflections or rotations of each other are different. The answer is the sum of the
sides of the squares in the four corners of the rectangle; one that is in several of them counts in each.

## Links
- CSPLib, problem 9, Perfect square placement: https://www.csplib.org/Problems/prob009/
- Stuart Anderson, squared rectangles and squares: http://www.squaring.net/
- Simonis and O'Sullivan, Search strategies for rectangle packing, CP 2008:
  https://doi.org/10.1007/978-3-540-85958-1_4
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Annotated, Any

from models.shared.document import Document, InstanceError, read_document, within
from models.shared.grid import PALETTE, grid_text, write_at
from models.shared.puzzle import Solution, is_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_SQUARES = 100
LONGEST = 1000
"""The longest side of a rectangle, and of a square."""
SHOWN = 40  # Rows or columns of a rectangle whose text is a picture.

Place = tuple[int, int]
"""The row and the column of the upper left corner of a square."""


class PerfectSquaresDocument(Document):
    """The keys of an instance file."""

    width: Annotated[int, within(1, LONGEST)]
    height: Annotated[int, within(1, LONGEST)]
    squares: list[Annotated[int, within(1, LONGEST)]]


def parse(table: dict[str, Any]) -> "PerfectSquares":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
    document = read_document(PerfectSquaresDocument, table)
    if not 1 <= len(document.squares) <= MOST_SQUARES:
        raise InstanceError(f"squares: {len(document.squares)} squares; 1 to {MOST_SQUARES} are allowed")
    return PerfectSquares(document.height, document.width, tuple(sorted(document.squares, reverse=True)))


@dataclass(frozen=True)
class PerfectSquares:
    """One instance.

    Attributes:
        sides: of the squares, the largest first; by their places here squares are numbered from 0.
    """

    height: int
    width: int
    sides: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of squares."""
        return len(self.sides)

    @property
    def fills(self) -> bool:
        """Whether the squares have the area of the rectangle."""
        return sum(side**2 for side in self.sides) == self.height * self.width

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Any two squares."""
        return list(combinations(range(self.size), 2))

    @property
    def equal(self) -> list[tuple[int, int]]:
        """Squares of one side with the next one of that side."""
        return [(i, j) for i, j in pairwise(range(self.size)) if self.sides[i] == self.sides[j]]

    def solution(self, value_of: Callable[[int], Place]) -> list[list[int]]:
        """The solution in which each square has the place `value_of(square)`."""
        return sorted([*value_of(i), side] for i, side in enumerate(self.sides))

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        if not is_grid(solution, self.size, 3):
            return [f"the solution is not a list of {self.size} squares, each a row, a column and a side"]
        broken = []
        if sorted(side for _, _, side in solution) != sorted(self.sides):
            broken.append("the sides are not those of the squares")
        if sorted(solution) != solution:
            broken.append("the squares are not sorted by row and column")
        for row, column, side in solution:
            if not (0 <= row <= self.height - side and 0 <= column <= self.width - side):
                broken.append(f"{_in_words(row, column, side)} is not inside the rectangle")
        for (row, column, side), (below, right, other) in combinations(solution, 2):
            if -other < below - row < side and -other < right - column < side:
                first, second = _in_words(row, column, side), _in_words(below, right, other)
                broken.append(f"{first} overlaps {second}")
        area = sum(side**2 for _, _, side in solution)
        if area != self.height * self.width:
            broken.append(f"the squares have area {area}, the rectangle {self.height * self.width}")
        return broken

    def answer(self, solution: Solution) -> int:
        """The sum of the sides of the squares in the corners."""
        return sum(
            side
            * ((row == 0) + (row + side == self.height))
            * ((column == 0) + (column + side == self.width))
            for row, column, side in solution
        )

    def text(self, solution: Solution | None) -> str:
        """The rectangle and the sides; a small solution as a picture, a large one as a list."""
        if solution is None:
            return f"{self.width} x {self.height} of squares {' '.join(map(str, self.sides))}"
        if max(self.height, self.width) > SHOWN:
            return "\n".join(_in_words(*square) for square in solution)
        label = [[""] * self.width for _ in range(self.height)]
        for number, (row, column, side) in enumerate(solution):
            for line in label[row : row + side]:
                line[column : column + side] = [str(number)] * side
        word = {(row, column): str(side) for row, column, side in solution}
        return grid_text(tuple(map(tuple, label)), lambda cell: word.get(cell, ""))

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The rectangle with its squares; without a solution, these in rows below it."""
        axes.fill(
            [0, self.width, self.width, 0], [0, 0, self.height, self.height], "#ffffff", edgecolor="#111111"
        )
        gap = max(self.height, self.width) / 25
        length, bottom = max(self.width, self.sides[0]), float(self.height)
        place, row, column, lowest = [], self.height + gap, 0.0, 0.0
        for side in self.sides:
            if column + side > length:
                row, column, lowest = row + lowest + gap, 0.0, 0.0
            place.append((row, column, side))
            column, lowest = column + side + gap, max(lowest, side)
            bottom = row + lowest if solution is None else bottom
        for number, (y, x, side) in enumerate(solution or place):
            colour = PALETTE[number % len(PALETTE)]
            axes.fill([x, x + side, x + side, x], [y, y, y + side, y + side], colour, edgecolor="#555555")
            size = max(3, min(14, 220 * side / max(length, bottom)))
            write_at(axes, (x + side / 2, y + side / 2), str(side), size, given=True)
        margin = gap / 4
        axes.set(xlim=(-margin, length + margin), ylim=(bottom + margin, -margin), aspect="equal")
        axes.axis("off")

    def position(self, unknown: tuple[int, int, int]) -> tuple[float, float]:
        """The middle of a square, as a row, a column and a side."""
        row, column, side = unknown
        return column + side / 2, row + side / 2


def _in_words(row: int, column: int, side: int) -> str:
    return f"the square of side {side} in row {row + 1}, column {column + 1}"
