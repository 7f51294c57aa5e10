"""The types that all rooms share: runs, statuses, backends, and what a driver is asked and gives back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from models.shared.puzzle import Puzzle, Sense, Solution


class Task(StrEnum):
    """`first`: one solution. `count`: all of them, which also proves that there are no more.

    `best`, the only task of puzzles with an objective: a solution, and a proof that none is better.
    """

    FIRST = "first"
    COUNT = "count"
    BEST = "best"


class Status(StrEnum):
    """What became of a run: a worker or the harness claims it, campaign/check.py settles it."""

    SOLVED = "solved"  # Every solution passed the checker, and nothing contradicts what is known.
    INFEASIBLE = "infeasible"  # The backend claims that there is no solution.
    OPTIMAL = "optimal"  # Of the task `best`: solved, and the backend claims that no solution is better.
    FEASIBLE = "feasible"  # There are solutions, and the time limit came before such a claim.
    TIMEOUT = "timeout"
    STOPPED = "stopped"  # The solver is a variant that gives up early, as after the root node.
    MEMOUT = "memout"
    CRASHED = "crashed"
    WRONG = "wrong"  # A solution was refused, or what is known or another run contradicts its claim.
    UNSUPPORTED = "unsupported"  # There is no model for the puzzle, or the solver cannot do the task.
    UNAVAILABLE = "unavailable"  # The backend or the solver is not installed.

    @property
    def conclusive(self) -> bool:
        """Whether the run did what its task asks."""
        return self in (Status.SOLVED, Status.INFEASIBLE, Status.OPTIMAL)

    @property
    def finished(self) -> bool:
        """Whether the run came to its end: that of its task, or where such a variant gives up."""
        return self.conclusive or self is Status.STOPPED

    @property
    def failed(self) -> bool:
        """Whether the run has no result; a solution that is not proved to be the best is a worse result."""
        return not (self.conclusive or self is Status.FEASIBLE)

    @property
    def tried(self) -> bool:
        """Whether the solver could try it; else it has no time, and neither wins nor loses."""
        return self not in (Status.UNAVAILABLE, Status.UNSUPPORTED)

    @property
    def faulty(self) -> bool:
        """Whether something is broken: it is reported at once and fails a campaign."""
        return self in FAULTY

    @property
    def retried(self) -> bool:
        """Whether the run is executed again when a campaign is resumed."""
        return self in (Status.CRASHED, Status.WRONG, Status.UNAVAILABLE)


FAULTY = (Status.WRONG, Status.CRASHED)
"""The statuses of broken runs, the worst first."""


MOST_S = 1_000_000
"""No time limit is longer, in seconds: neither clocks nor solvers wait for ever."""


class TimeLimit(BaseException):
    """Raised inside Python code that outlives its time limit; no `except Exception` may swallow it."""


@dataclass(frozen=True)
class Solver:
    """A program or library that solves models.

    Attributes:
        missing: what to install to get it, None if it is there.
        separate_process: whether its library must not share a process with those of the backend's others.
        parallel: whether it can use several threads; if it `counts_alone`, for the task `first` only.
        complete: whether it can find out that there is no solution, or no more; a local search cannot.
        packages: the Python packages whose versions matter to it; the first is its own.
        variant: whether it is the default solver with a mechanism turned off or on, or stopped early, to
            show what that contributes.
    """

    title: str
    version: str | None
    missing: str | None = None
    separate_process: bool = False
    parallel: bool = False
    complete: bool = True
    packages: Sequence[str] = ()
    variant: bool = False
    counts_alone: bool = False

    def threads(self, wanted: int, task: Task) -> int:
        """How many threads it uses for a task if it is offered so many."""
        return wanted if self.parallel and not (self.counts_alone and task == Task.COUNT) else 1


@dataclass(frozen=True)
class SolveRequest:
    """How a driver must solve a model.

    Attributes:
        time_s: what the building of the model left of the time limit.
        seed: 1 or more. A solver without seeds solves the model as written for seed 1, and for any other
            seed a permutation of it that the seed determines.
        rewriting: 0 for the model as written; any other number has a driver whose models are data solve an
            equivalent model, which that number determines: in another order, scaled, with redundant rows.
        log: the file for the solver's own log, if it has one.
        last_model: the file that the driver writes the model of its last solve to, with the solutions cut
            off that were found before; of a program, its input. The worker keeps that of each solution's
            solve beside it, as FILE.1, FILE.2, ...
        trace: the file for the search tree, as in bench/trace.py, if the driver can watch the search.
        effort: what the solver may spend beside the time, in a unit of its own that is the same on any
            machine; only the drivers that EFFORTS names heed it.
        sense: of the objective, for the task `best`.
        on_bound: receives each value that is proven not to be beaten by any solution, as it is found.
    """

    task: Task
    time_s: float
    threads: int
    seed: int
    solver: str
    rewriting: int = 0
    log: Path | None = None
    last_model: Path | None = None
    trace: Path | None = None
    effort: float | None = field(default=None, kw_only=True)
    sense: Sense | None = field(default=None, kw_only=True)
    on_bound: Callable[[float], None] = field(default=lambda _: None, kw_only=True, compare=False)


EFFORTS = {"cpsat": "deterministic seconds", "asp": "conflicts", "backtrack": "branches"}
"""The backends whose effort can be limited, with the unit; they count until `on_solution` returns True."""


OnSolution = Callable[[Solution, int], bool | None]
"""Receives each solution that is found, and how many solutions of the puzzle it stands for (symmetry)."""


@dataclass(frozen=True)
class Outcome:
    """Figures of a solved model, None where the solver does not give one; docs/columns.md defines them.

    Attributes:
        complete: whether the search is exhausted, or for the task `first` a solution was found. For the task
            `best` it claims by that that no solution is better than the best one that was found.
        stopped: whether it is not, since the solver is a variant that gives up before its time limit.
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
    values: int | None = None
    values_left: int | None = None
    relaxation_feasible: int | None = None
    fractional_min: int | None = None
    fractional_max: int | None = None
    agreeing: int | None = None
    single_point: int | None = None
    rounds: int | None = None
    stopped: bool = False


