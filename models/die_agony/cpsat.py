"""Die Agony for CP-SAT: a path in a network. But for `network`, preprocessing solves most instances.

A die with an unknown value on each face starts with score 0 and rolls over a grid to the end cell. Its nth
move adds n times the value of the face that is then on top to the score, which must then equal the value of
the cell. So a move from cell i to cell k shows a face of the value (value of k - value of i) / n, where i
counts as 0 if it is the start of the first move.

A node (n, cell, die) says that after n moves the die is in the cell and lies in this way. An arc is a move
from node to node; it shows a face f, named by its place in the starting position, with a value v. A solution
is a path from the start to any node of the end cell on which no face shows two values.

The literal arc[e] says that the path takes the arc e, holds[f][v] that face f has the value v. All
formulations:
    holds[f][v] => some arc[e], e shows v on f               for each face f and value v
    arc[e] => holds[f][v]                                    for each arc e, which shows v on f
    at most one holds[f][v]                                  for each face f

`pruned`, over the arcs on paths from the start to the end that agree with the values that each face may show
before and after them (consistent_arcs in network.py), and `network`, over all arcs on such paths:
    one arc leaves the start
    as many arcs enter a node as leave it                    for each other node but the end
    at most one arc[e], e is an nth move                     for each n

`circuit`, over the same arcs as `pruned`:
    the arcs of the path, one from the end back to the start, and a loop at each node that the path leaves
    out form a circuit

Constraints: clause, at most one; exactly one, linear (`pruned`, `network`); circuit (`circuit`)
"""

from collections import defaultdict
from fractions import Fraction
from typing import Any

from ortools.sat.python import cp_model

from models.die_agony.network import Arc, Node, arcs_on_paths, consistent_arcs, from_arcs, start
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
    model, arc = _arcs_and_faces(allowed)
    leaving = grouped(arc, lambda e: e.source)
    entering = grouped(arc, lambda e: e.target)

    # One arc leaves the start.
    model.add_exactly_one(leaving[start(puzzle)])

    # As many arcs enter a node as leave it.
    for node, arcs in entering.items():
        if node.cell != puzzle.end:
            model.add(sum(arcs) == sum(leaving[node]))

    # The path takes at most one arc per move.
    for arcs in grouped(arc, lambda e: e.number).values():
        model.add_at_most_one(arcs)

    return Model(model, from_arcs(puzzle, arc))


def circuit(puzzle: DieAgony) -> Model:
    """A circuit through the consistent arcs."""
    model, arc = _arcs_and_faces(consistent_arcs(puzzle))

    # The path is a circuit with one more arc, from the end to the start; all nodes of the end are one, None.
    number: dict[Node | None, int] = {start(puzzle): 0, None: 1}
    edges: list[tuple[int, int, Any]] = [(1, 0, True)]
    for e, literal in arc.items():
        source = number.setdefault(e.source, len(number))
        target = number.setdefault(None if e.target.cell == puzzle.end else e.target, len(number))
        edges.append((source, target, literal))
    edges += [(index, index, model.new_bool_var("")) for index in range(2, len(number))]
    model.add_circuit(edges)

    return Model(model, from_arcs(puzzle, arc))


def _arcs_and_faces(allowed: list[Arc]) -> tuple[cp_model.CpModel, dict[Arc, cp_model.IntVar]]:
    """The literals of the arcs, and what they say about the faces."""
    model = cp_model.CpModel()
    arc = {e: model.new_bool_var(f"move {e.number} {e.face}={e.value}") for e in allowed}
    holds: dict[int, dict[Fraction, cp_model.IntVar]] = defaultdict(dict)
    for (face, value), showing in grouped(arc, lambda e: (e.face, e.value)).items():
        has = holds[face][value] = model.new_bool_var(f"face {face} is {value}")

        # A face has a value only if the path takes an arc that shows it.
        model.add_bool_or(~has, *showing)

        # The path takes an arc only if its face has the value that it shows.
        for literal in showing:
            model.add_implication(literal, has)

    # Each face has at most one value.
    for values in holds.values():
        model.add_at_most_one(values.values())
    return model, arc


FORMULATIONS = by_name(pruned, network, circuit)
