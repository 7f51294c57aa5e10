"""A driver that does what its models say, however bad that is."""

from collections.abc import Mapping
from typing import Any

from bench.contract import Limits, Outcome, Solver, Task

CORE = False


def solvers() -> Mapping[str, Solver]:
    return {"faulty": Solver("a bad solver", "1")}


def load(solver: str) -> None:
    pass


def build(formulation: Any, puzzle: Any) -> Any:
    return formulation(puzzle)


def solve(model: Any, task: Task, limits: Limits, seed: int, solver: str, on_solution: Any) -> Outcome:
    return model(on_solution) or Outcome(complete=True)
