"""Generates Shikakus: a square cut into rectangles at random, a clue in a random cell of each.

All clues are always there; which of them say their number may be left out. Where another solution differs,
one clue moves to a cell that is not in its rectangle there. To move all of them mostly leads from one such
solution to the next without an end.
"""

from collections.abc import Collection, Sequence
from itertools import product
from random import Random

from models.shared.generator import Clue, Planted, Table
from models.shared.grid import Cell, cells_of, neighbours
from models.shared.puzzle import Solution

SIZE = "cells on a side"

MOST = 12  # cells of a rectangle that grows


def plant(size: int, rng: Random) -> Planted:
    """A grid cut at random."""
    if size < 1:
        raise ValueError("the grid needs 1 cell or more on a side")
    return with_clues(size, {rng.choice(part): part for part in random_parts(size, rng)})


def random_parts(size: int, rng: Random) -> list[list[Cell]]:
    """The cells of rectangles, none of which is a single cell in a grid of several."""
    cells = list(product(range(size), range(size)))
    part_of: dict[Cell, list[Cell]] = {}
    # From a free cell, a rectangle grows on a random side as long as it can.
    for row, column in rng.sample(cells, len(cells)):
        if (row, column) in part_of:
            continue
        part, borders = [(row, column)], [row, column, row, column]
        most, sides = rng.randint(2, MOST), [*range(4)]
        while sides:
            side = rng.choice(sides)
            wider = borders.copy()
            wider[side] += -1 if side < 2 else 1
            top, left, bottom, right = wider
            inside = list(product(range(top, bottom + 1), range(left, right + 1)))
            fits = 0 <= min(wider) <= max(wider) < size and len(inside) <= most
            if fits and part_of.keys().isdisjoint(inside):
                part, borders = inside, wider
            else:
                sides.remove(side)
        part_of |= dict.fromkeys(part, part)
    # A single cell takes the rest of its row or column from a rectangle beside it, which that may cut in two.
    while size > 1 and (single := [cell for cell in cells if len(part_of[cell]) == 1]):
        cell = rng.choice(single)
        beside = rng.choice(neighbours(cell, size))
        line = int(beside[0] != cell[0])
        pieces: list[list[Cell]] = [[], [], [cell]]
        for other in part_of[beside]:
            pieces[2 if other[line] == cell[line] else other[line] > cell[line]].append(other)
        part_of |= {other: piece for piece in pieces for other in piece}
    return [part for cell, part in part_of.items() if cell == min(part)]


def with_clues(size: int, parts: dict[Cell, list[Cell]]) -> Planted:
    """The grid cut into these parts, each with a clue in a cell of it."""
    number = {cell: n for n, clue in enumerate(sorted(parts), 1) for cell in parts[clue]}
    solution = [[number[row, column] for column in range(size)] for row in range(size)]

    def table(clues: Collection[Clue]) -> Table:
        word = dict.fromkeys(parts, "?") | {cell: str(area) for cell, area in clues}
        span = max(map(len, word.values()))
        rows = (
            " ".join(f"{word.get((row, column), '.'):>{span}}" for column in range(size))
            for row in range(size)
        )
        return {"clues": "\n".join(rows) + "\n"}

    return Planted(solution, [[(clue, len(parts[clue])) for clue in sorted(parts)]], table)


def refute(planted: Planted, other: Solution, rng: Random) -> Planted:
    """A clue moves to a cell of its rectangle that is not in its rectangle in the other solution."""
    solution, parts = planted.solution, dict[Cell, list[Cell]]()
    for number, (clue, _) in enumerate(planted.clues[0], 1):
        parts[clue] = [(row, column) for row, column in cells_of(solution) if solution[row][column] == number]
    outside = {
        (r, c): [(row, column) for row, column in part if other[row][column] != other[r][c]]
        for (r, c), part in parts.items()
    }
    moved = rng.choice([clue for clue in outside if outside[clue]])
    parts[rng.choice(outside[moved])] = parts.pop(moved)
    return with_clues(len(solution), parts)


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """Two different numbers change places; None if there are none."""
    if not (pairs := [(a, b) for a in clues for b in clues if a[1] < b[1]]):
        return None
    (first, small), (second, large) = pair = rng.choice(pairs)
    return [clue for clue in clues if clue not in pair] + [(first, large), (second, small)]
