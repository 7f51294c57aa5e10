"""Sudoku as an exact cover with side conditions, for hand searches.

A candidate is a digit in a cell or, if there are more digits than a row has cells, a digit that is not used.
From each group exactly one candidate is chosen: a cell holds one digit; a digit has one cell in each row,
column and box, or is not used. Each clue is a list of alternatives, of which at least one is chosen as a whole.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.sudoku.clues import product_pairs, remote_cells
from models.sudoku.puzzle import Sudoku

MULTIPLES = 10_000
"""The rows are listed if the row divisor has at most so many multiples."""

Named = tuple[Cell | None, int]
"""A cell and its digit; None and a digit that is not used."""


class Cover:
    """The candidates as numbers.

    Attributes:
        groups: the candidates of each cell, row by row; then of each digit in each row, column and box.
        groups_of: the groups of each candidate; that of its cell is the first.
        clues: the alternatives of each clue.
        divisor: the row divisor, if the rows are not listed among the clues.
    """

    def __init__(self, puzzle: Sudoku) -> None:
        """Numbers the candidates."""
        self.puzzle = puzzle
        named = list(groups(puzzle))
        self.named = list(dict.fromkeys(x for group in named for x in group))
        number = {x: index for index, x in enumerate(self.named)}
        self.groups = [[number[x] for x in group] for group in named]
        self.groups_of: list[list[int]] = [[] for _ in number]
        for g, group in enumerate(self.groups):
            for x in group:
                self.groups_of[x].append(g)
        self.clues = [[tuple(number[x] for x in option) for option in options] for options in clues(puzzle)]
        self.divisor = None if lists_rows(puzzle) else puzzle.row_divisor

    def solution(self, chosen: Sequence[int]) -> Solution:
        """The solution that has these candidates."""
        digits = dict(self.named[x] for x in chosen)
        return self.puzzle.solution(digits.__getitem__)


def groups(puzzle: Sudoku) -> Iterator[list[Named]]:
    """The candidates, of which one is chosen in each group."""
    # A cell holds one of the digits, or what is given.
    for cell in puzzle.cells:
        yield [(cell, digit) for digit in puzzle.domains[cell]]
    # A row, column or box holds each digit that is used once.
    unused = len(puzzle.digits) > puzzle.side
    for unit in puzzle.units:
        cells: dict[int, list[Named]] = {digit: [] for digit in puzzle.digits}
        for cell in unit:
            for digit in puzzle.domains[cell]:
                cells[digit].append((cell, digit))
        for digit, group in cells.items():
            yield [*group, (None, digit)] if unused else group


def clues(puzzle: Sudoku) -> Iterator[list[tuple[Named, ...]]]:
    """The alternatives of each clue."""
    domains, n = puzzle.domains, puzzle.side
    # A cell so many steps away holds the number of a remote clue.
    for cell, steps in puzzle.remote.items():
        yield [((i, steps),) for i in remote_cells(cell, steps, n) if steps in domains[i]]
    # Two neighbours have the product of a product clue.
    factors: Mapping[int, list[tuple[int, int]]] = {number: [] for number in puzzle.product.values()}
    for a, b in product(puzzle.digits, repeat=2) if factors else ():
        if a * b in factors:
            factors[a * b].append((a, b))
    for cell, number in puzzle.product.items():
        yield [
            ((i, a), (k, b))
            for i, k in product_pairs(cell, n)
            for a, b in factors[number]
            if a in domains[i] and b in domains[k] and not (a == b and share_unit(puzzle, i, k))
        ]
    # A row is a multiple of the row divisor.
    if puzzle.row_divisor and lists_rows(puzzle):
        words = (f"{number:0{n}}" for number in range(0, 10**n, puzzle.row_divisor))
        rows = [tuple(map(int, word)) for word in words if len(set(word)) == n]
        for unit in puzzle.units[:n]:
            options = [tuple(zip(unit, row, strict=True)) for row in rows]
            yield [option for option in options if all(digit in domains[cell] for cell, digit in option)]


def lists_rows(puzzle: Sudoku) -> bool:
    """Whether there are so few multiples of the row divisor that the rows are listed."""
    return puzzle.row_divisor is not None and 10**puzzle.side <= MULTIPLES * puzzle.row_divisor


def share_unit(puzzle: Sudoku, one: Cell, other: Cell) -> bool:
    """Whether two cells lie in one row, column or box."""
    height, width = puzzle.box
    (r, c), (s, d) = one, other
    return r == s or c == d or (r // height, c // width) == (s // height, d // width)


def digits_of_multiples(allowed: Sequence[Sequence[int]], divisor: int) -> list[set[int]]:
    """The digits that each cell has in some multiple of the divisor, of those allowed in each cell.

    Follows the remainders cell by cell, as sets of bits, from the left and from the right.
    """
    full = (1 << divisor) - 1

    def shifted(remainders: int, by: int) -> int:
        by %= divisor
        return (remainders << by | remainders >> divisor - by) & full

    weights = [pow(10, len(allowed) - 1 - place, divisor) for place in range(len(allowed))]
    after = [1]
    for digits, weight in zip(allowed[::-1], weights[::-1], strict=True):
        after.append(0)
        for digit in digits:
            after[-1] |= shifted(after[-2], -digit * weight)
    before = 1
    kept: list[set[int]] = []
    for digits, weight in zip(allowed, weights, strict=True):
        after.pop()
        reached = {digit: shifted(before, digit * weight) for digit in digits}
        kept.append({digit for digit, remainders in reached.items() if remainders & after[-1]})
        before = 0
        for digit in kept[-1]:
            before |= reached[digit]
    return kept
