"""Yajilin for python-constraint; model.md states the constraint program.

Constraints: sum, functions
"""

import constraint

from models.shared.csp import ExactSum
from models.shared.loop import at_nodes, is_one_loop
from models.shared.model import Model, by_name
from models.yajilin.puzzle import Yajilin


def textbook(puzzle: Yajilin) -> Model:
    """Variables with the values 0 and 1, one for each step and each cell."""
    problem = constraint.Problem()

    # Each step is on the loop or not; each cell is black or not.
    both = [*puzzle.edges, *puzzle.free]
    problem.addVariables(both, [0, 1])

    # A clue is the number of black cells in its direction.
    for number, cells in puzzle.clues:
        if cells or number:  # No cells would mean all variables.
            problem.addConstraint(ExactSum(number) if cells else lambda *_: False, cells)

    # Black cells share no edge.
    for pair in puzzle.edges:
        problem.addConstraint(lambda one, other: not (one and other), pair)

    # The steps form one loop through all cells that are not black.
    at = at_nodes({e: e for e in puzzle.edges})
    for i in puzzle.free:
        problem.addConstraint(lambda black, *steps: sum(steps) == 2 - 2 * black, [i, *at.get(i, ())])
    problem.addConstraint(lambda *held: is_one_loop(puzzle.edges, *held[: len(puzzle.edges)]), both)

    return Model(problem, lambda value: puzzle.with_loop(e for e in puzzle.edges if value(e)))


FORMULATIONS = by_name(textbook)
