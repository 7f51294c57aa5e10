"""Local searches written by hand: generators of better and better solutions, which prove nothing."""

from collections.abc import Mapping
from dataclasses import replace
from platform import python_version

from bench.contract import OnSolution, Outcome, Solver, SolveRequest
from bench.drivers import backtrack
from bench.drivers.backtrack import Search, build, load

__all__ = ["CORE", "build", "load", "solve", "solvers"]

CORE = False


def solvers() -> Mapping[str, Solver]:
    """Returns Python itself, which runs the search."""
    return {"python": Solver("hand-written local search", python_version(), complete=False)}


def solve(model: Search, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Runs the search until the time is up."""
    return replace(backtrack.solve(model, request, on_solution), complete=False)
