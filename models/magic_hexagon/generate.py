"""Generates magic hexagons of the numbers -m..m in which opposite cells add up to 0, with some cells given.

Let opposite(i) be the cell on the other side of the middle, and m half the number of the other cells.
    x[i] in -m..m for each cell i, 0 in the middle
    x[opposite(i)] = -x[i]                                   for each cell i
    all different x
    sum of x[i] over i in L  = 0                             for each line L
A line through the middle adds up to 0 by itself, and two opposite lines do if one of them does: fewer than
half of the lines are left as constraints, and there are many such hexagons of every order from 3 on.

The cells are filled one at a time, always in the line with the fewest empty cells: most values can be chosen
freely, and the last cell of a line holds what is missing. The search backs up when the empty cells of a line
can no longer bring its sum back to 0.
`hardness` is the share of the cells that are not given at first.
"""

from random import Random

from models.magic_hexagon.geometry import lines, opposites
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.generator import Draft
from models.shared.givens import given_in, one_more, swapped, with_givens
from models.shared.grid import Cell
from models.shared.puzzle import Solution

SIZE = "the order, cells on a side"

RESTARTS = 200
"""The number of orders of the cells that are tried."""

NODES = 300
"""The number of values tried for each cell, on average, before the next order of the cells is tried."""

Terms = dict[Cell, int]
"""A line as a sum over one cell of each opposite pair, with the sign -1 if the other cell is in the line."""


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A magic hexagon with some cells given."""
    if size == 2:
        raise ValueError("there is no magic hexagon: two lines of two cells that share one would be alike")
    half = 3 * size * (size - 1) // 2
    puzzle = MagicHexagon(size, -half, {})
    opposite = opposites(puzzle)
    sums = independent_lines(puzzle, opposite)
    for _ in range(RESTARTS):
        found = fill(half, sums, rng)
        if found is not None:
            break
    else:
        return None
    values = found | {opposite[cell]: -value for cell, value in found.items()}
    solution = puzzle.solution(lambda cell: values.get(cell, 0))
    given = {cell for cell in puzzle.cells if rng.random() >= hardness}
    return with_givens(Draft({"order": size, "start": puzzle.start}, solution), given)


def independent_lines(puzzle: MagicHexagon, opposite: dict[Cell, Cell]) -> list[Terms]:
    """One line of each opposite pair, and none of those through the middle."""
    sums: list[Terms] = []
    seen: set[frozenset[Cell]] = set()
    for line in lines(puzzle):
        mirrored = frozenset(opposite[cell] for cell in line)
        if mirrored not in seen and mirrored != frozenset(line):
            sums.append({min(i, opposite[i]): 1 if i <= opposite[i] else -1 for i in line})
        seen.add(frozenset(line))
    return sums


def fill(half: int, sums: list[Terms], rng: Random) -> dict[Cell, int] | None:
    """Values from -half to half, no two of the same size, for which all sums are 0; None if none are found.

    The result depends on the random numbers alone, not on the time.
    """
    order = filling_order(sums, rng)
    position = {cell: number for number, cell in enumerate(order)}
    # For each cell, the sums that it is part of: its sign, the cells filled before it, how many come after.
    parts: list[list[tuple[int, list[tuple[Cell, int]], int]]] = [[] for _ in order]
    for terms in sums:
        cells = sorted(terms, key=position.__getitem__)
        for number, cell in enumerate(cells):
            before = [(other, terms[other]) for other in cells[:number]]
            parts[position[cell]].append((terms[cell], before, len(cells) - number - 1))
    x: dict[Cell, int] = {}
    used: set[int] = set()
    nodes = NODES * len(order)

    def extend(number: int) -> bool:
        nonlocal nodes
        if number == len(order):
            return True
        low, high = -half, half
        for sign, before, after in parts[number]:
            rest = -sign * sum(term * x[cell] for cell, term in before)
            low, high = max(low, rest - after * half), min(high, rest + after * half)
        values = [value for value in range(low, high + 1) if value and abs(value) not in used]
        rng.shuffle(values)
        for value in values:
            nodes -= 1
            if nodes < 0:
                return False
            x[order[number]] = value
            used.add(abs(value))
            if extend(number + 1):
                return True
            used.remove(abs(value))
        return False

    return x if extend(0) else None


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


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """The draft with one more cell given, in which the other solution differs."""
    return one_more(draft, other, rng)


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """The draft with two of its givens exchanged."""
    given = sorted(given_in(draft))
    if len(given) < 2:
        return None
    return swapped(draft, *rng.sample(given, 2))
