"""Generates magic hexagons of the numbers -m..m, of which any cell may be given.

Let opposite(i) be the cell on the other side of the middle, and m half the number of the other cells. First
    x[i] in -m..m for each cell i, 0 in the middle
    x[opposite(i)] = -x[i]                                   for each cell i
    all different x
    sum of x[i] over i in L  = 0                             for each line L
A line through the middle adds up to 0 by itself, and two opposite lines do if one of them does: fewer than
half of the lines are left as constraints, and there are many such hexagons of every order from 3 on.

The cells are filled one at a time, always in the line with the fewest empty cells: most values can be chosen
freely, and the last cell of a line holds what is missing. The search backs up when the empty cells of a line
can no longer bring its sum back to 0.

Then opposite cells no longer all add up to 0, so that there is no hidden symmetry. Let r[0], ..., r[5] be the
cells around a cell, in turn. A line that meets them has two of them, one with an even and one with an odd
index; so for any d
    x[r[k]] + d for even k,  x[r[k]] - d for odd k
leaves the sums of all lines as they are. It leaves the set of numbers as it is where
    {x[r[1]], x[r[3]], x[r[5]]} = {x[r[0]] + d, x[r[2]] + d, x[r[4]] + d}
Such numbers are drawn first for cells near the edge, the others filled as above, and then d is added and
subtracted. None of the 144 hexagons of opposite numbers of order 3 has such a ring: they stay as they are.
"""

from collections.abc import Sequence
from random import Random

from models.magic_hexagon.geometry import cubes, lines, opposites
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.generator import Clue, Planted
from models.shared.givens import planted_grid
from models.shared.grid import Cell

SIZE = "the order, cells on a side"

RESTARTS = 200  # The number of orders of the cells that are tried.
NODES = 300  # The number of values tried for each cell, on average, before the next order is tried.

AROUND = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))
"""The cells around the middle in turn, in cube coordinates."""

Terms = dict[Cell, int]
"""A line as a sum over one cell of each opposite pair, with the sign -1 if the other cell is in the line."""


def plant(size: int, rng: Random) -> Planted | None:
    """A magic hexagon; None if no order of the cells was filled."""
    if size == 2:
        raise ValueError("there is no magic hexagon: two lines of two cells that share one would be alike")
    puzzle = MagicHexagon(size, -3 * size * (size - 1) // 2, {})
    for _ in range(RESTARTS):
        ring = ring_near_edge(puzzle, rng) if size > 3 else []
        shift, numbers = numbers_to_shift(-puzzle.start, rng) if ring else (0, [])
        values = antisymmetric(puzzle, dict(zip(ring, numbers, strict=True)), rng)
        if values is not None:
            for number, cell in enumerate(ring):
                values[cell] += -shift if number % 2 else shift
            rules = {"order": size, "start": puzzle.start}
            return planted_grid(puzzle.solution(values.__getitem__), rules)
    return None


def ring_near_edge(puzzle: MagicHexagon, rng: Random) -> list[Cell]:
    """The cells around one that is next to the edge, in turn."""
    cell_of = {cube: cell for cell, cube in cubes(puzzle).items()}
    a, b, c = rng.choice([cube for cube in cell_of if max(map(abs, cube)) == puzzle.order - 2])
    return [cell_of[a + da, b + db, c + dc] for da, db, dc in AROUND]


def numbers_to_shift(half: int, rng: Random) -> tuple[int, list[int]]:
    """A number d, and six of different sizes for a ring: those at odd places are the others plus d."""
    while True:
        shift, *even = (rng.randint(-half, half) for _ in range(4))
        odd = [number + shift for number in even]
        sizes = {abs(number) for number in even + odd}
        if len(sizes) == 6 and min(sizes) > 0 and max(sizes) <= half:
            rng.shuffle(odd)
            return shift, [number for pair in zip(even, odd, strict=True) for number in pair]


def antisymmetric(puzzle: MagicHexagon, known: dict[Cell, int], rng: Random) -> dict[Cell, int] | None:
    """A hexagon of opposite numbers in opposite cells in which some are known; None if it is not found."""
    opposite = opposites(puzzle)
    known = {min(i, opposite[i]): value if i < opposite[i] else -value for i, value in known.items()}
    found = fill(-puzzle.start, independent_lines(puzzle, opposite), known, rng)
    if found is None:
        return None
    mirrored = {opposite[cell]: -value for cell, value in found.items()}
    return dict.fromkeys(puzzle.cells, 0) | found | mirrored


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


def fill(half: int, sums: list[Terms], known: dict[Cell, int], rng: Random) -> dict[Cell, int] | None:
    """Values from -half to half, no two of the same size, for which all sums are 0; None if none are found.

    Those that are known are kept; no sum may have known values alone.
    The result depends on the random numbers alone, not on the time.
    """
    order = [*known, *filling_order(sums, known, rng)]
    position = {cell: number for number, cell in enumerate(order)}
    # For each cell, the sums that it is part of: its sign, the cells filled before it, how many come after.
    parts: list[list[tuple[int, list[tuple[Cell, int]], int]]] = [[] for _ in order]
    for terms in sums:
        cells = sorted(terms, key=position.__getitem__)
        for number, cell in enumerate(cells):
            before = [(other, terms[other]) for other in cells[:number]]
            parts[position[cell]].append((terms[cell], before, len(cells) - number - 1))
    x = dict(known)
    used = {abs(value) for value in known.values()}
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

    return x if extend(len(known)) else None


def filling_order(sums: list[Terms], known: dict[Cell, int], rng: Random) -> list[Cell]:
    """All cells that are not known, each taken from one of the sums with the fewest cells left."""
    order: list[Cell] = []
    left = [[cell for cell in terms if cell not in known] for terms in sums]
    while left := [cells for cells in left if cells]:
        fewest = min(map(len, left))
        chosen = rng.choice(sorted({cell for cells in left if len(cells) == fewest for cell in cells}))
        order.append(chosen)
        left = [[cell for cell in cells if cell != chosen] for cells in left]
    return order


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """Two givens are exchanged."""
    if len(clues) < 2:
        return None
    (one, a), (other, b) = pair = rng.sample(clues, 2)
    return [*(clue for clue in clues if clue not in pair), (one, b), (other, a)]
