"""Quasigroup completion for CP-SAT; model.md states the constraint program.

Constraints: all different; exactly one (`literals`)
"""

from ortools.sat.python import cp_model

from models.quasigroup_completion.puzzle import QuasigroupCompletion
from models.shared.cpsat import BulkModel
from models.shared.model import Model, by_name, from_integers, from_literals


def textbook(puzzle: QuasigroupCompletion) -> Model:
    """Integers, one for each cell."""
    model = cp_model.CpModel()

    # Each cell holds one number.
    x = {i: model.new_int_var(v[0], v[-1], f"x{i}") for i, v in puzzle.domains.items()}

    # Each row and column holds each number once.
    for line in puzzle.rows_and_columns:
        model.add_all_different([x[i] for i in line])

    return Model(model, from_integers(puzzle, x))


def literals(puzzle: QuasigroupCompletion) -> Model:
    """A literal for each number of each cell."""
    model = BulkModel()

    # Each cell holds one number.
    holds = model.literals(puzzle.domains)
    for i in puzzle.cells:
        model.add_exactly_one(*holds[i].values())

    # Each row and column holds each number once.
    for line in puzzle.rows_and_columns:
        for v in puzzle.numbers:
            model.add_exactly_one(*[holds[i][v] for i in line if v in holds[i]])

    return model.as_model(from_literals(puzzle, holds))


FORMULATIONS = by_name(textbook, literals)
