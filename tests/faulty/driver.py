"""A driver that does what its models say, however bad that is."""

import mmap
import time
from collections.abc import Mapping
from typing import Any

from bench.contract import OnSolution, Outcome, Solver, SolveRequest

CORE = False

CLOCK = mmap.mmap(-1, 2)
"""By how many seconds models have set the clock of the server, and whether one has that does it once."""

calendar_s = time.time
time.time = lambda: calendar_s() + CLOCK[0]


def solvers() -> Mapping[str, Solver]:
    return {"faulty": Solver("a bad solver", "1")}


def load(solver: str) -> None:
    pass


def build(formulation: Any, puzzle: Any) -> Any:
    return formulation(puzzle)


def solve(model: Any, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    return model(on_solution) or Outcome(complete=True)
