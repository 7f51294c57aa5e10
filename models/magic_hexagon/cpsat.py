"""Magic hexagon for CP-SAT; model.md states the formulations.

Constraints: all different, linear
"""

from ortools.sat.python import cp_model

from models.magic_hexagon.geometry import corner_order, corners, lines, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.model import Model, by_name, from_integers


def corner_sum(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions, with a sum that follows from the lines."""
    return _model(puzzle, break_symmetry=True)


def textbook(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _model(puzzle)


def _model(puzzle: MagicHexagon, break_symmetry: bool = False) -> Model:
    model = cp_model.CpModel()

    # A cell holds one of the numbers, or what is given.
    x = {i: model.new_int_var(puzzle.domain(i)[0], puzzle.domain(i)[-1], f"x{i}") for i in puzzle.cells}

    # Each number is placed once.
    model.add_all_different(x.values())

    # All lines have the same sum.
    for line in lines(puzzle):
        model.add(sum(x[i] for i in line) * puzzle.diameter == sum(puzzle.values))

    # Of 12 symmetric solutions one is left.
    if break_symmetry:
        for i, k in corner_order(puzzle):
            model.add(x[i] < x[k])

    # The corners and the middle add up to two lines.
    if break_symmetry and puzzle.order == 3:
        few = [*corners(puzzle), puzzle.cells[puzzle.size // 2]]
        model.add(sum(x[i] for i in few) * puzzle.diameter == 2 * sum(puzzle.values))

    return Model(model, from_integers(puzzle, x), stands_for=stands_for(puzzle) if break_symmetry else 1)


FORMULATIONS = by_name(corner_sum, textbook)
