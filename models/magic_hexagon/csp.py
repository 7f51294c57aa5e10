"""Magic hexagon for python-constraint; model.md states the constraint program.

The sums are functions: with the library's ExactSumConstraint Aristotle's needs 0.65 s in place of 0.16 s.

Constraints: all different, functions (sums)
"""

import constraint

from models.magic_hexagon.geometry import lines
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.model import Model, by_name


def textbook(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    problem = constraint.Problem()

    # A cell holds one of the numbers, or what is given.
    for i in puzzle.cells:
        problem.addVariable(i, list(puzzle.domain(i)))

    # Each number is placed once.
    problem.addConstraint(constraint.AllDifferentConstraint(), puzzle.cells)

    # All lines have the same sum.
    line_sum = puzzle.line_sum

    def adds_up(*numbers: int) -> bool:
        return sum(numbers) == line_sum

    for line in lines(puzzle):
        problem.addConstraint(constraint.FunctionConstraint(adds_up), line)

    return Model(problem, puzzle.solution)


FORMULATIONS = by_name(textbook)
