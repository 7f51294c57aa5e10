"""Domino Tiling as an integer program; model.md states it.

Constraints: set partitioning
"""

import pulp

from models.domino_tiling.puzzle import DominoTiling
from models.shared.milp import program, total
from models.shared.model import Model, by_name


def textbook(puzzle: DominoTiling) -> Model:
    """One binary variable for each domino on the board."""
    problem = program("domino_tiling", puzzle.objective.sense)
    laid = {
        ((r, c), (y, x)): problem.add_variable(f"laid_{r}_{c}_{y}_{x}", cat=pulp.LpBinary)
        for (r, c), (y, x) in puzzle.scores
    }

    # The tiling with the highest score is wanted.
    problem += pulp.LpAffineExpression(zip(laid.values(), puzzle.scores.values(), strict=True))

    # Each cell that is no hole is covered once.
    for options in puzzle.options.values():
        problem += total(laid[domino] for domino in options.values()) == 1

    return Model(problem, lambda value: puzzle.tiling(domino for domino in laid if value(laid[domino])))


FORMULATIONS = by_name(textbook)
