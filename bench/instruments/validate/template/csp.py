"""Latin sums for python-constraint.

`integers`: x[i] in D(i) for each cell i; D(i) is 1..n, or the given number alone.
    all different x[i], i in L                               for each row and each column L
    sum of x[i] over i in C  = s                             for each cage C with the sum s

Constraints: all different, sum
"""

import constraint

from models.shared.csp import ExactSum
from models.shared.model import Model, by_name

from .puzzle import LatinSums


def integers(puzzle: LatinSums) -> Model:
    """One integer variable a cell; cells are the names of the variables."""
    problem = constraint.Problem()

    # A cell holds one of 1..n, or what is given.
    for i in puzzle.cells:
        problem.addVariable(i, puzzle.domain(i))

    # Each row and each column holds each of 1..n once.
    for line in puzzle.rows_and_columns:
        problem.addConstraint(constraint.AllDifferentConstraint(), line)

    # The cells of a cage add up to its sum.
    for cells, total in puzzle.cages:
        problem.addConstraint(ExactSum(total), cells)
    return Model(problem, puzzle.solution)


FORMULATIONS = by_name(integers)
