"""What models state constraints on: rectangles, what is beside them, and the groups that numbers allow."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product, takewhile
from typing import TypeVar

from models.choco_banana.puzzle import ChocoBanana
from models.shared.grid import Cell

Variable = TypeVar("Variable")

Possible = tuple[list[list[Cell]], dict[Cell, list[Cell]]]
"""Rectangles that can be shaded groups, and what each unshaded group with a number can have."""


def at(variables: Mapping[Cell, Variable], cell: Cell) -> list[Variable]:
    """The variable of a cell, or none if the cell has none."""
    return [variables[cell]] if cell in variables else []


def border(group: Iterable[Cell], near: Mapping[Cell, list[Cell]]) -> list[Cell]:
    """The cells outside a group that share an edge with one of its cells."""
    return sorted({k for i in group for k in near[i]}.difference(group))


def rectangles(puzzle: ChocoBanana, allowed: Callable[[list[Cell]], bool] = bool) -> Iterator[list[Cell]]:
    """The cells of each rectangle in the grid, row by row, but for those around one that is not allowed."""
    for top, left in puzzle.cells:
        end = puzzle.width
        for bottom in range(top, puzzle.height):
            wider = ([*product(range(top, bottom + 1), range(left, right + 1))] for right in range(left, end))
            yield from (found := [*takewhile(allowed, wider)])
            end = left + len(found)


def possible_groups(puzzle: ChocoBanana) -> Possible:
    """Infers from the numbers the rectangles whose numbers all are their area, and what numbers can reach.

    That is what an unshaded group can have, by the first cell with its number n: cells n - 1 steps from there
    or nearer, through none with another number or an earlier one with n. Groups too small are left out.
    """
    numbers, near = puzzle.numbers, puzzle.near
    small = rectangles(puzzle, lambda r: len(r) <= min([numbers.get(i, len(r)) for i in r]))
    fitting = [r for r in small if all(numbers.get(i, len(r)) == len(r) for i in r)]
    reach = {}
    for first, number in numbers.items():
        distance = {first: 0}
        queue = [first]
        for i in queue:
            for k in near[i]:
                allowed = k not in numbers or (numbers[k] == number and k > first)
                if allowed and k not in distance and distance[i] < number - 1:
                    distance[k] = distance[i] + 1
                    queue.append(k)
        if 3 <= number <= len(queue):
            reach[first] = queue
    return fitting, reach
