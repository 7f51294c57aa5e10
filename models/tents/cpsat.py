"""Tents for CP-SAT; model.md states the constraint program.

Constraints: exactly one, linear, clause
"""

from ortools.sat.python import cp_model

from models.shared.model import Model, by_name, from_integers
from models.tents.puzzle import Tents


def textbook(puzzle: Tents) -> Model:
    """Binary variables, for the cells and for pairs of a tree and its tent."""
    model = cp_model.CpModel()

    # Each empty cell holds a tent or none.
    x = {i: model.new_bool_var(f"tent in {i}") for i in puzzle.empty}

    # Each tree has one tent next to it, and each tent one tree.
    has = {(tree, i): model.new_bool_var(f"{tree} has {i}") for tree, i in puzzle.pairs}
    for tree in puzzle.trees:
        model.add_exactly_one(has[tree, i] for i in puzzle.near[tree] if i in x)
    for i in x:
        model.add(sum(has[tree, i] for tree in puzzle.near[i] if tree in puzzle.trees) == x[i])

    # Tents do not touch.
    for i, k in puzzle.touching:
        model.add_bool_or(~x[i], ~x[k])

    # Rows and columns have so many tents.
    for cells, count in puzzle.lines:
        model.add(sum(x[i] for i in cells if i in x) == count)

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
