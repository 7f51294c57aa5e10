"""Magic hexagon as an integer program without an objective.

The numbers start, start + 1, ... go one into each cell of a hexagon with `order` cells on a side, so that
all lines in all three directions have the same sum.

Let D(i) be start..start + n - 1 for each of the n cells i, or the given number alone; S the sum of a line,
that of all numbers divided by 2 order - 1; c1, ..., c6 the corners in the order in which one walks around.

`symmetry_breaking`: holds[i][v] in {0, 1} for v in D(i): cell i holds v. The integer x[i] is what it holds.
    sum of holds[i][v] over v  = 1                           for each cell i
    sum of holds[i][v] over i  = 1                           for each number v
    sum of v holds[i][v] over v  = x[i]                      for each cell i
    sum of x[i] over i in L  = S                             for each line L
    x[c1] < x[c2], ..., x[c6] and x[c2] < x[c6]              unless numbers are given
  As the x[i] are whole, x[i] < x[k] is x[k] - x[i] >= 1.

`integers`: the same without the order of the corners, which leaves one of 12 symmetric solutions.

`binaries`: `symmetry_breaking` with the sum of v holds[i][v] over v in place of each variable x[i].

Constraints: linear
"""

import pulp

from models.magic_hexagon.geometry import corner_order, lines, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.milp import total
from models.shared.model import Model, by_name, from_literals


def symmetry_breaking(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions."""
    return _model(puzzle, break_symmetry=True)


def integers(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _model(puzzle, break_symmetry=False)


def binaries(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions, with binary variables alone."""
    return _model(puzzle, break_symmetry=True, binary_alone=True)


def _model(puzzle: MagicHexagon, break_symmetry: bool, binary_alone: bool = False) -> Model:
    problem = pulp.LpProblem("magic_hexagon")
    problem += 0  # There is no objective.

    # A cell holds one of the numbers, or what is given.
    holds = {
        i: {
            v: problem.add_variable(f"holds_{i[0]:02}_{i[1]:02}_{v - puzzle.start:04}", cat=pulp.LpBinary)
            for v in puzzle.domain(i)
        }
        for i in puzzle.cells
    }
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    # Each number is placed once.
    for v in puzzle.values:
        problem += total(holds[i][v] for i in puzzle.cells if v in holds[i]) == 1

    # All lines have the same sum.
    x = {i: pulp.LpAffineExpression((b, v) for v, b in holds[i].items()) for i in puzzle.cells}
    if not binary_alone:
        for i, held in x.items():
            low, high = puzzle.values[0], puzzle.values[-1]
            variable = problem.add_variable(f"x_{i[0]:02}_{i[1]:02}", low, high, cat=pulp.LpInteger)
            problem += held - variable == 0
            x[i] = pulp.LpAffineExpression([(variable, 1)])
    for line in lines(puzzle):
        problem += pulp.lpSum(x[i] for i in line) == sum(puzzle.values) / puzzle.diameter

    # Of 12 symmetric solutions one is left.
    if break_symmetry:
        for i, k in corner_order(puzzle):
            problem += x[k] - x[i] >= 1

    return Model(
        problem,
        from_literals(puzzle, holds),
        decisions=[variable for cell in holds.values() for variable in cell.values()],
        stands_for=stands_for(puzzle) if break_symmetry else 1,
    )


FORMULATIONS = by_name(symmetry_breaking, integers, binaries)
