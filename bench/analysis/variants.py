"""Which solvers are variants, and what their names say.

Of the default solver D of a backend, and a mechanism X that can be turned off, `noX` is D without X, `onlyX`
is D with X alone of these mechanisms, and `bare` is D with none of them. Other variants have names of their
own.
"""

DEFAULTS = {
    "cpsat": "cpsat", "milp": "highs", "asp": "clingo", "csp": "smallest", "backtrack": "python"
}  # fmt: skip
"""The solvers that are explained, by backend."""

WITHOUT, ALONE, BARE = "no", "only", "bare"

STEPS = {
    "alldifferent": "what assigned values exclude",
    "bounds": "bounds",
    "full": "full propagation",
    "shaving": "shaving",
}
"""The variants of `backtrack` in words, from the least propagation to the most, which has all before it."""

ALSO = {
    ("asp", "learning"): "clingo without learning has no restarts and no VSIDS heuristic either",
    ("asp", BARE): "clingo with none of its mechanisms has no VSIDS heuristic either",
    ("milp", "presolve"): "HiGHS without presolve does not restart at the root either",
    ("milp", "cuts"): "HiGHS without cuts keeps a few",
    ("milp", "heuristics"): "HiGHS without heuristics keeps those that have no options",
    ("cpsat", "presolve"):
        "CP-SAT without presolve still expands constraints, and probes when it loads a model",
}  # fmt: skip
"""What the name of a variant does not say, by backend and mechanism; docs/columns.md has the options."""

STOPPING = ("root", "relaxation", "presolved_relaxation", "propagation", "probing")
"""The variants that give up before they search; their times are no times of a solution."""

OTHERS = {
    "cpsat": ("fixed", *STOPPING),
    "milp": STOPPING,
    "asp": ("frumpy", "jumpy", "tweety", "handy", "crafty", "trendy", "lookahead", *STOPPING),
    "backtrack": tuple(STEPS),
}
"""The variants with names of their own, of the backends that have variants."""


def is_variant(backend: str, solver: str) -> bool:
    """Whether a solver is a variant of its backend's default."""
    return backend in OTHERS and (solver in (BARE, *OTHERS[backend]) or solver.startswith((WITHOUT, ALONE)))
