"""Slitherlink for CP-SAT; model.md states the constraint programs.

Constraints: circuit, linear; clause (`directed`)
"""

from ortools.sat.python import cp_model

from models.shared.cpsat import BulkModel
from models.shared.loop import add_circuit, add_directed_circuit
from models.shared.model import Model, by_name, from_integers
from models.slitherlink.puzzle import Slitherlink


def directed(puzzle: Slitherlink) -> Model:
    """A literal for each cell, too: the loop has its inside on the left, which decides its direction."""
    model = BulkModel()

    # Each cell is inside or outside, and so is what is outside of the grid.
    inside = model.new_bool_vars({i: f"{i} inside" for i in puzzle.cells})
    (beyond,) = model.new_bool_vars({0: "beyond"}).values()
    model.add_bool_or(~beyond)

    # Each edge is on the loop or not, in one direction or the other.
    x = model.new_bool_vars({e: f"{e}" for e in puzzle.edges})
    arcs = model.new_bool_vars({(u, v): f"{u} to {v}" for e in x for u, v in (e, e[::-1])})
    for (u, v), taken in x.items():
        model.add_exactly_one(arcs[u, v], arcs[v, u], ~taken)

        # The cell on the left of an edge in its direction is inside, the other one outside.
        left, right = (inside.get(i, beyond) for i in puzzle.beside((u, v)))
        for arc, one, other in ((arcs[u, v], left, right), (arcs[v, u], right, left)):
            model.add_implication(arc, one)
            model.add_implication(arc, ~other)
            model.add_bool_or(arc, ~one, other)

    # A clue is the number of edges around its cell.
    for cell, clue in puzzle.clues.items():
        model.add_sum([(1, x[e]) for e in puzzle.around(cell)], clue)

    # The edges form one loop.
    add_directed_circuit(model.cp, {arc: model.variable(taken) for arc, taken in arcs.items()})

    return model.as_model(from_integers(puzzle, inside))


def textbook(puzzle: Slitherlink) -> Model:
    """A literal for each edge, and a circuit through both of its directions."""
    model = cp_model.CpModel()

    # Each edge is on the loop or not.
    x = {e: model.new_bool_var(f"{e}") for e in puzzle.edges}

    # A clue is the number of edges around its cell.
    for cell, clue in puzzle.clues.items():
        model.add(sum(x[e] for e in puzzle.around(cell)) == clue)

    # The edges form one loop.
    add_circuit(model, x)

    return Model(model, lambda value: puzzle.enclosed(lambda e: value(x[e])), list(x.values()))


FORMULATIONS = by_name(directed, textbook)
