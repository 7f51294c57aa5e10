"""The rectangles that can be those of a clue, of which all models choose."""

from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.search import View
from models.shikaku.puzzle import Shikaku


class Rectangle(NamedTuple):
    """A rectangle of a grid, and the number of the clue in it, counted from 1, row by row."""

    clue: int
    top: int
    left: int
    height: int
    width: int

    @property
    def cells(self) -> list[Cell]:
        """Its cells, row by row."""
        rows, columns = range(self.top, self.top + self.height), range(self.left, self.left + self.width)
        return list(product(rows, columns))


def fitting_rectangles(puzzle: Shikaku) -> list[Rectangle]:
    """Every rectangle that holds one clue, and as many cells as that says; clue by clue.

    None with other clues is looked at: it extends over rows above and below the clue as long as they have no
    clue in its column, and over the columns between the clues beside it in each row.
    """
    # The columns of the clues of each row, between the borders.
    columns = [[-1, puzzle.width] for _ in range(puzzle.height)]
    for row, column in puzzle.clues:
        columns[row].insert(-1, column)

    def strips(rows: Iterable[int], column: int) -> list[tuple[int, int]]:
        """Returns the first and last column without another clue in the first row, in the first two, ..."""
        found, first, last = [], 0, puzzle.width - 1
        for place, row in enumerate(rows):
            clues = columns[row]
            at = bisect(clues, column)
            own = clues[at - 1] == column
            if own and place:
                break
            first, last = max(first, clues[at - 1 - own] + 1), min(last, clues[at] - 1)
            found.append((first, last))
        return found

    found = []
    for number, ((row, column), area) in enumerate(puzzle.clues.items(), 1):
        above, below = strips(range(row, -1, -1), column), strips(range(row, puzzle.height), column)
        for up, (first_above, last_above) in enumerate(above[:area]):
            for down, (first_below, last_below) in enumerate(below[: area and area - up]):
                height, first, last = (
                    up + 1 + down,
                    max(first_above, first_below),
                    min(last_above, last_below),
                )
                if area is None:
                    widths: Sequence[int] = range(1, last - first + 2)
                else:
                    widths = [area // height] if area % height == 0 else []
                found += [
                    Rectangle(number, row - up, left, height, width)
                    for width in widths
                    for left in range(max(first, column - width + 1), min(column, last - width + 1) + 1)
                ]
    return found


def covering(puzzle: Shikaku, rectangles: Iterable[Rectangle]) -> dict[Cell, list[Rectangle]]:
    """The rectangles that hold each cell, row by row."""
    found: dict[Cell, list[Rectangle]] = {cell: [] for cell in puzzle.cells}
    for rectangle in rectangles:
        for cell in rectangle.cells:
            found[cell].append(rectangle)
    return found


def clues_left(puzzle: Shikaku, rectangles: Iterable[Rectangle]) -> View:
    """The clues that each cell can belong to, if these rectangles are left."""
    found = covering(puzzle, rectangles).items()
    return View({cell: [*dict.fromkeys(each.clue for each in held)] for cell, held in found})


def cut(puzzle: Shikaku, rectangles: Iterable[Rectangle]) -> Solution:
    """The solution with these rectangles."""
    clue = {cell: rectangle.clue for rectangle in rectangles for cell in rectangle.cells}
    return puzzle.solution(clue.__getitem__)
