"""CPMpy models, for any of the solvers that CPMpy drives."""

import importlib
import random
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import perf_counter
from typing import IO, Any

from bench.contract import Limits, Outcome, Solver, Task, Unsupported
from bench.drivers import _minizinc
from bench.drivers._libraries import installed, only, refuse_if_too_large
from bench.drivers._logs import presolved_sizes, scip_nodes
from models.shared.model import Model
from models.shared.puzzle import Puzzle, Solution

CORE = False


@dataclass(frozen=True)
class Source:
    """Where a solver comes from.

    Attributes:
        packages: what pip installs; the version of the first is the solver's.
        modules: the libraries that its process imports.
        program: what else has to be on the path.
        options: what makes CPMpy run it on one thread.
    """

    title: str
    packages: tuple[str, ...]
    modules: tuple[str, ...]
    program: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


SOURCES = {
    "choco": Source("Choco by CPMpy", ("pychoco",), ("pychoco",)),
    "ortools": Source("OR-Tools CP-SAT by CPMpy", ("ortools",), ("ortools",), options={"num_workers": 1}),
    "z3": Source("Z3 by CPMpy", ("z3-solver",), ("z3",)),
    "exact": Source("Exact by CPMpy", ("exact",), ("exact",)),
    "pumpkin": Source("Pumpkin by CPMpy", ("pumpkin-solver",), ("pumpkin_solver",)),
    "cplex": Source("CPLEX by CPMpy", ("cplex", "docplex"), ("cplex", "docplex"), options={"threads": 1}),
    "cpo": Source("CP Optimizer by CPMpy", ("docplex",), ("docplex",), "cpoptimizer", {"Workers": 1}),
    "gurobi": Source("Gurobi by CPMpy", ("gurobipy",), ("gurobipy",), options={"Threads": 1}),
    "scip": Source("SCIP by CPMpy", ("pyscipopt",), ("pyscipopt",)),
    "highs": Source("HiGHS by CPMpy", ("highspy",), ("highspy",), options={"threads": 1}),
    "pindakaas": Source("CaDiCaL by CPMpy and Pindakaas", ("pindakaas",), ("pindakaas",)),
    "pysat": Source(
        "PySAT by CPMpy", ("python-sat", "pypblib", "pindakaas"), ("pysat", "pypblib", "pindakaas")
    ),
    "gcs": Source("Glasgow Constraint Solver by CPMpy", ("gcspy",), ("gcspy",)),
    "hexaly": Source("Hexaly by CPMpy", ("hexaly",), ("hexaly",)),
}

MINIZINC = Source("by CPMpy and MiniZinc", ("minizinc",), ("minizinc",), "minizinc")
"""Its own solvers are named minizinc/gecode and so on."""

ENUMERATES = ("ortools", "choco", "exact", "gcs", "cpo")
"""The solvers that count by themselves."""

ADDS_UP = ("exact", "z3", "pysat")
"""The solvers whose counters are those of all solves so far."""


def solvers() -> Mapping[str, Solver]:
    """All that CPMpy knows, with what would bring those that are not there."""
    offered = {
        name: Solver(source.title, installed(source.packages[0]), missing(source), own=True)
        for name, source in SOURCES.items()
    }
    for name, (title, number) in _minizinc.solvers().items():
        offered[f"minizinc/{name}"] = Solver(f"{title} {MINIZINC.title}", number, missing(MINIZINC), own=True)
    return offered


def missing(source: Source) -> str | None:
    """What would bring a solver, None if it is there."""
    absent = [package for package in source.packages if installed(package) is None]
    wanted = [f"pip install {' '.join(absent)}"] if absent else []
    if source.program == "cpoptimizer" and not shutil.which(source.program):
        wanted.append(
            "install IBM ILOG CPLEX Optimization Studio, whose program cpoptimizer must be on the path"
        )
    elif source.program == "minizinc" and (program := _minizinc.missing()):
        wanted.append(program)
    return " and ".join(wanted) or None


def source_of(solver: str) -> Source:
    """Where the solver comes from."""
    return MINIZINC if solver.startswith("minizinc/") else SOURCES[solver]


