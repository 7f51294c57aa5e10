"""What a run asks of a driver, and what the driver gives back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from models.shared.puzzle import Puzzle, Solution


class Task(StrEnum):
    """`first`: one solution. `count`: all of them, which also proves that there are no more."""

    FIRST = "first"
    COUNT = "count"


class TimeLimit(BaseException):
    """Raised inside Python code that outlives its time limit; no `except Exception` may swallow it."""


@dataclass(frozen=True)
class Limits:
    """What one run may use."""

    time_s: float
    memory_mb: int
    threads: int = 1


@dataclass(frozen=True)
class Solver:
    """What runs a model.

    Attributes:
        title: its name for people.
        missing: what would bring it, None if it is there.
        own: whether it needs a library that the other solvers of the backend do not, and so its own server.
        parallel: whether it can use several threads (`Limits.threads`); else it is run with one.
    """

    title: str
    version: str | None
    missing: str | None = None
    own: bool = False
    parallel: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a driver read from its solver. A figure that the solver does not give is None.

    Attributes:
        complete: the search is exhausted, or for the task `first` a solution was found.
        translate_s, presolve_s, search_s, solve_s: wall times in seconds.
        variables, constraints, nonzeros: of the model as built; presolved_*: what presolve leaves.
        branches, failures, propagations, lp_iterations: counted over the whole run.
        work: the solver's deterministic time.
        restarts: how often it began its search again.
        docs/measurements.md says what each one means for each backend.
    """

    complete: bool
    translate_s: float | None = None
    presolve_s: float | None = None
    search_s: float | None = None
    solve_s: float | None = None
    variables: int | None = None
    constraints: int | None = None
    nonzeros: int | None = None
    presolved_variables: int | None = None
    presolved_constraints: int | None = None
    presolved_nonzeros: int | None = None
    branches: int | None = None
    failures: int | None = None
    propagations: int | None = None
    lp_iterations: int | None = None
    work: float | None = None
    restarts: int | None = None


class ModelError(Exception):
    """What a model file hands over is no model; the message names the file and the line."""


class Unsupported(Exception):
    """The solver cannot do this task at all (not: it failed at it)."""


class Driver(Protocol):
    """One module of bench/drivers/. It knows solvers and no puzzle.

    Attributes:
        CORE: whether `run --all` includes the backend; a line `CORE = True`, which is read without an import.
    """

    CORE: bool

    def solvers(self) -> Mapping[str, Solver]:
        """The solvers of the backend by name, the default first."""
        ...

    def load(self, solver: str) -> None:
        """Imports what models need, and the library of a solver (empty: of none of those with their own).

        Raises:
            ImportError: if it is not installed.
        """
        ...

    def build(self, formulation: Callable[..., Any], puzzle: Puzzle) -> Any:
        """The model of the puzzle, or the search that is ready to start.

        Raises:
            ModelError: if the formulation hands back something else.
        """
        ...

    def solve(
        self,
        model: Any,
        task: Task,
        limits: Limits,
        seed: int,
        solver: str,
        on_solution: Callable[[Solution, int], None],
    ) -> Outcome:
        """Runs the model; calls `on_solution(solution, how many it stands for)` for each solution found.

        Seeds count from 1. A solver that takes no seed solves the model as it is written for seed 1, and
        for any other a permutation of it that the seed determines.

        Raises:
            Unsupported: if the solver cannot do the task.
            TimeLimit: if it could not stop at its limit by itself.
        """
        ...
