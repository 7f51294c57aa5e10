"""Generates Block Parties: regions with their values, of which any may be given, block by block of the grid.

Let B be the cells of a block that have no region yet; S every single cell of B, and random connected shapes
around them, which may reach beyond the block; and R all cells of these shapes.
    pick[s], s in S                                          literals: shape s is a region
    holds[i][K], i in R, K = 1..LARGEST                      literals: cell i holds K
    pick[s] => some i in s with holds[i][K]                  for s in S and K = 1..|s|
    at most one pick[s] in SINGLES, over the s of one cell
    exactly one s with i in s and pick[s]                    for i in B; at most one for the others of R
    as many K with holds[i][K] as s with i in s and pick[s]  for i in R
    the nearest-K rule as in the model `windows` (cpsat.py), with the values found before
If there is no such choice, the regions around the block are given up, and their cells join the block.
A grid larger than WHOLE cells on a side is a mosaic of tiles, found in this way, turned and reflected; blocks
fill the seams between them.
"""

from collections.abc import Collection, Sequence
from itertools import permutations, product
from math import ceil
from random import Random

from ortools.sat.python import cp_model

from models.block_party.neighbourhoods import closer, maximal_windows, rings
from models.block_party.puzzle import parse
from models.shared.generator import Clue, Planted, document
from models.shared.givens import givens, planted_grid
from models.shared.grid import Cell, labels_text, neighbours
from models.shared.model import chosen

SIZE = "cells on a side"
LARGEST = 10  # The largest number of cells in a region.
BLOCK = 6  # The side of a block, in cells.
WHOLE = 100  # The largest side of a grid that is found without tiles, in cells.
TILE, TILES = 11 * BLOCK, 2  # The side of a tile in cells, and how many there are.
MARGINS = (0, 1, 1, 2, 2, 3, 3, 4, 5)  # Around a block, in cells, for each attempt: regions there go.
SHAPES = 12  # The number of random shapes that are grown around each cell.
CONFLICTS = 30_000  # The limit of conflicts in the search for the regions of a block.
SINGLES = 10  # At most one cell in this many is a region of its own: these are dull, but they fill gaps.

SEAM = BLOCK * ceil(LARGEST / BLOCK)
"""The cells between two tiles: LARGEST at least, so that no value is too close to one of another tile."""

Shape = frozenset[Cell]
Region = dict[Cell, int]
"""The cells of a region with their values."""


def plant(size: int, rng: Random) -> Planted | None:
    """A partition of the grid with its values."""
    if size < 3:
        raise ValueError("the grid needs 3 cells or more on a side")
    found = fill(size, [], rng) if size <= WHOLE else mosaic(size, rng)
    if found is None:
        return None
    values = {cell: value for region in found for cell, value in region.items()}
    solution = [[values[row, column] for column in range(size)] for row in range(size)]
    return planted_grid(solution, {"distance": "taxicab", "regions": labels_text(found, size)})


def fill(size: int, found: list[Region], rng: Random) -> list[Region] | None:
    """All regions of a grid of which some were found; None if the attempts at a block are used up."""
    covered = set().union(*found)
    for row, column in product(range(0, size, BLOCK), repeat=2):
        for margin in MARGINS:
            block = {
                (r, c)
                for r in range(max(0, row - margin), min(size, row + BLOCK + margin))
                for c in range(max(0, column - margin), min(size, column + BLOCK + margin))
            }
            if not margin and block <= covered:
                break
            kept = [region for region in found if not margin or block.isdisjoint(region)]
            block = block.union(*(region for region in found if margin and not block.isdisjoint(region)))
            if (more := choose(block, kept, size, rng)) is not None:
                found = kept + more
                covered.update(*more)
                break
        else:
            return None
    return found


def mosaic(size: int, rng: Random) -> list[Region] | None:
    """All regions of a large grid; None if there is no tile, or a seam cannot be filled."""
    tiles = [tile for _ in range(TILES) if (tile := fill(TILE, [], rng))]
    if not tiles:
        return None
    found: list[Region] = []
    for row, column in product(range(0, size - TILE + 1, TILE + SEAM), repeat=2):
        turned, down, right = (rng.random() < 0.5 for _ in range(3))
        found += placed(rng.choice(tiles), (row, column), turned, down, right)
    return fill(size, found, rng)


def placed(tile: list[Region], corner: Cell, turned: bool, down: bool, right: bool) -> list[Region]:
    """The regions of a tile at a corner of the grid, with rows and columns exchanged or reversed."""

    def place(cell: Cell) -> Cell:
        row, column = cell[::-1] if turned else cell
        return (
            corner[0] + (TILE - 1 - row if down else row),
            corner[1] + (TILE - 1 - column if right else column),
        )

    return [{place(cell): value for cell, value in region.items()} for region in tile]


