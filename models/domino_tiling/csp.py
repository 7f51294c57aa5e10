"""Domino Tiling for python-constraint; model.md states the constraint program.

Constraints: sum, functions
"""

import constraint

from models.domino_tiling.puzzle import DominoTiling
from models.shared.csp import Assigned, Better, Domains, ExactSum
from models.shared.model import Model, by_name


def textbook(puzzle: DominoTiling) -> Model:
    """A 0 or 1 for each domino on the board, of which one covers each cell."""
    problem = constraint.Problem()
    problem.addVariables([*puzzle.scores], [1, 0])

    # Each cell that is no hole is covered once. The library accepts no sum of nothing.
    for i, options in puzzle.options.items():
        if not options:
            problem.addVariable(i, [0])
        problem.addConstraint(ExactSum(1), list(options.values()) if options else [i])

    # The tiling with the highest score is wanted: each domino that is left may still be laid.
    def limit(assigned: Assigned, left: Domains) -> int:
        values = {domino: (value,) for domino, value in assigned.items()} | dict(left)
        return sum(score * max(values[domino], default=0) for domino, score in puzzle.scores.items())

    better = Better(puzzle.objective.sense, limit)
    problem.addConstraint(better)

    return Model(problem, lambda value: puzzle.tiling(filter(value, puzzle.scores)), better=better)


FORMULATIONS = by_name(textbook)
