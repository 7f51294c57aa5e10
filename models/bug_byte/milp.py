"""Bug Byte as an integer program without an objective.

The edges of a graph get the labels 1..m, each once, some of which are given. At some nodes the labels add up
to a given sum. From some nodes, for each number listed there, a simple path has labels with that sum.

The binary variable holds[e][v] is 1 if edge e has the label v, the integer x[e] is the label of edge e.
    sum of holds[e][v] over v  = 1                           for each edge e
    sum of v holds[e][v] over v  = x[e]                      for each edge e
    sum of holds[e][v] over e  = 1                           for each label v
    sum of x[e] over the edges e at a node  = its sum        for each node with a sum

A number t listed at a node is the sum of some simple path from there; its routes are the simple paths that
the bounds on their sums leave (routes.py).

`paths`: the binary variable taken[p] chooses the route p.
    sum of taken[p]  >= 1                                    over the routes p for each listed t
    t - L (1 - taken[p]) <= sum of x[e] over p <= t + U (1 - taken[p])       for each route p
  L and U are the least that hold for every labelling: t less the smallest sum of as many different labels
  as p has edges, and the largest such sum less t.

Constraints: linear
"""

from itertools import accumulate

import pulp

from models.bug_byte.puzzle import BugByte
from models.bug_byte.routes import all_routes
from models.shared.milp import total
from models.shared.model import Model, by_name, from_literals


def paths(puzzle: BugByte) -> Model:
    """One binary variable a route, which implies its sum."""
    problem = pulp.LpProblem("bug_byte")
    problem += 0
    holds = {
        e: {
            label: problem.add_variable(f"x_is_{number}_{label}", cat=pulp.LpBinary)
            for label in puzzle.labels
            if puzzle.givens.get(e, label) == label
        }
        for number, e in enumerate(puzzle.edges)
    }
    x = {
        e: problem.add_variable(f"x_{number}", 1, len(puzzle.edges), cat=pulp.LpInteger)
        for number, e in enumerate(puzzle.edges)
    }

    # Each edge has one label.
    for e in puzzle.edges:
        problem += total(holds[e].values()) == 1
        labels = [(variable, label) for label, variable in holds[e].items()]
        problem += pulp.LpAffineExpression([*labels, (x[e], -1)]) == 0

    # Each label is on one edge.
    for label in puzzle.labels:
        problem += total(holds[e][label] for e in puzzle.edges if label in holds[e]) == 1

    # The labels at a node add up to its sum.
    for node, required in puzzle.sums.items():
        problem += total(x[e] for e in puzzle.edges_at(node)) == required

    smallest, largest = [0, *accumulate(puzzle.labels)], [0, *accumulate(reversed(puzzle.labels))]
    for number, (target, routes) in enumerate(all_routes(puzzle)):
        # Some route for the number is taken.
        taken = [
            problem.add_variable(f"taken_{number}_{position}", cat=pulp.LpBinary)
            for position in range(len(routes))
        ]
        problem += total(taken) >= 1

        # The labels of a route that is taken add up to the number.
        for route, literal in zip(routes, taken, strict=True):
            below, above = target - smallest[len(route)], largest[len(route)] - target
            labels = [(x[e], 1) for e in route]
            problem += pulp.LpAffineExpression([*labels, (literal, -below)]) >= target - below
            problem += pulp.LpAffineExpression([*labels, (literal, above)]) <= target + above

    return Model(
        problem,
        from_literals(puzzle, holds),
        decisions=[variable for labels in holds.values() for variable in labels.values()],
    )


FORMULATIONS = by_name(paths)
