"""Die Agony: the scores of a random die on a random walk, and similar values in the other cells.

The walk is a loop-erased random walk, so it enters no cell twice. `hardness` is the share of the other cells
with a score that the die would have if it left the walk there; the rest are scores with a random change. It
is also the probability that the instance does not say that the faces are whole numbers.

In a draft of the hard kind all faces but one are 0, so that the die can go in circles among cells of equal
value: what it may do depends on the number of the move, and a face once seen decides little. `hardness` is
the share of the other cells that have a score of a walk that branches off, of the same die.
"""

from itertools import product
from random import Random
from typing import NamedTuple

from models.die_agony.network import TURNS, tip
from models.shared.generator import Draft
from models.shared.grid import Cell
from models.shared.puzzle import Solution

SIZE = "cells on a side"
LARGEST_FACE = 9

# Of the hard kind:
HARD_FACE = 3  # The largest size of the one face that is not 0: small, so that many moves agree.
HARD_MOVES = 5  # The least number of moves for each cell on a side; the largest is twice that.
TOWARDS_END = 0.25  # The share of the moves that are made towards the end; the others are random.
BACK = 20  # The largest number of moves that are taken back where a walk is stuck.
TRIES = 200  # How many moves are tried for a walk, and how many branches for its grid, for each cell.

Values = dict[Cell, int]


class Rolled(NamedTuple):
    """A die after so many moves."""

    moves: int
    cell: Cell
    die: tuple[int, ...]
    score: int


def at_start(size: int) -> Rolled:
    """The die before its first move; raises ValueError if there is no grid of this size."""
    if size < 2:
        raise ValueError("the grid needs 2 cells or more on a side")
    return Rolled(0, (size - 1, 0), tuple(range(6)), 0)


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A walk, its scores, and the rest of the grid."""
    walk = [at_start(size)]
    path = random_walk(size, rng)
    faces = [rng.randint(-LARGEST_FACE, LARGEST_FACE) for _ in range(6)]
    # The scores with which the die could enter each cell from the walk.
    tempting: dict[Cell, list[int]] = {}
    for cell in path[1:]:
        options = {step.cell: step for step in rolls(walk[-1], size, faces, {})}
        for step in options.values():
            tempting.setdefault(step.cell, []).append(step.score)
        walk.append(options[cell])
    values = {step.cell: step.score for step in walk[1:]}
    scores = list(values.values())
    for cell in product(range(size), range(size)):
        if cell not in values:
            values[cell] = rng.choice(scores) + rng.randint(-LARGEST_FACE, LARGEST_FACE)
            if cell in tempting and rng.random() < hardness:
                values[cell] = rng.choice(tempting[cell])
    return finished(values, walk, faces, hardness, rng)


def hard_draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A long walk that goes in circles, and the scores of walks that branch off; None if it got stuck."""
    start = at_start(size)
    faces = [0] * 6
    faces[rng.randrange(6)] = rng.choice([-1, 1]) * rng.randint(1, HARD_FACE)
    values: Values = {}
    walk = long_walk(start, faces, values, rng)
    if walk is None:
        return None
    visited = [*values.values()]
    branch_off(size, faces, values, walk, hardness, rng)
    for cell in product(range(size), range(size)):
        values.setdefault(cell, rng.choice(visited))
    return finished(values, walk, faces, hardness, rng)


def long_walk(start: Rolled, faces: list[int], values: Values, rng: Random) -> list[Rolled] | None:
    """A walk to the end, whose scores are added to the values; None if it is not found within TRIES."""
    walk, size = [start], start.cell[0] + 1
    end = 0, size - 1
    entered: list[Cell | None] = [None]  # The cell that a move was the first to enter, None if it was not.
    for _ in range(TRIES * size**2):
        options = [
            step
            for step in rolls(walk[-1], size, faces, values)
            if step.cell != end or step.moves >= HARD_MOVES * size
        ]
        if len(walk) > 2 * HARD_MOVES * size:
            return None
        if not options:
            for _ in range(min(rng.randint(1, BACK), len(walk) - 1)):
                walk.pop()
                values.pop(entered.pop() or end, None)
            continue
        step = rng.choice(options)
        if rng.random() < TOWARDS_END:
            step = min(options, key=lambda step: step.cell[0] - step.cell[1])
        walk.append(step)
        entered.append(None if step.cell in values else step.cell)
        values[step.cell] = step.score
        if step.cell == end:
            return walk
    return None


def branch_off(
    size: int, faces: list[int], values: Values, walk: list[Rolled], hardness: float, rng: Random
) -> None:
    """Adds the scores of moves that branch off, until the share `hardness` of the other cells is filled."""
    end = 0, size - 1
    steps = walk[:-1]
    full = len(values) + hardness * (size**2 - len(values))
    for _ in range(TRIES * size**2):
        if len(values) >= full:
            break
        options = [step for step in rolls(rng.choice(steps), size, faces, values) if step.cell != end]
        fresh = [step for step in options if step.cell not in values]
        if fresh:
            step = rng.choice(fresh)
            values[step.cell] = step.score
            steps.append(step)


def rolls(step: Rolled, size: int, faces: list[int], values: Values) -> list[Rolled]:
    """The moves that the grid, as far as it is filled, allows next."""
    found = []
    for direction in TURNS:
        row, column = step.cell[0] + direction[0], step.cell[1] + direction[1]
        die = tip(step.die, direction)
        score = step.score + (step.moves + 1) * faces[die[0]]
        if 0 <= row < size and 0 <= column < size and values.get((row, column), score) == score:
            found.append(Rolled(step.moves + 1, (row, column), die, score))
    return found


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


def finished(values: Values, walk: list[Rolled], faces: list[int], hardness: float, rng: Random) -> Draft:
    """The draft of a full grid and a walk; faces that are never on top are None."""
    shown = {step.die[0] for step in walk[1:]}
    size = walk[0].cell[0] + 1
    faces_are = "rational" if rng.random() < hardness else "integer"
    table = {"grid": as_text(values, size), "faces": faces_are, "max_moves": len(walk) - 1 + size}
    known = [value if face in shown else None for face, value in enumerate(faces)]
    return Draft(table, {"path": [list(step.cell) for step in walk], "faces": known})


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
