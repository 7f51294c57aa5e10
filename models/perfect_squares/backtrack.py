"""Perfect squares by search below a skyline.

What is filled reaches down to steps, each a range of columns. A valley is a step between two lower ones, or
the border; the square in its upper left corner has its own corner there. The search branches on the sides
that this can have in the narrowest valley. With full propagation, sides that are left must sum to the width
of each valley, and to the rows below each step.

Of solutions that are reflections or rotations of each other it only looks for those in which no corner has a
smaller square than the upper left one, nor, in a square, the lower left one than the upper right one; the
others are derived.

Constraints: subset sums, reflections and rotations
"""

from collections.abc import Iterator
from typing import NamedTuple

from models.perfect_squares.puzzle import PerfectSquares
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates

Square = tuple[int, int, int]
"""Its row, its column and its side."""


class Node(NamedTuple):
    """What is placed.

    Attributes:
        steps: for each step its first column, its width, and its first row that is not filled.
        valley: the index of the narrowest valley.
        sides: of the squares that are not placed, the largest first.
        sums: bit k is set if some of them sum to k.
        placed: the squares that are.
    """

    steps: list[Square]
    valley: int
    sides: list[int]
    sums: int
    placed: tuple[Square, ...]


def images(puzzle: PerfectSquares, solution: Solution) -> list[Solution]:
    """A solution with its reflections and rotations: that with the least corners first, each once."""
    found = [solution]
    found += [sorted([r, puzzle.width - c - side, side] for r, c, side in image) for image in found]
    found += [sorted([puzzle.height - r - side, c, side] for r, c, side in image) for image in found]
    if puzzle.width == puzzle.height:
        found += [sorted([c, r, side] for r, c, side in image) for image in found]

    def corners(image: Solution) -> tuple[int, ...]:
        right, below = (puzzle.width, 1), (puzzle.height, 0)
        sides = [image[0][2]]
        for (most, axis), other in ((right, 0), (below, 1)):
            sides += [square[2] for square in image if square[axis] + square[2] == most and not square[other]]
        return tuple(sides)

    first = min(found, key=lambda image: (corners(image), image))
    return [first, *[image for k, image in enumerate(found) if image != first and image not in found[:k]]]


@propagates(Step.FULL, Step.ALL_DIFFERENT)
def skyline(puzzle: PerfectSquares, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    height, width = puzzle.height, puzzle.width
    is_full = tally.step >= Step.FULL

    def sums_of(sides: list[int]) -> int:
        found = 1 if is_full else -1
        for side in sides:
            found |= found << side
        return found

    def narrowest(steps: list[Square], sums: int) -> int:
        """The index of a valley; -1 if no sides sum to what some step needs."""
        best, least, last = -1, width + 1, len(steps) - 1
        for k, (_, wide, row) in enumerate(steps):
            if not sums >> (height - row) & 1:
                return -1
            if (k == 0 or steps[k - 1][2] > row) and (k == last or steps[k + 1][2] > row):
                if not sums >> wide & 1:
                    return -1
                if wide < least:
                    best, least = k, wide
        return best

    def is_first_image(square: Square, placed: tuple[Square, ...]) -> bool:
        """Whether a square in a corner is none of another image."""
        row, column, side = square
        right, bottom = column + side == width, row + side == height
        if not placed or not ((row == 0 or bottom) and (column == 0 or right)):
            return True
        if side < placed[0][2]:
            return False
        if width == height and row == 0:
            return all(r + s < height or c > 0 or s >= side for r, c, s in placed)
        if width == height and column == 0:
            return all(c + s < width or r > 0 or s <= side for r, c, s in placed)
        return True

    def options(node: Node) -> Iterator[tuple[str, Node, bool]]:
        """Yields the squares that can be in the valley."""
        if not node.sides:
            return
        steps, k, sums = node.steps, node.valley, node.sums
        column, wide, row = steps[k]
        for side in tally.shuffled(dict.fromkeys(node.sides)):
            if side > wide or row + side > height:
                continue
            if not (sums >> (wide - side) & 1 and sums >> (height - row - side) & 1):
                tally.propagations += 1
                continue
            square = (row, column, side)
            if not is_first_image(square, node.placed):
                continue
            after = steps[:k]
            if k and steps[k - 1][2] == row + side:
                after[-1] = (steps[k - 1][0], steps[k - 1][1] + side, row + side)
            else:
                after.append((column, side, row + side))
            beside = steps[k + 1 :]
            if side < wide:
                after.append((column + side, wide - side, row))
            elif beside and beside[0][2] == row + side:
                after[-1] = (after[-1][0], after[-1][1] + beside.pop(0)[1], row + side)
            after += beside
            sides = node.sides.copy()
            sides.remove(side)
            left = sums_of(sides)
            valley = narrowest(after, left) if sides else 0
            word = f"row {row + 1}, column {column + 1}: {side}"
            yield word, Node(after, valley, sides, left, (*node.placed, square)), valley >= 0

    whole, sides = [(0, width, 0)], list(puzzle.sides)
    sums = sums_of(sides)
    valley = narrowest(whole, sums) if puzzle.fills else -1
    tally.root(puzzle.size, puzzle.size if valley >= 0 else 0)
    root = Node(whole, valley, sides, sums, ())
    for leaf in depth_first(tally, root, valley >= 0, options, view):
        # Where nothing fits into the valley, squares are left.
        solution = sorted(map(list, leaf.placed))
        if not leaf.sides and (found := images(puzzle, solution))[0] == solution:
            yield from found


def view(node: Node) -> View:
    """The squares that are placed."""
    return View({square: [square[2]] for square in node.placed})


FORMULATIONS = by_name(skyline)
