"""Bug Byte as an integer program without an objective.

The edges of a graph get the labels 1..m, each once, some of which are given. At some nodes the labels add up
to a given sum. From some nodes, for each number listed there, a simple path has labels with that sum.

Let low[e] <= high[e] be the bounds of the label of edge e that the sums leave (bounds.py). The binary
variable holds[e][v] is 1 if edge e has the label v within them, the integer x[e] is the label of edge e.
    sum of holds[e][v] over v  = 1                           for each edge e
    sum of v holds[e][v] over v  = x[e]                      for each edge e
    sum of holds[e][v] over e  = 1                           for each label v
    sum of x[e] over the edges e at a node  = its sum        for each node with a sum

A number t listed at a node is the sum of some simple path from there; its routes are the simple paths that
the bounds leave.

`paths`: for each t with at most 100 routes the binary variable taken[p] chooses the route p.
    sum of taken[p]  = 1                                     over the routes p for t
    t - L (1 - taken[p]) <= sum of x[e] over p <= t + U (1 - taken[p])       for each route p
  L is t less the sum of low[e] over p, U the sum of high[e] over p less t. For all other t constraints are
  added when a solution breaks them: no path has the sum t as long as no edge e gets a label from a set S(e)
  (missed.py).
    sum of holds[e][v]  >= 1                                 over e and v in S(e), for each t that is missed

`lazy_cuts`: the same, with constraints added for each t

Constraints: linear
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import pulp

from models.bug_byte.bounds import Bounds, capped
from models.bug_byte.missed import other_labels
from models.bug_byte.puzzle import BugByte, Edge
from models.shared.milp import total
from models.shared.model import Model, Values, by_name, from_literals

FEW = 100
"""Of this many routes for a number, at most, each has a variable."""


def paths(puzzle: BugByte) -> Model:
    """One binary variable a route, which implies its sum; numbers with many routes are added lazily."""
    return _some_lazy(puzzle, FEW)


def lazy_cuts(puzzle: BugByte) -> Model:
    """All numbers are looked at in solutions."""
    return _some_lazy(puzzle, 0)


def _some_lazy(puzzle: BugByte, few: int) -> Model:
    bounds = Bounds(puzzle)
    problem = pulp.LpProblem("bug_byte")
    problem += 0
    holds = {
        e: {v: problem.add_variable(f"x_is_{number}_{v}", cat=pulp.LpBinary) for v in bounds.possible(e)}
        for number, e in enumerate(puzzle.edges)
    }
    x = {
        e: problem.add_variable(f"x_{number}", *bounds.labels[e], cat=pulp.LpInteger)
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
        problem += total(x[e] for e in puzzle.edges_at(node)) == capped(puzzle, required)

    left_out = []
    listed = [(node, target) for node, targets in puzzle.paths.items() for target in targets]
    for number, (node, target) in enumerate(listed):
        routes = list(islice(bounds.routes(node, target), few + 1)) if few else []
        if not few or len(routes) > few:
            left_out.append((node, target))
            continue

        # One route for the number is taken.
        taken = [
            problem.add_variable(f"taken_{number}_{position}", cat=pulp.LpBinary)
            for position in range(len(routes))
        ]
        problem += total(taken) == 1

        # The labels of a route that is taken add up to the number.
        for route, literal in zip(routes, taken, strict=True):
            below = target - sum(bounds.labels[e][0] for e in route)
            above = sum(bounds.labels[e][1] for e in route) - target
            labels = [(x[e], 1) for e in route]
            problem += pulp.LpAffineExpression([*labels, (literal, -below)]) >= target - below
            problem += pulp.LpAffineExpression([*labels, (literal, above)]) <= target + above

    def cuts(label: Mapping[Edge, int]) -> Iterator[pulp.LpConstraint]:
        for node, target in left_out:
            others = other_labels(puzzle, label, node, target)
            if others is not None:
                # Some edge gets a label with which a path may add up to the number.
                yield total(holds[e][v] for e in others for v in others[e] if v in holds[e]) >= 1

    def broken(value: Values) -> Sequence[pulp.LpConstraint]:
        return list(cuts({e: value(x[e]) for e in puzzle.edges}))

    return Model(
        problem,
        from_literals(puzzle, holds),
        decisions=[variable for labels in holds.values() for variable in labels.values()],
        lazy=broken if left_out else None,
    )


FORMULATIONS = by_name(paths, lazy_cuts)
