"""Die Agony: the scores of a random die on a random walk, and values of the other cells.

The walk is a loop-erased random walk, so it enters no cell twice. Each cell beside it has a score with which
the die could have entered it from the walk; a clue changes that at random. It is a clue, too, that the faces
are whole numbers.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from random import Random

from models.die_agony.network import TURNS, tip
from models.shared.generator import Clue, Planted, Table
from models.shared.givens import givens, givens_text
from models.shared.grid import Cell, Grid

SIZE = "cells on a side"
LARGEST_FACE = 9


def plant(size: int, rng: Random) -> Planted:
    """A walk with its scores; a clue is a cell with a change of its value, or "faces" with "integer"."""
    if size < 2:
        raise ValueError("the grid needs 2 cells or more on a side")
    grid, path = Grid(size, size), random_walk(size, rng)
    faces = [rng.randint(-LARGEST_FACE, LARGEST_FACE) for _ in range(6)]
    values: dict[Cell, int] = {}
    # The scores with which the die could enter each cell from the walk.
    tempting: dict[Cell, list[int]] = {}
    die, score, shown = tuple(range(6)), 0, set()
    for number, ((row, column), cell) in enumerate(pairwise(path), 1):
        options = {(row + dr, column + dc): tip(die, (dr, dc)) for dr, dc in TURNS}
        for other, tipped in options.items():
            tempting.setdefault(other, []).append(score + number * faces[tipped[0]])
        die = options[cell]
        score += number * faces[die[0]]
        shown.add(die[0])
        values[cell] = score
    scores = list(values.values())
    others = [cell for cell in grid.cells if cell not in values]
    values |= {cell: rng.choice(tempting.get(cell, scores)) for cell in others}
    clues = [(cell, random_change(rng)) for cell in others if cell in tempting]

    def table(told: Collection[Clue]) -> Table:
        changes = dict(told)
        kind = changes.pop("faces", "rational")
        rows = grid.solution(lambda cell: values[cell] + changes.get(cell, 0))
        return {"grid": givens_text(rows, givens(rows)), "faces": kind, "max_moves": len(path) - 1 + size}

    known = [value if face in shown else None for face, value in enumerate(faces)]
    solution = {"path": [list(cell) for cell in path], "faces": known}
    return Planted(solution, [clues, [("faces", "integer")]], table)


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


def random_change(rng: Random) -> int:
    """By how much a clue changes a value."""
    return rng.choice([-1, 1]) * rng.randint(1, LARGEST_FACE)


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue]:
    """The value of a cell of the walk is changed as well."""
    return [*clues, (tuple(rng.choice(planted.solution["path"][1:])), random_change(rng))]
