"""Slitherlink for python-constraint; model.md states the constraint program.

Constraints: sum, functions
"""

from functools import partial

import constraint

from models.shared.csp import ExactSum
from models.shared.loop import at_nodes, is_one_loop, two_or_none
from models.shared.model import Model, by_name
from models.slitherlink.puzzle import Slitherlink


def textbook(puzzle: Slitherlink) -> Model:
    """Variables with the values 0 and 1, one for each edge."""
    problem = constraint.Problem()

    # Each edge is on the loop or not.
    problem.addVariables(puzzle.edges, [0, 1])

    # A clue is the number of edges around its cell.
    for cell, clue in puzzle.clues.items():
        problem.addConstraint(ExactSum(clue), puzzle.around(cell))

    # Two edges or none meet at each dot.
    for edges in at_nodes({e: e for e in puzzle.edges}).values():
        problem.addConstraint(two_or_none, edges)

    # The edges form one loop.
    problem.addConstraint(partial(is_one_loop, puzzle.edges), puzzle.edges)

    return Model(problem, puzzle.enclosed)


FORMULATIONS = by_name(textbook)
