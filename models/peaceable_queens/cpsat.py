"""Peaceable Queens for CP-SAT; model.md states the formulations.

Constraints: clauses, exactly one, linear
"""

from ortools.sat.python import cp_model

from models.peaceable_queens.puzzle import BLACK, SIGNS, WHITE, PeaceableQueens
from models.peaceable_queens.symmetry import inequalities
from models.shared.cpsat import literals
from models.shared.model import Model, by_name, from_literals


def textbook(puzzle: PeaceableQueens, owners: bool = False) -> Model:
    """A literal for each square and colour, a clause for each attack."""
    model = cp_model.CpModel()

    # A square is empty, or has a white or a black queen.
    holds = literals(model, dict.fromkeys(puzzle.squares, range(len(SIGNS))))
    for i in puzzle.squares:
        model.add_exactly_one(holds[i].values())

    if owners:
        # The queens on a line are those of its owner.
        owned = {line: model.new_bool_var(f"{line} is white") for line in puzzle.lines}
        for line, squares in puzzle.lines.items():
            for i in squares:
                model.add_implication(holds[i][WHITE], owned[line])
                model.add_implication(holds[i][BLACK], ~owned[line])

        # Of solutions that are alike, one is enough.
        for weights, most in inequalities(puzzle):
            model.add(sum(weight * owned[line] for line, weight in weights.items()) <= most)
    else:
        # No queen attacks one of the other colour.
        for i, j in puzzle.attacks():
            model.add_bool_or(~holds[i][WHITE], ~holds[j][BLACK])

    # Both armies have equally many queens, as many as possible.
    white, black = (sum(holds[i][colour] for i in puzzle.squares) for colour in (WHITE, BLACK))
    model.add(white == black)
    model.maximize(white)

    return Model(model, from_literals(puzzle, holds))


def symmetry_breaking(puzzle: PeaceableQueens) -> Model:
    """A literal for each line besides, true if white owns it; of solutions that are alike only some."""
    return textbook(puzzle, owners=True)


FORMULATIONS = by_name(symmetry_breaking, textbook)
