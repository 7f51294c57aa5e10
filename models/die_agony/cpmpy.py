"""Die Agony in CPMpy, for any of its solvers, on the time-expanded network of rolls.py.

The literal a[e] means that the path takes arc e, a move that shows a face f with a value v; y[f,v] means that
face f has the value v.

`pruned`, over the arcs that stay consistent on sets of values, and `network`, over all that lie on a path:
    exactly one arc leaves the start
    as many arcs enter a node as leave it                    for each node but the start and the end
    a[e] => y[f,v]                                           for each arc
    y[f,v] => some arc that shows v on f is taken
    at most one v with y[f,v]                                for each face f
"""

from collections import defaultdict

import cpmpy

from models.die_agony.puzzle import DieAgony
from models.die_agony.rolls import Arc, consistent, network, path_of, start
from models.shared.model import Model


def pruned(puzzle: DieAgony) -> Model:
    """A unit of flow through the consistent arcs."""
    return _flow(puzzle, consistent(puzzle))


def whole_network(puzzle: DieAgony) -> Model:
    """A unit of flow through all arcs."""
    return _flow(puzzle, network(puzzle))


def _flow(puzzle: DieAgony, allowed: list[Arc]) -> Model:
    model = cpmpy.Model()
    taken = {arc: cpmpy.boolvar() for arc in allowed}
    leaving, entering = defaultdict(list), defaultdict(list)
    showing = defaultdict(list)
    for arc, literal in taken.items():
        leaving[arc.source].append(literal)
        entering[arc.target].append(literal)
        showing[arc.face, arc.value].append(literal)

    model += cpmpy.sum(leaving[start(puzzle)]) == 1
    for node, literals in entering.items():
        if node[1] != puzzle.end:
            model += cpmpy.sum(literals) == cpmpy.sum(leaving[node])

    values = defaultdict(list)
    for (face, _), literals in showing.items():
        has = cpmpy.boolvar()
        values[face].append(has)
        model += has.implies(cpmpy.any(literals))
        model += [literal.implies(has) for literal in literals]
    for alternatives in values.values():
        model += cpmpy.sum(alternatives) <= 1

    return Model(
        model,
        lambda of: puzzle.solution(*path_of(puzzle, [arc for arc, literal in taken.items() if of(literal)])),
        decisions=list(taken.values()),
    )


FORMULATIONS = {"pruned": pruned, "network": whole_network}
