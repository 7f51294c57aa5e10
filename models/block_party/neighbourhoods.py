"""Sets of cells that the nearest-K rule speaks of, for the models; the checker reads the rule by itself.

Domains say which values each cell can hold. For a cell i that can hold the value K:
- rings[i, K]: the cells at distance exactly K that can hold K too; if i holds K, one of them must;
- closer[i, K]: the cells at distance 1..K-1 that can hold K too; if i holds K, none of them may.
For a value K:
- windows: the maximal sets of cells that can hold K and lie pairwise closer than K: at most one cell of each
  holds K. They are the maximal cliques in the graph of all pairs of closer[i, K], and cover every pair with
  fewer and stronger constraints.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain

from models.block_party.puzzle import Distance
from models.shared.bits import from_places, places
from models.shared.grid import Cell
from models.shared.maximal_boxes import maximal_boxes

Domains = Mapping[Cell, Collection[int]]
Neighbourhoods = dict[tuple[Cell, int], list[Cell]]


def rings(distance: Distance, domains: Domains) -> Neighbourhoods:
    """For each cell and each value of its domain, the cells at that distance that can hold the value."""
    return _around(domains, distance, lambda value: [value])


def closer(distance: Distance, domains: Domains) -> Neighbourhoods:
    """For each cell and each value of its domain, the other cells closer than it that can hold the value."""
    return _around(domains, distance, lambda value: range(1, value))


def maximal_windows(distance: Distance, domains: Domains) -> Iterator[tuple[int, list[Cell]]]:
    """Each value K with each maximal set of two or more cells that can hold it and lie closer than K.

    Taxicab distance is the larger of the differences in r + c and in r - c, so these are the cells in squares
    of K by K in these coordinates; along rows and columns, they are the cells in runs of K.
    """
    for value, cells in sorted(by_value(domains).items()):
        if distance == "taxicab":
            boxes = maximal_boxes([(row + column, row - column) for row, column in cells], (value, value))
        else:
            boxes = chain(maximal_boxes(cells, (1, value)), maximal_boxes(cells, (value, 1)))
        for box in boxes:
            yield value, [cells[index] for index in box]


def by_value(domains: Domains) -> dict[int, list[Cell]]:
    """The cells that can hold each value, in order."""
    holders: dict[int, list[Cell]] = defaultdict(list)
    for cell in sorted(domains):
        for value in domains[cell]:
            holders[value].append(cell)
    return holders


@cache
def steps(distance: Distance, length: int) -> tuple[Cell, ...]:
    """Differences in row and column between a cell and those at a distance from it."""
    if distance == "row-column":
        return (0, -length), (0, length), (-length, 0), (length, 0)
    return tuple(
        (rows, columns)
        for rows in range(-length, length + 1)
        for columns in sorted({abs(rows) - length, length - abs(rows)})
    )


def _around(domains: Domains, distance: Distance, radii: Callable[[int], Iterable[int]]) -> Neighbourhoods:
    """For each cell and value, the cells that can hold the value, at the distances for the value."""
    of_value = by_value(domains)
    # Cells by number: in rows so long that no step leads from one into the next.
    row_length = 1 + max(column for _, column in domains) + max(of_value, default=0)
    found: Neighbourhoods = {(cell, value): [] for cell, values in domains.items() for value in values}
    for value, cells in of_value.items():
        cell_at = {cell[0] * row_length + cell[1]: cell for cell in cells}
        near = {place: found[cell, value] for place, cell in cell_at.items()}
        holders = from_places(cell_at)
        for rows, columns in chain.from_iterable(steps(distance, radius) for radius in radii(value)):
            step = rows * row_length + columns
            for place in places(holders & (holders >> step if step > 0 else holders << -step)):
                near[place].append(cell_at[place + step])
    return found