def grow(cell: Cell, size: int, cells: int, taken: Collection[Cell], rng: Random) -> Shape:
    """A random connected shape that contains the cell and has at most `cells` cells."""
    shape = [cell]
    while len(shape) < cells:
        border = [i for i in neighbours(rng.choice(shape), size) if i not in shape and i not in taken]
        if border:
            shape.append(rng.choice(border))
        elif rng.random() < 0.1:
            break
    return frozenset(shape)


def candidates(cells: Collection[Cell], size: int, taken: Collection[Cell], rng: Random) -> list[Shape]:
    """Each cell as a region of its own, and random shapes around it, most of them small."""
    sizes = range(2, LARGEST + 1)
    grown = {
        grow(cell, size, rng.choices(sizes, [1 / k for k in sizes])[0], taken, rng)
        for cell in cells
        for _ in range(SHAPES)
    }
    return [*(frozenset([cell]) for cell in cells), *sorted((s for s in grown if len(s) > 1), key=sorted)]


def choose(block: set[Cell], found: list[Region], size: int, rng: Random) -> list[Region] | None:
    """Regions that cover the rest of the block; None if none are found within the limit."""
    rows, columns = {row for row, _ in block}, {column for _, column in block}
    top, bottom, left, right = min(rows), max(rows), min(columns), max(columns)

    def within(margin: int, cell: Cell) -> bool:
        row, column = cell
        return top - margin <= row <= bottom + margin and left - margin <= column <= right + margin

    # Regions reach at most LARGEST cells beyond the block, and their values matter as far again.
    before = {i: value for region in found for i, value in region.items() if within(2 * LARGEST, i)}
    known = {cell: [value] for cell, value in before.items()}
    shapes = candidates(sorted(block - before.keys()), size, before, rng)
    reach = sorted({cell for shape in shapes for cell in shape})
    values = list(range(1, LARGEST + 1))
    # No K that was found before lies closer.
    near = closer("taxicab", dict.fromkeys(reach, values) | known)
    free = {
        cell: [value for value in values if not any(other in before for other in near[cell, value])]
        for cell in reach
    }

    model = cp_model.CpModel()
    pick = [model.new_bool_var("") for _ in shapes]
    holds = {cell: {value: model.new_bool_var("") for value in free[cell]} for cell in reach}
    around: dict[Cell, list[cp_model.IntVar]] = {cell: [] for cell in reach}
    for shape, picked in zip(shapes, pick, strict=True):
        for cell in shape:
            around[cell].append(picked)
        # A region of k cells holds each of 1..k.
        for value in range(1, len(shape) + 1):
            model.add_bool_or(~picked, *(holds[i][value] for i in sorted(shape) if value in holds[i]))
    # Few cells are regions of their own.
    singles = [picked for shape, picked in zip(shapes, pick, strict=True) if len(shape) == 1]
    model.add(sum(singles) <= max(1, len(singles) // SINGLES))
    # Each cell of the block is in one region, and each cell in a region holds one value.
    for cell in reach:
        if cell in block:
            model.add_exactly_one(around[cell])
        else:
            model.add_at_most_one(around[cell])
        model.add(sum(holds[cell].values()) == sum(around[cell]))
    # Some other K lies at distance exactly K, of a K that was found before too.
    for (cell, value), others in rings("taxicab", free | known).items():
        if any(other in before for other in others):
            continue
        support = [holds[other][value] for other in others]
        if cell in free:
            model.add_bool_or(~holds[cell][value], *support)
        elif within(LARGEST, cell):
            model.add_bool_or(support)
    # No other K lies closer.
    for value, window in maximal_windows("taxicab", free):
        model.add_at_most_one(holds[cell][value] for cell in window)

    solver = reproducible()
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [
        {cell: chosen(holds[cell], solver.value) for cell in sorted(shape)}
        for shape, picked in zip(shapes, pick, strict=True)
        if solver.value(picked)
    ]


def reproducible() -> cp_model.CpSolver:
    """CP-SAT as plain search, which goes through the same steps in every process.

    Presolve and probing are off, and inprocessing with them, because they may leave different models in
    different processes; the linear relaxation and the sorting of learned clauses, which has ties, are off
    because they may differ between builds. The limit counts conflicts, not time.
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


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """The values of two cells of a region are swapped, at least one of which is given."""
    given, values = dict(clues), dict(givens(planted.solution))
    regions = parse(document(planted.table([]))).regions
    swaps = [(a, b) for region in regions for a, b in permutations(region, 2) if a in given]
    if not swaps:
        return None
    a, b = rng.choice(swaps)
    return list((given | {i: values[k] for i, k in ((a, b), (b, a)) if i in given}).items())
