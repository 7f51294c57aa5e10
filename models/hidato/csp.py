"""Hidato for python-constraint; model.md states the constraint program.

Constraints: all different, functions (of two variables)
"""

from itertools import pairwise

import constraint

from models.hidato.puzzle import Hidato
from models.shared.model import Left, Model, by_name
from models.shared.search import View


def textbook(puzzle: Hidato) -> Model:
    """The cell of each number."""
    problem = constraint.Problem()

    # Each number is in one cell.
    for t, cells in puzzle.places.items():
        problem.addVariable(t, list(cells))

    # Each cell holds one number.
    problem.addConstraint(constraint.AllDifferentConstraint(), puzzle.numbers)

    # Numbers that follow each other touch.
    for pair in pairwise(puzzle.numbers):
        problem.addConstraint(lambda one, other: other in puzzle.touching[one], pair)

    def view(left: Left) -> View:
        """The numbers that each cell can have."""
        return View({i: [t for t in sorted(left) if i in left[t]] for i in puzzle.cells})

    return Model(problem, puzzle.with_places, view=view)


FORMULATIONS = by_name(textbook)
