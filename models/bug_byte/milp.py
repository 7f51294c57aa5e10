"""Bug Byte as an integer program without an objective.

The binary variable x[e,v] is 1 if edge e has the label v; w[e] = sum of v x[e,v].
    sum of x[e,v] over v  = 1                                for each edge
    sum of x[e,v] over e  = 1                                for each label
    sum of w[e] over the edges at a node  = its sum          for each node with a sum

`paths`: the binary variable r[p] is 1 if the route p is one that has the sum t (routes.py).
    sum of r[p] over the routes for t  >= 1                  for each t listed at a node
    t - L (1 - r[p]) <= sum of w[e] over p <= t + U (1 - r[p])
  L and U are the least that hold for every labelling: t less the smallest sum that k different labels
  have, and the largest such sum less t.
"""

from itertools import accumulate

import pulp

from models.bug_byte.puzzle import BugByte
from models.bug_byte.routes import all_routes, stars
from models.shared.milp import total as total_of
from models.shared.model import Model, chosen


def paths(puzzle: BugByte) -> Model:
    """One binary variable a route."""
    problem = pulp.LpProblem("bug_byte")
    problem += 0
    x = {
        (e, label): problem.add_variable(f"x_{number}_{label}", cat=pulp.LpBinary)
        for number, e in enumerate(puzzle.edges)
        for label in puzzle.labels
        if puzzle.givens.get(e, label) == label
    }
    at = {e: {label: x[e, label] for label in puzzle.labels if (e, label) in x} for e in puzzle.edges}
    w = {
        e: problem.add_variable(f"w_{number}", 1, len(puzzle.edges), cat=pulp.LpInteger)
        for number, e in enumerate(puzzle.edges)
    }
    for e in puzzle.edges:
        problem += total_of(at[e].values()) == 1
        terms = [(variable, label) for label, variable in at[e].items()]
        problem += pulp.LpAffineExpression([*terms, (w[e], -1)]) == 0
    for label in puzzle.labels:
        problem += total_of(x[e, label] for e in puzzle.edges if (e, label) in x) == 1
    for total, edges in stars(puzzle):
        problem += total_of(w[e] for e in edges) == total

    least, most = [0, *accumulate(puzzle.labels)], [0, *accumulate(reversed(puzzle.labels))]
    for number, (target, routes) in enumerate(all_routes(puzzle)):
        taken = [
            problem.add_variable(f"r_{number}_{position}", cat=pulp.LpBinary)
            for position in range(len(routes))
        ]
        problem += total_of(taken) >= 1
        for route, literal in zip(routes, taken, strict=True):
            below, above = target - least[len(route)], most[len(route)] - target
            labels = [(w[e], 1) for e in route]
            problem += pulp.LpAffineExpression([*labels, (literal, -below)]) >= target - below
            problem += pulp.LpAffineExpression([*labels, (literal, above)]) <= target + above

    return Model(
        problem,
        lambda of: puzzle.solution(lambda e: chosen(at[e], of)),
        decisions=list(x.values()),
    )


FORMULATIONS = {"paths": paths}
