"""What a run asks of a driver, and what the driver gives back."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from models.shared.puzzle import Puzzle, Solution


class Task(StrEnum):
    """`first`: one solution. `count`: all of them, which also proves that there are no more."""

    FIRST = "first"
    COUNT = "count"


class Status(StrEnum):
    """What became of a run; bench/campaign/validation.py decides it.

    `solved`: every solution passed the checker, and nothing contradicts what is known of the instance.
    `infeasible`: the backend claims that there is no solution. `timeout`, `memout`: a limit was reached.
    `crashed`: a program failed. `wrong`: a solution was refused, or a claim refuted. `contradicted`: another
    model claims otherwise, and no checked solutions decide. `unsupported`: the backend has no model for the
    puzzle, or the solver cannot do the task. `unavailable`: it is not installed.
    """

    SOLVED = "solved"
    INFEASIBLE = "infeasible"
    TIMEOUT = "timeout"
    MEMOUT = "memout"
    CRASHED = "crashed"
    WRONG = "wrong"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    UNAVAILABLE = "unavailable"

    @property
    def conclusive(self) -> bool:
        """Whether the run did what its task asks."""
        return self in (Status.SOLVED, Status.INFEASIBLE)

    @property
    def claims(self) -> bool:
        """Whether the run claims to have done it, even if another run claims otherwise."""
        return self.conclusive or self is Status.CONTRADICTED

    @property
    def tried(self) -> bool:
        """Whether the run was executed at all; else it has no time, and neither wins nor loses."""
        return self not in (Status.UNAVAILABLE, Status.UNSUPPORTED)

    @property
    def faulty(self) -> bool:
        """Whether something is broken: it is reported at once and fails a campaign."""
        return self in FAULTY

    @property
    def retried(self) -> bool:
        """Whether the run is executed again when a campaign is resumed."""
        return self in (Status.CRASHED, Status.WRONG, Status.UNAVAILABLE)


FAULTY = (Status.WRONG, Status.CONTRADICTED, Status.CRASHED)
"""The statuses of broken runs, the worst first."""


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
        separate_process: whether it needs a library that the backend's other solvers must not have.
        parallel: whether it can use several threads (`Limits.threads`); else it runs with one.
    """

    title: str
    version: str | None
    missing: str | None = None
    separate_process: bool = False
    parallel: bool = False


@dataclass(frozen=True)
class SolveRequest:
    """What a driver is asked to do with a model.

    Attributes:
        seed: from 1. A solver without seeds solves the model as it is written for seed 1, and for any other
            a permutation of it that the seed determines.
        solver: its name within the backend.
    """

    task: Task
    limits: Limits
    seed: int
    solver: str


OnSolution = Callable[[Solution, int], None]
"""Receives each solution that is found, and how many solutions of the puzzle it stands for (symmetry)."""


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


@dataclass(frozen=True)
class Backend:
    """What a backend offers, as its server tells.

    Attributes:
        missing: why it offers nothing.
        formulations: by puzzle, the default first.
        contents: by puzzle the sha256 of the model file and what it imports.
        broken: by puzzle, what is wrong with the model file.
    """

    name: str
    missing: str | None = None
    solvers: Mapping[str, Solver] = field(default_factory=dict)
    formulations: Mapping[str, list[str]] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)

    def lacks(self, solver: str) -> str | None:
        """What would bring a solver, None if it is there."""
        offered = self.solvers.get(solver)
        return self.missing or (offered.missing if offered else None)

    def several_threads(self, solver: str) -> bool:
        """Whether a solver can use more than one."""
        return solver in self.solvers and self.solvers[solver].parallel


FOR_THE_RECORD = ("model_sha256", "rules_sha256", "solver_version")
"""What a worker does not need to know of a run."""


@dataclass(frozen=True)
class Run:
    """One measurement to be made. `formulation` is empty if the backend has no model for the puzzle.

    `model_sha256` is of the model file and what it imports, `solver_version` the release: with the instance,
    the contents that the run depends on. `rules_sha256` is of the rules that its solutions are checked by.
    """

    puzzle: str
    instance: str
    path: str
    instance_sha256: str
    backend: str
    solver: str
    formulation: str
    task: Task
    seed: int
    repeat: int
    threads: int
    time_limit_s: float
    memory_limit_mb: int
    model_sha256: str = ""
    rules_sha256: str = ""
    solver_version: str = ""

    @property
    def label(self) -> str:
        """The run in a few words, for people."""
        solver = f"{self.backend}:{self.solver}" if self.solver else self.backend
        return " ".join(filter(None, (self.instance, solver, self.formulation, self.task)))

    @property
    def order(self) -> dict[str, Any]:
        """What a worker needs to know of it; those of earlier revisions know no more."""
        return {name: value for name, value in asdict(self).items() if name not in FOR_THE_RECORD}
