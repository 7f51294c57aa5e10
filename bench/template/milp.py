"""Latin sums as an integer program without an objective.

`binaries`: b[i,v] in {0, 1} is 1 if cell i holds v, for v in D(i); D(i) is 1..n, or the given number alone.
    sum of b[i,v] over v  = 1                                for each cell i
    sum of b[i,v] over i in L  = 1                           for each row and each column L and v = 1..n
    sum of v b[i,v] over i in C and v  = s                   for each cage C with the sum s

Constraints: linear
"""

import pulp

from models.shared.milp import total
from models.shared.model import Model

from .puzzle import LatinSums


def binaries(puzzle: LatinSums) -> Model:
    """One binary variable a cell and value."""
    problem = pulp.LpProblem("latin_sums")
    problem += 0  # There is no objective.

    # A cell holds one of 1..n, or what is given.
    b = {
        (i, v): problem.add_variable(f"b_{i[0]}_{i[1]}_{v}", cat=pulp.LpBinary)
        for i in puzzle.cells
        for v in puzzle.domain(i)
    }
    for i in puzzle.cells:
        problem += total(b[i, v] for v in puzzle.domain(i)) == 1

    # Each row and each column holds each of 1..n once.
    for line in puzzle.lines:
        for v in range(1, puzzle.n + 1):
            problem += total(b[i, v] for i in line if (i, v) in b) == 1

    # The cells of a cage add up to its sum.
    for cells, sum_ in puzzle.cages:
        problem += pulp.lpSum(v * b[i, v] for i in cells for v in puzzle.domain(i)) == sum_

    # `of` gives the value of a variable; the solution has the form that `check` reads.
    # The driver counts by cutting off the values of all binary variables; `decisions` can name fewer.
    return Model(problem, lambda of: puzzle.rows({i: v for (i, v) in b if of(b[i, v])}.__getitem__))


FORMULATIONS = {"binaries": binaries}
