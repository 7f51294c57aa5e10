"""Points of a plane that fit into one box of a given size: the maximal sets of them."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


def maximal_boxes(points: Integers, sides: tuple[int, int]) -> Iterator[Integers]:
    """Indices of the points in each box that has two or more of them and no other box has more.

    The definition compares all boxes with each other; the result is the same:

        height, width = sides
        boxes = {
            frozenset(k for k, (r, c) in enumerate(points) if 0 <= r - top < height and 0 <= c - left < width)
            for top, _ in points
            for _, left in points
        }
        return {box for box in boxes if len(box) > 1 and not any(box < other for other in boxes)}

    Args:
        points: distinct points with integer coordinates, in an array of shape (points, 2).
        sides: the number of integer coordinates that a box spans in each direction.
    """
    side = np.minimum(sides, np.ptp(points, axis=0) + 1)
    # A grid with a margin around the points, where each cell has the index of its point, or -1.
    origin = points.min(axis=0) - side
    grid = np.full(points.max(axis=0) - origin + 1 + side, -1)
    grid[tuple((points - origin).T)] = np.arange(len(points))
    boxes = np.lib.stride_tricks.sliding_window_view(grid, tuple(side))

    # Only boxes with a point in their first row and their first column: pushing any other one on loses none.
    held = boxes >= 0
    tight = held[:, :, 0, :].any(axis=2) & held[:, :, :, 0].any(axis=2)
    first = np.argwhere(tight)
    contents = boxes[tight]
    inside = contents >= 0

    # The boxes that hold all of these points cover a rectangle; the set is maximal if it has no other point.
    rows, columns = (np.flip(inside.any(axis=axis), axis=1) for axis in (2, 1))
    last = first + side - 1 - np.stack([rows.argmax(axis=1), columns.argmax(axis=1)], axis=1)
    (top, left), (bottom, right) = (last - side + 1).T, (first + side).T
    sums = np.pad((grid >= 0).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    covered = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    size = inside.sum(axis=(1, 2))
    maximal = (size > 1) & (covered == size)
    for content, held_by in zip(contents[maximal], inside[maximal], strict=True):
        yield content[held_by]
