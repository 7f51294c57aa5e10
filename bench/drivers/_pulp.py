"""PuLP models for the solvers that PuLP drives itself: CBC, SCIP, CPLEX and Gurobi."""

from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import IO

import pulp

from bench.contract import OnSolution, Outcome, SolveRequest, Task
from bench.drivers._common import (
    Counters,
    Description,
    Sizes,
    begin_solve,
    log_with_figures,
    refuse_fractions,
    refuse_if_too_large,
)
from models.shared.milp import binaries, total
from models.shared.model import Model


def solve(model: Model, request: SolveRequest, on_solution: OnSolution, description: Description) -> Outcome:
    """Solves until one solution is found, or none is left; solve_s includes passing the model to the solver.

    If a solution breaks lazy constraints, solves again with these.

    Raises:
        Unsupported: if the model is too large for a free edition.
        WrongValues: if an integer variable gets a fraction.
    """
    problem: pulp.LpProblem = model.problem
    started = perf_counter()
    until = started + request.time_s
    variables, rows = list(problem.variables()), list(problem.constraints())
    integers = [variable for variable in variables if variable.cat == pulp.LpInteger]
    decisions = model.decisions or binaries(variables)
    complete = False
    rounds = 0
    counted = Counters()
    presolved: Sizes | None = None
    log_file = log_with_figures(request.log)
    while (left := until - perf_counter()) > 0:
        begin_solve(log_file)
        log, counters = _solve_once(problem, description, request, left, log_file)
        counted = counted.after(counters)
        presolved = description.presolved(log) if presolved is None else presolved
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
        if request.task == Task.FIRST:
            complete = True
            break
        ones = [variable for variable in decisions if round(variable.varValue) == 1]
        zeros = [variable for variable in decisions if round(variable.varValue) == 0]
        problem += total(zeros, minus=ones) >= 1 - len(ones)
    return Outcome(
        complete=complete,
        solve_s=perf_counter() - started,
        variables=len(variables),
        constraints=len(rows),
        nonzeros=sum(map(len, rows)),
        rounds=rounds if model.lazy else None,
        **asdict(counted),
        **asdict(presolved or Sizes()),
    )


def _value(variable: pulp.LpVariable) -> int:
    whole: int = round(variable.varValue)
    return whole


def _solve_once(
    problem: pulp.LpProblem, description: Description, request: SolveRequest, time_s: float, log: IO[str]
) -> tuple[str, Counters]:
    """Solves within `time_s` seconds; returns what is added to the log, and the counters.

    Raises:
        Unsupported: if the model is too large for a free edition.
    """
    common = {"msg": False, "timeLimit": time_s}
    # The interface keeps the solver's own model alive, which has the counters.
    interface = getattr(pulp, description.interface)(**common | description.options_for(request))
    description.log_to(interface, log)
    if request.last_model:
        problem.writeMPS(str(request.last_model))
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
    return text, description.logged(text).after(description.counters(problem.solverModel))
