"""CPMpy models, for any of the solvers that CPMpy drives."""

import importlib
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter
from typing import Any

from bench.contract import Limits, Outcome, Solver, Task, Unsupported
from bench.drivers._libraries import installed, only, refuse_if_too_large
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

MINIZINC = Source("by CPMpy and MiniZinc", ("minizinc",), ("minizinc",), "minizinc", {"processes": 1})
"""Its own solvers are named minizinc/gecode and so on."""

PROGRAMS = {
    "cpoptimizer": "IBM ILOG CPLEX Optimization Studio, whose program cpoptimizer must be on the path",
    "minizinc": "MiniZinc 2.8.2 or newer, whose program minizinc must be on the path",
}
"""What to install so that a program is on the path."""

MINIZINC_VERSION = (2, 8, 2)
"""What CPMpy takes."""

ENUMERATES = ("ortools", "choco", "exact", "minizinc", "gcs", "cpo")
"""The solvers that count by themselves."""

ADDS_UP = ("exact", "z3", "pysat")
"""The solvers whose counters are those of all solves so far."""


def solvers() -> Mapping[str, Solver]:
    """All that CPMpy knows, with what would bring those that are not there."""
    offered = {
        name: Solver(source.title, installed(source.packages[0]), missing(source), own=True)
        for name, source in SOURCES.items()
    }
    for name, number in minizinc_solvers().items():
        title = f"{name.capitalize()} {MINIZINC.title}"
        offered[f"minizinc/{name}"] = Solver(title, number, missing(MINIZINC), own=True)
    return offered


def missing(source: Source) -> str | None:
    """What would bring a solver, None if it is there."""
    absent = [package for package in source.packages if installed(package) is None]
    wanted = [f"pip install {' '.join(absent)}"] if absent else []
    if source.program and not shutil.which(source.program):
        wanted.append(f"install {PROGRAMS[source.program]}")
    elif source.program == "minizinc" and (found := minizinc_version()) < MINIZINC_VERSION:
        wanted.append(f"install {PROGRAMS['minizinc']}; the one on the path is {'.'.join(map(str, found))}")
    return " and ".join(wanted) or None


def minizinc_version() -> tuple[int, ...]:
    """The version of the program on the path."""
    return tuple(map(int, re.findall(r"version (\d+)\.(\d+)\.(\d+)", asked("--version"))[0]))


def minizinc_solvers() -> dict[str, str | None]:
    """The solvers that MiniZinc has, with their versions; where there is no MiniZinc, Gecode, its own."""
    if not shutil.which("minizinc"):
        return {"gecode": None}
    # A line is "  Gecode 6.2.0 (org.gecode.gecode, default solver, ...)"; without a version it is not there.
    known = re.findall(r"^  \S.* ([\d.]\S*) \(([\w.-]+)[,)]", asked("--solvers"), re.MULTILINE)
    by_tag = {name.split(".")[-1]: number for number, name in known}
    return {tag: number for tag, number in by_tag.items() if tag not in ("gist", "findmus", "globalizer")}


@cache
def asked(option: str) -> str:
    """What the program minizinc says about itself."""
    command = ["minizinc", option]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=20).stdout


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
        search = Search(native, solver.partition("/")[0], source_of(solver).options, started + limits.time_s)
        search.run(
            task,
            lambda: on_solution(model.decode(lambda variable: int(variable.value())), model.stands_for),
        )
    except (NotImplementedError, NotSupportedError) as error:
        raise Unsupported(f"CPMpy cannot give this model to {solver}: {error}") from None
    except Exception as error:
        refuse_if_too_large(solver, str(error))
        raise
    return Outcome(
        complete=search.complete,
        translate_s=translated - started,
        solve_s=perf_counter() - translated,
        variables=len(get_variables(constraints)),
        constraints=len(constraints),
        **search.counted,
    )


class Search:
    """A solver of CPMpy that is asked until it is done or its time is up."""

    def __init__(self, native: Any, name: str, options: Mapping[str, Any], until: float):
        self.native, self.name, self.options, self.until = native, name, options, until
        self.complete = False
        self.counted: dict[str, int] = {}

    def run(self, task: Task, report: Callable[[], None]) -> None:
        """Asks for one solution or for all; counts where the solver cannot by cutting each solution off."""
        import cpmpy

        if task == Task.COUNT and self.name in ENUMERATES:
            if (left := self.until - perf_counter()) > 0:
                self.native.solveAll(display=report, time_limit=left, **self.options)
                self.complete = self.status() in ("OPTIMAL", "UNSATISFIABLE")
                self.count()
            return
        while self.next_solution():
            report()
            if task == Task.FIRST:
                self.complete = True
                return
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
            }
        case "choco":
            # The solver's own get_node_count gives the time (pychoco 0.4).
            backend: Any = importlib.import_module("pychoco.backend")
            handle = native.chc_solver._handle
            return {
                "branches": backend.get_node_count(handle),
                "failures": backend.get_fail_count(handle),
            }
        case "z3":
            statistics = native.z3_solver.statistics()
            known = {key: statistics.get_key_value(key) for key in statistics.keys()}  # noqa: SIM118
            return {
                "branches": known.get("decisions", known.get("sat decisions")),
                "failures": known.get("conflicts", known.get("sat conflicts")),
                "propagations": known.get("propagations"),
            }
        case "exact":
            known = dict(native.xct_solver.getStats())
            return {
                "branches": known["decisions"],
                "failures": known["conflicts"],
                "propagations": known["propagations"],
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
            }
        case "minizinc":
            known = native.mzn_result.statistics
            return {
                "branches": known.get("nodes"),
                "failures": known.get("failures"),
                "propagations": known.get("propagations"),
            }
        case "cpo":
            known = native.cpo_result.get_solver_infos()
            return {"branches": known.get("NumberOfBranches"), "failures": known.get("NumberOfFails")}
    return {}
