"""Generates Slitherlinks: a random loop, which cells join and leave one by one, and the clues of its cells.

A cell may join the inside or leave it if both sides stay connected, and the loop does not become shorter. All
clues mostly leave one loop; where another one differs, the loop is changed in that place.
"""

from collections.abc import Collection, Sequence
from random import Random

from models.shared.generator import Clue, Planted, one_changed
from models.shared.givens import givens_text
from models.shared.grid import Cell, Grid
from models.shared.puzzle import Solution

SIZE = "cells on a side"

CHANGES = 10  # attempts for each cell
RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""The steps to the cells around a cell, in a circle: every other one is to a cell that shares a side."""


def plant(size: int, rng: Random) -> Planted:
    """A random loop in a square."""
    if size < 1:
        raise ValueError("the grid needs 1 cell or more on a side")
    grid = Grid(size, size)
    return with_clues(grid, random_inside(grid, {rng.choice(grid.cells)}, grid.cells, rng))


def random_inside(grid: Grid, inside: set[Cell], cells: Sequence[Cell], rng: Random) -> set[Cell]:
    """The cells inside a loop, from such cells and random changes of others of `cells`."""
    inside = {*inside}
    for _ in range(CHANGES * len(cells)):
        cell = rng.choice(cells)
        around = [(cell[0] + down, cell[1] + right) in inside for down, right in RING]
        beside = sum(around[1::2])
        # Around it, one stretch of cells is inside and one outside, each with a cell that shares a side.
        simple = 0 < beside < 4 and sum(around[k] != around[k - 1] for k in range(8)) == 2
        if simple and (beside >= 2 if cell in inside else beside <= 2):
            inside ^= {cell}
    return inside


def with_clues(grid: Grid, inside: Collection[Cell]) -> Planted:
    """The loop around these cells, with the clues of all cells; none is 4."""
    solution = grid.solution(lambda cell: int(cell in inside))
    sides = {
        (r, c): sum(((r, c) in inside) != ((r + down, c + right) in inside) for down, right in RING[1::2])
        for r, c in grid.cells
    }
    clues = [(cell, clue) for cell, clue in sides.items() if clue < 4]
    return Planted(solution, [clues], lambda told: {"givens": givens_text(solution, told)})


def refute(planted: Planted, other: Solution, rng: Random) -> Planted | None:
    """The loop changes where the other one differs; None if it cannot."""
    solution = planted.solution
    grid = Grid(len(solution), len(solution[0]))
    inside = {(r, c) for r, c in grid.cells if solution[r][c]}
    differing = {(r, c) for r, c in grid.cells if solution[r][c] != other[r][c]}
    near = [i for i in grid.cells if i in differing or differing.intersection(grid.near[i])]
    changed = random_inside(grid, inside, near, rng)
    return None if changed == inside else with_clues(grid, changed)


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One clue is another number; None if there are no clues."""
    return one_changed(clues, range(4), rng)
