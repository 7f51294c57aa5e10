"""What drivers share: libraries, checks of models, logs, descriptions of solvers."""

import importlib
import os
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import perf_counter
from typing import IO, Any

from bench.catalogue.errors import shown
from bench.contract import ModelError, Solver, SolveRequest, Unsupported, WrongValues
from bench.environment.releases import installed
from models.shared.document import shorten
from models.shared.model import Model, Values
from models.shared.puzzle import Puzzle

_TOO_LARGE = re.compile(r"size.limited|size limits? exceeded|promotional version|CPLEX Error +1016", re.I)
"""How the free editions of CPLEX and Gurobi refuse a model that is too large for them."""


def import_only(wanted: Iterable[str], known: Iterable[str]) -> None:
    """Imports the wanted libraries, and hides all other known ones from this process for good."""
    for library in {*known} - {*wanted}:
        # `import` fails for a module that is None here.
        sys.modules[library] = None  # type: ignore[assignment]
    for library in wanted:
        importlib.import_module(library)


def refuse_if_too_large(solver: str, message: str) -> None:
    """Raises Unsupported if a solver's message refuses the model as too large for its free edition."""
    if _TOO_LARGE.search(message):
        raise Unsupported(f"the model is too large for the free edition of {solver}: {message}") from None


def refuse_fractions(solver: str, values: Iterable[float]) -> None:
    """Raises WrongValues if one of the values of integer variables is no whole number."""
    for value in values:
        # Solvers tolerate 1e-5 or less.
        if abs(value - round(value)) > 1e-3:
            raise WrongValues(f"{solver} calls {value:g} the value of an integer variable")


def model_of(
    formulation: Callable[[Puzzle], Model], puzzle: Puzzle, kind: type, adds_lazy: bool = False
) -> Model:
    """Builds the model of a puzzle by a function of a model file.

    Raises ModelError if it returns no Model of this kind, or lazy constraints that the driver does not add.
    """
    model: object = formulation(puzzle)
    wanted = f"write `return Model(...)` with a {kind.__name__} and a function that decodes"
    if not isinstance(model, Model):
        raise ModelError(f"{place_of(formulation)} returns {shorten(model)}, not a Model; {wanted}")
    if not isinstance(model.problem, kind):
        raise ModelError(f"{place_of(formulation)} returns a Model of {shorten(model.problem)}; {wanted}")
    if not callable(model.decode):
        raise ModelError(f"{place_of(formulation)} returns a Model that cannot decode; {wanted}")
    if model.lazy and not adds_lazy:
        raise ModelError(
            f"{place_of(formulation)} returns a Model with lazy constraints, which only cpsat and milp add; "
            "state all constraints in the model"
        )
    return model


def refuse_lazy(model: Model) -> None:
    """Raises Unsupported if a model that is to be written to a file leaves constraints out of it."""
    if model.lazy:
        raise Unsupported(
            "the model has lazy constraints, which are not in it until a solution breaks them: "
            "choose another formulation"
        )


def place_of(function: Callable[..., object]) -> str:
    """Returns the file, line and name of a function."""
    name = getattr(function, "__name__", repr(function))
    code = getattr(getattr(function, "state", function), "__code__", None)
    return f"{shown(Path(code.co_filename))}:{code.co_firstlineno}: {name}" if code else name


_MOST_BYTES = 50_000_000
"""A log ends after so many: a program that never stops writing would fill the disk."""


class LogFile:
    """Appends to a log line by line, so that a kill loses none; None as its path writes nothing.

    A disk that is full costs the log, not the run.
    """

    def __init__(self, path: Path | None):
        self.file = path.open("a", buffering=1, errors="replace") if path else None
        self.left = _MOST_BYTES - os.fstat(self.file.fileno()).st_size if self.file else 0

    def write(self, text: str) -> None:
        """Appends text, until there is too much of it."""
        if self.file and self.left > 0:
            self.left -= len(text)
            end = "" if self.left > 0 else "\n----- too long: the rest is left out -----\n"
            with suppress(OSError):
                self.file.write(text + end)


