"""Latin sums as an integer program without an objective.

`binaries`: holds[i][v] in {0, 1} for v in D(i): cell i holds v. D(i) is 1..n, or the given number alone.
    sum of holds[i][v] over v  = 1                           for each cell i
    sum of holds[i][v] over i in L  = 1                      for each row and each column L and v = 1..n
    sum of v holds[i][v] over i in C and v  = s              for each cage C with the sum s

Constraints: linear
"""

import pulp

from models.shared.milp import total
from models.shared.model import Model, by_name, from_literals

from .puzzle import LatinSums


def binaries(puzzle: LatinSums) -> Model:
    """One binary variable a cell and value."""
    problem = pulp.LpProblem("latin_sums")
    problem += 0  # There is no objective.

    # A cell holds one of 1..n, or what is given.
    holds = {}
    for i in puzzle.cells:
        named = {v: f"holds_{i[0]}_{i[1]}_{v}" for v in puzzle.domain(i)}
        holds[i] = {v: problem.add_variable(name, cat=pulp.LpBinary) for v, name in named.items()}
        problem += total(holds[i].values()) == 1

    # Each row and each column holds each of 1..n once.
    for line in puzzle.lines:
        for v in range(1, puzzle.n + 1):
            problem += total(holds[i][v] for i in line if v in holds[i]) == 1

    # The cells of a cage add up to its sum.
    for cells, sum_ in puzzle.cages:
        problem += pulp.lpSum(v * b for i in cells for v, b in holds[i].items()) == sum_

    # The driver counts by cutting off the values of all binary variables; `decisions` can name fewer.
    return Model(problem, from_literals(puzzle, holds))


FORMULATIONS = by_name(binaries)
