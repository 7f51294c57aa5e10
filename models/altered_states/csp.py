"""Altered States for python-constraint; model.md states the constraint program.

Constraints: function
"""

import constraint

from models.altered_states.puzzle import AlteredStates
from models.altered_states.walks import Walks
from models.shared.csp import Assigned, Better, Domains
from models.shared.model import Model, by_name
from models.shared.puzzle import Sense


def textbook(puzzle: AlteredStates) -> Model:
    """The letter of each cell, and a function of all of them."""
    problem, walks, most = constraint.Problem(), Walks(puzzle), puzzle.replaced

    # Each cell has one letter.
    problem.addVariables(puzzle.cells, list(puzzle.letters))

    # The words score as much as possible: those that can be read where open cells hold any letter.
    def limit(assigned: Assigned, left: Domains) -> int:
        holds = walks.holds(assigned)
        return sum(
            points for word, points in puzzle.points.items() if walks.replaced(word, holds, most) <= most
        )

    better = Better(Sense.MOST, limit)
    problem.addConstraint(better, puzzle.cells)
    return Model(problem, puzzle.solution, better=better)


FORMULATIONS = by_name(textbook)
