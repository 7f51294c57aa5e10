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
from collections.abc import Collection, Iterator, Mapping
from functools import cache

import numpy as np

from models.block_party.puzzle import BlockParty, Distance
from models.shared.grid import Cell
from models.shared.maximal_boxes import maximal_boxes

Domains = Mapping[Cell, Collection[int]]
Neighbourhoods = dict[tuple[Cell, int], list[Cell]]


def rings(distance: Distance, domains: Domains) -> Neighbourhoods:
    """For each cell and each value of its domain, the cells at that distance that can hold the value."""
    return _neighbourhoods(domains, {value: _steps(distance, value) for value in _holders(domains)})


def closer(distance: Distance, domains: Domains) -> Neighbourhoods:
    """For each cell and each value of its domain, the other cells closer than it that can hold the value."""
    return _neighbourhoods(
        domains,
        {
            value: tuple(step for radius in range(1, value) for step in _steps(distance, radius))
            for value in _holders(domains)
        },
    )


def maximal_windows(distance: Distance, domains: Domains) -> Iterator[tuple[int, list[Cell]]]:
    """Each value K with each maximal set of two or more cells that can hold it and lie closer than K.

    Taxicab distance is the larger of the differences in r + c and in r - c, so these are the cells in squares
    of K by K in these coordinates; along rows and columns, they are the cells in runs of K.
    """
    for value, holders in sorted(_holders(domains).items()):
        if value == 1:
            continue
        cells = np.array(sorted(holders))
        if distance == "taxicab":
            turned = np.stack([cells.sum(axis=1), cells[:, 0] - cells[:, 1]], axis=1)
            boxes = [*maximal_boxes(turned, (value, value))]
        else:
            boxes = [*maximal_boxes(cells, (1, value)), *maximal_boxes(cells, (value, 1))]
        for box in boxes:
            yield value, [(row, column) for row, column in cells[box].tolist()]


def narrowed_domains(puzzle: BlockParty) -> dict[Cell, list[int]]:
    """The values left in each cell when the rules have been applied, one at a time, until nothing changes.

    - A cell with one value left removes it from the cells that are closer or in its region.
    - A value that no cell of its ring can hold is removed.
    - A value that only one cell of a region can hold is the value of that cell.
    """
    left = {cell: set(values) for cell, values in puzzle.domains.items()}
    region_of = {cell: region for region in puzzle.regions for cell in region}
    before = -1
    while sum(map(len, left.values())) != before:
        before = sum(map(len, left.values()))
        domains = {cell: sorted(values) for cell, values in left.items()}
        near = closer(puzzle.distance, domains)
        for cell, values in domains.items():
            if len(values) == 1:
                for other in {*near[cell, values[0]], *region_of[cell]} - {cell}:
                    left[other].discard(values[0])
        for (cell, value), ring in rings(puzzle.distance, domains).items():
            if not any(value in left[other] for other in ring):
                left[cell].discard(value)
        for region in puzzle.regions:
            for value in range(1, len(region) + 1):
                places = [cell for cell in region if value in left[cell]]
                if len(places) == 1:
                    left[places[0]] &= {value}
    return {cell: sorted(values) for cell, values in left.items()}


def _holders(domains: Domains) -> dict[int, set[Cell]]:
    """The cells that can hold each value."""
    holders: dict[int, set[Cell]] = defaultdict(set)
    for cell, values in domains.items():
        for value in values:
            holders[value].add(cell)
    return holders


@cache
def _steps(distance: Distance, length: int) -> tuple[Cell, ...]:
    """Differences in row and column between a cell and those at a distance from it."""
    if distance == "row-column":
        return (0, -length), (0, length), (-length, 0), (length, 0)
    return tuple(
        (rows, columns)
        for rows in range(-length, length + 1)
        for columns in sorted({abs(rows) - length, length - abs(rows)})
    )


def _neighbourhoods(domains: Domains, steps: Mapping[int, Collection[Cell]]) -> Neighbourhoods:
    """For each cell and value, the cells that can hold the value one of its steps away."""
    holders = _holders(domains)
    return {
        ((row, column), value): [
            other
            for rows, columns in steps[value]
            if (other := (row + rows, column + columns)) in holders[value]
        ]
        for (row, column), values in domains.items()
        for value in values
    }
