"""Magic hexagon for CP-SAT.

The numbers start, start + 1, ... go one into each cell of a hexagon with `order` cells on a side, so that
all lines in all three directions have the same sum.

Let D(i) be start..start + n - 1 for each of the n cells i, or the given number alone; S the sum of a line,
that of all numbers divided by 2 order - 1; c1, ..., c6 the corners in the order in which one walks around;
-i the cell on the other side of the middle.

`ordered`: x[i] in D(i) for each cell i; if S = 0, a literal: opposite cells hold opposite numbers.
    all different x
    sum of x[i] over i in L  = S                             for each line L
    x[c1] < x[c2], ..., x[c6] and x[c2] < x[c6]              unless numbers are given
    opposite => x[i] + x[-i] = 0                             for each cell i, if S = 0
    sum of x[i] over the corners and the middle  = 2 S       if order = 3
  A solution with opposite numbers is found once for each value of `opposite`; it is one of the puzzle.
  Branches on `opposite`, true first, then on the corners, then row by row, least value first: where opposite
  numbers lie opposite, half of the hexagon follows from the other. Presolve, probing and LP are off.
  The sum for order 3 follows from the lines: it is a third of the sides and of the lines through the middle,
  less a sixth of the others.

`symmetry_breaking`: the same without `opposite` and the sum for order 3, searched as CP-SAT chooses.

`integers`: `symmetry_breaking` without the order of the corners, which leaves one of 12 symmetric solutions.

`binaries`: literals holds[i][v], v in D(i): cell i holds v. Here x[i] is the sum of v holds[i][v] over v.
    exactly one v with holds[i][v]                           for each cell i
    exactly one i with holds[i][v]                           for each number v
    sum of x[i] over i in L  = S                             for each line L
    x[c1] < x[c2], ..., x[c6] and x[c2] < x[c6]              unless numbers are given

Constraints: all different, linear; `binaries`: exactly one, linear
"""

from ortools.sat.python import cp_model

from models.magic_hexagon.geometry import corner_order, corners, lines, opposites, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers, from_literals

PROPAGATION_ALONE = {
    "cp_model_presolve": False,
    "cp_model_probing_level": 0,
    "inprocessing_probing_dtime": 0.0,
    "linearization_level": 0,
}
"""Presolve, probing and the linear relaxation last longer than they save."""


def ordered(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions, in a fixed order of search."""
    model, x = _integers(puzzle, break_symmetry=True)

    # Opposite cells hold opposite numbers in some solutions, which are found soon.
    if puzzle.line_sum == 0:
        opposite = model.new_bool_var("opposite")
        for i, k in opposites(puzzle).items():
            if i <= k:
                model.add(x[i] + x[k] == 0).only_enforce_if(opposite)
        model.add_decision_strategy([opposite], cp_model.CHOOSE_FIRST, cp_model.SELECT_MAX_VALUE)

    # The corners come first in the search, and the lines together say what they add up to.
    if puzzle.order == 3:
        few = [*corners(puzzle), puzzle.cells[puzzle.size // 2]]
        model.add(sum(x[i] for i in few) * puzzle.diameter == 2 * sum(puzzle.values))

    # The corners come first, then the rows.
    cells = dict.fromkeys([*corners(puzzle), *puzzle.cells])
    model.add_decision_strategy([x[i] for i in cells], cp_model.CHOOSE_FIRST, cp_model.SELECT_MIN_VALUE)

    return Model(model, from_integers(puzzle, x), stands_for=stands_for(puzzle), options=PROPAGATION_ALONE)


def symmetry_breaking(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions."""
    model, x = _integers(puzzle, break_symmetry=True)
    return Model(model, from_integers(puzzle, x), stands_for=stands_for(puzzle))


def integers(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    model, x = _integers(puzzle, break_symmetry=False)
    return Model(model, from_integers(puzzle, x))


def _integers(
    puzzle: MagicHexagon, break_symmetry: bool
) -> tuple[cp_model.CpModel, dict[Cell, cp_model.IntVar]]:
    model = cp_model.CpModel()

    # A cell holds one of the numbers, or what is given.
    x = {}
    for i in puzzle.cells:
        domain = puzzle.domain(i)
        x[i] = model.new_int_var(domain[0], domain[-1], f"x{i}")

    # Each number is placed once.
    model.add_all_different(x.values())

    # All lines have the same sum.
    for line in lines(puzzle):
        model.add(sum(x[i] for i in line) * puzzle.diameter == sum(puzzle.values))

    # Of 12 symmetric solutions one is left.
    if break_symmetry:
        for i, k in corner_order(puzzle):
            model.add(x[i] < x[k])

    return model, x


def binaries(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions, with a literal for each cell and number."""
    model = cp_model.CpModel()

    # A cell holds one of the numbers, or what is given.
    holds = {i: {v: model.new_bool_var(f"{i} is {v}") for v in puzzle.domain(i)} for i in puzzle.cells}
    for i in puzzle.cells:
        model.add_exactly_one(holds[i].values())

    # Each number is placed once.
    for v in puzzle.values:
        model.add_exactly_one(holds[i][v] for i in puzzle.cells if v in holds[i])

    # All lines have the same sum.
    x = {i: sum(v * literal for v, literal in holds[i].items()) for i in puzzle.cells}
    for line in lines(puzzle):
        model.add(sum(x[i] for i in line) * puzzle.diameter == sum(puzzle.values))

    # Of 12 symmetric solutions one is left.
    for i, k in corner_order(puzzle):
        model.add(x[i] < x[k])

    return Model(model, from_literals(puzzle, holds), stands_for=stands_for(puzzle))


FORMULATIONS = by_name(ordered, symmetry_breaking, integers, binaries)
