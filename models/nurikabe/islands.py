"""What the rules tell at once, and all models state: how far islands reach, and where some cell is sea."""

from itertools import combinations

from models.nurikabe.puzzle import Nurikabe
from models.shared.grid import Cell

WET = 0
"""The value of a cell that is sea; on land it is the number of the island, counted from 1, row by row."""


def domains(puzzle: Nurikabe) -> dict[Cell, list[int]]:
    """The values that each cell can have: sea unless it has a number, and the islands that reach it.

    An island of n cells reaches those at most n - 1 steps from its number, around other numbers and the cells
    beside those.
    """
    found = {cell: [] if cell in puzzle.numbers else [WET] for cell in puzzle.cells}
    # The numbers that each cell has or is beside.
    close: dict[Cell, set[Cell]] = {cell: set() for cell in puzzle.cells}
    for cell in puzzle.numbers:
        for i in (cell, *puzzle.near[cell]):
            close[i].add(cell)
    for island, (cell, size) in enumerate(puzzle.numbers.items(), 1):
        steps, queue = {cell: 1}, [cell]
        for i in queue:
            if steps[i] != size:
                for k in puzzle.near[i]:
                    if k not in steps and close[k] <= {cell}:
                        steps[k] = steps[i] + 1
                        queue.append(k)
        for i in steps:
            found[i].append(island)
    return found


def sea_roots(puzzle: Nurikabe) -> list[Cell]:
    """Cells of which one is sea, if any cell is: those on a way between the two closest numbers."""
    pairs = combinations(puzzle.numbers, 2)
    closest = min(pairs, key=lambda ends: sum(abs(a - b) for a, b in zip(*ends, strict=True)), default=None)
    if not closest:
        return [cell for cell in puzzle.cells if cell not in puzzle.numbers]
    (row, column), (other_row, other_column) = closest
    aside = range(min(column, other_column), max(column, other_column) + 1)
    way = {(row, c) for c in aside} | {(r, other_column) for r in range(row, other_row + 1)}
    return sorted(way - {*closest})


def most_sea(puzzle: Nurikabe) -> int:
    """No more cells than these are sea, but at least 1."""
    return max(1, puzzle.size - sum(size or 1 for size in puzzle.numbers.values()))


def largest_island(puzzle: Nurikabe) -> int:
    """No island has more cells, but at least 1."""
    return max((size or puzzle.size for size in puzzle.numbers.values()), default=1)
