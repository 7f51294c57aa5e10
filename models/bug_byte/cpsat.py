"""Bug Byte for CP-SAT. The integer variable w[e] is the label of edge e, its domain 1..m or the given.

All formulations:
    all different w
    sum of w[e] over the edges at a node  = its sum          for each node with a sum

`half_reified`: literals r[p] for each route p that may have the sum t (routes.py), for each t at a node.
    r[p] => sum of w[e] over p  = t
    some r[p]                                                for each t
  (half-reification: Feydy, Somogyi and Stuckey, "Half reification and flattening", 2011)

`paths`: the same with
    r[p] <=> sum of w[e] over p  = t

`flow`: literals u[t,a] for the arcs a, each edge in both directions: the path for t uses a.
    the arcs that are used, with one from the path's last node back to its first and a loop at each node
    that is left out, form a circuit                         for each t
    sum of w[e] over the edges that are used  = t            by products z[t,e] = w[e] if e is used, else 0

In `half_reified` and `flow` several paths for one t are several solutions, but one of the puzzle.
"""

from typing import Any

from ortools.sat.python import cp_model

from models.bug_byte.puzzle import BugByte, Edge
from models.bug_byte.routes import all_routes, stars
from models.shared.model import Model

Labels = dict[Edge, cp_model.IntVar]


def half_reified(puzzle: BugByte) -> Model:
    """One literal a route, which implies its sum."""
    return _routes(puzzle, reverse=False)


def paths(puzzle: BugByte) -> Model:
    """One literal a route, which tells whether it has the sum."""
    return _routes(puzzle, reverse=True)


def _routes(puzzle: BugByte, reverse: bool) -> Model:
    model, w = _labels(puzzle)
    for target, routes in all_routes(puzzle):
        chosen = [model.new_bool_var(f"{target} by {route}") for route in routes]
        model.add_bool_or(chosen)
        for route, literal in zip(routes, chosen, strict=True):
            model.add(sum(w[e] for e in route) == target).only_enforce_if(literal)
            if reverse:
                model.add(sum(w[e] for e in route) != target).only_enforce_if(~literal)
    return Model(model, lambda of: puzzle.solution(lambda e: of(w[e])))


def flow(puzzle: BugByte) -> Model:
    """One circuit a number."""
    model, w = _labels(puzzle)
    number = {node: position for position, node in enumerate(puzzle.graph, 1)}
    for start, targets in puzzle.paths.items():
        for target in targets:
            # Node 0 stands between the path's last node and its first.
            arcs: list[tuple[int, int, Any]] = [(0, number[start], True)]
            arcs += [
                (number[node], 0, model.new_bool_var(f"ends in {node}")) for node in number if node != start
            ]
            arcs += [
                (number[node], number[node], model.new_bool_var(f"not {node}"))
                for node in number
                if node != start
            ]
            used_labels = []
            for u, v in puzzle.edges:
                there, back = model.new_bool_var(f"{u}{v}"), model.new_bool_var(f"{v}{u}")
                arcs += [(number[u], number[v], there), (number[v], number[u], back)]
                product = model.new_int_var(0, len(puzzle.edges), f"label of {u}{v} if used")
                for literal in (there, back):
                    model.add(product == w[u, v]).only_enforce_if(literal)
                model.add(product == 0).only_enforce_if(~there, ~back)
                used_labels.append(product)
            model.add_circuit(arcs)
            model.add(sum(used_labels) == target)
    return Model(model, lambda of: puzzle.solution(lambda e: of(w[e])))


def _labels(puzzle: BugByte) -> tuple[cp_model.CpModel, Labels]:
    """The labels and the sums at the nodes."""
    model = cp_model.CpModel()
    w = {
        e: model.new_int_var(puzzle.givens.get(e, 1), puzzle.givens.get(e, len(puzzle.edges)), f"w{e}")
        for e in puzzle.edges
    }
    model.add_all_different(w.values())
    for total, edges in stars(puzzle):
        model.add(sum(w[e] for e in edges) == total)
    return model, w


FORMULATIONS = {"half_reified": half_reified, "paths": paths, "flow": flow}
