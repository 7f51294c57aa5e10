"""Bug Byte in CPMpy, for any of its solvers. The integer w[e] is the label of edge e, in 1..m or the given.

`paths`:
    all different w
    sum of w[e] over the edges at a node  = its sum          for each node with a sum
    r[p] => sum of w[e] over p  = t                          for each route p for t (routes.py)
    some r[p]                                                for each t listed at a node
  Several paths for one t are one solution: only w tells solutions apart.
"""

import cpmpy

from models.bug_byte.puzzle import BugByte
from models.bug_byte.routes import all_routes, stars
from models.shared.model import Model


def paths(puzzle: BugByte) -> Model:
    """One literal a route."""
    model = cpmpy.Model()
    w = {
        e: cpmpy.intvar(puzzle.givens.get(e, 1), puzzle.givens.get(e, len(puzzle.edges)))
        for e in puzzle.edges
    }
    model += cpmpy.AllDifferent(list(w.values()))
    for total, edges in stars(puzzle):
        model += cpmpy.sum(w[e] for e in edges) == total
    for target, routes in all_routes(puzzle):
        taken = [cpmpy.boolvar() for _ in routes]
        model += cpmpy.any(taken)
        model += [
            literal.implies(cpmpy.sum(w[e] for e in route) == target)
            for route, literal in zip(routes, taken, strict=True)
        ]
    return Model(model, lambda of: puzzle.solution(lambda e: of(w[e])), decisions=list(w.values()))


FORMULATIONS = {"paths": paths}
