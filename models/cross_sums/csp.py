"""Cross Sums for python-constraint; model.md states the constraint program.

The library's all different knows no absolute values: with signs, functions of two cells take its place.

Constraints: all different, number of values in a set, sum, functions
"""

from functools import partial
from itertools import combinations
from math import prod

import constraint

from models.cross_sums.entries import lines, values
from models.cross_sums.puzzle import DIGITS, CrossSums, Rule
from models.shared.csp import ExactSum
from models.shared.model import Model, by_name


def textbook(puzzle: CrossSums) -> Model:
    """Functions of entries, of lines and of two cells."""
    problem = constraint.Problem()

    # Each cell holds a digit, or with signs also the negative of one.
    problem.addVariables(puzzle.cells, values(puzzle.rule))

    for line in lines(puzzle):
        # No digit is twice in a line.
        if puzzle.rule == Rule.SUM:
            problem.addConstraint(constraint.AllDifferentConstraint(), line)
            continue
        for pair in combinations(line, 2):
            problem.addConstraint(lambda a, b: abs(a) != abs(b), pair)

        # One value in it is negative. The library takes a constraint without variables for one on all.
        one = constraint.SomeInSetConstraint([-digit for digit in DIGITS], exact=True)
        problem.addConstraint(one if line else lambda *_: False, line or puzzle.cells)

    # The clue is the sum of the entry, or by the rule its product.
    for entry in puzzle.across + puzzle.down:
        either = puzzle.rule == Rule.SUM_OR_PRODUCT
        fits = partial(_is_sum_or_product, entry.clue) if either else ExactSum(entry.clue)
        problem.addConstraint(fits, entry.cells)

    return Model(problem, puzzle.solution)


def _is_sum_or_product(clue: int, *held: int) -> bool:
    return clue in (sum(held), prod(held))


FORMULATIONS = by_name(textbook)
