"""Golomb ruler as an integer program; model.md states it.

Constraints: linear
"""

import pulp

from models.golomb_ruler.puzzle import GolombRuler
from models.shared.milp import program, total
from models.shared.model import Model, by_name


def textbook(puzzle: GolombRuler) -> Model:
    """A binary variable for each place, and one for each two places that both have a mark."""
    problem, most = program("golomb_ruler", puzzle.objective.sense), puzzle.longest

    # A place has a mark or not; 0 has one.
    mark = [problem.add_variable(f"mark_{p}", int(p == 0), 1, pulp.LpInteger) for p in range(most + 1)]
    problem += total(mark) == puzzle.size

    # Each distance is between two marks at most, one that is forbidden between none.
    for v in range(1, most + 1):
        apart = [problem.add_variable(f"apart_{p}_{v}", 0, 1) for p in range(most + 1 - v)]
        for p, both in enumerate(apart):
            problem += both >= mark[p] + mark[p + v] - 1
        problem += total(apart) <= int(v not in puzzle.forbidden)

    # No mark lies beyond the length.
    length = problem.add_variable("length", 0, most)
    for p in range(1, most + 1):
        problem += length >= p * mark[p]

    problem += length
    return Model(problem, lambda value: [p for p, of in enumerate(mark) if value(of)], mark, integral=True)


FORMULATIONS = by_name(textbook)
