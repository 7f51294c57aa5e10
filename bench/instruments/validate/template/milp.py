"""Latin sums as an integer program without an objective.

`binaries`: holds[i][v] in {0, 1} for v in D(i): cell i holds v. D(i) is 1..n, or the given number alone.
    sum of holds[i][v] over v  = 1                           for each cell i
    sum of holds[i][v] over i in L  = 1                      for each row and each column L and v = 1..n
    sum of v holds[i][v] over i in C and v  = s              for each cage C with the sum s

Constraints: linear
"""

import pulp

from models.shared.milp import all_literals, literals, program, total
from models.shared.model import Model, by_name, from_literals

from .puzzle import LatinSums


def binaries(puzzle: LatinSums) -> Model:
    """One binary variable a cell and value."""
    problem = program("latin_sums")

    # A cell holds one of 1..n, or what is given.
    holds = literals(problem, {i: puzzle.domain(i) for i in puzzle.cells})
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    # Each row and each column holds each of 1..n once.
    for line in puzzle.rows_and_columns:
        for v in range(1, puzzle.n + 1):
            problem += total(holds[i][v] for i in line if v in holds[i]) == 1

    # The cells of a cage add up to its sum.
    for cells, sum_ in puzzle.cages:
        problem += pulp.lpSum(v * b for i in cells for v, b in holds[i].items()) == sum_

    # The driver counts by cutting off the values of these variables.
    return Model(problem, from_literals(puzzle, holds), all_literals(holds))


FORMULATIONS = by_name(binaries)
