"""Domino Tiling for CP-SAT; model.md states the formulations.

Constraints: exactly one; linear (`striped`)
"""

from ortools.sat.python import cp_model

from models.domino_tiling.puzzle import DominoTiling
from models.shared.cpsat import BulkModel
from models.shared.model import Model, by_name


def striped(puzzle: DominoTiling) -> Model:
    """Besides, two redundant equations, by which CP-SAT has the cells in its linear relaxation."""
    return covering(puzzle, redundant=True)


def textbook(puzzle: DominoTiling) -> Model:
    """A literal for each domino on the board, of which one covers each cell."""
    return covering(puzzle, redundant=False)


def covering(puzzle: DominoTiling, redundant: bool) -> Model:
    """Exactly one domino for each cell, with or without the equations of stripes."""
    model = BulkModel()
    laid = model.new_bool_vars({domino: str(domino) for domino in puzzle.scores})

    # Each cell that is no hole is covered once.
    for options in puzzle.options.values():
        model.add_exactly_one(*[laid[domino] for domino in options.values()])

    # Of stripes in two colours a domino along them covers two cells of one, any other one cell of each.
    for axis in (0, 1) if redundant else ():
        surplus = sum((1, -1)[cell[axis] % 2] for cell in puzzle.numbers)
        model.add_sum([((2, -2)[i[axis] % 2], laid[i, j]) for i, j in laid if i[axis] == j[axis]], surplus)

    # The tiling with the highest score is wanted.
    literals = [model.variable(literal) for literal in laid.values()]
    model.cp.maximize(cp_model.LinearExpr.weighted_sum(literals, [*puzzle.scores.values()]))

    return model.as_model(lambda value: puzzle.tiling(domino for domino in laid if value(laid[domino])))


FORMULATIONS = by_name(striped, textbook)
