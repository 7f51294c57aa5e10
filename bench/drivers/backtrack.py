"""Searches written by hand: generators of solutions that count as they go."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from functools import partial
from platform import python_version
from time import perf_counter

from bench.alarm import alarm
from bench.contract import ModelError, OnSolution, Outcome, Solver, SolveRequest, Task, TimeLimit, Unsupported
from bench.drivers._common import place_of
from bench.trace import Recorder
from models.shared.document import shorten
from models.shared.puzzle import Puzzle, Solution
from models.shared.search import LimitedTally, Step, Tally, Undecided, steps_of

CORE = True
WATCHED = True

Search = partial[Iterator[Solution]]

VARIANTS: Mapping[str, tuple[Step, str]] = {
    "alldifferent": (Step.ALL_DIFFERENT, "hand-written search that propagates all different only"),
    "bounds": (Step.BOUNDS, "hand-written search that propagates all different and bounds of sums"),
    "full": (Step.FULL, "hand-written search with all of its propagation, but for trial assignments"),
    "shaving": (Step.SHAVING, "hand-written search with propagation and trial assignments"),
}
"""How much the variants propagate, and their titles."""


def solvers() -> Mapping[str, Solver]:
    """Returns Python itself, which runs the search, and its variants, which propagate less or more."""
    variants = {name: Solver(title, python_version(), variant=True) for name, (_, title) in VARIANTS.items()}
    return {"python": Solver("hand-written search", python_version()), **variants}


def load(solver: str) -> Search:
    """Imports nothing: there is no library."""
    return partial(lambda _: iter([True]))  # A search, which is given the tally.


def build(formulation: Callable[[Puzzle, Tally], Iterator[Solution]], puzzle: Puzzle) -> Search:
    """Returns the search, ready to start; there is no model to build."""
    return partial(formulation, puzzle)


def _step_of(model: Search, solver: str) -> Step:
    """Returns how much a search propagates; raises Unsupported if it does not have the variant's step."""
    steps = steps_of(model.func)
    if solver not in VARIANTS:
        return steps[0] if steps else Step.FULL
    step, _ = VARIANTS[solver]
    if step not in steps:
        known = ", ".join(name for name, (has, _) in VARIANTS.items() if has in steps)
        raise Unsupported(f"the search {model.func.__name__} has no step {solver}: it has {known or 'none'}")
    return step


def solve(model: Search, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Runs the search until the task is done; the seed permutes the order that its rules leave open."""
    tally = Tally(request.seed) if request.effort is None else LimitedTally(request.seed, int(request.effort))
    tally.step = _step_of(model, request.solver)
    tally.on_bound = request.on_bound
    complete, found = True, False
    started = perf_counter()
    try:
        with Recorder(request.trace) if request.trace else nullcontext() as recorder, alarm(request.time_s):
            tally.watcher = recorder
            solutions: object = model(tally)
            if not isinstance(solutions, Iterator):
                fault = f"returns {shorten(solutions)}, not an iterator; write `yield` for each solution"
                raise ModelError(f"{place_of(model.func)} {fault}")
            for solution in solutions:
                found = True
                if recorder:
                    recorder.solution()
                enough = on_solution(solution, 1)
                if request.task == Task.FIRST:
                    break
                if enough:
                    complete = False
                    break
    except (TimeLimit, Undecided):
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
        values=tally.values,
        # Nothing is left to count where propagation refutes the root.
        values_left=tally.values_left if found or tally.branches or not complete else None,
    )
