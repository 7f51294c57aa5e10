"""PuLP models for the solvers that PuLP drives itself: CBC, SCIP, CPLEX and Gurobi."""

import re
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import pulp

from bench.contract import OnSolution, Outcome, SolveRequest, Task
from bench.drivers._libraries import refuse_if_too_large
from bench.drivers._logs import presolved_sizes
from models.shared.milp import binaries, total
from models.shared.model import Model

NODES = {"cbc": r"Enumerated nodes: +(\d+)"}
ITERATIONS = {"cbc": r"Total iterations: +(\d+)"}
"""Where the log states what no interface gives."""


def solve(model: Model, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Solves until one solution is found, or none is left; solve_s has the hand-over to the solver as well.

    Raises:
        Unsupported: if the model is too large for a free edition.
    """
    problem: pulp.LpProblem = model.problem
    started = perf_counter()
    until = started + request.limits.time_s
    variables, rows = list(problem.variables()), list(problem.constraints())
    decisions = model.decisions or binaries(variables)
    complete = False
    counted: dict[str, int] = {}
    presolved: dict[str, int] | None = None
    while (left := until - perf_counter()) > 0:
        log, counters = run(problem, request.solver, request.seed, request.limits.threads, left)
        for name, figure in counters.items():
            counted[name] = counted.get(name, 0) + figure
        presolved = presolved_sizes(request.solver, log) if presolved is None else presolved
        if problem.sol_status not in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible):
            complete = problem.status == pulp.LpStatusInfeasible
            break
        # The variables keep their values until the next solve.
        on_solution(model.decode(lambda variable: round(variable.varValue)), model.stands_for)
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
        branches=counted.get("nodes"),
        lp_iterations=counted.get("iterations"),
        **(presolved or {}),
    )


def run(
    problem: pulp.LpProblem, solver: str, seed: int, threads: int, time_s: float
) -> tuple[str, dict[str, int]]:
    """Solves once; gives the log and the counters.

    Raises:
        Unsupported: if the model is too large for a free edition.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        # It keeps the solver's own model alive.
        driven = interface(solver, seed, threads, time_s, log)
        try:
            driven.actualSolve(problem)
        except Exception as error:
            refuse_if_too_large(solver, str(error))
            raise
        text = log.read_text(errors="replace") if log.exists() else ""
    for line in text.splitlines():
        refuse_if_too_large(solver, line)
    return text, counters_of(problem, solver, text)


def interface(solver: str, seed: int, threads: int, time_s: float, log: Path) -> pulp.LpSolver:
    """PuLP's interface to a solver."""
    common: dict[str, Any] = {"msg": False, "timeLimit": time_s, "logPath": str(log)}
    match solver:
        case "cbc":
            # Its option "threads 1" is not the same as none: it starts a second one.
            several = threads if threads > 1 else None
            return pulp.PULP_CBC_CMD(**common, threads=several, options=[f"randomCbcSeed {seed}"])
        case "scip":
            return pulp.SCIP_PY(**common, options=[f"randomization/randomseedshift={seed - 1}"])
        case "cplex":
            return pulp.CPLEX_PY(**common, threads=threads, randomseed=seed)
        case "gurobi":
            return pulp.GUROBI(**common | {"msg": True}, LogToConsole=0, Threads=threads, Seed=seed)
    raise ValueError(solver)


def counters_of(problem: pulp.LpProblem, solver: str, log: str) -> dict[str, int]:
    """Nodes and iterations of the last solve."""
    native = problem.solverModel
    match solver:
        case "scip":
            return {"nodes": native.getNTotalNodes(), "iterations": native.getNLPIterations()}
        case "cplex":
            progress = native.solution.progress
            return {
                "nodes": progress.get_num_nodes_processed(),
                "iterations": progress.get_num_iterations(),
            }
        case "gurobi":
            return {"nodes": int(native.NodeCount), "iterations": int(native.IterCount)}
    found = {"nodes": re.search(NODES[solver], log), "iterations": re.search(ITERATIONS[solver], log)}
    return {name: int(match[1]) for name, match in found.items() if match}
