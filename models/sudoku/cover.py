"""Sudoku as an exact cover with side conditions, for the hand search of backtrack.py.

A candidate is a digit in a cell, or a digit that is left out if there are more digits than a row has cells.
From each group exactly one candidate is chosen: a cell holds one digit; a digit has one cell in each row,
column and box, or is left out. A clue is a list of alternatives, sets of candidates, of which at least one is
chosen as a whole.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from models.shared.grid import Cell, neighbours
from models.sudoku.clues import Row, divisible_rows, factor_pairs, remote_cells
from models.sudoku.puzzle import Sudoku

Named = tuple[Cell | None, int]
"""A cell and its digit; None and a digit that is left out."""


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
        rows = divisible_rows(puzzle)
        named = list(groups(puzzle))
        self.named = list(dict.fromkeys(x for group in named for x in group))
        number = {x: index for index, x in enumerate(self.named)}
        self.groups = [[number[x] for x in group] for group in named]
        self.groups_of: list[list[int]] = [[] for _ in number]
        for g, group in enumerate(self.groups):
            for x in group:
                self.groups_of[x].append(g)
        self.clues = [
            [tuple(number[x] for x in option) for option in options] for options in clues(puzzle, rows)
        ]
        self.divisor = puzzle.row_divisor if rows is None else None


def groups(puzzle: Sudoku) -> Iterator[list[Named]]:
    """The candidates, of which one is chosen in each group."""
    # Each cell holds one digit.
    for cell in puzzle.cells:
        yield [(cell, digit) for digit in puzzle.domains[cell]]
    # Each row, column and box holds each digit once that is not left out.
    some_out = len(puzzle.digits) > puzzle.side
    for unit in puzzle.units:
        cells: dict[int, list[Named]] = {digit: [] for digit in puzzle.digits}
        for cell in unit:
            for digit in puzzle.domains[cell]:
                cells[digit].append((cell, digit))
        for digit, group in cells.items():
            yield [*group, (None, digit)] if some_out else group


def clues(puzzle: Sudoku, listed: list[list[Row]] | None) -> Iterator[list[tuple[Named, ...]]]:
    """The alternatives of each clue, with what each row can hold if that is listed."""
    domains, n, units = puzzle.domains, puzzle.side, list(map(set, puzzle.units))
    # Some cell N steps away holds N.
    for cell, steps in puzzle.remote.items():
        yield [((i, steps),) for i in remote_cells(cell, steps, n) if steps in domains[i]]
    # Two cells beside the clue hold a pair of digits with its product.
    factors = {number: factor_pairs(number, puzzle.digits) for number in {*puzzle.product.values()}}
    for cell, number in puzzle.product.items():
        yield [
            ((i, a), (k, b))
            for i, k in combinations(sorted(neighbours(cell, n)), 2)
            for pair in factors[number]
            for a, b in dict.fromkeys((pair, pair[::-1]))
            if a in domains[i] and b in domains[k] and not (a == b and any({i, k} <= unit for unit in units))
        ]
    # Each row is a multiple of the divisor, if these are few.
    for unit, rows in zip(puzzle.units, listed or (), strict=False):
        yield [tuple(zip(unit, row, strict=True)) for row in rows]


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
