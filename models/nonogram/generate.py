"""Generates Nonograms: a picture of spots, of which the clue of any line may be told.

A cell of noise becomes what most of those around it are. Where another picture has the same clues, one of the
cells in which they differ is changed.
"""

from collections.abc import Collection, Sequence
from random import Random

from models.nonogram.puzzle import blocks, words
from models.shared.generator import Clue, Planted, Table
from models.shared.puzzle import Solution

SIZE = "cells on a side"


def plant(size: int, rng: Random) -> Planted:
    """A random picture with the clues of all lines."""
    if size < 1:
        raise ValueError("the picture needs 1 cell or more on a side")
    noise = [[rng.randrange(2) for _ in range(size)] for _ in range(size)]
    return with_clues([[smoothed(noise, row, column) for column in range(size)] for row in range(size)])


def smoothed(picture: Solution, row: int, column: int) -> int:
    """What most of the cells are that touch a cell, and itself; of as many of both, what it is."""
    around = [v for line in picture[max(0, row - 1) : row + 2] for v in line[max(0, column - 1) : column + 2]]
    return int(2 * sum(around) + picture[row][column] > len(around))


def with_clues(picture: Solution) -> Planted:
    """A picture with the clues of all lines."""
    fields = {"rows": picture, "columns": [*zip(*picture, strict=True)]}
    clues = [((field, n), blocks(line)) for field, lines in fields.items() for n, line in enumerate(lines)]

    def table(told: Collection[Clue]) -> Table:
        known, lines = dict(told), range(len(picture))
        return {field: [" ".join(words(known.get((field, n)))) for n in lines] for field in fields}

    return Planted(picture, [clues], table)


def refute(planted: Planted, other: Solution, rng: Random) -> Planted:
    """A cell in which the other picture differs is changed."""
    picture = [row.copy() for row in planted.solution]
    cells = [(r, c) for r, row in enumerate(picture) for c, value in enumerate(row) if value != other[r][c]]
    row, column = rng.choice(cells)
    picture[row][column] = other[row][column]
    return with_clues(picture)


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """A line has the clue of its cells in another order; None if that is the same, or none is told."""
    if not clues:
        return None
    (field, number), told = changed = rng.choice(clues)
    line = planted.solution[number] if field == "rows" else [row[number] for row in planted.solution]
    clue = blocks(rng.sample(line, len(line)))
    return None if clue == told else [*(each for each in clues if each != changed), ((field, number), clue)]
