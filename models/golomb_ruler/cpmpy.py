"""Golomb ruler in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: all different, linear
"""

import cpmpy

from models.golomb_ruler.puzzle import GolombRuler
from models.shared.model import Model, by_name


def textbook(puzzle: GolombRuler) -> Model:
    """An integer for each mark, an expression for each distance."""
    model = cpmpy.Model()

    # The marks ascend from 0. The distance of two marks is their difference.
    x = [cpmpy.intvar(0, puzzle.longest if i else 0) for i in range(puzzle.size)]
    for i in range(puzzle.size - 1):
        model += x[i] < x[i + 1]

    # All distances differ, from each other and from those that are forbidden.
    model += cpmpy.AllDifferent([*(x[j] - x[i] for i, j in puzzle.pairs), *puzzle.forbidden])

    model.minimize(x[-1])
    return Model(model, lambda value: [value(mark) for mark in x], decisions=x)


FORMULATIONS = by_name(textbook)
