"""Queens Domination for python-constraint; model.md states the constraint program.

Constraints: some in set, functions
"""

import constraint

from models.queens_domination.puzzle import QueensDomination
from models.shared.csp import Better
from models.shared.model import Model, by_name
from models.shared.puzzle import Sense


def textbook(puzzle: QueensDomination) -> Model:
    """A 0 or 1 for each square, a clause for each."""
    problem = constraint.Problem()
    problem.addVariables(puzzle.squares, [0, 1])

    # Each square is occupied or attacked.
    for attackers in puzzle.attackers.values():
        problem.addConstraint(constraint.SomeInSetConstraint([1]), attackers)

    # There are fewer queens than before.
    better = Better(Sense.LEAST, lambda assigned, _: sum(assigned.values()))
    problem.addConstraint(better, puzzle.squares)

    return Model(problem, puzzle.solution, better=better)


FORMULATIONS = by_name(textbook)
