"""Peaceable Queens as an integer program; model.md states the formulations.

Constraints: linear
"""

import pulp

from models.peaceable_queens.puzzle import BLACK, SIGNS, WHITE, PeaceableQueens
from models.peaceable_queens.symmetry import inequalities
from models.shared.milp import literals, program, total
from models.shared.model import Model, by_name, from_literals


def textbook(puzzle: PeaceableQueens, owners: bool = False) -> Model:
    """A binary variable for each square and colour, an inequality for each attack."""
    problem = program("peaceable_queens", puzzle.objective.sense)

    # A square is empty, or has a white or a black queen.
    holds = literals(problem, dict.fromkeys(puzzle.squares, range(len(SIGNS))))
    problem.extend(total(holds[i].values()) == 1 for i in puzzle.squares)

    if owners:
        # The queens on a line are those of its owner.
        owned = {(of, k): problem.add_variable(f"{of}_{k}", cat=pulp.LpBinary) for of, k in puzzle.lines}
        on = [(i, owned[line]) for line, squares in puzzle.lines.items() for i in squares]
        problem.extend(total([holds[i][WHITE]], [white]) <= 0 for i, white in on)
        problem.extend(total([holds[i][BLACK], white]) <= 1 for i, white in on)

        # Of solutions that are alike, one is enough.
        for weights, most in inequalities(puzzle):
            problem += pulp.LpAffineExpression([(owned[line], k) for line, k in weights.items()]) <= most
    else:
        # No queen attacks one of the other colour.
        problem.extend(total([holds[i][WHITE], holds[j][BLACK]]) <= 1 for i, j in puzzle.attacks())

    # Both armies have equally many queens, as many as possible.
    whites, blacks = ([holds[i][colour] for i in puzzle.squares] for colour in (WHITE, BLACK))
    problem += total(whites, blacks) == 0
    problem += total(whites)
    return Model(problem, from_literals(puzzle, holds))


def symmetry_breaking(puzzle: PeaceableQueens) -> Model:
    """A binary variable for each line besides, 1 if white owns it; of solutions that are alike only some."""
    return textbook(puzzle, owners=True)


FORMULATIONS = by_name(textbook, symmetry_breaking)
