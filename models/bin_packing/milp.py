"""Bin packing as an integer program; model.md states it.

Constraints: flow conservation, covering (`reflect`); exactly one, knapsack (`textbook`)
"""

from collections import Counter

import pulp

from models.bin_packing.puzzle import BinPacking
from models.bin_packing.reflect import arcs_of, balances, packing
from models.shared.milp import program, total
from models.shared.model import Model, by_name, from_literals


def reflect(puzzle: BinPacking) -> Model:
    """How many bins use each arc of two paths that meet."""
    problem = program("bin_packing", puzzle.objective.sense)
    demand, arcs = Counter(puzzle.sizes), arcs_of(puzzle)
    uses = {
        arc: problem.add_variable(f"arc_{k}", 0, demand.get(arc.size, 2 * puzzle.size), pulp.LpInteger)
        for k, arc in enumerate(arcs)
    }

    # There are as few bins as possible.
    problem += total(uses[arc] for arc in arcs if arc.reflected)

    # Each path goes on or meets another one.
    for factors in balances(arcs):
        problem += pulp.LpAffineExpression([(uses[arc], factor) for arc, factor in factors.items()]) == 0

    # Each item goes into one bin.
    for size, count in demand.items():
        problem += total(uses[arc] for arc in arcs if arc.size == size) == count

    return Model(problem, lambda value: packing(puzzle, arcs, lambda arc: value(uses[arc])))


def textbook(puzzle: BinPacking) -> Model:
    """A binary variable for each item in each bin, one for each bin that is used; as many bins as items."""
    problem, bins = program("bin_packing", puzzle.objective.sense), puzzle.items
    used = {b: problem.add_variable(f"used_{b}", cat=pulp.LpBinary) for b in bins}
    holds = {
        i: {b: problem.add_variable(f"holds_{i}_{b}", cat=pulp.LpBinary) for b in bins} for i in puzzle.items
    }

    # There are as few bins as possible.
    problem += total(used.values())

    # Each item goes into one bin.
    for i in puzzle.items:
        problem += total(holds[i].values()) == 1

    # What is in a bin is not larger than its capacity.
    for b in bins:
        sizes = [(holds[i][b], puzzle.sizes[i]) for i in puzzle.items]
        problem += pulp.LpAffineExpression([*sizes, (used[b], -puzzle.capacity)]) <= 0

    return Model(problem, from_literals(puzzle, holds))


FORMULATIONS = by_name(reflect, textbook)
