"""Fills a hexagon with line sum 0 so that opposite cells hold opposite numbers.

Let opposite(i) be the cell on the other side of the middle, and m half the number of the other cells.
    x[i] in -m..m for each cell i, 0 in the middle
    x[opposite(i)] = -x[i]                                   for each cell i
    all different x
    sum of x[i] over i in L  = 0                             for each line L
A line through the middle adds up to 0 by itself, and two opposite lines do if one of them does: fewer than
half of the lines are left as constraints, and there are many such hexagons of every order from 3 on.

The cells are filled one at a time, always in a line with the fewest empty cells: most numbers can be chosen
freely, and the last cell of a line holds what is missing. The search backs up when the empty cells of a line
can no longer bring its sum back to 0. What is equal is taken at random, so that one may begin again after a
number of nodes: a first choice that leaves no solution is not left otherwise.
"""

from collections.abc import Mapping
from random import Random

from models.magic_hexagon.geometry import lines, opposites
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.grid import Cell
from models.shared.search import Tally

Terms = dict[Cell, int]
"""A line as a sum over one cell of each opposite pair, with the sign -1 if the other cell is in the line."""


class LimitReached(Exception):
    """Not all fillings were tried."""


def independent_lines(puzzle: MagicHexagon, opposite: Mapping[Cell, Cell]) -> list[Terms]:
    """One line of each opposite pair, and none of those through the middle."""
    sums: list[Terms] = []
    seen: set[frozenset[Cell]] = set()
    for line in lines(puzzle):
        mirrored = frozenset(opposite[cell] for cell in line)
        if mirrored not in seen and mirrored != frozenset(line):
            sums.append({min(i, opposite[i]): 1 if i <= opposite[i] else -1 for i in line})
        seen.add(frozenset(line))
    return sums


def filling_order(sums: list[Terms], rng: Random) -> list[Cell]:
    """All cells, each taken from one of the sums with the fewest cells left."""
    order: list[Cell] = []
    left = [list(terms) for terms in sums]
    while left := [cells for cells in left if cells]:
        fewest = min(map(len, left))
        chosen = rng.choice(sorted({cell for cells in left if len(cells) == fewest for cell in cells}))
        order.append(chosen)
        left = [[cell for cell in cells if cell != chosen] for cells in left]
    return order


def fill(puzzle: MagicHexagon, rng: Random, nodes: int, tally: Tally) -> dict[Cell, int] | None:
    """The numbers of all cells, None if there are none; the result depends on the random numbers alone.

    Raises:
        LimitReached: after so many nodes.
    """
    half, opposite = puzzle.size // 2, opposites(puzzle)
    middle = {i: 0 for i in puzzle.cells if opposite[i] == i}
    known = middle | {opposite[i]: -v for i, v in puzzle.givens.items()} | dict(puzzle.givens)
    used = {abs(value) for value in known.values()}
    if any(known[i] + known[opposite[i]] for i in known) or 2 * len(used) - 1 < len(known):
        return None
    sums = independent_lines(puzzle, opposite)
    totals = [sum(sign * known[i] for i, sign in terms.items() if i in known) for terms in sums]
    open_ = [{i: sign for i, sign in terms.items() if i not in known} for terms in sums]
    if any(total and not terms for total, terms in zip(totals, open_, strict=True)):
        return None
    order = filling_order(open_, rng)
    # For each cell, the sums that it is part of: which, its sign, and how far the cells after it can reach.
    parts: list[list[tuple[int, int, int]]] = []
    left = list(map(len, open_))
    for cell in order:
        inside = [number for number, terms in enumerate(open_) if cell in terms]
        for number in inside:
            left[number] -= 1
        parts.append([(number, open_[number][cell], left[number] * half) for number in inside])
    x: list[int] = []
    untried: list[list[int]] = []

    def candidates() -> list[int]:
        low, high = -half, half
        for number, sign, reach in parts[len(x)]:
            missing = -sign * totals[number]
            low, high = max(low, missing - reach), min(high, missing + reach)
        values = [value for value in range(low, high + 1) if abs(value) not in used]
        rng.shuffle(values)
        return values[::-1]

    while len(x) < len(order):
        if len(untried) == len(x):
            untried.append(candidates())
            tally.failures += not untried[-1]
        if untried[-1]:
            if nodes == 0:
                raise LimitReached
            nodes -= 1
            tally.branches += 1
            value = untried[-1].pop()
            for number, sign, _ in parts[len(x)]:
                totals[number] += sign * value
            used.add(abs(value))
            x.append(value)
        elif x:
            untried.pop()
            value = x.pop()
            used.remove(abs(value))
            for number, sign, _ in parts[len(x)]:
                totals[number] -= sign * value
        else:
            return None
    found = known | dict(zip(order, x, strict=True))
    return found | {opposite[cell]: -value for cell, value in found.items()}
