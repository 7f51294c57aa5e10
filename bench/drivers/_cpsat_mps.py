"""CP-SAT models in MPS, where all constraints are linear."""

import re
from collections.abc import Iterator, Sequence
from math import inf

from ortools.linear_solver.python.model_builder import LinearExpr, LinearExprT, Model, Variable
from ortools.sat.python import cp_model_helper

from bench.contract import Unsupported

_UNBOUNDED = 2**62
"""CP-SAT's bounds beyond this mean that there is none."""

_Row = tuple[LinearExprT, float, float]


def mps(proto: cp_model_helper.CpModelProto) -> str:
    """Returns a model in MPS.

    Raises:
        Unsupported: naming the first variable or constraint that MPS has no rows for.
    """
    linear = Model()  # type: ignore[no-untyped-call]
    variables = []
    for index, variable in enumerate(proto.variables):
        bounds = interval(variable.domain)
        if bounds is None:
            domain = list(variable.domain)
            raise Unsupported(f"MPS has no domains with gaps, and {variable.name or index} has {domain}")
        variables.append(linear.new_int_var(*bounds, name_of(index, variable)))
    for index, constraint in enumerate(proto.constraints):
        found = list(rows(constraint, variables))
        if not found:
            shown = " ".join(str(constraint).split())
            raise Unsupported(f"MPS has linear constraints only, and constraint {index} is {shown:.120}")
        for expression, lower, upper in found:
            linear.add_linear_constraint(expression, lower, upper)
    return str(linear.export_to_mps_string())


def name_of(index: int, variable: cp_model_helper.IntegerVariableProto) -> str:
    """The name of a variable in MPS: its number, and the words of its own name."""
    return "_".join([f"v{index}", *re.findall("[A-Za-z0-9]+", variable.name)])


def rows(constraint: cp_model_helper.ConstraintProto, variables: Sequence[Variable]) -> Iterator[_Row]:
    """The rows that say the same as a constraint, none if it is not linear."""
    unless = [~literal for literal in constraint.enforcement_literal]

    def count(literals: Sequence[int]) -> LinearExprT:
        """How many of the literals are true; of a negated one the number is below 0."""
        terms: Sequence[LinearExprT] = [variables[i] if i >= 0 else 1 - variables[~i] for i in literals]
        total: LinearExprT = LinearExpr.sum(terms)
        return total

    if constraint.has_bool_or():
        yield count([*unless, *constraint.bool_or.literals]), 1, inf
    elif constraint.has_bool_and():
        for literal in constraint.bool_and.literals:
            yield count([*unless, literal]), 1, inf
    elif unless:
        return
    elif constraint.has_at_most_one():
        yield count(constraint.at_most_one.literals), 0, 1
    elif constraint.has_exactly_one():
        yield count(constraint.exactly_one.literals), 1, 1
    elif constraint.has_linear() and (bounds := interval(constraint.linear.domain)):
        chosen = [variables[i] for i in constraint.linear.vars]
        yield LinearExpr.weighted_sum(chosen, list(constraint.linear.coeffs)), *bounds


def interval(domain: Sequence[int]) -> tuple[float, float] | None:
    """The bounds of a domain, None if it has gaps."""
    if len(domain) != 2:
        return None
    lower, upper = domain
    return (lower if lower > -_UNBOUNDED else -inf), (upper if upper < _UNBOUNDED else inf)
