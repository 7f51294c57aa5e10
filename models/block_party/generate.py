"""Block Party: regions and values found together, a block of the grid after the other.

Let B be the cells of a block that have no region yet; S many random connected shapes around them, which may
reach beyond the block, and every single cell of B; R all cells of these shapes.
    pick[s] in {0, 1}, s in S; b[i,K] in {0, 1}              cell i of R holds K, for K = 1..LARGEST
    exactly one s with i in s and pick[s]                    for i in B; at most one for the others of R
    as many K with b[i,K] as s with i in s and pick[s]       for i in R
    at most one cell in SINGLES is a region of its own
    pick[s] => some i in s with b[i,K]                       for K = 1..|s|
    the nearest-K rule as in the model `windows` (cpsat.py), with the values found before
If there is no such choice, the regions around the block are given up and found again with it.
`hardness` is the share of the cells that are not given at first.
"""

from collections.abc import Collection
from itertools import product
from random import Random

import networkx
from ortools.sat.python import cp_model

from models.block_party.nearest import closer, rings, windows
from models.shared.generator import Draft
from models.shared.givens import differing, given_in, swapped, with_givens
from models.shared.grid import Cell, cells_of, labels_text, neighbours
from models.shared.puzzle import Solution

SIZE = "cells on a side"
LARGEST = 10
"""A region has so many cells at most."""

BLOCK = 6
"""So many cells on a side have their regions found together."""

MARGINS = (0, 1, 1, 2, 2, 3, 3, 4, 5)
"""So many cells around a block are given up and found again with it, one try after the other."""

SHAPES = 12
"""So many random shapes are grown around each cell."""

CONFLICTS = 30_000
"""So many conflicts the search for the regions of a block may have."""

SINGLES = 10
"""Of so many cells one at most is a region of its own: those are no riddle, but they fill gaps."""

