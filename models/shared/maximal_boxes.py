"""Points of a plane that fit into one box of a given size: the maximal sets of them."""

from collections.abc import Collection, Iterable
from functools import reduce
from itertools import accumulate, product
from operator import or_

from models.shared.bits import from_places, places


def maximal_boxes(points: Collection[tuple[int, int]], sides: tuple[int, int]) -> Iterable[list[int]]:
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
    top, left = min(row for row, _ in points), min(column for _, column in points)
    # Points by number, boxes by that of their first corner: in rows so long that none leads into the next.
    step = 1 + max(column for _, column in points) - left + width
    index = {(row - top) * step + column - left: k for k, (row, column) in enumerate(points)}
    on = from_places(index)
    # The boxes with a point in their first row or column; in one of their last k, of all from 0.
    row = reduce(or_, (on >> k for k in range(width)))
    column = reduce(or_, (on >> k * step for k in range(height)))
    bottom = [*accumulate((row >> k * step for k in reversed(range(height))), or_, initial=0)]
    right = [*accumulate((column >> k for k in reversed(range(width))), or_, initial=0)]
    # Only boxes with a point in their first row and column: pushing any other one on loses none.
    found = row & column & (bottom[-2] | right[-2])
    # No box that is further up or left has all of these points, and another one in its first row or column.
    for up, back in product(range(height), range(width)) if found else ():
        more = (row if up else 0) | (column if back else 0)
        found &= ~(more << up * step + back) | bottom[up] | right[back]
    boxes: dict[int, list[int]] = {corner: [] for corner in places(found)}
    for down, along in product(range(height), range(width)) if found else ():
        offset = down * step + along
        for corner in places(found & on >> offset):
            boxes[corner].append(index[corner + offset])
    return map(sorted, boxes.values())
