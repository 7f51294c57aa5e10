"""The nearest-K rule as sets of cells, for the models; the checker has its own reading of the rule.

For a cell i and a value K:
- ring(i, K): the cells at distance exactly K, one of which must hold K if i does;
- closer(i, K): the cells at distance 1..K-1, none of which may hold K if i does;
- windows(K): the maximal sets of cells that are pairwise closer than K, so that each holds K at most once.
  Together they cover every pair of closer(i, K), with fewer and stronger constraints.
"""

from collections import defaultdict
from collections.abc import Iterator

from models.block_party.puzzle import BlockParty
from models.shared.grid import Cell


def ring(puzzle: BlockParty, cell: Cell, distance: int) -> list[Cell]:
    """The cells at exactly `distance` from the cell that can hold the value `distance`."""
    return [other for other in _around(puzzle, cell, distance) if distance in puzzle.domains.get(other, ())]


def closer(puzzle: BlockParty, cell: Cell, distance: int) -> list[Cell]:
    """The cells at 1..distance-1 from the cell that can hold the value `distance`."""
    return [
        other
        for radius in range(1, distance)
        for other in _around(puzzle, cell, radius)
        if distance in puzzle.domains.get(other, ())
    ]


def windows(puzzle: BlockParty, distance: int) -> list[list[Cell]]:
    """The maximal sets of two or more cells that can hold the value `distance` and are closer than that.

    In taxicab distance these are squares of side distance - 1 in the rotated coordinates (r + c, r - c);
    along rows and columns they are runs of `distance` cells.
    """
    sets: dict[tuple[int, ...], set[Cell]] = defaultdict(set)
    for cell in puzzle.cells:
        if distance in puzzle.domains[cell]:
            for key in _windows_with(puzzle, cell, distance):
                sets[key].add(cell)
    maximal: list[set[Cell]] = []
    containing: dict[Cell, list[set[Cell]]] = defaultdict(list)
    for members in sorted(sets.values(), key=len, reverse=True):
        if len(members) > 1 and not any(members <= other for other in containing[next(iter(members))]):
            maximal.append(members)
            for cell in members:
                containing[cell].append(members)
    return [sorted(members) for members in maximal]


def _windows_with(puzzle: BlockParty, cell: Cell, distance: int) -> Iterator[tuple[int, ...]]:
    row, column = cell
    side = range(distance)
    if puzzle.distance == "taxicab":
        return ((row + column - du, row - column - dv) for du in side for dv in side)
    return (key for d in side for key in ((0, row, column - d), (1, column, row - d)))


def _around(puzzle: BlockParty, cell: Cell, distance: int) -> Iterator[Cell]:
    row, column = cell
    if puzzle.distance == "row-column":
        yield from ((row, column - distance), (row, column + distance))
        yield from ((row - distance, column), (row + distance, column))
        return
    for dr in range(-distance, distance + 1):
        dc = distance - abs(dr)
        yield row + dr, column - dc
        if dc:
            yield row + dr, column + dc
