"""Hidato for CP-SAT; model.md states the constraint program.

Constraints: all different, table
"""

from itertools import pairwise

from ortools.sat.python import cp_model

from models.hidato.puzzle import Hidato
from models.shared.model import Model, by_name


def textbook(puzzle: Hidato) -> Model:
    """The cell of each number."""
    model = cp_model.CpModel()
    index = {i: k for k, i in enumerate(puzzle.cells)}

    # Each number is in one cell.
    place = {t: model.new_int_var(index[i[0]], index[i[-1]], f"place{t}") for t, i in puzzle.places.items()}

    # Each cell holds one number.
    model.add_all_different(place.values())

    # Numbers that follow each other touch.
    moves = [(index[i], index[k]) for i, near in puzzle.touching.items() for k in near]
    for before, after in pairwise(place.values()):
        model.add_allowed_assignments([before, after], moves)

    return Model(model, lambda value: puzzle.with_places(lambda t: puzzle.cells[value(place[t])]))


FORMULATIONS = by_name(textbook)
