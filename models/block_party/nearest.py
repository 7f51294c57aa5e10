"""The nearest-K rule as sets of cells, for the models; the checker has its own reading of the rule.

Domains say which values each cell can hold. For a cell i that can hold the value K:
- rings[i, K]: the cells at distance exactly K that can hold K too, one of which must if i does;
- closer[i, K]: the cells at distance 1..K-1 that can hold K too, none of which may if i does;
- windows: the maximal sets of cells that can hold K and are pairwise closer than K, so that each holds K at
  most once. Together they cover every pair of closer[i, K], with fewer and stronger constraints.
Each is made for a whole grid in one go: a cell has hundreds of others around it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

import numpy as np

from models.block_party.puzzle import BlockParty, Distance
from models.shared.grid import Cell

Domains = Mapping[Cell, Collection[int]]
Around = dict[tuple[Cell, int], list[Cell]]
Floor = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
Mask = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def rings(distance: Distance, domains: Domains) -> Around:
    """For each cell and each value of its domain, the cells at that distance that can hold it."""
    return _around(domains, {value: _steps(distance, value) for value in _holders(domains)})


def closer(distance: Distance, domains: Domains) -> Around:
    """For each cell and each value of its domain, the cells closer than the value that can hold it."""
    return _around(
        domains,
        {
            value: tuple(step for radius in range(1, value) for step in _steps(distance, radius))
            for value in _holders(domains)
        },
    )


def windows(distance: Distance, domains: Domains) -> Iterator[tuple[int, list[Cell]]]:
    """Each value with each maximal set of two or more cells that can hold it and are closer than that.

    In taxicab distance these are squares with a side of so many in the coordinates r + c and r - c; along
    rows and columns they are runs of so many cells.
    """
    for value, cells in sorted(_holders(domains).items()):
        places = np.array(sorted(cells))
        if value == 1:
            continue
        boxes: Iterable[Floor]
        if distance == "taxicab":
            turned = np.stack([places.sum(axis=1), places[:, 0] - places[:, 1]], axis=1)
            boxes = _boxes(turned, (value, value))
        else:
            boxes = [*_boxes(places, (1, value)), *_boxes(places, (value, 1))]
        for members in boxes:
            yield value, [(row, column) for row, column in places[members].tolist()]


def _holders(domains: Domains) -> dict[int, set[Cell]]:
    """The cells that can hold each value."""
    holders: dict[int, set[Cell]] = defaultdict(set)
    for cell, values in domains.items():
        for value in values:
            holders[value].add(cell)
    return holders


@cache
def _steps(distance: Distance, length: int) -> tuple[Cell, ...]:
    """The ways to go from a cell to those at a distance."""
    if distance == "row-column":
        return (0, -length), (0, length), (-length, 0), (length, 0)
    return tuple(
        (rows, columns)
        for rows in range(-length, length + 1)
        for columns in sorted({abs(rows) - length, length - abs(rows)})
    )


def _around(domains: Domains, steps: Mapping[int, Collection[Cell]]) -> Around:
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


def _boxes(places: Floor, sides: tuple[int, int]) -> Iterator[Floor]:
    """The numbers of the places in each box of these sides that has two or more and no box has more.

    Args:
        places: of shape (places, 2).
    """
    side = np.minimum(sides, np.ptp(places, axis=0) + 1)
    origin = places.min(axis=0) - side
    floor = np.full(places.max(axis=0) - origin + 1 + side, -1)
    floor[tuple((places - origin).T)] = np.arange(len(places))
    view = np.lib.stride_tricks.sliding_window_view(floor, tuple(side))
    held = view >= 0
    # A box counts if it begins with a place in both directions: others have the same places, or fewer.
    begins = held[:, :, 0, :].any(axis=2) & held[:, :, :, 0].any(axis=2)
    anchors = np.argwhere(begins)
    boxes = view[begins]
    inside: Mask = boxes >= 0
    # How far beyond its beginning the last place of each box lies, in both directions.
    rows, columns = (np.flip(inside.any(axis=axis), axis=1) for axis in (2, 1))
    last = side - 1 - np.stack([rows.argmax(axis=1), columns.argmax(axis=1)], axis=1)
    # Any place in the union of the boxes of this size that hold all of these could be added to them.
    sums = np.pad((floor >= 0).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    (top, left), (bottom, right) = (anchors + last - side + 1).T, (anchors + side).T
    union = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    size = inside.sum(axis=(1, 2))
    maximal = (size > 1) & (union == size)
    for box, within in zip(boxes[maximal], inside[maximal], strict=True):
        yield box[within]


def narrowed(puzzle: BlockParty) -> dict[Cell, list[int]]:
    """What the rules leave in each cell once they are applied, one at a time, until nothing changes.

    A cell that has its value takes it from those that are nearer and from its region; a value that no cell of
    its ring can hold goes; a value that one cell of the region can hold is there.
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
