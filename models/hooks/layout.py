"""What the models of several backends state constraints on: domains, sums, clues at the sides, groups.

The layout itself is stated by squares. What is left of the grid once the larger hooks are cut off is the
square of size k: its rows and columns are k neighbouring ones each, some of those of the square of size k+1.
A cell lies in the hook of size k if it is inside the square of size k and not inside that of size k-1.
"""

from collections.abc import Iterable
from itertools import combinations, pairwise
from typing import NamedTuple

from models.hooks.cuts import possible_numbers
from models.hooks.puzzle import EMPTY, Hooks
from models.shared.bits import members
from models.shared.grid import Cell, connected_parts, neighbours
from models.shared.sides import line_from


class Pair(NamedTuple):
    """Numbers in two cells of a line, and the cells that are empty if they are its first two numbers."""

    numbers: tuple[tuple[Cell, int], tuple[Cell, int]]
    empty: list[Cell]


class Run(NamedTuple):
    """Neighbouring cells of a line, and those that are empty if they are the first unbroken run."""

    filled: list[Cell]
    empty: list[Cell]


def domain(puzzle: Hooks, cell: Cell) -> list[int]:
    """The values that a cell may hold by its given, clue and printed hook; none if they contradict."""
    values = {EMPTY, *range(1, puzzle.n + 1)}
    if cell in puzzle.neighbour_sums:
        values &= {EMPTY}
    if cell in puzzle.givens:
        values &= {puzzle.givens[cell]}
    if puzzle.hooks is not None:
        values &= {EMPTY, *members(possible_numbers(puzzle, puzzle.hooks[cell]))}
    return sorted(values)


def number_of_filled(puzzle: Hooks) -> int:
    """The number of filled cells."""
    return puzzle.n * (puzzle.n + 1) // 2


def possible_sizes(puzzle: Hooks) -> dict[int, list[int]]:
    """The sizes that the hook of each number may have."""
    sizes = range(1, puzzle.n + 1)
    return {v: [k for k in sizes if possible_numbers(puzzle, k) >> v & 1] for v in sizes}


def blocks(puzzle: Hooks) -> list[list[Cell]]:
    """The cells of each 2x2 block."""
    places = list(pairwise(range(puzzle.n)))
    return [[(row, column) for row in rows for column in columns] for rows in places for columns in places]


def sums(puzzle: Hooks) -> list[tuple[list[Cell], int]]:
    """Cells and what they sum to; more than they ever do in regions that cannot have equal sums."""
    n = puzzle.n
    # A single region has the sum of all numbers.
    regions = puzzle.regions if len(puzzle.regions) > 1 else ()
    total = sum(v * v for v in range(1, n + 1))
    share, rest = divmod(total, len(regions) or 1)
    return [
        *(([c for c in puzzle.cells if c[0] == row], number) for row, number in puzzle.row_sums.items()),
        *(
            ([c for c in puzzle.cells if c[1] == column], number)
            for column, number in puzzle.column_sums.items()
        ),
        *((neighbours(cell, n), number) for cell, number in puzzle.neighbour_sums.items()),
        *((list(region), total + 1 if rest else share) for region in regions),
    ]


def first_pairs(puzzle: Hooks) -> list[list[Pair]]:
    """For each product of the first two filled cells of a line, what these may be."""
    found = []
    for (side, line), product in puzzle.first_two_product.items():
        seen = line_from(side, line, puzzle.n, puzzle.n)
        found.append(
            [
                Pair(((seen[p], v), (seen[q], product // v)), [*seen[:p], *seen[p + 1 : q]])
                for p, q in combinations(range(puzzle.n), 2)
                for v in domain(puzzle, seen[p])
                if v and product % v == 0 and product // v in domain(puzzle, seen[q])
            ]
        )
    return found


def first_runs(puzzle: Hooks) -> list[tuple[int, list[Run]]]:
    """For each sum of the first unbroken run of filled cells of a line, the sum, and what the run may be."""
    found = []
    for (side, line), total in puzzle.first_block_sum.items():
        seen = line_from(side, line, puzzle.n, puzzle.n)
        found.append(
            (
                total,
                [
                    Run(seen[start:end], [*seen[:start], *seen[end : end + 1]])
                    for start, end in combinations(range(puzzle.n + 1), 2)
                    if end - start <= total <= puzzle.n * (end - start)
                ],
            )
        )
    return found


def with_around(group: set[Cell], n: int) -> tuple[set[Cell], set[Cell]]:
    """The group, and the cells around it."""
    return group, {near for cell in group for near in neighbours(cell, n)} - group


def small_groups(puzzle: Hooks) -> list[tuple[set[Cell], set[Cell]]]:
    """The groups of one or two neighbouring cells, with the cells around each, if more cells are filled."""
    return [
        with_around(group, puzzle.n)
        for i in puzzle.cells
        for group in ({i}, *({i, k} for k in neighbours(i, puzzle.n) if i < k))
        if len(group) < number_of_filled(puzzle)
    ]


def separate_groups(filled: Iterable[Cell], n: int) -> list[tuple[set[Cell], set[Cell]]]:
    """The connected groups of the filled cells, with the cells around each; nothing if there is one group.

    In a solution some cell of the group is empty, or some cell around it filled: there are always as many
    filled cells, so more than those of the group.
    """
    groups = connected_parts(filled)
    return [with_around(group, n) for group in groups] if len(groups) > 1 else []
