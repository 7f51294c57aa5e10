"""Cross Sums in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: absolute value, all different, sum, product, clause
"""

from math import prod

import cpmpy

from models.cross_sums.entries import lines, values
from models.cross_sums.puzzle import CrossSums, Rule
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: CrossSums) -> Model:
    """Integers with sums, products and different digits."""
    model = cpmpy.Model()

    # Each cell holds a digit, or with signs also the negative of one.
    options = values(puzzle.rule)
    x = {i: cpmpy.intvar(min(options), max(options)) for i in puzzle.cells}
    model += [value != 0 for value in x.values()]

    signed = puzzle.rule == Rule.SIGNED_SUM
    for line in lines(puzzle):
        # No digit is twice in a line; for some solvers one that is empty would be an error.
        if line:
            model += cpmpy.AllDifferent([abs(x[i]) if signed else x[i] for i in line])

        # With signs, one value in it is negative.
        if signed:
            model += cpmpy.sum(x[i] < 0 for i in line) == 1

    for entry in puzzle.across + puzzle.down:
        # The clue is the sum of the entry, or by the rule its product.
        held = [x[i] for i in entry.cells]
        model += (cpmpy.sum(held) == entry.clue) | (
            puzzle.rule == Rule.SUM_OR_PRODUCT and prod(held) == entry.clue
        )

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
