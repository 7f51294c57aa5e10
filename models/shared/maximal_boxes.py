"""Points of a plane that fit into one box of a given size: the maximal sets of them."""

from collections.abc import Collection, Iterator
from itertools import accumulate
from operator import or_

from models.shared.bits import members

Point = tuple[int, int]


def maximal_boxes(points: Collection[Point], sides: tuple[int, int]) -> Iterator[list[int]]:
    """Indices of the points in each box that has two or more, and whose points no other box has beside more.

    The definition compares all boxes with each other; the result is the same:

        height, width = sides
        boxes = {
            frozenset(k for k, (r, c) in enumerate(points) if 0 <= r - top < height and 0 <= c - left < width)
            for top, _ in points
            for _, left in points
        }
        return {box for box in boxes if len(box) > 1 and not any(box < other for other in boxes)}

    Args:
        points: distinct points with integer coordinates.
        sides: the number of integer coordinates that a box spans in each direction.
    """
    height, width = sides
    rows, above = lines([row for row, _ in points], height)
    columns, before = lines([column for _, column in points], width)
    strips = [first ^ last for first, last in zip(before, before[width:], strict=False)]
    for top, row in enumerate(rows):
        strip = above[top] ^ above[top + height] if row else 0
        for left, column in enumerate(columns) if strip & (strip - 1) else ():
            # Only boxes with a point in their first row and column: pushing any other one on loses none.
            box = strip & strips[left] if strip & column else 0
            if not box & row or not box & (box - 1):
                continue
            bottom, right = top + height, left + width
            while not box & rows[bottom - 1]:
                bottom -= 1
            while not box & columns[right - 1]:
                right -= 1
            # The boxes that hold all of these points cover a rectangle; it must have no other point.
            covered = above[bottom - height] ^ above[top + height]
            covered &= before[right - width] ^ before[left + width]
            if covered == box:
                yield members(box)


def lines(coordinates: Collection[int], side: int) -> tuple[list[int], list[int]]:
    """The points on each line as bits, with `side` empty lines at either end, and those before each line."""
    first = min(coordinates) - side
    on = [0] * (max(coordinates) + 1 + side - first)
    for index, coordinate in enumerate(coordinates):
        on[coordinate - first] |= 1 << index
    return on, [*accumulate(on, or_, initial=0)]
