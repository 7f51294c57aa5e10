"""Bug Byte for CP-SAT.

The edges of a graph get the labels 1..m, each once, some of which are given. At some nodes the labels add up
to a given sum. From some nodes, for each number listed there, a simple path has labels with that sum.

The integer x[e] is the label of edge e, within the bounds that the sums leave (bounds.py). All formulations:
    all different x[e]                                       over all edges e
    sum of x[e] over the edges e at a node  = its sum        for each node with a sum

A number t listed at a node is the sum of some simple path from there; its routes are the simple paths that
the bounds leave. The literal taken[p] chooses the route p.

`half_reified`: for each t with at most 100 routes
    exactly one taken[p]                                     over the routes p for t
    taken[p] => sum of x[e] over p  = t                      for each route p
  (half-reification: Feydy, Somogyi and Stuckey, "Half reification and flattening", 2011). For all other t
  constraints are added when a solution breaks them. The literal holds[e][v] says that x[e] is v; no path has
  the sum t as long as no edge e gets a label from a set S(e) (missed.py).
    exactly one holds[e][v]                                  over v, for each edge e; over e, for each label v
    sum of v holds[e][v] over v  = x[e]                      for each edge e
    some holds[e][v]                                         over e and v in S(e), for each t that is missed

`lazy_cuts`: the same, with constraints added for each t; made to find one solution, as to count it may solve
  again hundreds of times

`paths`: for each t
    some taken[p]                                            over the routes p for t
    taken[p] <=> sum of x[e] over p  = t                     for each route p

`flow`: the literal arc[a] says that the path for t takes the arc a, an edge in one of its directions.
    the arcs that are taken, one from the path's last node back to its first, and a loop at each node that
    the path leaves out form a circuit                       for each listed t
    sum of x[e] over the edges that are taken  = t           by products z[e] = x[e] if e is taken, else 0

In `half_reified` and `flow` several paths for one t are several solutions, but one of the puzzle.

Constraints: all different, linear; exactly one, half-reified linear, clause (`half_reified`); clause, reified
linear (`paths`); circuit, half-reified linear (`flow`)
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ortools.sat.python import cp_model

from models.bug_byte.bounds import Bounds, capped
from models.bug_byte.missed import other_labels
from models.bug_byte.puzzle import BugByte, Edge
from models.shared.model import Model, Values, by_name, from_integers

FEW = 100
"""Of this many routes for a number, at most, each has a literal."""

Labels = dict[Edge, cp_model.IntVar]


def half_reified(puzzle: BugByte) -> Model:
    """One literal a route, which implies its sum; numbers with many routes are looked at in solutions."""
    return _some_lazy(puzzle, FEW)


def lazy_cuts(puzzle: BugByte) -> Model:
    """All numbers are looked at in solutions."""
    return _some_lazy(puzzle, 0)


def _some_lazy(puzzle: BugByte, few: int) -> Model:
    bounds = Bounds(puzzle)
    model, x = _labels(puzzle, bounds)
    left_out = []
    for node, targets in puzzle.paths.items():
        for target in targets:
            routes = list(islice(bounds.routes(node, target), few + 1)) if few else []
            if not few or len(routes) > few:
                left_out.append((node, target))
                continue

            # One route for the number is taken.
            taken = [model.new_bool_var("") for _ in routes]
            model.add_exactly_one(taken)

            # The labels of a route that is taken add up to the number.
            for route, literal in zip(routes, taken, strict=True):
                model.add(_total(x, route) == target).only_enforce_if(literal)
    if not left_out:
        return Model(model, from_integers(puzzle, x))

    # Each edge has one label.
    holds = {e: {v: model.new_bool_var("") for v in bounds.possible(e)} for e in puzzle.edges}
    for e, literals in holds.items():
        model.add_exactly_one(literals.values())
        model.add(cp_model.LinearExpr.weighted_sum(list(literals.values()), list(literals)) == x[e])

    # Each label is on one edge.
    for v in puzzle.labels:
        model.add_exactly_one(literals[v] for literals in holds.values() if v in literals)

    def cuts(label: Mapping[Edge, int]) -> Iterator[Any]:
        for node, target in left_out:
            others = other_labels(puzzle, label, node, target)
            if others is not None:
                # Some edge gets a label with which a path may add up to the number.
                ways = [literal for e in others for v, literal in holds[e].items() if v in others[e]]
                yield cp_model.LinearExpr.sum(ways) >= 1

    def broken(value: Values) -> Sequence[Any]:
        return list(cuts({e: value(x[e]) for e in puzzle.edges}))

    return Model(model, from_integers(puzzle, x), lazy=broken)


def paths(puzzle: BugByte) -> Model:
    """One literal a route, which is true exactly if the route has the sum."""
    bounds = Bounds(puzzle)
    model, x = _labels(puzzle, bounds)
    for node, targets in puzzle.paths.items():
        for target in targets:
            # Some route for the number is taken.
            taken = {route: model.new_bool_var("") for route in bounds.routes(node, target)}
            model.add_bool_or(taken.values())

            # The labels of a route add up to the number exactly if it is taken.
            for route, literal in taken.items():
                model.add(_total(x, route) == target).only_enforce_if(literal)
                model.add(_total(x, route) != target).only_enforce_if(~literal)
    return Model(model, from_integers(puzzle, x))


def flow(puzzle: BugByte) -> Model:
    """One circuit a listed number."""
    model, x = _labels(puzzle, Bounds(puzzle))
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
            model.add(sum(products) == capped(puzzle, target))
    return Model(model, from_integers(puzzle, x))


def _labels(puzzle: BugByte, bounds: Bounds) -> tuple[cp_model.CpModel, Labels]:
    """The model of the labels and of the sums at the nodes."""
    model = cp_model.CpModel()
    x = {e: model.new_int_var(*bounds.labels[e], f"x{e}") for e in puzzle.edges}

    # Each label is on one edge.
    model.add_all_different(x.values())

    # The labels at a node add up to its sum.
    for node, total in puzzle.sums.items():
        model.add(_total(x, puzzle.edges_at(node)) == capped(puzzle, total))
    return model, x


def _total(x: Labels, edges: Sequence[Edge]) -> cp_model.LinearExpr:
    return cp_model.LinearExpr.sum([x[e] for e in edges])


FORMULATIONS = by_name(half_reified, lazy_cuts, paths, flow)
