"""Magic hexagon for python-constraint. S is the sum of a line.

`broken`: x[i] in start..start + n - 1 for each of the n cells.
    all different x
    sum of x[i] over i in L  = S                             for each line L, pruning bounds
    x[i] < x[k]                                              for each pair of `smaller` in lines.py

`stock`: the same with the library's own constraint for the sums, and all 12 symmetric solutions.
"""

from operator import lt

import constraint

from models.magic_hexagon.lines import lines, smaller, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.csp import Total
from models.shared.model import Model


def _cells(puzzle: MagicHexagon) -> constraint.Problem:
    problem = constraint.Problem()
    for i in puzzle.cells:
        problem.addVariable(i, [puzzle.givens[i]] if i in puzzle.givens else list(puzzle.values))
    problem.addConstraint(constraint.AllDifferentConstraint(), puzzle.cells)
    return problem


def symmetry_broken(puzzle: MagicHexagon) -> Model:
    """Sums that prune bounds; one solution of each 12."""
    problem = _cells(puzzle)
    for line in lines(puzzle):
        problem.addConstraint(Total(puzzle.line_sum), line)
    for i, k in smaller(puzzle):
        problem.addConstraint(constraint.FunctionConstraint(lt), [i, k])
    return Model(problem, puzzle.rows, stands_for=stands_for(puzzle))


def stock(puzzle: MagicHexagon) -> Model:
    """The library's own constraints alone."""
    problem = _cells(puzzle)
    for line in lines(puzzle):
        problem.addConstraint(constraint.ExactSumConstraint(puzzle.line_sum), line)
    return Model(problem, puzzle.rows)


FORMULATIONS = {"broken": symmetry_broken, "stock": stock}
