"""How models state the clue `row_divisor`: by a list of the rows, or by long division.

If few rows of different digits are multiples of D, a model lists them. If there are many, D is small, and a
model divides the row by D as one does by hand, in which no number is larger than 10 D. Read as one number it
would have coefficients up to 10^(n - 1), more than the tolerances of an integer program can tell apart, and
more than clingo's 32 bits hold.
"""

from functools import cache
from math import gcd, perm

from models.sudoku.puzzle import Sudoku

Row = tuple[int, ...]

LISTED = 2500
"""About how many rows a model lists at most, of which D divides one in D. Where each row has all digits, rows
agree modulo 9: if 9 divides one, 9 divides all, and a multiple of 9 divides nine times as many as another D.
"""


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
