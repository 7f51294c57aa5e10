"""Magic hexagon in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: all different, linear
"""

import cpmpy

from models.magic_hexagon.geometry import lines
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    model = cpmpy.Model()

    # A cell holds one of the numbers, or what is given.
    x = {i: cpmpy.intvar(puzzle.domain(i)[0], puzzle.domain(i)[-1]) for i in puzzle.cells}

    # Each number is placed once.
    model += cpmpy.AllDifferent(list(x.values()))

    # All lines have the same sum.
    for line in lines(puzzle):
        model += cpmpy.sum(x[i] for i in line) * puzzle.diameter == sum(puzzle.values)

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
