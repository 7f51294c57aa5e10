"""Generates Nurikabes: random islands, a number in a random cell of each, until no 2x2 block is sea.

All numbers are always there; which of them are question marks is left open. Where another solution differs,
a cell that is sea there becomes sea or gets the number of its island.
"""

from collections.abc import Collection, Sequence
from random import Random

from models.nurikabe.puzzle import SEA, parse
from models.shared.generator import Clue, Planted, Table, document
from models.shared.grid import Cell, Grid, cells_of, connected_parts
from models.shared.puzzle import Solution

SIZE = "cells on a side"

MOST = 7  # cells of an island
TRIES = 20  # cells made land for each cell of the grid


def plant(size: int, rng: Random) -> Planted | None:
    """A grid with islands at random."""
    if size < 1:
        raise ValueError("the grid needs 1 cell or more on a side")
    islands = random_islands(size, rng)
    return with_numbers(size, {rng.choice(sorted(each)): each for each in islands}) if islands else None


def random_islands(size: int, rng: Random) -> list[set[Cell]] | None:
    """Islands that leave a connected sea without 2x2 blocks; None if they do not fit after many tries."""
    grid = Grid(size, size)
    island_of: dict[Cell, set[Cell]] = {}
    blocks = [set(block) for block in grid.blocks] or [{*grid.cells}]
    for _ in range(TRIES * grid.size):
        if not (wet := [block for block in blocks if block.isdisjoint(island_of)]):
            return list({min(island): island for island in island_of.values()}.values())
        block = rng.choice(wet)
        for cell in rng.sample(sorted(block), len(block)):
            island = {cell}.union(*(island_of[k] for k in grid.near[cell] if k in island_of))
            sea = {*grid.cells} - island_of.keys() - {cell}
            if len(island) <= MOST and len(connected_parts(sea)) <= 1:
                island_of |= dict.fromkeys(island, island)
                break
        else:
            # Some island around the block sinks, and leaves room for others.
            ring = ((r + down, c + right) for r, c in block for down in (-1, 0, 1) for right in (-1, 0, 1))
            around = [island_of[cell] for cell in sorted(ring) if cell in island_of]
            for cell in rng.choice(around):
                del island_of[cell]
    return None


def with_numbers(size: int, islands: dict[Cell, set[Cell]]) -> Planted:
    """The grid with these islands, by the cell of their number."""
    land = set[Cell]().union(*islands.values())
    solution = Grid(size, size).solution(lambda cell: int(cell not in land))

    def table(clues: Collection[Clue]) -> Table:
        word = dict.fromkeys(islands, "?") | {cell: str(count) for cell, count in clues}
        span = max(map(len, word.values()))
        words = Grid(size, size).solution(lambda cell: word.get(cell, ".").rjust(span))
        return {"givens": "\n".join(map(" ".join, words)) + "\n"}

    return Planted(solution, [[(cell, len(islands[cell])) for cell in sorted(islands)]], table)


def refute(planted: Planted, other: Solution, rng: Random) -> Planted | None:
    """A cell that is sea in the other solution becomes that, or gets the number of its island.

    None if neither is possible, and in one of 30 cases, as there may be no end of such solutions.
    """
    solution, islands = planted.solution, dict[Cell, set[Cell]]()
    for part in connected_parts(cell for cell in cells_of(solution) if solution[cell[0]][cell[1]] != SEA):
        islands[next(cell for cell, _ in planted.clues[0] if cell in part)] = part
    changes = list[dict[Cell, set[Cell]]]()
    for number, part in islands.items():
        rest = {cell: island for cell, island in islands.items() if cell != number}
        for row, column in sorted(part):
            if other[row][column] == SEA:
                changes += [rest | {number: part - {(row, column)}}, rest | {(row, column): part}]
    for changed in rng.sample(changes, len(changes)) if rng.randrange(30) else []:
        again = with_numbers(len(solution), changed)
        if not parse(document(again.table(again.clues[0]))).check(again.solution):
            return again
    return None


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """Two different numbers change places; None if there are none."""
    if not (pairs := [(a, b) for a in clues for b in clues if a[1] < b[1]]):
        return None
    (first, small), (second, large) = pair = rng.choice(pairs)
    return [clue for clue in clues if clue not in pair] + [(first, large), (second, small)]
