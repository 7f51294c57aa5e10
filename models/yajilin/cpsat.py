"""Yajilin for CP-SAT; model.md states the constraint program.

Constraints: circuit, linear, clause
"""

from ortools.sat.python import cp_model

from models.shared.loop import add_circuit
from models.shared.model import Model, by_name
from models.yajilin.puzzle import Yajilin


def textbook(puzzle: Yajilin) -> Model:
    """A literal for each step, and a circuit that leaves out black cells."""
    model = cp_model.CpModel()

    # Each step is on the loop or not; each cell is black or not.
    x = {e: model.new_bool_var(f"{e}") for e in puzzle.edges}
    black = {i: model.new_bool_var(f"{i} black") for i in puzzle.free}

    # A clue is the number of black cells in its direction.
    for number, cells in puzzle.clues:
        model.add(cp_model.LinearExpr.sum([black[i] for i in cells]) == number)

    # Black cells share no edge.
    for i, k in puzzle.edges:
        model.add_bool_or(~black[i], ~black[k])

    # The steps form one loop through all cells that are not black.
    add_circuit(model, x, black)

    return Model(model, lambda value: puzzle.with_loop(e for e in x if value(x[e])), list(x.values()))


FORMULATIONS = by_name(textbook)
