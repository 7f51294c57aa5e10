"""Hall of Mirrors: mirrors in random cells, of which a clue is the number of a laser.

All numbers together may leave several solutions, as where no light meets a mirror: then a cell that differs
between two solutions changes.
"""

from collections.abc import Collection, Sequence
from random import Random

from models.hall_of_mirrors.puzzle import SIGNS, numbers, trace
from models.shared.generator import Clue, Planted, Table, one_changed
from models.shared.grid import Cell, Grid, neighbours
from models.shared.puzzle import Solution
from models.shared.sides import Side

SIZE = "cells on a side"

DENSITY = 0.23
"""The share of cells with a mirror, about."""

SEGMENTS = 5
"""The number of a laser with more segments is no clue: light can have thousands of paths to such a number."""


def plant(size: int, rng: Random) -> Planted:
    """A grid with mirrors."""
    if size < 1:
        raise ValueError("the grid needs 1 cell or more on a side")
    cells = Grid(size, size).cells
    held = dict.fromkeys(cells, SIGNS[0])
    for cell in rng.sample(cells, len(cells)):
        if sum(sign != SIGNS[0] for sign in held.values()) >= DENSITY * len(cells):
            break
        if all(held[other] == SIGNS[0] for other in neighbours(cell, size)):
            held[cell] = rng.choice(SIGNS[1:])
    return with_numbers(held, size)


def with_numbers(held: dict[Cell, str], size: int) -> Planted:
    """The grid with these mirrors; a clue is the number of a laser."""
    solution = ["".join(held[row, column] for column in range(size)) for row in range(size)]
    clues = [clue for clue in numbers(solution).items() if len(trace(solution, *clue[0])) <= SEGMENTS + 1]

    def table(told: Collection[Clue]) -> Table:
        number = dict(told)
        words = {side: [str(number.get((side, k), ".")) for k in range(size)] for side in Side}
        return {"size": size} | {str(side): " ".join(of_side) for side, of_side in words.items()}

    return Planted(solution, [clues], table)


def refute(planted: Planted, other: Solution, rng: Random) -> Planted:
    """A cell that differs in the other solution gets another sign, and its neighbours lose their mirrors."""
    size, solution = len(planted.solution), planted.solution
    held = {(r, c): solution[r][c] for r, c in Grid(size, size).cells}
    cell = rng.choice([(r, c) for r, c in held if solution[r][c] != other[r][c]])
    held[cell] = rng.choice([sign for sign in SIGNS if sign != held[cell]])
    if held[cell] != SIGNS[0]:
        held |= dict.fromkeys(neighbours(cell, size), SIGNS[0])
    return with_numbers(held, size)


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """A laser has the number of another, or one more."""
    values = {number for _, number in clues} | {number + 1 for _, number in clues}
    return one_changed(clues, sorted(values), rng)
