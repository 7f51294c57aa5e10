"""The lines, corners, opposite cells and symmetries of the hexagon, in cube coordinates.

A cell has coordinates (a, b, c) with a + b + c = 0 and all three of size at most order - 1; the cells of a
line share one coordinate. Rotating by 60 degrees maps (a, b, c) to (-b, -c, -a), a reflection swaps b and c.
"""

from collections import defaultdict

from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.grid import Cell

Cube = tuple[int, int, int]


def cubes(puzzle: MagicHexagon) -> dict[Cell, Cube]:
    """The cube coordinates of each cell."""
    last = puzzle.order - 1
    return {
        (row, column): (
            row - last,
            column - last - min(0, row - last),
            2 * last - row - column + min(0, row - last),
        )
        for row, column in puzzle.cells
    }


def lines(puzzle: MagicHexagon) -> list[list[Cell]]:
    """The cells of each line: all that one meets going straight through cells that share an edge."""
    groups: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for cell, cube in cubes(puzzle).items():
        for axis, coordinate in enumerate(cube):
            groups[axis, coordinate].append(cell)
    return list(groups.values())


def opposites(puzzle: MagicHexagon) -> dict[Cell, Cell]:
    """For each cell, the one on the other side of the middle."""
    cube_of = cubes(puzzle)
    cell_of = {cube: cell for cell, cube in cube_of.items()}
    return {cell: cell_of[-a, -b, -c] for cell, (a, b, c) in cube_of.items()}


def symmetries(puzzle: MagicHexagon) -> list[dict[Cell, Cell]]:
    """The 12 rotations and reflections as maps of cells, which are all that map lines to lines.

    Order 1 has one.
    """
    cube_of = cubes(puzzle)
    cell_of = {cube: cell for cell, cube in cube_of.items()}
    maps = []
    for mirrored in (False, True):
        for turns in range(6):
            image = {}
            for cell, (a, b, c) in cube_of.items():
                a, b, c = (a, c, b) if mirrored else (a, b, c)
                for _ in range(turns):
                    a, b, c = -b, -c, -a
                image[cell] = cell_of[a, b, c]
            if image not in maps:
                maps.append(image)
    return maps


def corners(puzzle: MagicHexagon) -> list[Cell]:
    """The six corners, each on two of the lines of `order` cells, in the order in which one walks around."""
    last = puzzle.order - 1
    cell_of = {cube: cell for cell, cube in cubes(puzzle).items()}
    cube, around = (-last, last, 0), []
    for _ in range(6):
        around.append(cell_of[cube])
        cube = (-cube[1], -cube[2], -cube[0])
    return around


def corner_order(puzzle: MagicHexagon) -> list[tuple[Cell, Cell]]:
    """Pairs (i, k) of corners for which x[i] < x[k] leaves one solution of each 12 that are symmetric.

    The first corner holds the least of the six numbers, and of its two neighbours the second one holds less.
    There are no pairs where numbers are given, as those break the symmetry, and none for order 1.
    """
    if puzzle.givens or puzzle.order == 1:
        return []
    first, second, *others = corners(puzzle)
    return [(first, second), (second, others[-1]), *((first, corner) for corner in others[:-1])]


def stands_for(puzzle: MagicHexagon) -> int:
    """The number of solutions that each one with its corners in order stands for."""
    return 12 if corner_order(puzzle) else 1
