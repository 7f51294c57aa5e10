"""Searches written by hand: generators of solutions that count as they go."""

from collections.abc import Callable, Iterator
from functools import partial
from platform import python_version
from time import perf_counter

from bench.contract import ModelError, OnSolution, Outcome, Solver, SolveRequest, Task, TimeLimit
from bench.drivers._models import place_of
from bench.environment.alarm import alarm
from models.shared.document import shorten
from models.shared.model import Tally
from models.shared.puzzle import Puzzle, Solution

CORE = True

Search = partial[Iterator[Solution]]


def solvers() -> dict[str, Solver]:
    """Returns Python itself, which runs the search."""
    return {"python": Solver("hand-written search", python_version())}


def load(solver: str) -> None:
    """Does nothing: there is no library."""


def build(formulation: Callable[[Puzzle, Tally], Iterator[Solution]], puzzle: Puzzle) -> Search:
    """Returns the search, ready to start; there is no model to build."""
    return partial(formulation, puzzle)


def solve(model: Search, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Runs the search until the task is done; the seed permutes the order that its rules leave open."""
    tally = Tally(request.seed)
    complete = True
    started = perf_counter()
    try:
        with alarm(request.time_s):
            solutions: object = model(tally)
            if not isinstance(solutions, Iterator):
                fault = f"returns {shorten(solutions)}, not an iterator; write `yield` for each solution"
                raise ModelError(f"{place_of(model.func)} {fault}")
            for solution in solutions:
                on_solution(solution, 1)
                if request.task == Task.FIRST:
                    break
    except TimeLimit:
        complete = False
    ended = perf_counter()
    return Outcome(
        complete=complete,
        presolve_s=tally.root_at - started if tally.root_at else None,
        search_s=ended - tally.root_at if tally.root_at else None,
        solve_s=ended - started,
        variables=tally.variables,
        presolved_variables=tally.undecided,
        branches=tally.branches,
        failures=tally.failures,
        propagations=tally.propagations,
    )
