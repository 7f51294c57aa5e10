"""One solver library a process: some cannot live together, and PuLP and CPMpy import all that they find."""

import importlib
import sys

LIBRARIES = (
    *("coptpy", "cplex", "cuopt", "docplex", "exact", "gcspy", "gurobipy", "hexaly", "highspy", "minizinc"),
    *("mosek", "ortools", "pindakaas", "pumpkin_solver", "pychoco", "pypblib", "pysat", "pyscipopt"),
    *("xpress", "z3"),
)
"""What PuLP and CPMpy look for."""


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
