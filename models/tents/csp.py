"""Tents for python-constraint; model.md states the constraint program.

Constraints: exact sum, some in set, functions
"""

from functools import partial

import constraint

from models.shared.csp import ExactSum
from models.shared.graph import graph_of, parts_of
from models.shared.model import Model, by_name
from models.tents.puzzle import Tents


def textbook(puzzle: Tents) -> Model:
    """Variables with the values 0 and 1, one for each cell; that of a tree is 0."""
    problem = constraint.Problem()

    # Each empty cell holds a tent or none.
    for i in puzzle.cells:
        problem.addVariable(i, [0] if i in puzzle.trees else [0, 1])

    # Each tree has one tent next to it, and each tent one tree.
    for tree in puzzle.trees:
        problem.addConstraint(constraint.SomeInSetConstraint({1}), [tree, *puzzle.near[tree]])
    problem.addConstraint(ExactSum(len(puzzle.trees)), puzzle.cells)
    problem.addConstraint(partial(_paired, puzzle), puzzle.cells)

    # Tents do not touch.
    for pair in puzzle.touching:
        problem.addConstraint(lambda one, other: not (one and other), pair)

    # Rows and columns have so many tents.
    for cells, count in puzzle.lines:
        problem.addConstraint(ExactSum(count), cells)

    return Model(problem, puzzle.solution)


def _paired(puzzle: Tents, *held: int) -> bool:
    """Whether each connected part of trees and tents has as many of both: a tree has two tents at most."""
    tents = {i for i, value in zip(puzzle.cells, held, strict=True) if value}
    parts = parts_of(graph_of((pair for pair in puzzle.pairs if pair[1] in tents), tents | puzzle.trees))
    return all(len(part & tents) == len(part & puzzle.trees) for part in parts)


FORMULATIONS = by_name(textbook)
