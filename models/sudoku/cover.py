"""Sudoku as an exact cover with side conditions, for the hand search of backtrack.py.

A candidate is a digit in a cell, or a digit that is left out if there are more digits than a row has cells.
From each group exactly one candidate is chosen: a cell holds one digit; a digit has one cell in each row,
column and box, or is left out. A clue is a list of alternatives, sets of candidates, of which at least one is
chosen as a whole.

A set of candidates is an integer: bit d * span + i is digit number d in cell number i, row by row; the last
bit of each span, that the digit is left out. So a few shifts count the candidates of all groups of a kind.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, lru_cache, reduce
from itertools import combinations, pairwise
from operator import or_

from models.shared.grid import Cell, neighbours
from models.sudoku.clues import Row, factor_pairs, remote_cells
from models.sudoku.puzzle import Sudoku


class Cover:
    """The candidates and groups of all grids of one shape; a group is known by the bit of its first cell.

    Attributes:
        candidates, in_cells: all candidates, and those that are not left out.
        excluding: of the number of a candidate, all others but those that share a group with it, and itself.
    """

    def __init__(self, box: tuple[int, int], digits: int) -> None:
        """Sets up the groups."""
        self.height, self.width = box
        self.side, self.digits = n, _ = self.height * self.width, digits
        self.span, self.board = n * n + 1, (1 << n * n) - 1
        # All digits in the first cell; the cells of one digit in the first row, column and box.
        self.cell, self.row, self.column = every(self.span, digits), every(1, n), every(n, n)
        self.box = every(1, self.width) * every(n, self.height)
        # The first cells of all rows, columns and boxes, for all digits.
        self.rows, self.columns = self.column * self.cell, self.row * self.cell
        self.boxes = every(self.width, self.height) * every(n * self.height, self.width) * self.cell
        self.in_cells, self.left_out = self.board * self.cell, self.cell << n * n
        self.candidates = self.in_cells | (self.left_out if digits > n else 0)
        # In a large grid not all of these fit into memory.
        self.excluding: Callable[[int], int] = lru_cache(4096)(self._excluding)

    def _excluding(self, x: int) -> int:
        n, (d, i) = self.side, divmod(x, self.span)
        if i == n * n:
            return ~(self.board << d * self.span)
        corner = i - i // n % self.height * n - i % self.width
        units = self.row << i - i % n | self.column << i % n | self.box << corner | 1 << n * n
        return ~(units << d * self.span | self.cell << i) | 1 << x

    def last_of_cells(self, left: int) -> tuple[int, int]:
        """Returns the candidates that are the last of their cells, and the cells that have none."""
        some = several = 0
        for d in range(self.digits):
            here = left >> d * self.span & self.board
            several |= some & here
            some |= here
        return left & (some & ~several) * self.cell, self.board & ~some

    def last_of_units(self, left: int) -> tuple[int, int]:
        """Returns those that are the last of a row, column or box, and digits without a place in one."""
        n, last, missing = self.side, 0, 0
        strip, part = counted((left, 0), 1, self.width), counted((left, 0), n, self.height)
        for firsts, unit, (some, several) in (
            (self.rows, self.row, counted(strip, self.width, self.height)),
            (self.boxes, self.box, counted(strip, n, self.height)),
            (self.columns, self.column, counted(part, n * self.height, self.width)),
        ):
            last |= (some & ~several & firsts) * unit
            missing |= firsts & ~some
        # A digit that may be left out has no last cell; without a cell, which carries to its last bit, it is.
        optional = left & self.left_out
        out = (missing + self.in_cells) & self.left_out
        return left & (last & ~(optional - (optional >> n * n)) | out), out & ~left

    def fewest(self, left: int) -> int:
        """Returns the cells with the fewest candidates, but several, as a set of bits."""
        at_least = [self.board] + [0] * (self.digits + 1)
        for d in range(self.digits):
            here = left >> d * self.span
            at_least[1:] = [more | fewer & here for fewer, more in pairwise(at_least)]
        exactly = (fewer & ~more for fewer, more in pairwise(at_least[2:]))
        return next(filter(None, exactly), 0)


def every(step: int, times: int) -> int:
    """Returns a set of so many bits from 0 on, a step apart."""
    return sum(1 << k * step for k in range(times))


def counted(counts: tuple[int, int], step: int, times: int) -> tuple[int, int]:
    """Returns where some, and several, of so many bits from there on, a step apart, are set in (bits, 0)."""
    one, two = some, several = counts
    for distance in range(step, step * times, step):
        here = some >> distance
        two |= several >> distance | one & here
        one |= here
    return one, two


cover_of = cache(Cover)


def clues(puzzle: Sudoku, listed: list[list[Row]] | None) -> Iterator[list[tuple[tuple[Cell, int], ...]]]:
    """The alternatives of each clue, with what each row can hold if that is listed."""
    # Some cell N steps away holds N.
    for cell, steps in puzzle.remote.items():
        yield [((i, steps),) for i in remote_cells(cell, steps, puzzle.side) if steps in puzzle.domains[i]]
    # Two cells beside the clue hold a pair of digits with its product.
    factors = {number: factor_pairs(number, puzzle.digits) for number in {*puzzle.product.values()}}
    for cell, number in puzzle.product.items():
        yield [
            ((i, a), (k, b))
            for i, k in combinations(sorted(neighbours(cell, puzzle.side)), 2)
            for pair in factors[number]
            for a, b in dict.fromkeys((pair, pair[::-1]))
            if a in puzzle.domains[i] and b in puzzle.domains[k]
            if a != b or not any(i in unit and k in unit for unit in puzzle.units)
        ]
    # Each row is a multiple of the divisor, if these are few.
    for number, rows in enumerate(listed or ()):
        yield [tuple(((number, column), digit) for column, digit in enumerate(row)) for row in rows]


def digits_of_multiples(allowed: Sequence[Collection[int]], divisor: int) -> list[set[int]]:
    """The digits that each cell has in some multiple of the divisor, of those allowed in each cell.

    Follows the remainders cell by cell, as sets of bits, from the left and from the right.
    """

    def shifted(remainders: int, by: int) -> int:
        by %= divisor
        return (remainders << by | remainders >> divisor - by) & (1 << divisor) - 1

    weights = [pow(10, place, divisor) for place in range(len(allowed))][::-1]
    after = [1]
    for digits, weight in zip(allowed[:0:-1], weights[:0:-1], strict=True):
        after.append(reduce(or_, (shifted(after[-1], -digit * weight) for digit in digits), 0))
    before, kept = 1, []
    for digits, weight in zip(allowed, weights, strict=True):
        reached, rest = {digit: shifted(before, digit * weight) for digit in digits}, after.pop()
        kept.append({digit for digit, remainders in reached.items() if remainders & rest})
        before = reduce(or_, (reached[digit] for digit in kept[-1]), 0)
    return kept
