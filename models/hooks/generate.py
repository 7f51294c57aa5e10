"""Hooks: a random grid, connected and without a full 2x2 block, with all numbers and some kinds of clues.

The hooks are cut and numbered at random; they are to be found, in half of the instances with their numbers.
Filled and empty cells of a hook are swapped, as long as that makes nothing worse, until the filled cells are
connected and no 2x2 block is full. The numbers are left out first.
"""

from collections.abc import Collection, Mapping, Sequence
from random import Random

from models.hooks.filled_grids import as_table, random_hooks, random_numbers, true_clues
from models.shared.generator import Clue, Planted, Table, one_changed
from models.shared.grid import Cell, connected_parts
from models.shared.partly_filled import EMPTY
from models.shared.puzzle import Solution

SIZE = "cells on a side"

KINDS = (("row_sums", "column_sums"), ("first_two_product",), ("first_block_sum",), ("neighbour_sums",))
"""The fields that the clues of each kind stand in."""

RESTARTS = 20
"""How many layouts are tried for one that is filled as it should be."""

SWAPS = 100
"""How many swaps are tried in one layout, for each cell."""


def plant(size: int, rng: Random) -> Planted | None:
    """A filled grid; None if no layout was filled as it should be."""
    if size < 1:
        raise ValueError("the grid needs a cell")
    by_size = rng.random() < 0.5
    solution = next(filter(None, (random_filling(size, by_size, rng) for _ in range(RESTARTS))), None)
    if solution is None:
        return None
    numbering = "by_size" if by_size else "free"
    rules = {"size": size, "layout": "free", "numbering": numbering, "connected": True, "no_full_2x2": True}
    fields = [field for kind in rng.sample(KINDS, rng.choice([1, 1, 2])) for field in kind]

    def table(clues: Collection[Clue]) -> Table:
        return as_table(dict(clues), rules)

    told = list(true_clues(solution))
    groups = [[clue for clue in told if clue[0][0] in group] for group in (["givens"], fields)]
    return Planted(solution, groups, table)


def random_filling(size: int, by_size: bool, rng: Random) -> Solution | None:
    """Returns a grid of random hooks, connected and without a full 2x2 block; None if that was not found."""
    hooks = random_hooks(size, rng)
    value = random_numbers(hooks, by_size, rng)
    swappable = [cells for cells in hooks if any(value[cell] == EMPTY for cell in cells)]
    cost = _faults(value)
    for _ in range(SWAPS * size**2):
        if not cost:
            return [[value[row, column] for column in range(size)] for row in range(size)]
        if not swappable:
            return None
        cells = rng.choice(swappable)
        filled = rng.choice([cell for cell in cells if value[cell] != EMPTY])
        empty = rng.choice([cell for cell in cells if value[cell] == EMPTY])
        value[filled], value[empty] = value[empty], value[filled]
        worse = _faults(value) - cost
        if worse <= 0:
            cost += worse
        else:
            value[filled], value[empty] = value[empty], value[filled]
    return None


def _faults(value: Mapping[Cell, int]) -> int:
    """Returns the number of full 2x2 blocks and of groups of filled cells, but one."""
    filled = {cell for cell, held in value.items() if held != EMPTY}
    blocks = sum({(r + 1, c), (r, c + 1), (r + 1, c + 1)} <= filled for r, c in filled)
    return blocks + len(connected_parts(filled)) - 1


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One clue has another number."""
    return one_changed(clues, range(1, len(planted.solution) + 1), rng)
