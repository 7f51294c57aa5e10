"""Magic hexagon for CP-SAT. S is the sum of a line.

`integers`: x[i] in start..start + n - 1 for each of the n cells.
    all different x
    sum of x[i] over i in L  = S                             for each line L
    x[i] = g                                                 for each given

`broken`: the same, with one solution kept of each 12 that are symmetric (where nothing is given).
    x[i] < x[k]                                              for each pair of `smaller` in lines.py

`ordered`: the same, searched in an order: smallest domain first, of several the corners, least value first.

`binaries`: literals b[i,v] mean that cell i holds v; symmetry broken as well.
    exactly one v with b[i,v]                                for each cell i
    exactly one i with b[i,v]                                for each value v
    sum of v b[i,v] over i in L and all v  = S               for each line L
"""

from ortools.sat.python import cp_model

from models.magic_hexagon.lines import corners, lines, smaller, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.model import Model, chosen


def ordered(puzzle: MagicHexagon) -> Model:
    """One variable a cell, all different, one solution of each 12, in a fixed order of search."""
    return _integers(puzzle, broken=True, in_order=True)


def symmetry_broken(puzzle: MagicHexagon) -> Model:
    """One variable a cell, all different, one solution of each 12."""
    return _integers(puzzle, broken=True)


def integers(puzzle: MagicHexagon) -> Model:
    """One variable a cell, all different."""
    return _integers(puzzle, broken=False)


def _integers(puzzle: MagicHexagon, broken: bool, in_order: bool = False) -> Model:
    model = cp_model.CpModel()
    x = {
        i: model.new_int_var(
            puzzle.givens.get(i, puzzle.values[0]), puzzle.givens.get(i, puzzle.values[-1]), f"x{i}"
        )
        for i in puzzle.cells
    }
    model.add_all_different(x.values())
    for line in lines(puzzle):
        model.add(sum(x[i] for i in line) * (2 * puzzle.order - 1) == sum(puzzle.values))
    for i, k in smaller(puzzle) if broken else []:
        model.add(x[i] < x[k])
    if in_order:
        cells = dict.fromkeys([*corners(puzzle), *puzzle.cells])
        model.add_decision_strategy(
            [x[i] for i in cells], cp_model.CHOOSE_MIN_DOMAIN_SIZE, cp_model.SELECT_MIN_VALUE
        )
    return Model(
        model, lambda of: puzzle.rows(lambda i: of(x[i])), stands_for=stands_for(puzzle) if broken else 1
    )


def binaries(puzzle: MagicHexagon) -> Model:
    """One literal a cell and value."""
    model = cp_model.CpModel()
    holds = {
        (i, value): model.new_bool_var(f"{i} is {value}")
        for i in puzzle.cells
        for value in puzzle.values
        if puzzle.givens.get(i, value) == value
    }
    at = {i: {value: holds[i, value] for value in puzzle.values if (i, value) in holds} for i in puzzle.cells}
    for i in puzzle.cells:
        model.add_exactly_one(at[i].values())
    for value in puzzle.values:
        model.add_exactly_one(holds[i, value] for i in puzzle.cells if (i, value) in holds)
    x = {i: sum(value * literal for value, literal in at[i].items()) for i in puzzle.cells}
    for line in lines(puzzle):
        model.add(sum(x[i] for i in line) * (2 * puzzle.order - 1) == sum(puzzle.values))
    for i, k in smaller(puzzle):
        model.add(x[i] < x[k])
    return Model(
        model,
        lambda of: puzzle.rows(lambda i: chosen(at[i], of)),
        stands_for=stands_for(puzzle),
    )


FORMULATIONS = {"ordered": ordered, "broken": symmetry_broken, "integers": integers, "binaries": binaries}
