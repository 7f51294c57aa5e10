"""What models state constraints on: rectangles, what is beside them, and the groups that numbers allow."""

from collections.abc import Iterable, Iterator, Mapping
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
    inside = set(group)
    return sorted(inside.union(*map(near.__getitem__, inside)) - inside)


def rectangles(puzzle: ChocoBanana) -> Iterator[list[Cell]]:
    """The cells of each rectangle in the grid, row by row."""
    for top, left in puzzle.cells:
        for bottom in range(top, puzzle.height):
            for right in range(left, puzzle.width):
                yield [(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)]


def possible_groups(puzzle: ChocoBanana) -> Possible:
    """Infers from the numbers the rectangles whose numbers all are their area, and what numbers can reach.

    That is what an unshaded group can have, by the first cell with its number n: cells n - 1 steps from there
    or nearer, through none with another number or an earlier one with n. Groups too small are left out.
    """
    numbers, near = puzzle.numbers, puzzle.near
    fitting = [r for r in rectangles(puzzle) if all(numbers.get(i, len(r)) == len(r) for i in r)]
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
