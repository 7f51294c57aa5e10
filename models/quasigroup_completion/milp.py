"""Quasigroup completion as an integer program without an objective; model.md states it.

Constraints: set partitioning
"""

from models.quasigroup_completion.puzzle import QuasigroupCompletion
from models.shared.milp import all_literals, literals, program, total
from models.shared.model import Model, by_name, from_literals


def textbook(puzzle: QuasigroupCompletion) -> Model:
    """The 3-index assignment: one binary variable for each number of each cell."""
    problem = program("quasigroup_completion")

    # Each cell holds one number.
    holds = literals(problem, puzzle.domains)
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    # Each row and column holds each number once.
    for line in puzzle.rows_and_columns:
        for v in puzzle.numbers:
            problem += total(holds[i][v] for i in line if v in holds[i]) == 1

    return Model(problem, from_literals(puzzle, holds), all_literals(holds))


FORMULATIONS = by_name(textbook)
