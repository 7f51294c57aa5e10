"""What models are told of islands and the sea: by the puzzle itself for `textbook`, inferred for `reach`."""

from itertools import combinations

from models.nurikabe.puzzle import Nurikabe
from models.shared.grid import Cell

WET = 0
"""The value of a cell that is sea; on land it is the number of the island, counted from 1, row by row."""

Told = tuple[dict[Cell, list[int]], list[Cell]]
"""The values that each cell can have, and cells of which one is sea, if any cell is."""


def given(puzzle: Nurikabe) -> Told:
    """What the puzzle says: a cell with a number is of its island, others are of any, or sea."""
    every = [WET, *range(1, len(puzzle.numbers) + 1)]
    own = {cell: [island] for island, cell in enumerate(puzzle.numbers, 1)}
    return {i: own.get(i, every) for i in puzzle.cells}, [i for i in puzzle.cells if i not in own]


def reached(puzzle: Nurikabe) -> Told:
    """What `reach` infers: a cell can be of the islands that reach it; the sea has a cell on a short way.

    An island of n cells reaches those at most n - 1 steps from its number, around other numbers and the cells
    beside those. The way is one between the two closest numbers.
    """
    found = {cell: [] if cell in puzzle.numbers else [WET] for cell in puzzle.cells}
    for island, (cell, size) in enumerate(puzzle.numbers.items(), 1):
        steps, queue = {cell: 1}, [cell]
        for i in queue:
            for k in puzzle.near[i] if steps[i] != size else ():
                if k not in steps and puzzle.numbers.keys() & {k, *puzzle.near[k]} <= {cell}:
                    steps[k] = steps[i] + 1
                    queue.append(k)
        for i in steps:
            found[i].append(island)
    pairs = combinations(puzzle.numbers, 2)
    closest = min(pairs, key=lambda ends: sum(abs(a - b) for a, b in zip(*ends, strict=True)), default=None)
    if not closest:
        return found, given(puzzle)[1]
    (row, column), (other_row, other_column) = closest
    aside = range(min(column, other_column), max(column, other_column) + 1)
    way = {(row, c) for c in aside} | {(r, other_column) for r in range(row, other_row + 1)}
    return found, sorted(way - {*closest})


def most_sea(puzzle: Nurikabe) -> int:
    """No more cells than these are sea, but at least 1."""
    return max(1, puzzle.size - sum(size or 1 for size in puzzle.numbers.values()))


def largest_island(puzzle: Nurikabe) -> int:
    """No island has more cells, but at least 1."""
    return max((size or puzzle.size for size in puzzle.numbers.values()), default=1)
