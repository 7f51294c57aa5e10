"""Generates Tents: tents in random cells, each beside a tree, until no more fit, and the counts of all lines.

All counts may leave several solutions; where another one differs, tents and trees go and others come.
"""

from collections.abc import Collection, Sequence
from itertools import product
from random import Random

from models.shared.generator import Clue, Planted, Table, document, one_changed
from models.shared.graph import graph_of, parts_of
from models.shared.grid import Cell, Grid
from models.shared.puzzle import Solution
from models.tents.puzzle import parse

SIZE = "cells on a side"


def plant(size: int, rng: Random) -> Planted:
    """Tents in a square."""
    return filled(Grid(size, size), set(), set(), rng)


def filled(grid: Grid, tents: set[Cell], trees: set[Cell], rng: Random) -> Planted:
    """The grid with these tents and trees, and others at random."""
    for r, c in rng.sample(grid.cells, grid.size):
        free = [i for i in grid.near[r, c] if i not in tents and i not in trees]
        apart = tents.isdisjoint(product((r - 1, r, r + 1), (c - 1, c, c + 1)))
        if free and apart and (r, c) not in trees:
            tents, trees = tents | {(r, c)}, trees | {rng.choice(free)}
    lines = [(axis, n) for axis, length in enumerate((grid.height, grid.width)) for n in range(length)]

    def table(told: Collection[Clue]) -> Table:
        count = {line: str(count) for line, count in told}
        rows, columns = (
            " ".join(count.get(line, ".") for line in lines if line[0] == axis) for axis in (0, 1)
        )
        words = map(" ".join, grid.solution(lambda i: ".T"[i in trees]))
        return {"trees": "\n".join(words), "row_counts": rows, "col_counts": columns}

    clues = [((axis, n), sum(i[axis] == n for i in tents)) for axis, n in lines]
    return Planted(grid.solution(lambda i: int(i in tents)), [clues], table)


def refute(planted: Planted, other: Solution, rng: Random) -> Planted:
    """Tents that the other solution has elsewhere go with their trees, and others come."""
    puzzle, solution = parse(document(planted.table(()))), planted.solution
    trees, tents = {*puzzle.trees}, {(r, c) for r, c in puzzle.cells if solution[r][c]}
    for part in parts_of(graph_of(pair for pair in puzzle.pairs if pair[1] in tents)):
        if any(solution[r][c] != other[r][c] for r, c in part):
            tents, trees = tents - part, trees - part
    return filled(Grid(puzzle.height, puzzle.width), tents, trees, rng)


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One count is another number; None if there are no counts."""
    return one_changed(clues, range(1 + (len(planted.solution) + 1) // 2), rng)
