"""Perfect squares as an integer program without an objective; model.md states it.

Constraints: big-M, exactly one
"""

from itertools import product

import pulp

from models.perfect_squares.puzzle import PerfectSquares
from models.shared.milp import program, total
from models.shared.model import Model, Values, by_name
from models.shared.puzzle import Solution


def textbook(puzzle: PerfectSquares) -> Model:
    """Integers for the place of each square; binary variables for how two squares lie, with big-M."""
    problem, most = program("perfect_squares"), {"row": puzzle.height, "column": puzzle.width}

    # Each square is inside the rectangle.
    begin = {
        (axis, i): problem.add_variable(f"{axis}_{i}", 0, most[axis], pulp.LpInteger)
        for axis in most
        for i in range(puzzle.size)
    }
    for (axis, i), at in begin.items():
        problem += at + puzzle.sides[i] <= most[axis]

    # No two squares overlap: one is before the other, in its columns or, if they share some, in its rows.
    first = {}
    for pair in puzzle.pairs:
        for axis, (i, j) in product(most, (pair, pair[::-1])):
            first[axis, i, j] = problem.add_variable(f"{axis}_{i}_before_{j}", cat=pulp.LpBinary)
            end = begin[axis, i] + puzzle.sides[i]
            problem += end <= begin[axis, j] + most[axis] * (1 - first[axis, i, j])
        i, j = pair
        shared = total(first["row", *each] for each in (pair, pair[::-1]))
        problem += shared + total(first["column", *each] for each in (pair, pair[::-1])) == 1
        for i, j in (pair, pair[::-1]):
            at = begin["column", j] + most["column"] * (1 - shared)
            problem += begin["column", i] + 1 <= at + puzzle.sides[j]

    # They fill the rectangle.
    if not puzzle.fills:
        problem += pulp.LpAffineExpression(constant=1) <= 0

    # Equal squares are in order.
    for i, j in puzzle.equal:
        order = [puzzle.width * begin["row", k] + begin["column", k] for k in (i, j)]
        problem += order[0] + 1 <= order[1]

    def decode(value: Values) -> Solution:
        return puzzle.solution(lambda i: (round(value(begin["row", i])), round(value(begin["column", i]))))

    return Model(problem, decode, [*first.values()])


FORMULATIONS = by_name(textbook)
