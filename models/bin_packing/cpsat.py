"""Bin packing for CP-SAT; model.md states the formulations.

Constraints: flow conservation, covering (`reflect`); exactly one, linear (`textbook`)
"""

from collections import Counter

from ortools.sat.python import cp_model

from models.bin_packing.puzzle import BinPacking
from models.bin_packing.reflect import arcs_of, balances, packing
from models.shared.model import Model, by_name, from_literals

total, weighted = cp_model.LinearExpr.sum, cp_model.LinearExpr.weighted_sum


def reflect(puzzle: BinPacking) -> Model:
    """How many bins use each arc of two paths that meet."""
    model, demand, arcs = cp_model.CpModel(), Counter(puzzle.sizes), arcs_of(puzzle)
    uses = {arc: model.new_int_var(0, demand.get(arc.size, 2 * puzzle.size), str(tuple(arc))) for arc in arcs}

    # There are as few bins as possible.
    model.minimize(total([uses[arc] for arc in arcs if arc.reflected]))

    # Each path goes on or meets another one.
    for factors in balances(arcs):
        model.add(weighted([uses[arc] for arc in factors], [*factors.values()]) == 0)

    # Each item goes into one bin.
    for size, count in demand.items():
        model.add(total([uses[arc] for arc in arcs if arc.size == size]) == count)

    return Model(model, lambda value: packing(puzzle, arcs, lambda arc: value(uses[arc])))


def textbook(puzzle: BinPacking) -> Model:
    """A literal for each item in each bin, one for each bin that is used; as many bins as items."""
    model, bins = cp_model.CpModel(), puzzle.items
    used = [model.new_bool_var(f"{b} is used") for b in bins]
    holds = {i: {b: model.new_bool_var(f"{i} in {b}") for b in bins} for i in puzzle.items}

    # There are as few bins as possible.
    model.minimize(total(used))

    # Each item goes into one bin.
    for i in puzzle.items:
        model.add_exactly_one(holds[i].values())

    # What is in a bin is not larger than its capacity.
    for b in bins:
        load = weighted([holds[i][b] for i in puzzle.items], puzzle.sizes)
        model.add(load <= puzzle.capacity * used[b])

    return Model(model, from_literals(puzzle, holds))


FORMULATIONS = by_name(reflect, textbook)
