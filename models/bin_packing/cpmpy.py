"""Bin packing in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: equality as a literal, weighted sum, number of values
"""

import cpmpy

from models.bin_packing.puzzle import BinPacking
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: BinPacking) -> Model:
    """An integer for each item, its bin; as many bins as items."""
    model = cpmpy.Model()

    # Each item goes into one bin.
    x = {i: cpmpy.intvar(0, puzzle.size - 1) for i in puzzle.items}

    # What is in a bin is not larger than its capacity.
    for b in puzzle.items:
        model += cpmpy.sum(size * (x[i] == b) for i, size in enumerate(puzzle.sizes)) <= puzzle.capacity

    # There are as few bins as possible.
    model.minimize(cpmpy.NValue([*x.values()]))

    return Model(model, from_integers(puzzle, x), decisions=[*x.values()])


FORMULATIONS = by_name(textbook)
