"""Magic hexagon as an integer program without an objective. S is the sum of a line.

The binary variable b[i,v] is 1 if cell i holds v.
    sum of b[i,v] over v  = 1                                for each cell i
    sum of b[i,v] over i  = 1                                for each value v
    sum of v b[i,v] over i in L and all v  = S               for each line L
    b[i,g] = 1                                               for each given

`broken` keeps one solution of each 12 that are symmetric (where nothing is given):
    sum of v b[i,v] + 1 <= sum of v b[k,v]                   for each pair of `smaller` in lines.py
`binaries` keeps them all.
"""

import pulp

from models.magic_hexagon.lines import lines, smaller, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.milp import total
from models.shared.model import Model


def binaries(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _model(puzzle, broken=False)


def symmetry_broken(puzzle: MagicHexagon) -> Model:
    """One solution of each 12."""
    return _model(puzzle, broken=True)


def _model(puzzle: MagicHexagon, broken: bool) -> Model:
    problem = pulp.LpProblem("magic_hexagon")
    problem += 0
    at = {
        i: {
            value: problem.add_variable(f"b_{i[0]}_{i[1]}_{value}", cat=pulp.LpBinary)
            for value in puzzle.values
            if puzzle.givens.get(i, value) == value
        }
        for i in puzzle.cells
    }
    for i in puzzle.cells:
        problem += total(at[i].values()) == 1
    for value in puzzle.values:
        problem += total(at[i][value] for i in puzzle.cells if value in at[i]) == 1
    for line in lines(puzzle):
        terms = [(variable, value) for i in line for value, variable in at[i].items()]
        problem += pulp.LpAffineExpression(terms) == sum(puzzle.values) / (2 * puzzle.order - 1)
    for i, k in smaller(puzzle) if broken else []:
        terms = [(variable, value) for value, variable in at[k].items()]
        terms += [(variable, -value) for value, variable in at[i].items()]
        problem += pulp.LpAffineExpression(terms) >= 1
    return Model(
        problem,
        lambda of: puzzle.rows(lambda i: next(value for value, variable in at[i].items() if of(variable))),
        stands_for=stands_for(puzzle) if broken else 1,
    )


FORMULATIONS = {"broken": symmetry_broken, "binaries": binaries}
