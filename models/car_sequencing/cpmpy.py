"""Car Sequencing in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: global cardinality, table, linear
"""

import cpmpy
from cpmpy.expressions.variables import NDVarArray

from models.car_sequencing.puzzle import CarSequencing
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: CarSequencing) -> Model:
    """Sums over windows."""
    model, x, has = cars(puzzle)

    # Of any so many consecutive cars, at most so many have an option.
    for o, window in puzzle.windows:
        model += cpmpy.sum(has[i, o] for i in window) <= puzzle.max_in_window[o]

    return Model(model, from_integers(puzzle, dict(enumerate(x))), decisions=list(x))


def cars(puzzle: CarSequencing) -> tuple[cpmpy.Model, NDVarArray, NDVarArray]:
    """A model with the class of each car, and the options that it has."""
    n, options, last = puzzle.size, len(puzzle.options), len(puzzle.demand) - 1
    model, x = cpmpy.Model(), cpmpy.intvar(0, last, shape=(n,))
    has = cpmpy.intvar(0, 1, shape=(n, options))

    # Each class has as many cars as demanded.
    model += cpmpy.GlobalCardinalityCount(x, list(puzzle.classes), list(puzzle.demand))

    # A car has the options that its class requires.
    rows = [[c, *puzzle.requires[c]] for c in puzzle.classes]
    for i in puzzle.cars:
        model += cpmpy.Table([x[i], *has[i]], rows)
    return model, x, has


FORMULATIONS = by_name(textbook)