Shape = frozenset[Cell]
Values = dict[Cell, int]


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A partition with its values, of which some are given."""
    if size < 1:
        raise ValueError("the grid needs a cell")
    found: dict[Shape, Values] = {}
    for row, column in product(range(0, size, BLOCK), repeat=2):
        for margin in MARGINS:
            block = {
                (r, c)
                for r in range(max(0, row - margin), min(size, row + BLOCK + margin))
                for c in range(max(0, column - margin), min(size, column + BLOCK + margin))
            }
            kept = {shape: values for shape, values in found.items() if not margin or not shape & block}
            block = block.union(*(shape for shape in found if shape not in kept))
            if (more := choose(block, kept, size, rng)) is not None:
                found = kept | more
                break
        else:
            return None
    values = {cell: value for part in found.values() for cell, value in part.items()}
    solution = [[values[row, column] for column in range(size)] for row in range(size)]
    given = {cell for cell in cells_of(solution) if rng.random() >= hardness}
    return with_givens(Draft({"distance": "taxicab", "regions": labels_text(found, size)}, solution), given)


def grow(cell: Cell, size: int, cells: int, taken: Collection[Cell], rng: Random) -> Shape:
    """A random connected shape of at most so many cells with the cell in it."""
    shape = [cell]
    while len(shape) < cells:
        border = [i for i in neighbours(rng.choice(shape), size) if i not in shape and i not in taken]
        if border:
            shape.append(rng.choice(border))
        elif rng.random() < 0.1:
            break
    return frozenset(shape)


def candidates(cells: Collection[Cell], size: int, taken: Collection[Cell], rng: Random) -> list[Shape]:
    """Each cell as a region of its own, and random shapes around it, more small ones than large ones."""
    sizes = range(2, LARGEST + 1)
    grown = {
        grow(cell, size, rng.choices(sizes, [1 / k for k in sizes])[0], taken, rng)
        for cell in cells
        for _ in range(SHAPES)
    }
    return [*(frozenset([cell]) for cell in cells), *sorted((s for s in grown if len(s) > 1), key=sorted)]


def within(block: Collection[Cell], margin: int, size: int) -> set[Cell]:
    """The cells of the rectangle around a block, with a margin."""
    rows, columns = (
        range(max(0, min(places) - margin), min(size, max(places) + margin + 1))
        for places in zip(*block, strict=True)
    )
    return set(product(rows, columns))


def choose(
    block: set[Cell], found: dict[Shape, Values], size: int, rng: Random
) -> dict[Shape, Values] | None:
    """Regions with their values that cover the rest of the block; None if these shapes allow none in time."""
    # A region reaches so far beyond the block, and the values in it matter so far again.
    nearby, around_it = within(block, LARGEST, size), within(block, 2 * LARGEST, size)
    before = {i: value for values in found.values() for i, value in values.items() if i in around_it}
    known = {cell: [value] for cell, value in before.items()}
    shapes = candidates(sorted(block - before.keys()), size, before, rng)
    reach = sorted({cell for shape in shapes for cell in shape})
    values = list(range(1, LARGEST + 1))
    # Nothing that was found before may lie closer than its value to the same value.
    near = closer("taxicab", dict.fromkeys(reach, values) | known)
    free = {
        cell: [value for value in values if not any(other in before for other in near[cell, value])]
        for cell in reach
    }

    model = cp_model.CpModel()
    pick = [model.new_bool_var("") for _ in shapes]
    holds = {(cell, value): model.new_bool_var("") for cell in reach for value in free[cell]}
    around: dict[Cell, list[cp_model.IntVar]] = {cell: [] for cell in reach}
    for shape, picked in zip(shapes, pick, strict=True):
        for cell in shape:
            around[cell].append(picked)
        # A region of k cells holds each of 1..k.
        for value in range(1, len(shape) + 1):
            model.add_bool_or(~picked, *(holds[i, value] for i in sorted(shape) if (i, value) in holds))
    singles = [picked for shape, picked in zip(shapes, pick, strict=True) if len(shape) == 1]
    model.add(sum(singles) <= max(1, len(singles) // SINGLES))
    for cell in reach:
        if cell in block:
            model.add_exactly_one(around[cell])
        else:
            model.add_at_most_one(around[cell])
        model.add(sum(holds[cell, value] for value in free[cell]) == sum(around[cell]))
    # Some other K lies at distance exactly K, for what was found before too.
    for (cell, value), others in rings("taxicab", free | known).items():
        if any(other in before for other in others):
            continue
        support = [holds[other, value] for other in others]
        if cell in free:
            model.add_bool_or(~holds[cell, value], *support)
        elif cell in nearby:
            model.add_bool_or(support)
    # No two K lie closer than K.
    for value, window in windows("taxicab", free):
        model.add_at_most_one(holds[cell, value] for cell in window)

    solver = reproducible()
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    held = {cell: value for (cell, value), literal in holds.items() if solver.value(literal)}
    return {
        shape: {cell: held[cell] for cell in shape}
        for shape, picked in zip(shapes, pick, strict=True)
        if solver.value(picked)
    }


def reproducible() -> cp_model.CpSolver:
    """CP-SAT as plain search, which takes the same steps in every process.

    Presolve and probing do not always leave the same model: that differs from process to process. So they
    are off, and inprocessing with them; the linear relaxation and the sorting of learned clauses, with its
    ties, are off as they may differ between builds. The limit counts conflicts, not time.
    """
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_number_of_conflicts = CONFLICTS
    solver.parameters.cp_model_presolve = False
    solver.parameters.cp_model_probing_level = 0
    solver.parameters.symmetry_level = 0
    solver.parameters.linearization_level = 0
    solver.parameters.use_sat_inprocessing = False
    solver.parameters.clause_cleanup_period = 2 * CONFLICTS
    return solver


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """One cell more is given in each part of the grid in which the other solution differs."""
    differ = differing(draft, other)
    graph = networkx.Graph()
    graph.add_nodes_from(differ)
    graph.add_edges_from(
        (cell, near) for cell in differ for near in neighbours(cell, len(other)) if near in differ
    )
    more = {rng.choice(sorted(part)) for part in networkx.connected_components(graph)}
    return with_givens(draft, given_in(draft) | more)


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """Two cells of a region change their values, where at least one of them is given."""
    labels = [line.split() for line in draft.table["regions"].splitlines()]
    given = given_in(draft)
    pairs = [
        (a, b)
        for a in sorted(given)
        for b in cells_of(draft.solution)
        if a != b and labels[a[0]][a[1]] == labels[b[0]][b[1]]
    ]
    if not pairs:
        return None
    return swapped(draft, *rng.choice(pairs))
