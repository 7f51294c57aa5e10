"""Hidato as an integer program without an objective; model.md states it.

Constraints: set partitioning, linear
"""

from models.hidato.puzzle import Hidato
from models.shared.milp import all_literals, literals, program, total
from models.shared.model import Model, by_name, from_literals


def textbook(puzzle: Hidato) -> Model:
    """An assignment: one binary variable for each number of each cell."""
    problem = program("hidato")

    # Each cell holds one number.
    holds = literals(problem, puzzle.domains)
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    # Each number is in one cell.
    for t in puzzle.numbers:
        problem += total(holds[i][t] for i in puzzle.cells if t in holds[i]) == 1

    # Numbers that follow each other touch.
    for i in puzzle.cells:
        for t, literal in holds[i].items():
            if t > 1:
                before = [holds[k][t - 1] for k in puzzle.touching[i] if t - 1 in holds[k]]
                problem += total(before, minus=[literal]) >= 0

    return Model(problem, from_literals(puzzle, holds), all_literals(holds))


FORMULATIONS = by_name(textbook)
