"""Integer programs from one library to the other: PuLP's for CP-SAT, and those of CP-SAT in PuLP."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import repeat
from math import ceil, floor
from operator import eq, ge, le
from re import findall
from time import perf_counter
from typing import Any

import pulp
from ortools.sat.python import cp_model, cp_model_helper

from bench.contract import Driver, OnSolution, Outcome, SolveRequest, Unsupported
from models.shared.milp import binaries
from models.shared.model import Model, Values


def solve_as(
    translate: Callable[[Model], Model], driver: Driver[Any, Any], model: Model, request: SolveRequest,
    on_solution: OnSolution,
) -> Outcome:  # fmt: skip
    """Has another driver solve a model, which is translated for it within the time limit."""
    started = perf_counter()
    model = translate(model)
    took = perf_counter() - started
    outcome = driver.solve(model, replace(request, time_s=request.time_s - took), on_solution)
    return replace(outcome, translate_s=took + (outcome.translate_s or 0.0))


def as_cp_model(model: Model) -> Model:
    """Returns PuLP's program for CP-SAT; raises Unsupported for the first thing in it that CP-SAT lacks."""
    problem, lazy = cp_model.CpModel(), model.lazy
    variables: dict[pulp.LpVariable, cp_model.IntVar] = {}
    for each in model.problem.variables():
        if None in (each.lowBound, each.upBound) or not (each.cat == pulp.LpInteger or model.integral):
            raise Unsupported(f"CP-SAT has integers with two bounds only; {each.name} is not said to be one")
        variables[each] = problem.new_int_var(ceil(each.lowBound), floor(each.upBound), each.name)

    def terms(row: pulp.LpConstraint | pulp.LpAffineExpression) -> Any:
        if any(number % 1 for number in (*row.values(), row.constant)):
            raise Unsupported(f"CP-SAT has whole coefficients only, not {row}")
        return cp_model.LinearExpr.weighted_sum([variables[each] for each in row], [*map(int, row.values())])

    def stated(row: pulp.LpConstraint) -> cp_model.BoundedLinearExpression:
        compared = {pulp.LpConstraintLE: le, pulp.LpConstraintEQ: eq, pulp.LpConstraintGE: ge}[row.sense]
        found: cp_model.BoundedLinearExpression = compared(terms(row), -int(row.constant))
        return found

    def read(value: Values) -> Values:
        return lambda variable: value(variables[variable])

    for row in model.problem.constraints():
        problem.add(stated(row))
    if any((objective := model.problem.objective).values()):
        least = model.problem.sense == pulp.LpMinimize
        (problem.minimize if least else problem.maximize)(terms(objective) + int(objective.constant))
    return replace(
        model, problem=problem, decode=lambda value: model.decode(read(value)),
        decisions=[variables[each] for each in model.decisions or binaries(variables)],
        lazy=lazy and (lambda value: [*map(stated, lazy(read(value)))]),
    )  # fmt: skip


def as_program(model: Model) -> Model:
    """Returns CP-SAT's model in PuLP; raises Unsupported for the first thing in it that is not linear."""
    variables, lazy = [], model.lazy
    for index, variable in enumerate(model.problem.proto.variables):
        if len(variable.domain) != 2:
            shown = f"variable {variable.name or index} has the domain {list(variable.domain)}"
            raise Unsupported(f"the model is not linear: {shown}")
        # PuLP has variables in the order of their names.
        name = "_".join([f"v{index:07}", *findall("[A-Za-z0-9]+", variable.name)])
        variables.append(pulp.LpVariable(name, *variable.domain, pulp.LpInteger))

    def stated(constraints: "Iterable[cp_model_helper.ConstraintProto]") -> Iterator[pulp.LpConstraint]:
        for index, constraint in enumerate(constraints):
            if not (rows := list(_rows(constraint, variables))):
                shown = " ".join(str(constraint).split())
                raise Unsupported(f"the model is not linear: constraint {index} is {shown:.120}")
            yield from rows

    def read(value: Values) -> Values:
        response = cp_model_helper.CpSolverResponse()
        response.solution.extend([value(each) for each in variables])
        return partial(cp_model_helper.ResponseHelper.value, response)

    if model.problem.proto.has_floating_point_objective():
        raise Unsupported("the objective has fractions")
    objective = model.problem.proto.objective
    scale = objective.scaling_factor or 1.0  # -1 if it is to be large.
    total = pulp.LpAffineExpression.fromkeys(variables, 0)  # It has those without constraints, too.
    for index, coefficient in zip(objective.vars, objective.coeffs, strict=True):
        total.addterm(variables[index], scale * coefficient)
    program = pulp.LpProblem("model", pulp.LpMinimize if scale > 0 else pulp.LpMaximize)
    program += total + scale * objective.offset
    for row in stated(model.problem.proto.constraints):
        program += row
    decisions = [variables[each.index] for each in model.decisions]
    return replace(
        model, problem=program, decode=lambda value: model.decode(read(value)),
        decisions=decisions or [each for each in variables if each.lowBound != each.upBound],
        lazy=lazy and (lambda value: [*stated(model.problem.add(each).proto for each in lazy(read(value)))]),
    )  # fmt: skip


def _rows(
    constraint: "cp_model_helper.ConstraintProto", variables: list[pulp.LpVariable]
) -> Iterator[pulp.LpConstraint]:
    """The linear constraints that say the same as a constraint, none if it is not linear."""
    unless = [~literal for literal in constraint.enforcement_literal]

    def total(numbers: Iterable[int], coefficients: Iterable[int] = repeat(1)) -> pulp.LpAffineExpression:
        """The weighted sum of literals; the number of a negated one is below 0."""
        found = pulp.LpAffineExpression()
        for number, coefficient in zip(numbers, coefficients, strict=False):
            found.constant += coefficient * (number < 0)
            found.addterm(variables[max(number, ~number)], coefficient if number >= 0 else -coefficient)
        return found

    if constraint.has_bool_or():
        yield total([*unless, *constraint.bool_or.literals]) >= 1
    elif constraint.has_bool_and():
        yield from (total([*unless, literal]) >= 1 for literal in constraint.bool_and.literals)
    elif constraint.has_at_most_one() and not unless:
        yield total(constraint.at_most_one.literals) <= 1
    elif constraint.has_exactly_one() and not unless:
        yield total(constraint.exactly_one.literals) == 1
    elif constraint.has_linear() and not unless and len(constraint.linear.domain) == 2:
        lower, upper = constraint.linear.domain
        terms = total(constraint.linear.vars, constraint.linear.coeffs)
        if lower == upper:
            yield terms == lower
        else:
            # CP-SAT's bounds from 2^62 mean that there is none.
            yield from [terms >= lower] * (lower > -(2**62)) + [terms <= upper] * (upper < 2**62)
