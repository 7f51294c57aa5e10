"""ABC End View for CP-SAT; model.md states the constraint program.

Constraints: exactly one, linear, automaton
"""

from ortools.sat.python import cp_model

from models.abc_end_view.puzzle import AbcEndView
from models.shared.cpsat import literals
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: AbcEndView) -> Model:
    """Integers, one for each cell, with literals that count each letter; clues as automata."""
    model = cp_model.CpModel()

    # Each cell holds a letter or nothing.
    holds, values = literals(model, puzzle.domains), range(puzzle.letters + 1)
    x = {i: model.new_int_var(0, puzzle.letters, f"x{i}") for i in puzzle.cells}
    for i in puzzle.cells:
        model.add_exactly_one(holds[i].values())
        model.add(x[i] == sum(v * literal for v, literal in holds[i].items()))

    # Each row and column holds each letter once.
    for line in puzzle.rows_and_columns:
        for v in values[1:]:
            model.add_exactly_one(holds[i][v] for i in line if v in holds[i])

    # The first letter that is seen from a clue is this: state 0 until then, 1 from then on.
    for cells, letter in puzzle.seen:
        steps = [(0, 0, 0), (0, letter, 1), *((1, v, 1) for v in values)]
        model.add_automaton([x[i] for i in cells], 0, [1], steps)

    return Model(model, from_integers(puzzle, x))


FORMULATIONS = by_name(textbook)
