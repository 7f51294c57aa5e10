"""Magic hexagon for python-constraint. S is the sum of a line.

`broken`: x[i] in start..start + n - 1 for each of the n cells.
    all different x
    sum of x[i] over i in L  = S                             for each line L, pruning bounds
    x[i] < x[k]                                              for each pair of `smaller` in lines.py

`all` is the same without the last line, and finds all 12.

The sums are not the library's ExactSumConstraint: where its preprocessing empties a domain, it raises an
error (python-constraint2 2.9.0).
"""

from operator import lt

import constraint

from models.magic_hexagon.lines import lines, smaller, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.csp import Total
from models.shared.model import Model


def _line_sum(puzzle: MagicHexagon) -> int:
    """S, or a number that no line reaches if there is no S."""
    return sum(map(abs, puzzle.values)) + 1 if puzzle.line_sum is None else puzzle.line_sum


def symmetry_broken(puzzle: MagicHexagon) -> Model:
    """One solution of each 12."""
    return _model(puzzle, broken=True)


def all_solutions(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _model(puzzle, broken=False)


def _model(puzzle: MagicHexagon, broken: bool) -> Model:
    problem = constraint.Problem()
    for i in puzzle.cells:
        problem.addVariable(i, [puzzle.givens[i]] if i in puzzle.givens else list(puzzle.values))
    problem.addConstraint(constraint.AllDifferentConstraint(), puzzle.cells)
    for line in lines(puzzle):
        problem.addConstraint(Total(_line_sum(puzzle)), line)
    for i, k in smaller(puzzle) if broken else []:
        problem.addConstraint(constraint.FunctionConstraint(lt), [i, k])
    return Model(problem, puzzle.rows, stands_for=stands_for(puzzle) if broken else 1)


FORMULATIONS = {"broken": symmetry_broken, "all": all_solutions}