def load(solver: str) -> None:
    """Imports CPMpy with one solver's library alone.

    Raises:
        ImportError: if one of them is not installed.
    """
    if installed("cpmpy") is None:
        raise ImportError("pip install cpmpy")
    only(*(source_of(solver).modules if solver else ()))
    importlib.import_module("cpmpy")


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """The cpmpy.Model of the puzzle."""
    return formulation(puzzle)


def solve(
    model: Model,
    task: Task,
    limits: Limits,
    seed: int,
    solver: str,
    on_solution: Callable[[Solution, int], None],
) -> Outcome:
    """Flattens and posts the model, and solves it; counts natively where CPMpy can, else by cutting off.

    No seed is handed on: another seed than 1 permutes the constraints.

    Raises:
        Unsupported: if the model is too large for a free edition, or the solver cannot express it.
    """
    import cpmpy
    from cpmpy.exceptions import NotSupportedError
    from cpmpy.transformations.get_variables import get_variables

    constraints = list(model.problem.constraints)
    if seed != 1:
        random.Random(seed).shuffle(constraints)
    started = perf_counter()
    try:
        native = cpmpy.SolverLookup.get(solver.replace("/", ":"), cpmpy.Model(constraints))
        # Solutions are told apart by the decisions alone.
        native.user_vars = set(model.decisions)
        translated = perf_counter()
        until = started + limits.time_s

        def report(value: Callable[[Any], int]) -> None:
            on_solution(model.decode(value), model.stands_for)

        if source_of(solver) is MINIZINC:
            outcome = _minizinc.solve(native, task, until - translated, report)
        else:
            with NamedTemporaryFile("w", suffix=".log", buffering=1) as log:
                options = {**SOURCES[solver].options, **log_into(solver, native, log)}
                outcome = Search(native, solver, options, until).run(task, report)
                said = Path(log.name).read_text(errors="replace")
            told: dict[str, Any] = presolved_sizes(solver, said)
            if solver == "scip":
                told["branches"] = scip_nodes(said)
            outcome = replace(outcome, **told)
    except (NotImplementedError, NotSupportedError, ModuleNotFoundError) as error:
        # A missing licence is a missing module for CPMpy.
        raise Unsupported(f"CPMpy cannot give this model to {solver}: {error}") from None
    except Exception as error:
        refuse_if_too_large(solver, str(error))
        raise
    flattened_s = outcome.translate_s or 0
    return replace(
        outcome,
        translate_s=translated - started + flattened_s,
        solve_s=perf_counter() - translated - flattened_s,
        variables=len(get_variables(constraints)),
        constraints=len(constraints),
    )


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

    def run(self, task: Task, report: Callable[[Callable[[Any], int]], None]) -> Outcome:
        """Asks for one solution or for all; reports each with a function from variable to value."""
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

    def cut_off_each(self, report: Callable[[Callable[[Any], int]], None]) -> None:
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
            response = native.ort_solver.response_proto
            return {
                "branches": response.num_branches,
                "failures": response.num_conflicts,
                "propagations": response.num_binary_propagations + response.num_integer_propagations,
                "lp_iterations": response.num_lp_iterations,
                "restarts": response.num_restarts,
            }
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
            return {
                "branches": known.get("decisions", known.get("sat decisions")),
                "failures": known.get("conflicts", known.get("sat conflicts")),
                "propagations": known.get("propagations"),
                "restarts": known.get("restarts", known.get("sat restarts")),
            }
        case "exact":
            known = dict(native.xct_solver.getStats())
            return {
                "branches": known["decisions"],
                "failures": known["conflicts"],
                "propagations": known["propagations"],
                "restarts": known["restarts"],
            }
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
            known = native.pysat_solver.accum_stats()
            return {
                "branches": known["decisions"],
                "failures": known["conflicts"],
                "propagations": known["propagations"],
                "restarts": known["restarts"],
            }
        case "cpo":
            known = native.cpo_result.get_solver_infos()
            return {"branches": known.get("NumberOfBranches"), "failures": known.get("NumberOfFails")}
    return {}
