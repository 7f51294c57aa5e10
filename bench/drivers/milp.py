"""Integer programs in PuLP, solved by HiGHS or by another of the solvers that PuLP drives."""

import importlib
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from bench.contract import Limits, Outcome, Solver, Task
from bench.drivers._libraries import installed, only
from bench.drivers._models import model_of
from models.shared.model import Model
from models.shared.puzzle import Puzzle, Solution

CORE = True

HIGHS = {"highs": "HiGHS", "nopresolve": "HiGHS without presolve"}
"""The solvers that bench/drivers/_highs.py drives; PuLP's own interfaces drive the others (_pulp.py)."""

OTHERS = {
    "cbc": ("CBC, the program that comes with PuLP", "pulp", None),
    "scip": ("SCIP by PuLP", "pyscipopt", "pyscipopt"),
    "cplex": ("CPLEX by PuLP", "cplex", "cplex"),
    "gurobi": ("Gurobi by PuLP", "gurobipy", "gurobipy"),
}
"""Title, what pip installs, and the library that it brings."""

ONE_THREAD = ("scip",)
"""The solvers that PuLP can only run with one."""


def solvers() -> Mapping[str, Solver]:
    """HiGHS, as it comes and without presolve; and PuLP's others."""
    highs = version("highspy")
    offered = {name: Solver(title, highs, parallel=True) for name, title in HIGHS.items()}
    for name, (title, package, _) in OTHERS.items():
        found = installed(package)
        missing = None if found else f"pip install {package}"
        offered[name] = Solver(title, found, missing, separate_process=True, parallel=name not in ONE_THREAD)
    return offered


def load(solver: str) -> None:
    """Imports PuLP and the library of one solver alone."""
    library = OTHERS[solver][2] if solver in OTHERS else "highspy"
    only(*([library] if library else []))
    importlib.import_module("pulp")
    importlib.import_module(interface(solver))


def interface(solver: str) -> str:
    """The module that drives a solver."""
    return f"bench.drivers.{'_pulp' if solver in OTHERS else '_highs'}"


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """The LpProblem of the puzzle."""
    return model_of(formulation, puzzle, importlib.import_module("pulp").LpProblem)


def solve(
    model: Model,
    task: Task,
    limits: Limits,
    seed: int,
    solver: str,
    on_solution: Callable[[Solution, int], None],
) -> Outcome:
    """Runs the solver; counts by solving again with each solution cut off until none is left.

    The sizes are those of the first solve; times, nodes and iterations add up over all of them.
    """
    driven: Any = importlib.import_module(interface(solver))
    outcome: Outcome = driven.solve(model, task, limits, seed, solver, on_solution)
    return outcome
