"""CPMpy models, for any of the solvers that CPMpy drives."""

import importlib
import random
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter

from bench.contract import Limits, Outcome, Solver, Task, Unsupported
from bench.drivers import _cpmpy, _minizinc
from bench.drivers._libraries import installed, only, refuse_if_too_large
from bench.drivers._models import model_of
from models.shared.model import Model, Values
from models.shared.puzzle import Puzzle, Solution

CORE = False


@dataclass(frozen=True)
class Source:
    """Where a solver comes from.

    Attributes:
        packages: what pip installs; the version of the first is the solver's.
        modules: the libraries that its process imports.
        program: what else has to be on the path.
        threads: the option of its `solve` that says how many it may use; empty if it uses one.
        no_wheel: why pip cannot install it here.
    """

    title: str
    packages: tuple[str, ...]
    modules: tuple[str, ...]
    program: str = ""
    threads: str = ""
    no_wheel: str = ""


EXACT_HAS_WHEELS = sys.version_info < (3, 14) and sys.platform != "darwin"
"""As the marker in pyproject.toml says."""

SOURCES = {
    "choco": Source("Choco by CPMpy", ("pychoco",), ("pychoco",)),
    "ortools": Source("OR-Tools CP-SAT by CPMpy", ("ortools",), ("ortools",), threads="num_workers"),
    "z3": Source("Z3 by CPMpy", ("z3-solver",), ("z3",)),
    "exact": Source(
        "Exact by CPMpy",
        ("exact",),
        ("exact",),
        no_wheel=""
        if EXACT_HAS_WHEELS
        else "Exact has wheels for Python 3.11 to 3.13 on Linux and Windows only",
    ),
    "pumpkin": Source("Pumpkin by CPMpy", ("pumpkin-solver",), ("pumpkin_solver",)),
    "cplex": Source("CPLEX by CPMpy", ("cplex", "docplex"), ("cplex", "docplex"), threads="threads"),
    "cpo": Source("CP Optimizer by CPMpy", ("docplex",), ("docplex",), "cpoptimizer", "Workers"),
    "gurobi": Source("Gurobi by CPMpy", ("gurobipy",), ("gurobipy",), threads="Threads"),
    "scip": Source("SCIP by CPMpy", ("pyscipopt",), ("pyscipopt",)),
    "highs": Source("HiGHS by CPMpy", ("highspy",), ("highspy",), threads="threads"),
    "pindakaas": Source("CaDiCaL by CPMpy and Pindakaas", ("pindakaas",), ("pindakaas",)),
    "pysat": Source(
        "PySAT by CPMpy", ("python-sat", "pypblib", "pindakaas"), ("pysat", "pypblib", "pindakaas")
    ),
    "gcs": Source("Glasgow Constraint Solver by CPMpy", ("gcspy",), ("gcspy",)),
    "hexaly": Source("Hexaly by CPMpy", ("hexaly",), ("hexaly",)),
}

MINIZINC = Source("by CPMpy and MiniZinc", ("minizinc",), ("minizinc",), "minizinc")
"""Its own solvers are named minizinc/gecode and so on."""


def solvers() -> Mapping[str, Solver]:
    """All that CPMpy knows, with what would bring those that are not there."""
    offered = {
        name: Solver(
            source.title,
            installed(source.packages[0]),
            missing(source),
            separate_process=True,
            parallel=bool(source.threads),
        )
        for name, source in SOURCES.items()
    }
    for name, (title, number) in _minizinc.solvers().items():
        offered[f"minizinc/{name}"] = Solver(
            f"{title} {MINIZINC.title}", number, missing(MINIZINC), separate_process=True
        )
    return offered


def missing(source: Source) -> str | None:
    """What would bring a solver, None if it is there."""
    absent = [package for package in source.packages if installed(package) is None]
    wanted = [source.no_wheel or f"pip install {' '.join(absent)}"] if absent else []
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
    return model_of(formulation, puzzle, importlib.import_module("cpmpy").Model)


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
    from cpmpy.expressions.utils import flatlist
    from cpmpy.transformations.get_variables import get_variables

    constraints = flatlist(model.problem.constraints)
    if seed != 1:
        random.Random(seed).shuffle(constraints)
    started = perf_counter()
    try:
        native = cpmpy.SolverLookup.get(solver.replace("/", ":"), cpmpy.Model(constraints))
        # Solutions are told apart by the decisions alone.
        native.user_vars = set(model.decisions)
        translated = perf_counter()
        until = started + limits.time_s

        def report(values: Values) -> None:
            on_solution(model.decode(values), model.stands_for)

        if source_of(solver) is MINIZINC:
            outcome = _minizinc.solve(native, task, until - translated, report)
        else:
            option = SOURCES[solver].threads
            options = {option: limits.threads} if option else {}
            outcome = _cpmpy.solve(native, solver, options, task, until, report)
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
