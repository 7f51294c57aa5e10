"""Bug Byte in CPMpy, for any of its solvers.

The edges of a graph get the labels 1..m, each once, some of which are given. At some nodes the labels add up
to a given sum. From some nodes, for each number listed there, a simple path has labels with that sum.

The integer x[e] is the label of edge e, in 1..m for m edges, or the given label.
    all different x[e]                                       over all edges e
    sum of x[e] over the edges e at a node  = its sum        for each node with a sum

A number t listed at a node is the sum of some simple path from there; its routes are the simple paths that
the bounds on their sums leave (routes.py).

`paths`: the literal taken[p] chooses the route p.
    some taken[p]                                            over the routes p for each listed t
    taken[p] => sum of x[e] over p  = t                      for each route p
  Several paths for one t are one solution: only x tells solutions apart.

Constraints: all different, linear, half-reified linear
"""

import cpmpy

from models.bug_byte.puzzle import BugByte
from models.bug_byte.routes import all_routes
from models.shared.model import Model, by_name, from_integers


def paths(puzzle: BugByte) -> Model:
    """One literal a route, which implies its sum."""
    model = cpmpy.Model()
    x = {
        e: cpmpy.intvar(puzzle.givens.get(e, 1), puzzle.givens.get(e, len(puzzle.edges)))
        for e in puzzle.edges
    }

    # Each label is on one edge.
    model += cpmpy.AllDifferent(list(x.values()))

    # The labels at a node add up to its sum.
    for node, total in puzzle.sums.items():
        model += cpmpy.sum(x[e] for e in puzzle.edges_at(node)) == total

    for target, routes in all_routes(puzzle):
        # Some route for the number is taken.
        taken = [cpmpy.boolvar() for _ in routes]
        model += cpmpy.any(taken)

        # The labels of a route that is taken add up to the number.
        model += [
            literal.implies(cpmpy.sum(x[e] for e in route) == target)
            for route, literal in zip(routes, taken, strict=True)
        ]

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(paths)