class ModelError(Exception):
    """A model file returns something other than a model; the message names the file and the line."""


class Unsupported(Exception):
    """The solver cannot do this task at all, as opposed to failing at it."""


class WrongValues(Exception):
    """The solver calls values a solution that are none; the message says which."""


Formulation = TypeVar("Formulation", contravariant=True)
Built = TypeVar("Built")


class Driver(Protocol[Formulation, Built]):
    """A module of bench/drivers/, which knows solvers but no puzzle."""

    CORE: bool
    """Whether `run` includes the backend by default; `CORE = True` is read without an import.

    In the same way `WATCHED = True`, if there, says that `solve` writes a trace if it is asked for one.
    """

    def solvers(self) -> Mapping[str, Solver]:
        """The solvers of the backend by name, the default first; imports none of them."""

    def load(self, solver: str) -> Built | None:
        """Imports what models need, and the library of a solver; returns a model of one variable, or None.

        A server calls it once, with an empty name if solvers share its process; each worker again, with the
        solver of its run, and solves that model before the clock starts, if there is one. Raises ImportError
        if one of them is not installed.
        """

    def build(self, formulation: Formulation, puzzle: Puzzle) -> Built:
        """The model of the puzzle, or the search ready to start; raises ModelError if it is anything else."""

    def solve(self, model: Built, request: SolveRequest, on_solution: OnSolution) -> Outcome:
        """Solves the model; calls `on_solution` for each solution as soon as it is found.

        Raises Unsupported if the solver cannot do the task, WrongValues if it calls values a solution that
        the model has none for, TimeLimit if it could not stop at its limit by itself.
        """


@runtime_checkable
class Compiles(Protocol):
    """A driver whose models have source files of another language beside them."""

    def prepare(self, source: Path) -> float:
        """Compiles a file unless that was done; returns the seconds it took, or raises ModelError."""


@dataclass(frozen=True)
class Format:
    """A standard format of model files; `solver` has the library that writes it, if not the backend's own."""

    title: str
    solver: str = ""


@runtime_checkable
class Exports(Protocol):
    """A driver that can write models in standard formats."""

    FORMATS: Mapping[str, Format]
    """By the ending of their files, as in `mps`, which is read without an import; the default is first."""

    def export(self, model: Any, to: str, solver: str, head: Sequence[str]) -> str:
        """Returns a model as the text of a file in one of the formats.

        It begins with a comment: the lines of `head`, and how to tell solutions of the puzzle apart. Raises
        Unsupported if the format cannot express the model, saying what it lacks.
        """


@dataclass(frozen=True)
class Backend:
    """What a backend offers, as its server tells; the mappings but `solvers` are by puzzle.

    Attributes:
        missing: why it offers nothing.
        formulations: the default first.
        contents: sha256 of the model file and what it imports.
        broken: what is wrong with the model file.
        compile_s: the seconds that compiling its programs took, once, before any run.
    """

    name: str
    missing: str | None = None
    solvers: Mapping[str, Solver] = field(default_factory=dict)
    formulations: Mapping[str, list[str]] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)
    compile_s: Mapping[str, float] = field(default_factory=dict)

    def solver(self, name: str) -> Solver:
        """A solver; one without a version if the backend does not say what it offers."""
        return self.solvers.get(name, Solver(name, None))

    def lacks(self, solver: str) -> str | None:
        """What would bring a solver, None if it is there."""
        return self.missing or self.solver(solver).missing


LOCAL = "local"
"""The backend of local searches, and the formulation of `native` that is one: their time limit ends them."""


@dataclass(frozen=True)
class Run:
    """A run to execute; `rewriting` and the files are as in SolveRequest, with an empty text for no file.

    Attributes:
        formulation: empty if the backend has no model for the puzzle; and for a program of a user, which
            reads what the default one writes.
        release: of a package of the solver, as `ortools==9.12.4544`, which has an environment of its own;
            empty for what is installed here.
        counted: whether its instructions are, in another execution.
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
    rewriting: int = 0
    counted: bool = False
    log: str = ""
    last_model: str = ""
    trace: str = ""
    release: str = ""

    @property
    def offered(self) -> str:
        """The backend that offers it, as `cpsat`, or with a release as `cpsat@ortools==9.12.4544`."""
        return f"{self.backend}@{self.release}" if self.release else self.backend

    @property
    def block(self) -> tuple[str, Task, int, int]:
        """What the runs of a block have in common, which are compared, and executed on one machine."""
        return self.instance_sha256, self.task, self.seed, self.repeat

    @property
    def endless(self) -> bool:
        """Whether it is a local search, which its time limit ends."""
        return LOCAL in (self.backend, self.formulation)

    @property
    def is_first(self) -> bool:
        """Whether this is the run of its model whose log is kept."""
        return self.seed == self.repeat == 1

    @property
    def label(self) -> str:
        """The run in a few words, for people."""
        solver = f"{self.backend}:{self.solver}" if self.solver else self.backend
        threads = f"({self.threads} threads)" if self.threads > 1 else ""
        words = self.instance, solver, self.release, threads, self.formulation, self.task
        return " ".join(filter(None, words))