class SolveLog(LogFile):
    """The log of a solver that is run several times, which tells its presolve from its search.

    Args:
        search: what a message says when the search begins.

    Attributes:
        first: the messages of the first solve.
        presolve_s, search_s: sums over all solves; search_s is None as long as none has come to its search.
    """

    def __init__(self, path: Path | None, search: str):
        super().__init__(path)
        self.search = search
        self.messages: list[tuple[float, str]] = []
        self.first: list[str] = []
        self.presolve_s = 0.0
        self.search_s: float | None = None

    def hear(self, message: str) -> None:
        """Keeps a message, with the time, and appends it."""
        self.messages.append((perf_counter(), message))
        self.write(message)

    def begin_solve(self) -> None:
        """Forgets the messages of the last solve, and appends a line between it and the next."""
        self.messages.clear()
        if self.file:
            with suppress(OSError):
                begin_solve(self.file)

    def end_solve(self, began: float, ended: float) -> None:
        """Adds the times of a solve."""
        searching = next((at for at, message in self.messages if self.search in message), None)
        self.presolve_s += (searching or ended) - began
        if searching:
            self.search_s = (self.search_s or 0.0) + ended - searching
        self.first = self.first or [message for _, message in self.messages]


def log_with_figures(path: Path | None) -> IO[str]:
    """A file for a log that figures are read from, temporary if none is asked for; solvers append by name."""
    return path.open("a", buffering=1) if path else NamedTemporaryFile("a", suffix=".log", buffering=1)


def begin_solve(log: IO[str]) -> None:
    """Appends a line between one solve and the next, if the solver has written anything."""
    if os.fstat(log.fileno()).st_size:
        log.write("\n----- solved again, with what was found so far cut off -----\n\n")


Figures = dict[str, Any]
"""Sizes and counters by their names in Outcome; those that a solver does not give are left out, or None."""


def added(counters: Figures, solve: Figures) -> Figures:
    """Returns counters after one more solve. Some libraries count in floats."""
    known = {name: figure for name, figure in solve.items() if figure is not None}
    return counters | {name: int(figure) + counters.get(name, 0) for name, figure in known.items()}


_PRESOLVED = {
    "cbc": r"processed model has (?P<constraints>\d+) rows, (?P<variables>\d+) columns "
    r".*and (?P<nonzeros>\d+) el",
    "scip": r"presolved problem has (?P<variables>\d+) variables .*and (?P<constraints>\d+) constraints",
    "cplex": r"Reduced MIP has (?P<constraints>\d+) rows, (?P<variables>\d+) columns, "
    r"and (?P<nonzeros>\d+) nonzeros",
    "gurobi": r"Presolved: (?P<constraints>\d+) rows, (?P<variables>\d+) columns, (?P<nonzeros>\d+) nonzeros",
    # The line is absent if presolve proves infeasibility; before 1.11 it is another one.
    "highs": r"(?:Presolve reductions: rows|Presolving model[\s\S]*?Solving MIP model with:\s) *"
    r"(?P<constraints>\d+)(?:\(.*columns| rows\s) *(?P<variables>\d+)"
    r"(?:\(.*nonzeros| cols .*\s) *(?P<nonzeros>\d+)",
}
"""Where the logs of solvers say what presolve leaves."""


def presolved_sizes(solver: str, log: str) -> Figures:
    """Returns the sizes of the presolved model in the first solve of a log, without those that it lacks.

    The log of CP-SAT has a block "Presolved ... model" with one line "#Variables: 1'234 (...)", and one line
    "#kBoolOr: 56 (...)" per kind of constraint. CPLEX and Gurobi say that all is removed, instead of zeros.
    """
    if solver == "cpsat":
        block = re.search(r"^Presolved .*?(?:\n\n|\Z)", log, re.MULTILINE | re.DOTALL)
        found = re.findall(r"^#(Variables|k\w+): ([\d']+)", block[0] if block else "", re.MULTILINE)
        counts = {kind: int(number.replace("'", "")) for kind, number in found}
        if "Variables" not in counts:
            return {}
        variables = counts.pop("Variables")
        return {"presolved_variables": variables, "presolved_constraints": sum(counts.values())}
    if solver and (line := re.search(_PRESOLVED[solver], log)):
        return {f"presolved_{name}": int(size) for name, size in line.groupdict().items()}
    if solver and re.search(
        r"All rows and columns (eliminated|removed)|^Presolve: Optimal", log, re.MULTILINE
    ):
        return dict.fromkeys(("presolved_variables", "presolved_constraints", "presolved_nonzeros"), 0)
    return {}


Native = Any
"""The object by which PuLP or CPMpy exposes a solver; each solver has its own, without types."""

Options = dict[str, Any]
"""Keyword arguments or parameters of a solver, whose values the library leaves untyped."""


