"""Magic hexagon: the numbers -m..m in a hexagon in which opposite cells add up to 0, of which some are given.

Let opposite(i) be the cell on the other side of the middle, and m half the number of the other cells.
    x[i] in -m..m for each cell i, 0 in the middle
    x[opposite(i)] = -x[i]                                   for each cell i
    all different x
    sum of x[i] over i in L  = 0                             for each line L
Lines through the middle add up to 0 by themselves, and the others do in pairs: half as many are left to care
for, and of these hexagons many are magic, of every order from 3 on.
`hardness` is the share of the cells that are not given at first.
"""

from random import Random

from ortools.sat.python import cp_model

from models.magic_hexagon.lines import cubes, lines
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.draft import Draft
from models.shared.givens import given_in, one_more, swapped, with_givens
from models.shared.grid import Cell
from models.shared.puzzle import Solution

SIZE = "the order, cells on a side"
WORK = 60.0
"""How much deterministic time (about seconds) an attempt may take."""


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A magic hexagon, of which some cells are given."""
    if size == 2:
        raise ValueError("there is no magic hexagon: two lines of two cells that share one would be alike")
    half = 3 * size * (size - 1) // 2
    puzzle = MagicHexagon(size, -half, {})
    solution = fill(puzzle, rng)
    if solution is None:
        return None
    given = {cell for cell in puzzle.cells if rng.random() >= hardness}
    return with_givens(Draft({"order": size, "start": puzzle.start}, solution), given)


def fill(puzzle: MagicHexagon, rng: Random) -> Solution | None:
    """A magic hexagon in which opposite cells add up to 0; None if the search took too long."""
    cube_of = cubes(puzzle)
    cell_of = {cube: cell for cell, cube in cube_of.items()}
    largest = puzzle.values[-1]
    model = cp_model.CpModel()
    x: dict[Cell, cp_model.LinearExprT] = {}
    # The order of the variables is the order of search: another one, another hexagon.
    for cell in rng.sample(puzzle.cells, len(puzzle.cells)):
        a, b, c = cube_of[cell]
        opposite = cell_of[-a, -b, -c]
        if opposite == cell:
            x[cell] = 0
        elif opposite in x:
            x[cell] = -x[opposite]
        else:
            x[cell] = model.new_int_var(-largest, largest, "")
    model.add_all_different(x.values())
    for line in lines(puzzle):
        model.add(sum(x[cell] for cell in line) == 0)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = rng.randrange(2**31)
    solver.parameters.max_deterministic_time = WORK
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return puzzle.rows(lambda cell: solver.value(x[cell]))


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """One cell more is given, in which the other solution differs."""
    return one_more(draft, other, rng)


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """Two givens change places."""
    given = sorted(given_in(draft))
    if len(given) < 2:
        return None
    return swapped(draft, *rng.sample(given, 2))
