"""The solvers that CPMpy drives itself: how they are asked, and what they tell."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import perf_counter
from typing import IO, Any

from bench.contract import Outcome, Task
from bench.drivers._logs import presolved_sizes, scip_nodes
from models.shared.model import Values

ENUMERATES = ("ortools", "choco", "exact", "gcs")
"""The solvers that count by themselves."""

ADDS_UP = ("exact", "z3", "pysat")
"""The solvers whose counters are those of all solves so far."""

Report = Callable[[Values], None]
"""Is called for each solution."""


def solve(
    native: Any, solver: str, options: Mapping[str, Any], task: Task, until: float, report: Report
) -> Outcome:
    """Runs a solver on a model that CPMpy has posted.

    Args:
        native: the solver's class of cpmpy.solvers.
        solver: its name in CPMpy.
        options: of its method `solve`.
        until: when to stop, by perf_counter.
    """
    with NamedTemporaryFile("w", suffix=".log", buffering=1) as log:
        search = Search(native, solver, {**options, **log_into(solver, native, log)}, until)
        outcome = search.run(task, report)
        said = Path(log.name).read_text(errors="replace")
    told: dict[str, Any] = presolved_sizes(solver, said)
    if solver == "scip":
        told["branches"] = scip_nodes(said)
    return replace(outcome, **told)


def log_into(solver: str, native: Any, log: IO[str]) -> dict[str, Any]:
    """Has a solver write its log to a file, where that tells more; gives what its `solve` needs for it."""
    match solver:
        case "ortools":
            native.ort_solver.log_callback = lambda message: log.write(f"{message}\n\n")
            return {"log_search_progress": True, "log_to_stdout": False}
        case "cplex":
            return {"log_output": log}
        case "gurobi":
            return {"LogToConsole": 0, "LogFile": log.name, "OutputFlag": 1}
        case "highs":
            return {"log_file": log.name}
        case "scip":
            native.scip_model.hideOutput()
            native.scip_model.setLogfile(log.name)
            return {"display/verblevel": 4}
    return {}


class Search:
    """A solver of CPMpy that is asked until it is done or its time is up."""

    def __init__(self, native: Any, name: str, options: Mapping[str, Any], until: float):
        self.native, self.name, self.options, self.until = native, name, options, until
        self.complete = False
        self.counted: dict[str, int] = {}

    def run(self, task: Task, report: Report) -> Outcome:
        """Asks for one solution or for all."""
        if task == Task.FIRST:
            if self.next_solution():
                self.complete = True
                report(value)
        elif self.name in ENUMERATES:
            if (left := self.until - perf_counter()) > 0:
                self.native.solveAll(display=lambda: report(value), time_limit=left, **self.options)
                self.complete = self.status() in ("OPTIMAL", "UNSATISFIABLE")
                self.count()
        else:
            self.cut_off_each(report)
        return Outcome(complete=self.complete, **self.counted)

    def cut_off_each(self, report: Report) -> None:
        """Asks again, each time without the solutions so far."""
        import cpmpy

        while self.next_solution():
            report(value)
            self.native.add(cpmpy.any([variable != variable.value() for variable in self.native.user_vars]))

    def next_solution(self) -> bool:
        """Whether there is one more solution; the variables have its values."""
        left = self.until - perf_counter()
        if left <= 0:
            return False
        found = bool(self.native.solve(time_limit=left, **self.options))
        self.count()
        self.complete = self.status() == "UNSATISFIABLE"
        return found

    def status(self) -> str:
        """What the solver said last."""
        name: str = self.native.status().exitstatus.name
        return name

    def count(self) -> None:
        """Adds the counters of a solve, or takes those that the solver adds up itself."""
        for name, figure in counters(self.name, self.native).items():
            if figure is not None:
                before = 0 if self.name in ADDS_UP else self.counted.get(name, 0)
                self.counted[name] = before + int(figure)


def value(variable: Any) -> int:
    """What CPMpy has set a variable to."""
    return int(variable.value())


def counters(solver: str, native: Any) -> dict[str, float | None]:
    """The counters of the Outcome after a solve, as far as the solver's own interface has them."""
    match solver:
        case "ortools":
            from bench.drivers import cpsat

            return {**cpsat.counters(native.ort_solver.response_proto)}
        case "choco":
            # The solver's own get_node_count gives the time (pychoco 0.4).
            backend: Any = importlib.import_module("pychoco.backend")
            handle = native.chc_solver._handle
            return {
                "branches": backend.get_node_count(handle),
                "failures": backend.get_fail_count(handle),
                "restarts": backend.get_restart_count(handle),
            }
        case "z3":
            statistics = native.z3_solver.statistics()
            known = {key: statistics.get_key_value(key) for key in statistics.keys()}  # noqa: SIM118
            return learning({key.removeprefix("sat "): known[key] for key in known} | known)
        case "exact":
            return learning(dict(native.xct_solver.getStats()))
        case "cplex":
            details = native.cplex_model.solve_details
            return {"branches": details.nb_nodes_processed, "lp_iterations": details.nb_iterations}
        case "gurobi":
            return {"branches": native.grb_model.NodeCount, "lp_iterations": native.grb_model.IterCount}
        case "highs":
            info = native.highs.getInfo()
            return {
                "branches": max(info.mip_node_count, 0),
                "lp_iterations": max(info.simplex_iteration_count, 0),
            }
        case "pysat":
            return learning(native.pysat_solver.accum_stats())
        case "cpo":
            known = native.cpo_result.get_solver_infos()
            return {"branches": known.get("NumberOfBranches"), "failures": known.get("NumberOfFails")}
    return {}


def learning(known: Mapping[str, float]) -> dict[str, float | None]:
    """The counters of a solver that learns clauses, which all name them alike."""
    return {
        "branches": known.get("decisions"),
        "failures": known.get("conflicts"),
        "propagations": known.get("propagations"),
        "restarts": known.get("restarts"),
    }
