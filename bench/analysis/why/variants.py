"""Which solvers are variants, and what their names say.

Of the default solver D of a backend, and a mechanism X that can be turned off, `noX` is D without X, `onlyX`
is D with X alone of these mechanisms, and `bare` is D with none of them. Other variants have names of their
own.
"""

import pandas as pd

SOLVERS = {
    "cpsat": ("cpsat",),
    "milp": ("highs", "cbc", "scip", "cplex", "gurobi"),
    "asp": ("clingo", "clingcon"),
    "csp": ("smallest", "backtracking", "optimized", "recursive", "minconflicts"),
    "backtrack": ("python",),
}
"""The solvers that one would choose, of the backends that can be explained; the default is the first."""

WITHOUT, ALONE, BARE = "no", "only", "bare"

STEPS = {
    "alldifferent": "all-different alone",
    "bounds": "bounds",
    "full": "full propagation",
    "shaving": "shaving",
}
"""The variants of `backtrack` in words, from the least propagation to the most."""

STOPPING = ("root", "relaxation", "presolved_relaxation", "propagation", "probing")
"""The variants that give up before they search; their times are no times of a solution."""


def is_variant(backend: str, solver: str) -> bool:
    """Whether a solver is a variant of its backend's default."""
    return backend in SOLVERS and solver not in ("", *SOLVERS[backend])


def are_variants(table: pd.DataFrame) -> "pd.Series[bool]":
    """Which rows of a table are of variants."""
    found = pd.Series(False, table.index)
    for backend, solvers in SOLVERS.items():
        found |= (table["backend"] == backend) & ~table["solver"].isin(["", *solvers])
    return found
