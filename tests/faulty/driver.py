"""A driver that does what its models say, however bad that is."""

from collections.abc import Mapping
from typing import Any

from bench.contract import OnSolution, Outcome, Solver, SolveRequest

CORE = False


def solvers() -> Mapping[str, Solver]:
    return {"faulty": Solver("a bad solver", "1")}


def load(solver: str) -> None:
    pass


def build(formulation: Any, puzzle: Any) -> Any:
    return formulation(puzzle)


def solve(model: Any, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    return model(on_solution) or Outcome(complete=True)
