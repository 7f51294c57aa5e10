"""What solvers' models state constraints on: rectangles, cells of an unshaded group, neighbours."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from models.choco_banana.puzzle import ChocoBanana
from models.shared.grid import Cell

Variable = TypeVar("Variable")

SMALLEST = 3
"""The number of cells that an unshaded group has at least, as one or two cells are a rectangle."""


def neighbours(puzzle: ChocoBanana) -> dict[Cell, list[Cell]]:
    """The cells that share an edge with each cell."""
    cells = set(puzzle.cells)
    steps = ((-1, 0), (0, -1), (0, 1), (1, 0))
    return {
        (row, column): [k for down, right in steps if (k := (row + down, column + right)) in cells]
        for row, column in puzzle.cells
    }


def at(variables: Mapping[Cell, Variable], cell: Cell) -> list[Variable]:
    """The variable of a cell, or none if the cell has none."""
    return [variables[cell]] if cell in variables else []


def border(group: Iterable[Cell], near: Mapping[Cell, list[Cell]]) -> list[Cell]:
    """The cells outside a group that share an edge with one of its cells."""
    inside = set(group)
    return sorted({k for i in inside for k in near[i]} - inside)


def rectangles(puzzle: ChocoBanana) -> list[list[Cell]]:
    """The cells of each rectangle, row by row, whose numbers are all its area."""
    found = []
    for top, left in puzzle.cells:
        for bottom in range(top, puzzle.height):
            for right in range(left, puzzle.width):
                cells = [(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)]
                if all(puzzle.numbers.get(i, len(cells)) == len(cells) for i in cells):
                    found.append(cells)
    return found


def reach(puzzle: ChocoBanana) -> dict[Cell, list[Cell]]:
    """The cells that an unshaded group can have, by the first cell, row by row, of those with its number.

    With the number n they are at most n - 1 steps from there, through cells without another number and not
    through an earlier one with the number n. First cells with less than n such cells are left out.
    """
    near = neighbours(puzzle)
    reached = {}
    for first, number in puzzle.numbers.items():
        distance = {first: 0}
        queue = [first]
        for i in queue:
            for k in near[i]:
                allowed = k not in puzzle.numbers or (puzzle.numbers[k] == number and k > first)
                if allowed and k not in distance and distance[i] < number - 1:
                    distance[k] = distance[i] + 1
                    queue.append(k)
        if SMALLEST <= number <= len(queue):
            reached[first] = queue
    return reached
