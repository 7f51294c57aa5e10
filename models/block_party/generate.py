"""Block Party: regions and values found together.

Let S be many random connected shapes, some around each cell, and every single cell.
    pick[s] in {0, 1}, s in S; b[i,K] in {0, 1}              cell i holds K, for K = 1..LARGEST
    exactly one s with i in s and pick[s]                    for each cell i
    at most one cell in SINGLES is a region of its own
    exactly one K with b[i,K]                                for each cell i
    pick[s] => some i in s with b[i,K]                       for K = 1..|s|
    the nearest-K rule as in the model `windows`             (cpsat.py)
`hardness` is the share of the cells that are not given at first.
"""

from random import Random

from ortools.sat.python import cp_model

from models.block_party.nearest import ring, windows
from models.block_party.puzzle import BlockParty
from models.shared.draft import Draft
from models.shared.givens import given_in, one_more, with_givens
from models.shared.grid import Cell, cells_of, labels_text, neighbours
from models.shared.puzzle import Solution

SIZE = "cells on a side"
LARGEST = 10
"""A region has so many cells at most."""

SHAPES = 12
"""So many random shapes are grown around each cell."""

WORK = 60.0
"""How much deterministic time (about seconds) an attempt may take."""

SINGLES = 12
"""Of so many cells one at most is a region of its own: those are no riddle, but they fill gaps."""

Shape = frozenset[Cell]


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A partition with its values, of which some are given."""
    if size < 1:
        raise ValueError("the grid needs a cell")
    cells = [(row, column) for row in range(size) for column in range(size)]
    grown = {grow(cell, size, rng.randint(2, LARGEST), rng) for cell in cells for _ in range(SHAPES)}
    shapes = [*(frozenset([cell]) for cell in cells), *sorted(grown, key=sorted)]
    # One region of all cells leaves every value to every cell.
    open_puzzle = BlockParty("taxicab", (("",) * size,) * size, (tuple(cells),), {})
    found = choose(open_puzzle, shapes, rng.randrange(2**31))
    if found is None:
        return None
    chosen, solution = found
    given = {cell for cell in cells if rng.random() >= hardness}
    table = {"distance": "taxicab", "regions": labels_text(chosen, size)}
    return with_givens(Draft(table, solution), given)


def grow(cell: Cell, size: int, cells: int, rng: Random) -> Shape:
    """A random connected shape of at most so many cells with the cell in it."""
    shape = [cell]
    while len(shape) < cells:
        border = [cell for cell in neighbours(rng.choice(shape), size) if cell not in shape]
        if border:
            shape.append(rng.choice(border))
        elif rng.random() < 0.1:
            break
    return frozenset(shape)


def choose(puzzle: BlockParty, shapes: list[Shape], seed: int) -> tuple[list[Shape], Solution] | None:
    """Shapes that cut the grid, and values that obey the rules; None if these shapes allow none in time."""
    model = cp_model.CpModel()
    values = range(1, LARGEST + 1)
    pick = [model.new_bool_var("") for _ in shapes]
    holds = {(cell, value): model.new_bool_var("") for cell in puzzle.cells for value in values}
    around: dict[Cell, list[cp_model.IntVar]] = {cell: [] for cell in puzzle.cells}
    for shape, picked in zip(shapes, pick, strict=True):
        for cell in shape:
            around[cell].append(picked)
        # A region of k cells holds each of 1..k.
        for value in range(1, len(shape) + 1):
            model.add_bool_or(~picked, *(holds[cell, value] for cell in sorted(shape)))
    singles = [picked for shape, picked in zip(shapes, pick, strict=True) if len(shape) == 1]
    model.add(sum(singles) <= max(1, len(puzzle.cells) // SINGLES))
    for cell in puzzle.cells:
        model.add_exactly_one(around[cell])
        model.add_exactly_one(holds[cell, value] for value in values)
    for (cell, value), literal in holds.items():
        model.add_bool_or(~literal, *(holds[other, value] for other in ring(puzzle, cell, value)))
    for value in values[1:]:
        for window in windows(puzzle, value):
            model.add_at_most_one(holds[cell, value] for cell in window)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.max_deterministic_time = WORK
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    chosen = [shape for shape, picked in zip(shapes, pick, strict=True) if solver.value(picked)]
    held = {cell: value for (cell, value), literal in holds.items() if solver.value(literal)}
    return chosen, puzzle.rows(held.__getitem__)


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """One cell more is given, in which the other solution differs."""
    return one_more(draft, other, rng)


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
    (r, c), (s, d) = rng.choice(pairs)
    rows = draft.solution
    return with_givens(draft, given, {(r, c): rows[s][d], (s, d): rows[r][c]})
