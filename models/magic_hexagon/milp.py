"""Magic hexagon as an integer program without an objective. S is the sum of a line.

The binary variable b[i,v] is 1 if cell i holds v; the integer variable x[i] is what it holds.
    sum of b[i,v] over v  = 1                                for each cell i
    sum of b[i,v] over i  = 1                                for each value v
    x[i] = sum of v b[i,v] over v                            for each cell i
    sum of x[i] over i in L  = S                             for each line L
    b[i,g] = 1                                               for each given

`broken` keeps one solution of each 12 that are symmetric (where nothing is given):
    x[i] + 1 <= x[k]                                         for each pair of `smaller` in lines.py
`all` keeps them all.
`binaries` is `broken` with the sums over the b[i,v] themselves, without the x[i].
"""

import pulp

from models.magic_hexagon.lines import lines, smaller, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.milp import total
from models.shared.model import Model, chosen


def symmetry_broken(puzzle: MagicHexagon) -> Model:
    """One solution of each 12."""
    return _model(puzzle, broken=True, integers=True)


def all_solutions(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _model(puzzle, broken=False, integers=True)


def binaries(puzzle: MagicHexagon) -> Model:
    """One solution of each 12, with binary variables alone."""
    return _model(puzzle, broken=True, integers=False)


def _model(puzzle: MagicHexagon, broken: bool, integers: bool) -> Model:
    problem = pulp.LpProblem("magic_hexagon")
    problem += 0
    at = {
        i: {
            value: problem.add_variable(f"b_{i[0]:02}_{i[1]:02}_{number:04}", cat=pulp.LpBinary)
            for number, value in enumerate(puzzle.values)
            if puzzle.givens.get(i, value) == value
        }
        for i in puzzle.cells
    }
    for i in puzzle.cells:
        problem += total(at[i].values()) == 1
    for value in puzzle.values:
        problem += total(at[i][value] for i in puzzle.cells if value in at[i]) == 1

    x = {
        i: pulp.LpAffineExpression((variable, value) for value, variable in at[i].items())
        for i in puzzle.cells
    }
    if integers:
        for i, held in x.items():
            low, high = puzzle.values[0], puzzle.values[-1]
            variable = problem.add_variable(f"x_{i[0]:02}_{i[1]:02}", low, high, cat=pulp.LpInteger)
            problem += held - variable == 0
            x[i] = pulp.LpAffineExpression([(variable, 1)])

    for line in lines(puzzle):
        problem += pulp.lpSum(x[i] for i in line) == sum(puzzle.values) / (2 * puzzle.order - 1)
    for i, k in smaller(puzzle) if broken else []:
        problem += x[k] - x[i] >= 1

    return Model(
        problem,
        lambda of: puzzle.rows(lambda i: chosen(at[i], of)),
        decisions=[variable for cell in at.values() for variable in cell.values()],
        stands_for=stands_for(puzzle) if broken else 1,
    )


FORMULATIONS = {"broken": symmetry_broken, "all": all_solutions, "binaries": binaries}
