"""Die Agony for CP-SAT, on the time-expanded network of rolls.py.

Let A be the arcs, each one move that shows a face f with a value v. All formulations have literals a[e] for
the arcs and y[f,v], face f has the value v:
    a[e] => y[f,v]                                           for each arc e that shows v on f
    y[f,v] => some arc that shows v on f is taken
    at most one v with y[f,v]                                for each face f

`pruned`, over the arcs that stay consistent on sets of values, and `network`, over all that lie on a path:
    exactly one arc leaves the start
    as many arcs enter a node as leave it                    for each node but the start and the end
    at most one arc a move
`circuit`, over the consistent arcs:
    the arcs, with one from the end back to the start and a loop at each node that is left out, form a
    circuit                                                  CP-SAT's own constraint
"""

from collections import defaultdict
from typing import Any

from ortools.sat.python import cp_model

from models.die_agony.puzzle import DieAgony
from models.die_agony.rolls import Arc, Node, consistent, network, path_of, start
from models.shared.model import Model


def pruned(puzzle: DieAgony) -> Model:
    """A unit of flow through the consistent arcs."""
    return _flow(puzzle, consistent(puzzle))


def whole_network(puzzle: DieAgony) -> Model:
    """A unit of flow through all arcs."""
    return _flow(puzzle, network(puzzle))


def _flow(puzzle: DieAgony, allowed: list[Arc]) -> Model:
    model, arcs = _arcs_and_faces(allowed)
    leaving, entering = _by_node(arcs)
    model.add_exactly_one(leaving[start(puzzle)])
    for node, literals in entering.items():
        if node[1] != puzzle.end:
            model.add(sum(literals) == sum(leaving[node]))
    moves = defaultdict(list)
    for arc, literal in arcs.items():
        moves[arc.number].append(literal)
    for literals in moves.values():
        model.add_at_most_one(literals)
    return _model(puzzle, model, arcs)


def circuit(puzzle: DieAgony) -> Model:
    """A circuit through the arcs."""
    model, arcs = _arcs_and_faces(consistent(puzzle))
    number: dict[Node | None, int] = {start(puzzle): 0, None: 1}
    edges: list[tuple[int, int, Any]] = [(1, 0, True)]
    for arc, literal in arcs.items():
        source = number.setdefault(arc.source, len(number))
        # All nodes of the end cell are one: None.
        target = number.setdefault(None if arc.target[1] == puzzle.end else arc.target, len(number))
        edges.append((source, target, literal))
    edges += [(index, index, model.new_bool_var("")) for index in range(2, len(number))]
    model.add_circuit(edges)
    return _model(puzzle, model, arcs)


def _arcs_and_faces(allowed: list[Arc]) -> tuple[cp_model.CpModel, dict[Arc, cp_model.IntVar]]:
    """The literals of the arcs, and what they say about the faces."""
    model = cp_model.CpModel()
    arcs = {arc: model.new_bool_var(f"move {arc.number} {arc.face}={arc.value}") for arc in allowed}
    showing = defaultdict(list)
    for arc, literal in arcs.items():
        showing[arc.face, arc.value].append(literal)
    values = defaultdict(list)
    for (face, value), literals in showing.items():
        has = model.new_bool_var(f"face {face} is {value}")
        values[face].append(has)
        model.add_bool_or(~has, *literals)
        for literal in literals:
            model.add_implication(literal, has)
    for alternatives in values.values():
        model.add_at_most_one(alternatives)
    return model, arcs


def _by_node(arcs: dict[Arc, cp_model.IntVar]) -> tuple[dict[Node, list[cp_model.IntVar]], ...]:
    leaving, entering = defaultdict(list), defaultdict(list)
    for arc, literal in arcs.items():
        leaving[arc.source].append(literal)
        entering[arc.target].append(literal)
    return leaving, entering


def _model(puzzle: DieAgony, model: cp_model.CpModel, arcs: dict[Arc, cp_model.IntVar]) -> Model:
    return Model(
        model,
        lambda of: puzzle.solution(*path_of(puzzle, [arc for arc, literal in arcs.items() if of(literal)])),
    )


FORMULATIONS = {"pruned": pruned, "network": whole_network, "circuit": circuit}
