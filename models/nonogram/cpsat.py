"""Nonogram for CP-SAT; model.md states the formulations.

Constraints: automaton (`textbook`); clause (`order`)
"""

from ortools.sat.python import cp_model

from models.nonogram.clue_models import automaton, moves, passes
from models.nonogram.puzzle import Nonogram
from models.shared.cpsat import BulkModel
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: Nonogram) -> Model:
    """Each line is a word of its automaton."""
    model = cp_model.CpModel()

    # Each cell is filled or empty.
    x = {i: model.new_bool_var(f"x{i}") for i in puzzle.cells}

    # Each line has the blocks of its clue.
    for cells, clue in puzzle.lines:
        steps, accepting = automaton(clue)
        model.add_automaton([x[i] for i in cells], 0, accepting, steps)

    return Model(model, from_integers(puzzle, x))


def order(puzzle: Nonogram) -> Model:
    """Literals that say of each block whether it is moved by at most so many cells."""
    model = BulkModel()

    # Each cell is filled or empty.
    x = model.new_bool_vars({i: f"x{i}" for i in puzzle.cells})

    for number, (cells, clue) in enumerate(puzzle.lines):
        # A block that is moved by at most k is moved by at most k + 1, and the one before it by at most k.
        moved = model.new_bool_vars({(b, k): f"{number}: {b}, {k}" for b, k in moves(clue, len(cells))})
        for (b, k), literal in moved.items():
            for wider in ((b, k + 1), (b - 1, k)):
                if wider in moved:
                    model.add_implication(literal, moved[wider])

        # A cell is filled if a block has started there and has not ended before, and empty between two.
        for place, value, one, other in passes(clue, len(cells)):
            cases = ([~moved[one]] if one else []) + ([moved[other]] if other else [])
            model.add_bool_or(*cases, x[cells[place]] if value else ~x[cells[place]])

    return model.as_model(from_integers(puzzle, x))


FORMULATIONS = by_name(textbook, order)
