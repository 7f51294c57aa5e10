"""Bug Byte for CP-SAT.

The edges of a graph get the labels 1..m, each once, some of which are given. At some nodes the labels add up
to a given sum. From some nodes, for each number listed there, a simple path has labels with that sum.

The integer x[e] is the label of edge e, in 1..m for m edges, or the given label. All formulations:
    all different x[e]                                       over all edges e
    sum of x[e] over the edges e at a node  = its sum        for each node with a sum

A number t listed at a node is the sum of some simple path from there; its routes are the simple paths that
the bounds on their sums leave (routes.py).

`half_reified`: the literal taken[p] chooses the route p.
    some taken[p]                                            over the routes p for each listed t
    taken[p] => sum of x[e] over p  = t                      for each route p
  (half-reification: Feydy, Somogyi and Stuckey, "Half reification and flattening", 2011)

`paths`: the same with
    taken[p] <=> sum of x[e] over p  = t

`flow`: the literal arc[a] says that the path for t takes the arc a, an edge in one of its directions.
    the arcs that are taken, one from the path's last node back to its first, and a loop at each node that
    the path leaves out form a circuit                       for each listed t
    sum of x[e] over the edges that are taken  = t           by products z[e] = x[e] if e is taken, else 0

In `half_reified` and `flow` several paths for one t are several solutions, but one of the puzzle.

Constraints: all different, linear; clause, half-reified linear (`half_reified`); clause, reified linear
(`paths`); circuit, half-reified linear (`flow`)
"""

from typing import Any

from ortools.sat.python import cp_model

from models.bug_byte.puzzle import BugByte, Edge
from models.bug_byte.routes import all_routes
from models.shared.model import Model, by_name, from_integers

Labels = dict[Edge, cp_model.IntVar]


def half_reified(puzzle: BugByte) -> Model:
    """One literal a route, which implies its sum."""
    return _routes(puzzle, reified=False)


def paths(puzzle: BugByte) -> Model:
    """One literal a route, which is true exactly if the route has the sum."""
    return _routes(puzzle, reified=True)


def _routes(puzzle: BugByte, reified: bool) -> Model:
    model, x = _labels(puzzle)
    for target, routes in all_routes(puzzle):
        # Some route for the number is taken.
        taken = [model.new_bool_var(f"{target} by {route}") for route in routes]
        model.add_bool_or(taken)

        # The labels of a route that is taken add up to the number.
        for route, literal in zip(routes, taken, strict=True):
            model.add(sum(x[e] for e in route) == target).only_enforce_if(literal)
            if reified:
                model.add(sum(x[e] for e in route) != target).only_enforce_if(~literal)
    return Model(model, from_integers(puzzle, x))


def flow(puzzle: BugByte) -> Model:
    """One circuit a listed number."""
    model, x = _labels(puzzle)
    number = {node: position for position, node in enumerate(puzzle.graph, 1)}
    for start, targets in puzzle.paths.items():
        for target in targets:
            # The path is a circuit through node 0, which stands between its last node and its first.
            arcs: list[tuple[int, int, Any]] = [(0, number[start], True)]
            others = [node for node in number if node != start]
            arcs += [(number[node], 0, model.new_bool_var(f"ends in {node}")) for node in others]
            arcs += [(number[node], number[node], model.new_bool_var(f"not {node}")) for node in others]
            products = []
            for u, v in puzzle.edges:
                there, back = model.new_bool_var(f"{u}{v}"), model.new_bool_var(f"{v}{u}")
                arcs += [(number[u], number[v], there), (number[v], number[u], back)]
                product = model.new_int_var(0, len(puzzle.edges), f"label of {u}{v} if taken")
                for literal in (there, back):
                    model.add(product == x[u, v]).only_enforce_if(literal)
                model.add(product == 0).only_enforce_if(~there, ~back)
                products.append(product)
            model.add_circuit(arcs)

            # The labels of the path that is taken add up to the number.
            model.add(sum(products) == target)
    return Model(model, from_integers(puzzle, x))


def _labels(puzzle: BugByte) -> tuple[cp_model.CpModel, Labels]:
    """The model of the labels and of the sums at the nodes."""
    model = cp_model.CpModel()
    x = {
        e: model.new_int_var(puzzle.givens.get(e, 1), puzzle.givens.get(e, len(puzzle.edges)), f"x{e}")
        for e in puzzle.edges
    }

    # Each label is on one edge.
    model.add_all_different(x.values())

    # The labels at a node add up to its sum.
    for node, total in puzzle.sums.items():
        model.add(sum(x[e] for e in puzzle.edges_at(node)) == total)
    return model, x


FORMULATIONS = by_name(half_reified, paths, flow)
