"""Magic hexagon for CP-SAT; model.md states the formulations.

Constraints: all different, linear
"""

from ortools.sat.python import cp_model

from models.magic_hexagon.geometry import corner_order, corners, lines, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers


def corner_sum(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions, with a sum that follows from the lines."""
    model, x = _model(puzzle, break_symmetry=True)

    # The corners and the middle add up to two lines.
    if puzzle.order == 3:
        few = [*corners(puzzle), puzzle.cells[puzzle.size // 2]]
        model.add(sum(x[i] for i in few) * puzzle.diameter == 2 * sum(puzzle.values))

    return Model(model, from_integers(puzzle, x), stands_for=stands_for(puzzle))


def symmetry_breaking(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions."""
    model, x = _model(puzzle, break_symmetry=True)
    return Model(model, from_integers(puzzle, x), stands_for=stands_for(puzzle))


def textbook(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    model, x = _model(puzzle)
    return Model(model, from_integers(puzzle, x))


def _model(
    puzzle: MagicHexagon, break_symmetry: bool = False
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


FORMULATIONS = by_name(corner_sum, textbook, symmetry_breaking)
