"""Magic hexagon as an integer program without an objective.

The numbers start, start + 1, ... go one into each cell of a hexagon with `order` cells on a side, so that
all lines in all three directions have the same sum.

Let D(i) be start..start + n - 1 for each of the n cells i, or the given number alone; S the sum of a line,
that of all numbers divided by 2 order - 1; c1, ..., c6 the corners in the order in which one walks around.

`mirrored`: `symmetry_breaking`, and what a cell holds counted from the greatest number M down as well:
    sum of (M - v) holds[i][v] over v  = M - x[i]            for each cell i
  A solver that looks at one row at a time learns from the row of `symmetry_breaking` what is too much for a
  cell, and from this one what is too little. If S = 0 and no numbers are given, with a binary
  `opposite` and -i for the cell on the other side of the middle:
    holds[i][v] + opposite <= 1 + holds[-i][-v]              for each cell i and number v
  A solution with opposite numbers is one of the puzzle, whatever `opposite` is.
  HiGHS runs without heuristics, and looks first for a solution with `opposite`, where half of it follows.

`symmetry_breaking`: holds[i][v] in {0, 1} for v in D(i): cell i holds v. The integer x[i] is what it holds.
    sum of holds[i][v] over v  = 1                           for each cell i
    sum of holds[i][v] over i  = 1                           for each number v
    sum of (v - start) holds[i][v] over v  = x[i] - start    for each cell i
    sum of x[i] over i in L  = S                             for each line L
    x[c1] < x[c2], ..., x[c6] and x[c2] < x[c6]              unless numbers are given
  As the x[i] are whole, x[i] < x[k] is x[k] - x[i] >= 1.

`integers`: the same without the order of the corners, which leaves one of 12 symmetric solutions.

`binaries`: `symmetry_breaking` with the sum of v holds[i][v] over v in place of each variable x[i].

Constraints: linear
"""

from dataclasses import replace

import pulp

from models.magic_hexagon.geometry import corner_order, lines, opposites, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.grid import Cell
from models.shared.milp import total
from models.shared.model import Model, by_name, from_literals

NO_HEURISTICS = {
    "mip_heuristic_effort": 0.0,
    "mip_heuristic_run_feasibility_jump": False,
    "mip_heuristic_run_rens": False,
    "mip_heuristic_run_rins": False,
    "mip_heuristic_run_root_reduced_cost": False,
}
"""The search finds what heuristics would."""


def mirrored(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions, with what a cell holds counted from below and from above."""
    model, holds = _model(puzzle, break_symmetry=True, mirrored=True)
    problem = model.problem

    # Opposite cells hold opposite numbers in some solutions, which are found soon.
    opposite = None
    if puzzle.line_sum == 0 and not puzzle.givens:
        opposite = problem.add_variable("opposite", cat=pulp.LpBinary)
        for i, k in opposites(puzzle).items():
            for v in puzzle.values:
                problem += holds[i][v] + opposite <= 1 + holds[k][-v]

    return replace(model, first=opposite, options=NO_HEURISTICS)


def symmetry_breaking(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions."""
    return _model(puzzle, break_symmetry=True)[0]


def integers(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _model(puzzle, break_symmetry=False)[0]


def binaries(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions, with binary variables alone."""
    return _model(puzzle, break_symmetry=True, binary_alone=True)[0]


def _model(
    puzzle: MagicHexagon, break_symmetry: bool, binary_alone: bool = False, mirrored: bool = False
) -> tuple[Model, dict[Cell, dict[int, pulp.LpVariable]]]:
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
        low, high = puzzle.values[0], puzzle.values[-1]
        for i in puzzle.cells:
            variable = problem.add_variable(f"x_{i[0]:02}_{i[1]:02}", low, high, cat=pulp.LpInteger)
            x[i] = pulp.LpAffineExpression([(variable, 1)])
            above = pulp.LpAffineExpression([(b, v - low) for v, b in holds[i].items()])
            problem += above - x[i] == -low
            # The order of these rows matters to HiGHS: apart from each other they help less.
            if mirrored:
                below = pulp.LpAffineExpression([(b, high - v) for v, b in holds[i].items()])
                problem += below + x[i] == high
    for line in lines(puzzle):
        problem += pulp.lpSum(x[i] for i in line) == sum(puzzle.values) / puzzle.diameter

    # Of 12 symmetric solutions one is left.
    if break_symmetry:
        for i, k in corner_order(puzzle):
            problem += x[k] - x[i] >= 1

    model = Model(
        problem,
        from_literals(puzzle, holds),
        decisions=[variable for cell in holds.values() for variable in cell.values()],
        stands_for=stands_for(puzzle) if break_symmetry else 1,
    )
    return model, holds


FORMULATIONS = by_name(mirrored, symmetry_breaking, integers, binaries)
