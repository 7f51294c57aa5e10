"""Hooks: a random grid, connected and without a full 2x2 block, and few clues that determine it.

The hooks are cut and numbered at random; they are to be found, in half of the instances with their numbers.
The grid is filled at random; then filled and empty cells of a hook are swapped, by simulated annealing, until
the filled cells are connected and no 2x2 block is full. Of four kinds of clues one or two are printed: sums
of lines, products of the first two, sums of the first blocks, sums of neighbours. At first all clues of these
kinds are there, and every number is given. Then first givens and then clues are deleted, in random order and
many at a time, as long as the hand search proves within a limit of branches that there is one solution.
`hardness` is the share of the givens and clues whose deletion is tried.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import exp
from random import Random
from typing import Any

from models.hooks.backtrack import propagation
from models.hooks.puzzle import EMPTY, Hooks, parse, peels, product_of_first_two, sum_of_first_block
from models.shared.generator import Draft
from models.shared.givens import differing
from models.shared.grid import Cell, cells_of, neighbours
from models.shared.puzzle import Solution
from models.shared.second_solution import Undecided, second_solution
from models.shared.sides import Side, line_from

SIZE = "cells on a side"

KINDS = (("row_sums", "column_sums"), ("first_two_product",), ("first_block_sum",), ("neighbour_sums",))
"""The fields that the clues of each kind stand in."""

RESTARTS = 20
"""How many layouts are tried for one that is filled as it should be."""

SWAPS = 100
"""How many swaps are tried in one layout, for each cell."""

TEMPERATURE = 0.5
"""At the first swap; it falls to 0."""

PROOF = 200
"""The limit of branches in the proof that there is one solution."""

Clue = tuple[str, Any]
"""A field of the puzzle and a place in it."""

Clues = Mapping[Clue, int]
"""The numbers of clues and givens."""


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
    puzzle = parsed(rules)
    fields = {field for kind in rng.sample(KINDS, rng.choice([1, 1, 2])) for field in kind}
    clues: Clues = {c: number for c, number in true_clues(solution) if c[0] in {"givens", *fields}}
    tried = [clue for clue in clues if rng.random() < hardness]
    rng.shuffle(tried)
    for is_given in (True, False):
        group = [clue for clue in tried if (clue[0] == "givens") == is_given]
        clues = without(group, clues, puzzle, solution)
    return Draft(as_table(with_clues(puzzle, clues), rules), solution)


def random_filling(size: int, by_size: bool, rng: Random) -> Solution | None:
    """Returns a grid of random hooks, connected and without a full 2x2 block; None if that was not found."""
    hooks, corner = [], (0, 0)
    for number in range(size, 0, -1):
        corner, cells = rng.choice(list(peels(*corner, number)))
        hooks.append(cells)
    value: dict[Cell, int] = {}
    unused = list(range(1, size + 1))
    # The innermost hooks, the last ones, have room for the fewest numbers.
    for number, cells in enumerate(reversed(hooks), 1):
        held = number if by_size else rng.choice([v for v in unused if v <= len(cells)])
        unused.remove(held)
        value |= dict.fromkeys(cells, EMPTY) | dict.fromkeys(rng.sample(cells, held), held)
    swappable = [cells for cells in hooks if any(value[cell] == EMPTY for cell in cells)]
    trials = SWAPS * size**2
    cost = faults(value, size)
    for trial in range(trials):
        if not cost:
            return [[value[row, column] for column in range(size)] for row in range(size)]
        if not swappable:
            return None
        cells = rng.choice(swappable)
        filled = rng.choice([cell for cell in cells if value[cell] != EMPTY])
        empty = rng.choice([cell for cell in cells if value[cell] == EMPTY])
        value[filled], value[empty] = value[empty], value[filled]
        worse = faults(value, size) - cost
        if worse <= 0 or rng.random() < exp(-worse / (TEMPERATURE * (1 - trial / trials))):
            cost += worse
        else:
            value[filled], value[empty] = value[empty], value[filled]
    return None


def faults(value: Mapping[Cell, int], size: int) -> int:
    """Returns the number of full 2x2 blocks and of groups of filled cells, but one."""
    left = {cell for cell, held in value.items() if held != EMPTY}
    blocks = sum((r + 1, c) in left and (r, c + 1) in left and (r + 1, c + 1) in left for r, c in left)
    groups = 0
    while left:
        groups += 1
        reached = [left.pop()]
        for row, column in reached:
            for cell in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if cell in left:
                    left.remove(cell)
                    reached.append(cell)
    return blocks + groups - 1


def without(group: Sequence[Clue], clues: Clues, puzzle: Hooks, solution: Solution) -> Clues:
    """Returns the clues without those of a group, or as many of them as need not be there."""
    fewer = {clue: number for clue, number in clues.items() if clue not in group}
    if not group or is_unique(with_clues(puzzle, fewer), solution):
        return fewer
    if len(group) > 1:
        for half in (group[: len(group) // 2], group[len(group) // 2 :]):
            clues = without(half, clues, puzzle, solution)
    return clues


def is_unique(puzzle: Hooks, solution: Solution) -> bool:
    """Tells whether the hand search proves that there is no other solution."""
    try:
        return second_solution(partial(propagation, puzzle), solution, [PROOF]) is None
    except Undecided:
        return False


def true_clues(solution: Solution) -> Iterator[tuple[Clue, int]]:
    """Yields every number as a given, and every clue of each kind."""
    n = len(solution)
    for row, column in cells_of(solution):
        if solution[row][column] != EMPTY:
            yield ("givens", (row, column)), solution[row][column]
        else:
            beside = sum(solution[r][c] for r, c in neighbours((row, column), n))
            yield ("neighbour_sums", (row, column)), beside
    for line in range(n):
        yield ("row_sums", line), sum(solution[line])
        yield ("column_sums", line), sum(row[line] for row in solution)
        for side in Side:
            seen = [solution[row][column] for row, column in line_from(side, line, n, n)]
            for field, number in (
                ("first_two_product", product_of_first_two(seen)),
                ("first_block_sum", sum_of_first_block(seen)),
            ):
                if number is not None:
                    yield (field, (side, line)), number


def parsed(table: dict[str, Any]) -> Hooks:
    """Returns the puzzle of a draft."""
    return parse({"puzzle": "hooks", "title": "draft", "source": "draft"} | table)


FIELDS = ("givens", *(field for kind in KINDS for field in kind))
"""The fields that have numbers."""


def clues_of(puzzle: Hooks) -> dict[Clue, int]:
    """Returns the clues that have numbers, and the givens."""
    return {(field, place): number for field in FIELDS for place, number in getattr(puzzle, field).items()}


def with_clues(puzzle: Hooks, clues: Clues) -> Hooks:
    """Returns the puzzle with these clues instead of its own."""

    def of(field: str) -> dict[Any, int]:
        return {place: number for (name, place), number in clues.items() if name == field}

    return replace(
        puzzle,
        givens=of("givens"),
        row_sums=of("row_sums"),
        column_sums=of("column_sums"),
        first_two_product=of("first_two_product"),
        first_block_sum=of("first_block_sum"),
        neighbour_sums=of("neighbour_sums"),
    )


def as_table(puzzle: Hooks, rules: dict[str, Any]) -> dict[str, Any]:
    """Returns the table with the clues of the puzzle, and without others."""
    lines = range(puzzle.n)

    def line(numbers: Mapping[Any, int], places: Sequence[Any]) -> str:
        width = max(len(str(number)) for number in numbers.values())
        return " ".join(f"{numbers.get(place, '.'):>{width}}" for place in places)

    table = {key: value for key, value in rules.items() if key not in FIELDS}
    for field in ("givens", "neighbour_sums"):
        if numbers := getattr(puzzle, field):
            table[field] = "".join(line(numbers, [(row, column) for column in lines]) + "\n" for row in lines)
    for field in ("row_sums", "column_sums"):
        if numbers := getattr(puzzle, field):
            table[field] = line(numbers, lines)
    for field in ("first_two_product", "first_block_sum"):
        if numbers := getattr(puzzle, field):
            sides = [side for side in Side if any(side == other for other, _ in numbers)]
            table[field] = {str(side): line(numbers, [(side, place) for place in lines]) for side in sides}
    return table


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft:
    """Returns the draft with one more given, in which the other solution differs."""
    puzzle = parsed(draft.table)
    # There is one, as both grids have the same number of filled cells.
    missed = [(r, c) for r, c in differing(draft, other) if draft.solution[r][c] != EMPTY]
    row, column = rng.choice(missed)
    given = {**puzzle.givens, (row, column): draft.solution[row][column]}
    return Draft(as_table(replace(puzzle, givens=given), draft.table), draft.solution)


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """Returns the draft with the number of a clue changed by one; None if there is none to change."""
    puzzle = parsed(draft.table)
    clues = clues_of(puzzle)
    limits = {"givens": (1, puzzle.n), "neighbour_sums": (0, 4 * puzzle.n)}
    limits |= dict.fromkeys(("row_sums", "column_sums"), (0, puzzle.n**2))
    changed = []
    for clue, number in clues.items():
        least, most = limits.get(clue[0], (1, puzzle.n**2))
        changed += [(clue, other) for other in (number + 1, number - 1) if least <= other <= most]
    if not changed:
        return None
    clue, number = rng.choice(changed)
    return Draft(as_table(with_clues(puzzle, {**clues, clue: number}), draft.table), draft.solution)
