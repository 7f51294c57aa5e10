"""What models need to know of clues: cells, digits, and rows.

If few rows of different digits are multiples of the row divisor D, a model lists them. If there are many, D
is small, and a model divides the row by D as one does by hand, in which no number is larger than 10 D. Read
as one number it would have coefficients up to 10^(n - 1), more than the tolerances of an integer program can
tell apart, and more than clingo's 32 bits hold.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import gcd, perm

from models.shared.grid import Cell
from models.sudoku.puzzle import Sudoku

Row = tuple[int, ...]

LISTED = 2500
"""About how many rows a model lists at most, of which D divides one in D. Where each row has all digits, rows
agree modulo 9: if 9 divides one, 9 divides all, and a multiple of 9 divides nine times as many as another D.
"""


def remote_cells(cell: Cell, steps: int, side: int) -> list[Cell]:
    """The cells exactly so many steps up, down, left or right of a cell; the cell itself for 0 steps."""
    row, column = cell
    ends = {(row - steps, column), (row + steps, column), (row, column - steps), (row, column + steps)}
    return sorted((r, c) for r, c in ends if 0 <= r < side and 0 <= c < side)


def factor_pairs(product: int, digits: Sequence[int]) -> list[tuple[int, int]]:
    """All pairs of digits with this product, the smaller one first; a digit with itself counts too."""
    return [(a, b) for a, b in combinations_with_replacement(digits, 2) if a * b == product]


def rows_are_listed(puzzle: Sudoku) -> bool:
    """Tells whether there is a divisor that leaves few rows."""
    if puzzle.row_divisor is None:
        return False
    agreeing = gcd(puzzle.row_divisor, 9) if len(puzzle.digits) == puzzle.side else 1
    return perm(len(puzzle.digits), puzzle.side) * agreeing <= LISTED * puzzle.row_divisor


def divisible_rows(puzzle: Sudoku) -> list[list[Row]] | None:
    """Returns what each row of the grid can hold; None without a divisor, or if the lists would be too long.

    By definition these are the permutations of n digits that, read as a number, are a multiple of the
    divisor, and that agree with what is given in the row.
    """
    side, divisor = puzzle.side, puzzle.row_divisor
    if divisor is None or not rows_are_listed(puzzle):
        return None
    rows = multiples(puzzle.digits, side, divisor)
    return [
        [row for row in rows if all(row[c] == v for (r, c), v in puzzle.givens.items() if r == number)]
        for number in range(side)
    ]


def multiples(digits: Row, length: int, divisor: int) -> list[Row]:
    """Returns the permutations of so many digits that are, read as a number, a multiple of the divisor."""

    @cache
    def endings(length: int, remainder: int) -> list[Row]:
        """Returns those that leave this remainder instead; two beginnings often need the same endings."""
        if length == 0:
            return [()] if remainder == 0 else []
        if remainder >= 10**length:
            return []
        place = 10 ** (length - 1)
        return [
            (digit, *ending)
            for digit in digits
            for ending in endings(length - 1, (remainder - digit * place) % divisor)
            if digit not in ending
        ]

    return endings(length, 0)
