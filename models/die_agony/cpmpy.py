"""Die Agony in CPMpy: a path in a network. For `pruned`, preprocessing solves most instances.

A die with an unknown value on each face starts with score 0 and rolls over a grid to the end cell. Its nth
move adds n times the value of the face that is then on top to the score, which must then equal the value of
the cell. So a move from cell i to cell k shows a face of the value (value of k - value of i) / n, where i
counts as 0 if it is the start of the first move.

A node (n, cell, die) says that after n moves the die is in the cell and lies in this way. An arc is a move
from node to node; it shows a face f, named by its place in the starting position, with a value v. A solution
is a path from the start to any node of the end cell on which no face shows two values.

The literal arc[e] says that the path takes the arc e, holds[f][v] that face f has the value v.

`pruned`, over the arcs on paths from the start to the end that agree with the values that each face may show
before and after them (consistent_arcs in network.py), and `network`, over all arcs on such paths:
    one arc leaves the start
    as many arcs enter a node as leave it                    for each other node but the end
    holds[f][v] => some arc[e], e shows v on f               for each face f and value v
    arc[e] => holds[f][v]                                    for each arc e, which shows v on f
    at most one holds[f][v]                                  for each face f

Constraints: linear, clause
"""

from collections import defaultdict
from fractions import Fraction
from typing import Any

import cpmpy

from models.die_agony.network import Arc, arcs_on_paths, consistent_arcs, from_arcs, start
from models.die_agony.puzzle import DieAgony
from models.shared.flow import grouped
from models.shared.model import Model, by_name


def pruned(puzzle: DieAgony) -> Model:
    """A unit of flow through the consistent arcs; on most instances all of them lie on the solution."""
    return _flow(puzzle, consistent_arcs(puzzle))


def network(puzzle: DieAgony) -> Model:
    """A unit of flow through all arcs that lie on a path."""
    return _flow(puzzle, arcs_on_paths(puzzle))


def _flow(puzzle: DieAgony, allowed: list[Arc]) -> Model:
    model = cpmpy.Model()
    arc = {e: cpmpy.boolvar() for e in allowed}
    leaving = grouped(arc, lambda e: e.source)
    entering = grouped(arc, lambda e: e.target)

    # One arc leaves the start.
    model += cpmpy.sum(leaving[start(puzzle)]) == 1

    # As many arcs enter a node as leave it.
    for node, arcs in entering.items():
        if node.cell != puzzle.end:
            model += cpmpy.sum(arcs) == cpmpy.sum(leaving[node])

    holds: dict[int, dict[Fraction, Any]] = defaultdict(dict)
    for (face, value), showing in grouped(arc, lambda e: (e.face, e.value)).items():
        has = holds[face][value] = cpmpy.boolvar()

        # A face has a value only if the path takes an arc that shows it.
        model += has.implies(cpmpy.any(showing))

        # The path takes an arc only if its face has the value that it shows.
        model += [literal.implies(has) for literal in showing]

    # Each face has at most one value.
    for values in holds.values():
        model += cpmpy.sum(values.values()) <= 1

    return Model(model, from_arcs(puzzle, arc), decisions=list(arc.values()))


FORMULATIONS = by_name(pruned, network)
