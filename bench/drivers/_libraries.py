"""One solver library a process: some cannot live together, and PuLP and CPMpy import all that they find."""

import importlib
import re
import sys
from importlib.metadata import PackageNotFoundError, version

from bench.contract import Unsupported

LIBRARIES = (
    *("coptpy", "cplex", "cuopt", "docplex", "exact", "gcspy", "gurobipy", "hexaly", "highspy", "minizinc"),
    *("mosek", "ortools", "pindakaas", "pumpkin_solver", "pychoco", "pypblib", "pysat", "pyscipopt"),
    *("xpress", "z3"),
)
"""What PuLP and CPMpy look for."""

TOO_LARGE = re.compile(r"size.limited|size limits? exceeded|promotional version|CPLEX Error +1016", re.I)
"""What the free editions of CPLEX and Gurobi say of a model that is too large for them."""


def only(*wanted: str) -> None:
    """Imports these libraries and hides all others, from now on, in this process.

    Raises:
        ImportError: if one is not installed.
    """
    for library in LIBRARIES:
        if library not in wanted:
            # What `import` finds here it does not look for.
            sys.modules[library] = None  # type: ignore[assignment]
    for library in wanted:
        importlib.import_module(library)


def installed(package: str) -> str | None:
    """The version of a package, None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def refuse_if_too_large(solver: str, said: str) -> None:
    """Tells by what a solver said whether the model is too large for its free edition.

    Raises:
        Unsupported: if it is.
    """
    if TOO_LARGE.search(said):
        raise Unsupported(f"the model is too large for the free edition of {solver}: {said}") from None
