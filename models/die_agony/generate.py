"""Die Agony: the scores of a random die on a random walk, and similar values in the other cells.

The walk is a loop-erased random walk, so it enters no cell twice. `hardness` is the share of the other cells
with a score that the die would have if it left the walk there; the rest are scores with a random change. It
is also the probability that the instance does not say that the faces are whole numbers.
"""

from fractions import Fraction
from itertools import pairwise
from random import Random

from models.die_agony.network import TURNS, tip
from models.shared.generator import Draft
from models.shared.grid import Cell
from models.shared.puzzle import Solution

SIZE = "cells on a side"
LARGEST_FACE = 9

Values = dict[Cell, int]


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A walk, its scores, and the rest of the grid."""
    if size < 2:
        raise ValueError("the grid needs 2 cells or more on a side")
    path = random_walk(size, rng)
    faces = [rng.randint(-LARGEST_FACE, LARGEST_FACE) for _ in range(6)]
    values: Values = {}
    shown: dict[int, Fraction] = {}
    # The scores with which the die could enter each cell from the walk.
    tempting: dict[Cell, list[int]] = {}
    score, die = 0, tuple(range(6))
    for number, (cell, following) in enumerate(pairwise(path), 1):
        for direction in TURNS:
            target = cell[0] + direction[0], cell[1] + direction[1]
            tempting.setdefault(target, []).append(score + number * faces[tip(die, direction)[0]])
        die = tip(die, (following[0] - cell[0], following[1] - cell[1]))
        score = values[following] = score + number * faces[die[0]]
        shown[die[0]] = Fraction(faces[die[0]])
    scores = list(values.values())
    for cell in ((row, column) for row in range(size) for column in range(size)):
        if cell not in values:
            values[cell] = rng.choice(scores) + rng.randint(-LARGEST_FACE, LARGEST_FACE)
            if cell in tempting and rng.random() < hardness:
                values[cell] = rng.choice(tempting[cell])
    faces_are = "rational" if rng.random() < hardness else "integer"
    table = {"grid": as_text(values, size), "faces": faces_are, "max_moves": len(path) - 1 + size}
    return Draft(table, {"path": [list(cell) for cell in path], "faces": faces_of(shown)})


def random_walk(size: int, rng: Random) -> list[Cell]:
    """A walk from the bottom left to the top right cell that enters no cell twice."""
    path = [(size - 1, 0)]
    while path[-1] != (0, size - 1):
        dr, dc = rng.choice(list(TURNS))
        cell = path[-1][0] + dr, path[-1][1] + dc
        if cell in path:
            del path[path.index(cell) + 1 :]
        elif 0 <= cell[0] < size and 0 <= cell[1] < size:
            path.append(cell)
    return path


def faces_of(shown: dict[int, Fraction]) -> list[int | None]:
    """The faces as a solution has them: those that were never on top are unknown."""
    return [int(shown[face]) if face in shown else None for face in range(6)]


def as_text(values: Values, size: int) -> str:
    """The grid as a text block."""
    width = max(len(str(value)) for value in values.values())
    rows = (" ".join(f"{values[row, column]:{width}}" for column in range(size)) for row in range(size))
    return "\n".join(rows) + "\n"


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """Changes the value in a cell that only the other walk enters; None if there is no such cell."""
    visited = {tuple(cell) for cell in draft.solution["path"]}
    start = tuple(draft.solution["path"][0])
    theirs = sorted({tuple(cell) for cell in other["path"]} - visited - {start})
    return with_change(draft, rng.choice(theirs), rng) if theirs else None


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """Changes the value in a cell of the walk."""
    return with_change(draft, tuple(rng.choice(draft.solution["path"][1:])), rng)


def with_change(draft: Draft, cell: Cell, rng: Random) -> Draft:
    """The draft with another value in a cell."""
    grid = [[int(word) for word in line.split()] for line in draft.table["grid"].splitlines()]
    values = {(r, c): value for r, row in enumerate(grid) for c, value in enumerate(row)}
    values[cell] += rng.choice([-1, 1]) * rng.randint(1, LARGEST_FACE)
    return Draft(draft.table | {"grid": as_text(values, len(grid))}, draft.solution)
