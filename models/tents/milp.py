"""Tents as an integer program without an objective; model.md states it.

Constraints: set partitioning, set packing, linear
"""

from pulp import LpBinary

from models.shared.milp import program, total
from models.shared.model import Model, by_name, from_integers
from models.tents.puzzle import Tents


def textbook(puzzle: Tents) -> Model:
    """An assignment of tents to trees; at most one tent in each pair of cells that touch."""
    problem = program("tents")

    # Each empty cell holds a tent or none.
    x = {(r, c): problem.add_variable(f"tent_{r}_{c}", cat=LpBinary) for r, c in puzzle.empty}

    # Each tree has one tent next to it, and each tent one tree.
    has = {pair: problem.add_variable(f"has_{n}", cat=LpBinary) for n, pair in enumerate(puzzle.pairs)}
    for tree in puzzle.trees:
        problem += total(has[tree, i] for i in puzzle.near[tree] if i in x) == 1
    for i in x:
        problem += total((has[tree, i] for tree in puzzle.near[i] if tree in puzzle.trees), minus=[x[i]]) == 0

    # Tents do not touch.
    for i, k in puzzle.touching:
        problem += total([x[i], x[k]]) <= 1

    # Rows and columns have so many tents.
    for cells, count in puzzle.lines:
        problem += total(x[i] for i in cells if i in x) == count

    return Model(problem, from_integers(puzzle, x), list(x.values()))


FORMULATIONS = by_name(textbook)
