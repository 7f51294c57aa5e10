"""For models of CP-SAT: literals of what cells hold, and of equations."""

from collections.abc import Iterable, Mapping

from ortools.sat.python import cp_model

from models.shared.grid import Cell

Holds = dict[Cell, dict[int, cp_model.IntVar]]


def literals(model: cp_model.CpModel, domains: Mapping[Cell, Iterable[int]]) -> Holds:
    """Adds a literal holds[i][v] for each cell i and each value v of its domain."""
    return {i: {v: model.new_bool_var(f"{i} is {v}") for v in values} for i, values in domains.items()}


def equal(
    model: cp_model.CpModel, a: cp_model.LinearExprT, b: cp_model.LinearExprT, name: str = ""
) -> cp_model.IntVar:
    """Adds a literal that is true if and only if a = b."""
    literal = model.new_bool_var(name or f"{a} = {b}")
    model.add(a == b).only_enforce_if(literal)
    model.add(a != b).only_enforce_if(~literal)
    return literal
