"""Golomb ruler for python-constraint; model.md states the constraint programs.

Constraints: all different, not in a set, linear
"""

import constraint

from models.golomb_ruler.puzzle import GolombRuler
from models.shared.csp import Better, ExactSum
from models.shared.model import Model, by_name


def textbook(puzzle: GolombRuler) -> Model:
    """An integer for each distance: the library has no expressions."""
    problem, last = constraint.Problem(), puzzle.size - 1
    problem.addVariables(puzzle.pairs, range(1, puzzle.longest + 1))

    # The distance of two marks is the sum of those to a mark between them.
    for i, j in puzzle.pairs:
        for k in range(i + 1, j):
            problem.addConstraint(ExactSum(0, [1, 1, -1]), [(i, k), (k, j), (i, j)])

    # All distances differ, from each other and from those that are forbidden.
    problem.addConstraint(constraint.AllDifferentConstraint())
    problem.addConstraint(constraint.NotInSetConstraint(puzzle.forbidden))

    # The length is the distance of the first mark and the last one.
    length = (0, last)
    better = Better(puzzle.objective.sense, lambda is_, left: is_[length] if is_ else min(left[length]))
    problem.addConstraint(better, [length])
    return Model(problem, lambda value: [0, *(value((0, j)) for j in range(1, last + 1))], better=better)


FORMULATIONS = by_name(textbook)
