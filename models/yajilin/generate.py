"""Generates Yajilins: a random loop through about 3/4 of the cells; others are black, or grey with a clue.

All clues may leave several solutions; where another differs, a black cell becomes grey, or the loop changes.
"""

from collections.abc import Collection, Mapping, Sequence
from random import Random

from models.shared.generator import Clue, Planted, Table, one_changed
from models.shared.graph import graph_of, parts_of
from models.shared.grid import Cell, Grid
from models.shared.puzzle import Solution
from models.yajilin.puzzle import STEPS, Yajilin

SIZE = "cells on a side"

Step = tuple[Cell, Cell]

CHANGES = 10  # attempts for each block
LOOP = 0.75  # share of the cells, about
GREY = 0.2  # share of the others, at least


def plant(size: int, rng: Random) -> Planted:
    """A random loop in a square."""
    if size < 2:
        raise ValueError("the grid needs 2 cells or more on a side")
    blocks = Grid(size, size).blocks
    return with_loop(size, random_loop(size, around(rng.choice(blocks)), blocks, rng), {}, rng)


def around(block: Sequence[Cell]) -> set[Step]:
    """The steps around a block of 2x2 cells."""
    a, b, c, d = block
    return {(a, b), (a, c), (b, d), (c, d)}


def random_loop(size: int, steps: set[Step], blocks: Sequence[Sequence[Cell]], rng: Random) -> set[Step]:
    """The loop after random changes around these blocks, by none of which it leaves its length."""
    length = LOOP * size**2
    for _ in range(CHANGES * len(blocks)):
        changed = steps ^ around(rng.choice(blocks))
        if abs(len(changed) - length) <= max(abs(len(steps) - length), 0.1 * length):
            graph = graph_of(changed)
            if all(len(near) == 2 for near in graph.values()) and len(parts_of(graph)) == 1:
                steps = changed
    return steps


def with_loop(size: int, steps: set[Step], kept: Mapping[Cell, str], rng: Random) -> Planted:
    """The grid with this loop; `kept` has # for black cells and directions of clues; others are random."""
    on, grid = {i for step in steps for i in step}, Grid(size, size)
    words = {i: word for i, word in kept.items() if i not in on}
    for cell in rng.sample(grid.cells, grid.size):
        if cell not in on and cell not in words:
            grey = rng.random() < GREY or any(words.get(i) == "#" for i in grid.near[cell])
            words[cell] = rng.choice([*STEPS]) if grey else "#"
    ways = {i: word for i, word in words.items() if word != "#"}
    puzzle = Yajilin(size, size, {i: f"0{way}" for i, way in ways.items()})
    numbers = (sum(i not in on for i in cells) for _, cells in puzzle.clues)

    def table(told: Collection[Clue]) -> Table:
        shown = dict.fromkeys(ways, "#") | {i: f"{number}{way}" for (i, way), number in told}
        return {"cells": "\n".join(map(" ".join, puzzle.solution(lambda i: shown.get(i, "."))))}

    return Planted(puzzle.with_loop(steps), [[*zip(ways.items(), numbers, strict=True)]], table)


def refute(planted: Planted, other: Solution, rng: Random) -> Planted | None:
    """A black cell that the other solution has not becomes grey; else the loop changes near, or None."""
    solution, size = planted.solution, len(planted.solution)
    grid, ways = Yajilin(size, size, {}), dict(place for place, _ in planted.clues[0])
    steps = {((r, c), k) for (r, c), k in grid.edges if "es"[k[0] > r] in solution[r][c]}
    kept = {(r, c): "#" for r, c in grid.cells if solution[r][c] == "#"} | ways
    differing = [(r, c) for r, c in grid.cells if solution[r][c] != other[r][c]]
    if black := [i for i in differing if i in kept]:
        return with_loop(size, steps, kept | {rng.choice(black): rng.choice([*STEPS])}, rng)
    for near in ({*differing}, {k for i in differing for k in grid.near[i]}):
        blocks = [block for block in grid.blocks if not near.isdisjoint(block)]
        if (changed := random_loop(size, steps, blocks, rng)) != steps:
            return with_loop(size, changed, kept, rng)
    return None


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One clue is another number; None if there are no clues."""
    return one_changed(clues, range(1 + len(planted.solution) // 2), rng)
