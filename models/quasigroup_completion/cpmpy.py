"""Quasigroup completion in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: all different
"""

import cpmpy

from models.quasigroup_completion.puzzle import QuasigroupCompletion
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: QuasigroupCompletion) -> Model:
    """Integers, one for each cell."""
    model = cpmpy.Model()

    # Each cell holds one number.
    x = {i: cpmpy.intvar(v[0], v[-1]) for i, v in puzzle.domains.items()}

    # Each row and column holds each number once.
    for line in puzzle.rows_and_columns:
        model += cpmpy.AllDifferent([x[i] for i in line])

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
