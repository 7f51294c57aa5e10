"""ABC End View as an integer program without an objective; model.md states it.

Constraints: set partitioning, linear
"""

from models.abc_end_view.puzzle import AbcEndView
from models.shared.milp import all_literals, literals, program, total
from models.shared.model import Model, by_name, from_literals


def textbook(puzzle: AbcEndView) -> Model:
    """One binary variable for each letter of each cell, and one for nothing."""
    problem = program("abc_end_view")

    # Each cell holds a letter or nothing.
    holds = literals(problem, puzzle.domains)
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    # Each row and column holds each letter once.
    for line in puzzle.rows_and_columns:
        for v in range(1, puzzle.letters + 1):
            problem += total(holds[i][v] for i in line if v in holds[i]) == 1

    # The first letter that is seen from a clue is this: before any other there is a cell with it.
    for cells, letter in puzzle.seen:
        for place, i in enumerate(cells):
            others = [literal for v, literal in holds[i].items() if v not in (0, letter)]
            before = [holds[k][letter] for k in cells[:place] if letter in holds[k]]
            problem += total(before, minus=others) >= 0

    return Model(problem, from_literals(puzzle, holds), all_literals(holds))


FORMULATIONS = by_name(textbook)
