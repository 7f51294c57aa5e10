"""Magic hexagon for CP-SAT.

The numbers start, start + 1, ... go one into each cell of a hexagon with `order` cells on a side, so that
all lines in all three directions have the same sum.

Let D(i) be start..start + n - 1 for each of the n cells i, or the given number alone; S the sum of a line,
that of all numbers divided by 2 order - 1; c1, ..., c6 the corners in the order in which one walks around.

`ordered`: x[i] in D(i) for each cell i.
    all different x
    sum of x[i] over i in L  = S                             for each line L
    x[c1] < x[c2], ..., x[c6] and x[c2] < x[c6]              unless numbers are given
  Branches on the smallest domain, of several on a corner first, and tries its least value.

`symmetry_breaking`: the same, searched as CP-SAT chooses.

`integers`: the same without the order of the corners, which leaves one of 12 symmetric solutions.

`binaries`: literals holds[i][v], v in D(i): cell i holds v. Here x[i] is the sum of v holds[i][v] over v.
    exactly one v with holds[i][v]                           for each cell i
    exactly one i with holds[i][v]                           for each number v
    sum of x[i] over i in L  = S                             for each line L
    x[c1] < x[c2], ..., x[c6] and x[c2] < x[c6]              unless numbers are given

Constraints: all different, linear; `binaries`: exactly one, linear
"""

from ortools.sat.python import cp_model

from models.magic_hexagon.geometry import corner_order, corners, lines, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.model import Model, by_name, from_integers, from_literals


def ordered(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions, in a fixed order of search."""
    return _integers(puzzle, break_symmetry=True, fix_search=True)


def symmetry_breaking(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions."""
    return _integers(puzzle, break_symmetry=True)


def integers(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _integers(puzzle, break_symmetry=False)


def _integers(puzzle: MagicHexagon, break_symmetry: bool, fix_search: bool = False) -> Model:
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

    # The smallest domain comes first, of several a corner.
    if fix_search:
        cells = dict.fromkeys([*corners(puzzle), *puzzle.cells])
        model.add_decision_strategy(
            [x[i] for i in cells], cp_model.CHOOSE_MIN_DOMAIN_SIZE, cp_model.SELECT_MIN_VALUE
        )

    return Model(model, from_integers(puzzle, x), stands_for=stands_for(puzzle) if break_symmetry else 1)


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
