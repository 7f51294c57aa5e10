"""Hooks: a random grid, connected and without a full 2x2 block, and few clues that determine it.

The hooks are cut and numbered at random; they are to be found, in half of the instances with their numbers.
Filled and empty cells of a hook are swapped, by simulated annealing, until the filled cells are connected and
no 2x2 block is full. Of four kinds of clues one or two are printed. At first all clues of these kinds are
there, and every number is given. Then first givens and then clues are deleted, in random order and many at a
time, as long as the hand search proves within a limit of branches that there is one solution. `hardness` is
the share of the givens and clues whose deletion is tried.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from math import exp
from random import Random
from typing import Any

from models.hooks.backtrack import propagation
from models.hooks.filled_grids import Clue, Clues, as_table, random_hooks, random_numbers, true_clues
from models.hooks.puzzle import parse
from models.shared.generator import Draft, document
from models.shared.givens import differing
from models.shared.grid import Cell, connected_parts
from models.shared.partly_filled import EMPTY
from models.shared.puzzle import Solution
from models.shared.second_solution import is_only_solution

SIZE = "cells on a side"

KINDS = (("row_sums", "column_sums"), ("first_two_product",), ("first_block_sum",), ("neighbour_sums",))
"""The fields that the clues of each kind stand in."""

FIELDS = ("givens", *(field for kind in KINDS for field in kind))
"""The fields that have numbers."""

RESTARTS = 20
"""How many layouts are tried for one that is filled as it should be."""

SWAPS = 100
"""How many swaps are tried in one layout, for each cell."""

TEMPERATURE = 0.5
"""At the first swap; it falls to 0."""

PROOF = 200
"""The limit of branches in the proof that there is one solution."""


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """Returns a filled grid with clues that leave no other; None if no layout was filled as it should be."""
    if size < 1:
        raise ValueError("the grid needs a cell")
    by_size = rng.random() < 0.5
    solution = next(filter(None, (random_filling(size, by_size, rng) for _ in range(RESTARTS))), None)
    if solution is None:
        return None
    numbering = "by_size" if by_size else "free"
    rules = {"size": size, "layout": "free", "numbering": numbering, "connected": True, "no_full_2x2": True}
    fields = {field for kind in rng.sample(KINDS, rng.choice([1, 1, 2])) for field in kind}
    clues: Clues = {c: number for c, number in true_clues(solution) if c[0] in {"givens", *fields}}
    tried = [clue for clue in clues if rng.random() < hardness]
    rng.shuffle(tried)
    for is_given in (True, False):
        group = [clue for clue in tried if (clue[0] == "givens") == is_given]
        clues = _without(group, clues, rules, solution)
    return Draft(as_table(clues, rules), solution)


def random_filling(size: int, by_size: bool, rng: Random) -> Solution | None:
    """Returns a grid of random hooks, connected and without a full 2x2 block; None if that was not found."""
    hooks = random_hooks(size, rng)
    value = random_numbers(hooks, by_size, rng)
    swappable = [cells for cells in hooks if any(value[cell] == EMPTY for cell in cells)]
    trials = SWAPS * size**2
    cost = _faults(value)
    for trial in range(trials):
        if not cost:
            return [[value[row, column] for column in range(size)] for row in range(size)]
        if not swappable:
            return None
        cells = rng.choice(swappable)
        filled = rng.choice([cell for cell in cells if value[cell] != EMPTY])
        empty = rng.choice([cell for cell in cells if value[cell] == EMPTY])
        value[filled], value[empty] = value[empty], value[filled]
        worse = _faults(value) - cost
        if worse <= 0 or rng.random() < exp(-worse / (TEMPERATURE * (1 - trial / trials))):
            cost += worse
        else:
            value[filled], value[empty] = value[empty], value[filled]
    return None


def _faults(value: Mapping[Cell, int]) -> int:
    """Returns the number of full 2x2 blocks and of groups of filled cells, but one."""
    filled = {cell for cell, held in value.items() if held != EMPTY}
    blocks = sum({(r + 1, c), (r, c + 1), (r + 1, c + 1)} <= filled for r, c in filled)
    return blocks + len(connected_parts(filled)) - 1


def _without(group: Sequence[Clue], clues: Clues, rules: Mapping[str, Any], solution: Solution) -> Clues:
    """Returns the clues without those of a group, or as many of them as need not be there."""
    fewer = {clue: number for clue, number in clues.items() if clue not in group}
    if not group or is_only_solution(
        partial(propagation, parse(document(as_table(fewer, rules)))), solution, PROOF
    ):
        return fewer
    if len(group) > 1:
        for half in (group[: len(group) // 2], group[len(group) // 2 :]):
            clues = _without(half, clues, rules, solution)
    return clues


def _with_clue(draft: Draft, clue: Clue, number: int) -> Draft:
    """Returns the draft with this number of a clue."""
    rules = {key: value for key, value in draft.table.items() if key not in FIELDS}
    return Draft(as_table({**_clues_of(draft), clue: number}, rules), draft.solution)


def _clues_of(draft: Draft) -> dict[Clue, int]:
    """Returns the clues that have numbers, and the givens."""
    puzzle = parse(document(draft.table))
    return {(field, place): number for field in FIELDS for place, number in getattr(puzzle, field).items()}


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft:
    """Returns the draft with one more given, in which the other solution differs."""
    # There is one, as both grids have the same number of filled cells.
    missed = [(r, c) for r, c in differing(draft, other) if draft.solution[r][c] != EMPTY]
    row, column = rng.choice(missed)
    return _with_clue(draft, ("givens", (row, column)), draft.solution[row][column])


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """Returns the draft with the number of a clue changed by one; None if there is none to change."""
    n = draft.table["size"]
    limits = {"givens": (1, n), "neighbour_sums": (0, 4 * n), "row_sums": (0, n**2), "column_sums": (0, n**2)}
    changed = []
    for clue, number in _clues_of(draft).items():
        least, most = limits.get(clue[0], (1, n**2))
        changed += [(clue, other) for other in (number + 1, number - 1) if least <= other <= most]
    return _with_clue(draft, *rng.choice(changed)) if changed else None
