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

    # The tiling with the highest score is wanted: each cell may still get its best domino that is left.
    def limit(assigned: Assigned, left: Domains) -> int:
        values = {domino: (value,) for domino, value in assigned.items()} | dict(left)
        options = [[each for each in puzzle.options[i].values() if 1 in values[each]] for i in puzzle.colour]
        return sum(max((puzzle.scores[each] for each in possible), default=0) for possible in options)

    better = Better(puzzle.objective.sense, limit)
    problem.addConstraint(better)

    return Model(problem, lambda value: puzzle.tiling(filter(value, puzzle.scores)), better=better)


FORMULATIONS = by_name(textbook)
