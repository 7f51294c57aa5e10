"""Magic hexagon as an integer program without an objective; model.md states the formulations.

Constraints: set partitioning, linear
"""

import pulp

from models.magic_hexagon.geometry import corner_order, lines, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.milp import program, total
from models.shared.model import Model, by_name, from_literals


def mirrored(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions, with what a cell holds counted from below and from above."""
    return _model(puzzle, mirror=True)


def textbook(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _model(puzzle)


def _model(puzzle: MagicHexagon, mirror: bool = False) -> Model:
    problem = program("magic_hexagon")

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
    x = {i: pulp.LpAffineExpression((b, v) for v, b in holds[i].items()) for i in puzzle.cells}

    # Each number is placed once.
    for v in puzzle.values:
        problem += total(holds[i][v] for i in puzzle.cells if v in holds[i]) == 1

    # What a cell holds, counted from below and from above. Apart from each other these rows help HiGHS less.
    if mirror:
        low, high = puzzle.values[0], puzzle.values[-1]
        for i in puzzle.cells:
            variable = problem.add_variable(f"x_{i[0]:02}_{i[1]:02}", low, high, cat=pulp.LpInteger)
            x[i] = pulp.LpAffineExpression([(variable, 1)])
            problem += pulp.LpAffineExpression([(b, v - low) for v, b in holds[i].items()]) - x[i] == -low
            problem += pulp.LpAffineExpression([(b, high - v) for v, b in holds[i].items()]) + x[i] == high

    # All lines have the same sum.
    for line in lines(puzzle):
        problem += pulp.lpSum(x[i] for i in line) == sum(puzzle.values) / puzzle.diameter

    # Of 12 symmetric solutions one is left.
    if mirror:
        for i, k in corner_order(puzzle):
            problem += x[k] - x[i] >= 1

    return Model(problem, from_literals(puzzle, holds), stands_for=stands_for(puzzle) if mirror else 1)


FORMULATIONS = by_name(mirrored, textbook)
