"""Peaceable Queens as an integer program; model.md states it.

Constraints: linear
"""

from models.peaceable_queens.puzzle import BLACK, SIGNS, WHITE, PeaceableQueens
from models.shared.milp import literals, program, total
from models.shared.model import Model, by_name, from_literals


def textbook(puzzle: PeaceableQueens) -> Model:
    """A binary variable for each square and colour, an inequality for each attack."""
    problem = program("peaceable_queens", puzzle.objective.sense)

    # A square is empty, or has a white or a black queen.
    holds = literals(problem, dict.fromkeys(puzzle.squares, range(len(SIGNS))))
    for i in puzzle.squares:
        problem += total(holds[i].values()) == 1

    # No queen attacks one of the other colour.
    for i, j in puzzle.attacks():
        problem += total([holds[i][WHITE], holds[j][BLACK]]) <= 1

    # Both armies have equally many queens, as many as possible.
    white, black = ([holds[i][colour] for i in puzzle.squares] for colour in (WHITE, BLACK))
    problem += total(white, black) == 0
    problem += total(white)

    return Model(problem, from_literals(puzzle, holds))


FORMULATIONS = by_name(textbook)
