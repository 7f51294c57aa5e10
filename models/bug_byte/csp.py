"""Bug Byte for python-constraint; model.md states the constraint program.

Constraints: all different, sum, functions
"""

from collections.abc import Sequence
from functools import partial

import constraint

from models.bug_byte.puzzle import BugByte, Edge
from models.bug_byte.routes import Route, simple_paths
from models.shared.csp import ExactSum
from models.shared.model import Model, by_name


def textbook(puzzle: BugByte) -> Model:
    """All different, sums, and a function of the labels for each listed number."""
    problem = constraint.Problem()

    # Each edge has one label.
    for e in puzzle.edges:
        problem.addVariable(e, list(puzzle.domains[e]))

    # Each label is on one edge.
    problem.addConstraint(constraint.AllDifferentConstraint(), puzzle.edges)

    # The labels at a node add up to its sum.
    for node, total in puzzle.sums.items():
        problem.addConstraint(ExactSum(total), puzzle.edges_at(node))

    # Some simple path from the node adds up to each number that is listed there.
    for node, number in puzzle.listed:
        paths = simple_paths(puzzle, node)
        edges = [e for e in puzzle.edges if any(e in path for path in paths)]
        problem.addConstraint(partial(_some_path, number, paths, edges), edges)

    return Model(problem, puzzle.solution)


def _some_path(number: int, paths: Sequence[Route], edges: Sequence[Edge], *labels: int) -> bool:
    """Whether the labels of some path add up to the number."""
    label = dict(zip(edges, labels, strict=True))
    return any(sum(label[e] for e in path) == number for path in paths)


FORMULATIONS = by_name(textbook)
