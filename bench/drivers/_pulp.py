"""PuLP models: the solvers that PuLP drives itself (CBC, SCIP, CPLEX and Gurobi), and equivalent models."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import IO

import pulp

from bench.contract import OnSolution, Outcome, SolveRequest, Task
from bench.drivers._common import (
    Description,
    Figures,
    added,
    begin_solve,
    log_with_figures,
    presolved_sizes,
    refuse_fractions,
    refuse_if_too_large,
)
from models.shared.milp import binaries, total
from models.shared.model import Model


def solve(model: Model, request: SolveRequest, on_solution: OnSolution, description: Description) -> Outcome:
    """Solves until one solution is found, or none is left; solve_s includes passing the model to the solver.

    Raises Unsupported if the model is too large for a free edition; WrongValues if an integer variable gets a
    fraction.
    """
    problem: pulp.LpProblem = model.problem
    started = perf_counter()
    until = started + request.time_s
    variables, rows = list(problem.variables()), list(problem.constraints())
    integers = [variable for variable in variables if variable.cat == pulp.LpInteger]
    decisions = model.decisions or binaries(variables)
    complete = False
    rounds = 0
    counters: Figures = {}
    first_log: str | None = None
    log_file = log_with_figures(request.log)
    while (left := until - perf_counter()) > 0:
        begin_solve(log_file)
        log, counted = _solve_once(problem, description, request, left, log_file)
        counters = added(counters, counted)
        first_log = log if first_log is None else first_log
        if problem.sol_status not in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible):
            infeasible = problem.status == pulp.LpStatusInfeasible
            complete = infeasible and not description.stopped(problem.solverModel)
            break
        refuse_fractions(description.title, (each.varValue for each in integers if each.varValue is not None))
        # The variables keep their values until the next solve.
        if broken := model.lazy(_value) if model.lazy else ():
            rounds += 1
            for constraint in broken:
                problem += constraint
            continue
        on_solution(model.decode(_value), model.stands_for)
        if request.task != Task.COUNT:
            complete = request.task == Task.FIRST or problem.sol_status == pulp.LpSolutionOptimal
            break
        ones = [variable for variable in decisions if round(variable.varValue) == 1]
        zeros = [variable for variable in decisions if round(variable.varValue) == 0]
        problem += total(zeros, minus=ones) >= 1 - len(ones)
    return Outcome(
        complete=complete, solve_s=perf_counter() - started, variables=len(variables), constraints=len(rows),
        nonzeros=sum(map(len, rows)), rounds=rounds if model.lazy else None, **counters,
        **presolved_sizes(description.presolved, first_log or ""),
    )  # fmt: skip


def _value(variable: pulp.LpVariable) -> int:
    whole: int = round(variable.varValue)
    return whole


def _solve_once(
    problem: pulp.LpProblem, description: Description, request: SolveRequest, time_s: float, log: IO[str]
) -> tuple[str, Figures]:
    """Solves within `time_s` seconds; returns what is added to the log, and the counters."""
    common = {"msg": False, "timeLimit": time_s, "gapRel": 0.0 if request.sense else None}
    # The interface keeps the solver's own model alive, which has the counters.
    interface = getattr(pulp, description.interface)(**common | description.options_for(request))
    description.log_to(interface, log)
    if request.last_model:
        problem.writeMPS(str(request.last_model), with_objsense=problem.sense == pulp.LpMaximize)
    begins = Path(log.name).stat().st_size
    try:
        interface.actualSolve(problem)
    except Exception as error:
        refuse_if_too_large(request.solver, str(error))
        raise
    with Path(log.name).open(errors="replace") as written:
        written.seek(begins)
        text = written.read()
    for line in text.splitlines():
        refuse_if_too_large(request.solver, line)
    # PuLP (3.3.2) says that Gurobi has no solution at its time limit.
    if problem.status == pulp.LpStatusNotSolved and getattr(problem.solverModel, "SolCount", 0):
        problem.sol_status = pulp.LpSolutionIntegerFeasible
    # PySCIPOpt 6.0 and before gives values of the relaxation at its time limit, where it has no solution.
    if hasattr(problem.solverModel, "getNSols") and not problem.solverModel.getNSols():
        problem.sol_status = pulp.LpSolutionNoSolutionFound
    if request.sense and problem.status != pulp.LpStatusInfeasible:
        for bound in description.bounds(problem.solverModel, text):  # PuLP does not pass on the constant.
            request.on_bound(float(bound) + problem.objective.constant)
    return text, description.counted_in(text) | description.counters(problem.solverModel)


_SHARES = (0.0, 0.1, 0.5)
"""The share of the rows that one kind of rewriting concerns."""

_FACTORS = (0.25, 0.5, 2, 3, 5, 10)
"""What rows are multiplied by; the products are exact."""


def rewritten(problem: pulp.LpProblem, number: int) -> pulp.LpProblem:
    """Returns an equivalent program, which the number determines: the same variables and solutions.

    Equations are split into two inequalities, rows are scaled, turned around, repeated and added up, and
    bounds are repeated as rows. Columns are in the order of names, so the variables are renamed.
    """
    rng = Random(number)
    split, scaled, turned, added, bounded = (rng.choice(_SHARES) for _ in range(5))
    rows = list(problem.constraints())
    variables = list(problem.variables())

    stated = [part for row in rows for part in (_halves(row) if rng.random() < split else [row])]
    for row in rows:
        if rng.random() < added:
            # PuLP turns the second one around where it has to.
            stated.append(row + rng.choice([row, *rng.choices(rows, k=2)]))
    # The program does not know a variable that is in no row.
    known = {variable for row in rows for variable in row}
    for variable in variables:
        if variable not in known or rng.random() < bounded:
            stated += _bounds(variable)

    result = pulp.LpProblem(problem.name, problem.sense)
    result.objective = problem.objective
    for row in rng.sample(stated, len(stated)):
        sign = -1 if rng.random() < turned else 1
        multiple = row * (sign * (rng.choice(_FACTORS) if rng.random() < scaled else 1))
        multiple.sense = sign * row.sense
        result += multiple
    for position, variable in enumerate(rng.sample(variables, len(variables))):
        variable.name = f"x{position:06}_{variable.name}"
    return result


def _halves(row: pulp.LpConstraint) -> list[pulp.LpConstraint]:
    """Returns an equation as two inequalities, an inequality as it is."""
    if row.sense != pulp.LpConstraintEQ:
        return [row]
    senses = (pulp.LpConstraintGE, pulp.LpConstraintLE)
    return [pulp.LpConstraint(pulp.LpAffineExpression(row.items()), s, rhs=-row.constant) for s in senses]


def _bounds(variable: pulp.LpVariable) -> Iterator[pulp.LpConstraint]:
    if variable.lowBound is not None:
        yield variable >= variable.lowBound
    if variable.upBound is not None:
        yield variable <= variable.upBound
