"""Peaceable Queens for python-constraint; model.md states the constraint program.

Constraints: functions
"""

import constraint

from models.peaceable_queens.puzzle import BLACK, EMPTY, SIGNS, WHITE, PeaceableQueens
from models.shared.csp import Assigned, Better, Domains, written
from models.shared.model import Model, by_name


def textbook(puzzle: PeaceableQueens) -> Model:
    """The colour of each square, and a function of each attack."""
    problem = constraint.Problem()

    # A square is empty, or has a white or a black queen.
    problem.addVariables(puzzle.squares, [WHITE, BLACK, EMPTY])

    # No queen attacks one of the other colour.
    for i, j in puzzle.attacks():
        if i < j:
            problem.addConstraint(lambda a, b: a + b != WHITE + BLACK, (i, j))

    # The smaller army has as many queens as possible.
    def most(assigned: Assigned, left: Domains) -> int:
        values = [*assigned.values(), *(value for values in left.values() for value in values)]
        return min(values.count(WHITE), values.count(BLACK))

    better = Better(puzzle.objective.sense, most)
    problem.addConstraint(better, puzzle.squares)
    return Model(problem, puzzle.solution, view=written(dict(enumerate(SIGNS))), better=better)


FORMULATIONS = by_name(textbook)
