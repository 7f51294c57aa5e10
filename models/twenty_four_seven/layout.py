"""What models state constraints on: windows, their lines, and the root of the group of filled cells."""

from itertools import combinations_with_replacement

from models.shared.grid import Cell
from models.shared.partly_filled import EMPTY
from models.twenty_four_seven.puzzle import FILLED, NUMBERS, TOTAL, WINDOW, TwentyFourSeven

MULTISETS = [
    numbers
    for numbers in combinations_with_replacement(NUMBERS, FILLED)
    if sum(numbers) == TOTAL and all(numbers.count(k) <= k for k in numbers)
]
"""The 13 multisets of numbers that a row or column of a window may hold, from 1 5 7 7 to 5 5 5 5."""


def domain(puzzle: TwentyFourSeven, cell: Cell) -> list[int]:
    """The values that a cell may hold: what is given, or anything."""
    return [puzzle.givens[cell]] if cell in puzzle.givens else [EMPTY, *NUMBERS]


def windows(puzzle: TwentyFourSeven) -> list[list[Cell]]:
    """The cells of each window, row by row."""
    return [
        [(top + row, left + column) for row in range(WINDOW) for column in range(WINDOW)]
        for top, left in puzzle.windows
    ]


def lines(puzzle: TwentyFourSeven) -> list[list[Cell]]:
    """The cells of each row and column of each window; a line of two windows is there once."""
    found = []
    for cells in windows(puzzle):
        found += [cells[WINDOW * row : WINDOW * (row + 1)] for row in range(WINDOW)]
        found += [cells[column::WINDOW] for column in range(WINDOW)]
    return [list(line) for line in dict.fromkeys(map(tuple, found))]


def roots(puzzle: TwentyFourSeven) -> list[Cell]:
    """Cells of which at least one is filled, near the middle of the grid; the first filled one is the root.

    A given number is one for certain. Where none is given, four cells of a row of a window, as three of its
    seven are empty.
    """

    def from_middle(cell: Cell) -> int:
        return abs(2 * cell[0] + 1 - puzzle.height) + abs(2 * cell[1] + 1 - puzzle.width)

    if puzzle.givens:
        return [min(puzzle.givens, key=from_middle)]
    return min((line[:FILLED] for line in lines(puzzle)), key=lambda line: sum(map(from_middle, line)))


def most_filled(puzzle: TwentyFourSeven) -> int:
    """A bound on the number of filled cells: 28 of each window, and all that are in no window."""
    in_windows = {cell for window in windows(puzzle) for cell in window}
    return min(puzzle.size, sum(NUMBERS) * len(puzzle.windows) + puzzle.size - len(in_windows))