@dataclass(frozen=True)
class Variant:
    """The default solver of a backend with mechanisms turned off.

    Attributes:
        options: beside those that turn off mechanisms.
        without: the mechanism that is off.
        only: the mechanisms that are on, while all others are off; None for those that are on by default.
    """

    title: str
    options: Options = field(default_factory=dict)
    without: str = ""
    only: Collection[str] | None = None

    def options_for(self, mechanisms: Mapping[str, Options]) -> Options:
        """Returns its options; `mechanisms` has those that turn off each."""
        options: Options = {}
        for mechanism, off in mechanisms.items():
            if mechanism == self.without or (self.only is not None and mechanism not in self.only):
                options |= off
        return options | self.options


@dataclass(frozen=True)
class Description:
    """What a driver knows of one solver of PuLP, CPMpy or clingo, beside what `Solver` has.

    Attributes:
        packages: what pip installs; the version of the first is the solver's.
        modules: the libraries that its process imports; those of other solvers are hidden from it.
        no_wheel: why pip cannot install it here.
        missing_program: says how to get the program that it needs; None if that is there, or it needs none.
        interface: PuLP's class for it.
        threads: the option for the number of threads; empty if it uses one.
        options: a new dictionary of its other options for a request; it may override the one for threads.
        log_to: makes it append its log to a file, and returns the options that CPMpy needs for that.
        presolved: the name by which `presolved_sizes` reads its log; empty if that has no sizes.
        logged: patterns of counters in its log, for want of an interface.
        counters: those that its interface gives after a solve, of all solves so far if they are `cumulative`.
        stopped: whether it was stopped without a solution, where PuLP calls that infeasible.
        improves: has CPMpy's report each better solution for the task `best`, and returns options for that.
        bounds: what no solution beats, from its interface or log; of PuLP's without the constant.
        best: False if it has no objectives, so that each solution bounds the next; or its own search for the
            best one, given CPMpy's interface, the seconds and `report`; that returns whether it is done.
        enumerates: whether CPMpy can ask it for all solutions in one solve.
    """

    title: str
    packages: tuple[str, ...]
    modules: tuple[str, ...]
    no_wheel: str = ""
    missing_program: Callable[[], str | None] = lambda: None
    separate_process: bool = True
    interface: str = ""
    threads: str = ""
    counts_alone: bool = False
    options: Callable[[SolveRequest], Options] = lambda _: {}
    log_to: Callable[[Native, IO[str]], Options] = lambda _native, _log: {}
    presolved: str = ""
    logged: Mapping[str, str] = field(default_factory=dict)
    counters: Callable[[Native], Figures] = lambda _: {}
    stopped: Callable[[Native], bool] = lambda _: False
    improves: Callable[[Native, Callable[[Values], None]], Options | None] = lambda *_: {}
    bounds: Callable[[Native, str], Iterable[Any]] = lambda *_: ()
    cumulative: bool = False
    best: bool | Callable[[Native, float, Callable[[Values], None]], bool] = True
    enumerates: bool = False

    def missing(self) -> str | None:
        """Returns what to install to get the solver, None if it is there."""
        absent = [package for package in self.packages if installed(package) is None]
        packages = (self.no_wheel or f"pip install {' '.join(absent)}") if absent else None
        return " and ".join(filter(None, (packages, self.missing_program()))) or None

    def solver(self) -> Solver:
        """Returns what the harness knows of it."""
        return Solver(
            self.title, installed(self.packages[0]), self.missing(), self.separate_process,
            parallel=bool(self.threads), packages=self.packages, counts_alone=self.counts_alone,
        )  # fmt: skip

    def options_for(self, request: SolveRequest) -> Options:
        """Returns all its options for a request."""
        options = self.options(request)
        if self.threads:
            options.setdefault(self.threads, request.threads)
        return options

    def counted_in(self, log: str) -> Figures:
        """Returns the counters in a log, summed over all solves in it."""
        found = {name: re.findall(pattern, log, re.MULTILINE) for name, pattern in self.logged.items()}
        return {name: sum(map(int, numbers)) for name, numbers in found.items() if numbers}


def comment(mark: str, lines: Sequence[str], decisions: Collection[str] | None = None) -> str:
    """Returns lines as a comment, then the names of the variables in which solutions of the puzzle differ."""
    if decisions is not None:
        say = f"Solutions of the puzzle differ in one of these {len(decisions)} variables:"
        lines = [*lines, say, f"  {' '.join(decisions)}"]
    wrapped = (
        textwrap.wrap(
            line, 110, subsequent_indent=line[: len(line) - len(line.lstrip())],
            break_long_words=False, break_on_hyphens=False,
        )
        for line in lines
    )  # fmt: skip
    return "".join(f"{mark} {part}\n" for parts in wrapped for part in parts)
