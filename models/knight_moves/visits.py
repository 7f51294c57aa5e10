"""What the clues name, for models and searches; the checker reads the rules by itself."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from models.knight_moves.puzzle import KnightMoves
from models.shared.grid import Cell
from models.shared.sides import line_from

Totals = list[tuple[tuple[Cell, ...], dict[int, int]]]
"""Groups of cells, each with what it adds up to by the number T of visited cells."""


@dataclass(frozen=True)
class Visits:
    """What is left of a puzzle; nothing at all if it has no solution.

    Attributes:
        lengths: the possible numbers T of visited cells, in ascending order.
        numbers: the numbers that each cell can have, in ascending order; 0 if it need not be visited.
    """

    lengths: list[int]
    numbers: dict[Cell, list[int]]


def moves(side: int) -> dict[Cell, list[Cell]]:
    """The cells a knight's move away from each cell of a board."""
    steps = [(r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c)]
    board = range(side)
    return {
        (row, column): [(row + r, column + c) for r, c in steps if row + r in board and column + c in board]
        for row, column in product(board, repeat=2)
    }


def orbits(side: int) -> list[list[Cell]]:
    """The cells that quarter turns of the board take to each other; four, but for the cell in the middle."""
    middle = side // 2
    found = [
        [(r, c), (c, side - 1 - r), (side - 1 - r, side - 1 - c), (side - 1 - c, r)]
        for r in range(side - middle)
        for c in range(middle)
    ]
    return [*found, [(middle, middle)]] if side % 2 else found


def views_from_ends(puzzle: KnightMoves) -> list[tuple[list[Cell], int]]:
    """The cells of each line with a number at an end, in order from there, and that number."""
    n = puzzle.side
    return [(line_from(*end, n, n), number) for end, number in puzzle.first_seen.items()]


def known_sums(puzzle: KnightMoves, lengths: Iterable[int]) -> Totals:
    """The lines and regions of which the sum of the numbers is known, by T."""
    found = [
        (lines[line], dict.fromkeys(lengths, number))
        for lines, sums in zip(_lines(puzzle.side), (puzzle.row_sums, puzzle.column_sums), strict=True)
        for line, number in sums.items()
    ]
    if puzzle.equal_region_sums:
        of_region = {T: T * (T + 1) // 2 // len(puzzle.regions) for T in lengths}
        found += [(region, of_region) for region in puzzle.regions]
    return found


def known_empty(puzzle: KnightMoves, lengths: Iterable[int]) -> Totals:
    """The lines and regions of which the number of cells that are not visited is known, by T."""
    equal = [puzzle.regions] * puzzle.equal_region_visits + [*_lines(puzzle.side)] * puzzle.equal_line_visits
    return [
        (cells, {T: len(cells) - T // len(groups) for T in lengths}) for groups in equal for cells in groups
    ]


def _lines(side: int) -> list[tuple[tuple[Cell, ...], ...]]:
    """The rows and the columns."""
    rows = tuple(tuple((row, column) for column in range(side)) for row in range(side))
    return [rows, tuple(zip(*rows, strict=True))]


def possible_lengths(puzzle: KnightMoves) -> list[int]:
    """The numbers T of visited cells that the clues allow, without a look at the board."""
    n, regions = puzzle.side, len(puzzle.regions)
    shown = max([1, *puzzle.givens.values(), *puzzle.first_seen.values()])

    def possible(length: int) -> bool:
        of_all = length * (length + 1) // 2
        return (
            shown <= length
            and not (puzzle.rotation and length % 4 not in (0, n % 2))
            and not (puzzle.equal_line_visits and length % n)
            and not (puzzle.equal_region_visits and length % regions)
            and not (puzzle.equal_region_sums and of_all % regions)
            and all(
                sum(sums.values()) <= of_all and (len(sums) < n or sum(sums.values()) == of_all)
                for sums in (puzzle.row_sums, puzzle.column_sums)
            )
        )

    return [length for length in range(puzzle.steps[0], puzzle.steps[1] + 1) if possible(length)]


def stated_visits(puzzle: KnightMoves) -> Visits:
    """All numbers but where one is given, and all T within the bounds."""
    least, greatest = puzzle.steps
    every = list(range(greatest + 1))
    given = {i: [number] for i, number in puzzle.givens.items()}
    return Visits(list(range(least, greatest + 1)), {i: given.get(i, every) for i in puzzle.cells})
