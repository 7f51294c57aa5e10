"""What drivers share: libraries, checks of models, logs, descriptions of solvers."""

import importlib
import os
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any

from bench.catalogue.errors import shown
from bench.contract import ModelError, Solver, SolveRequest, Unsupported, WrongValues
from models.shared.document import shorten
from models.shared.model import Model
from models.shared.puzzle import Puzzle

_TOO_LARGE = re.compile(r"size.limited|size limits? exceeded|promotional version|CPLEX Error +1016", re.I)
"""How the free editions of CPLEX and Gurobi refuse a model that is too large for them."""


def import_only(wanted: Iterable[str], known: Iterable[str]) -> None:
    """Imports the wanted libraries and hides all other known ones from this process, for good.

    Raises:
        ImportError: if one is not installed.
    """
    for library in {*known} - {*wanted}:
        # `import` fails for a module that is None here.
        sys.modules[library] = None  # type: ignore[assignment]
    for library in wanted:
        importlib.import_module(library)


def installed(package: str) -> str | None:
    """Returns the version of a package, None if it is not installed."""
    # It takes a while to import, and the driver of programs needs it only where there is no compiler.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def refuse_if_too_large(solver: str, message: str) -> None:
    """Raises Unsupported if a solver's message refuses the model as too large for its free edition."""
    if _TOO_LARGE.search(message):
        raise Unsupported(f"the model is too large for the free edition of {solver}: {message}") from None


_TOLERATED = 1e-3
"""An integer variable's value that is further from a whole number is none; solvers tolerate 1e-5 or less."""


def refuse_fractions(solver: str, values: Iterable[float]) -> None:
    """Raises WrongValues if one of the values of integer variables is no whole number."""
    for value in values:
        if abs(value - round(value)) > _TOLERATED:
            raise WrongValues(f"{solver} calls {value:g} the value of an integer variable")


def model_of(
    formulation: Callable[[Puzzle], Model], puzzle: Puzzle, kind: type, adds_lazy: bool = False
) -> Model:
    """Builds the model of a puzzle by a function of a model file.

    Args:
        adds_lazy: whether the driver adds lazy constraints.

    Raises:
        ModelError: if the function returns anything but a Model of this kind, the library's class of models,
            or one with lazy constraints that the driver does not add.
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


def refuse_turned_off(turned_off: Collection[str], model: Model) -> None:
    """Raises Unsupported if a variant would turn off what the formulation's own parameters have set."""
    if taken := sorted(set(turned_off) & set(model.options)):
        raise Unsupported(f"the formulation itself sets {taken[0]}: compare with a formulation that does not")


def place_of(function: Callable[..., object]) -> str:
    """Returns the file, line and name of a function."""
    name = getattr(function, "__name__", repr(function))
    code = getattr(function, "__code__", None)
    return f"{shown(Path(code.co_filename))}:{code.co_firstlineno}: {name}" if code else name


_AGAIN = "\n----- solved again, with what was found so far cut off -----\n\n"


_MOST_BYTES = 50_000_000
"""A log ends after so many: a program that never stops writing would fill the disk."""


class LogFile:
    """Appends to a log line by line, so that it can be followed, and is there after a kill.

    A disk that is full costs the log, not the run.

    Args:
        path: the file; None writes nothing.
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

    def begin_solve(self) -> None:
        """Appends a line between one solve and the next."""
        if self.file:
            with suppress(OSError):
                begin_solve(self.file)


def log_with_figures(path: Path | None) -> IO[str]:
    """A file for a log that figures are read from: the one that is asked for, else a temporary one.

    A solver may append to it by its name.
    """
    if path:
        return path.open("a", buffering=1)
    return NamedTemporaryFile("a", suffix=".log", buffering=1)


def begin_solve(log: IO[str]) -> None:
    """Appends a line between one solve and the next, if the solver has written anything."""
    if os.fstat(log.fileno()).st_size:
        log.write(_AGAIN)


_NOTHING_LEFT = r"All rows and columns (eliminated|removed)"
"""What CPLEX and Gurobi write instead of zeros."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of the presolved model in the first solve, named as in Outcome; None if the log lacks them."""

    presolved_variables: int | None = None
    presolved_constraints: int | None = None
    presolved_nonzeros: int | None = None


def _sizes_by(pattern: str) -> Callable[[str], Sizes]:
    """Returns a reader of logs that give sizes as the groups `variables`, `constraints` and `nonzeros`."""

    def read(log: str) -> Sizes:
        if found := re.search(pattern, log):
            return Sizes(**{f"presolved_{name}": int(size) for name, size in found.groupdict().items()})
        return Sizes(0, 0, 0) if re.search(_NOTHING_LEFT, log) else Sizes()

    return read


cbc_sizes = _sizes_by(
    r"processed model has (?P<constraints>\d+) rows, (?P<variables>\d+) columns .*and (?P<nonzeros>\d+) el"
)
scip_sizes = _sizes_by(
    r"presolved problem has (?P<variables>\d+) variables .*and (?P<constraints>\d+) constraints"
)
cplex_sizes = _sizes_by(
    r"Reduced MIP has (?P<constraints>\d+) rows, (?P<variables>\d+) columns, and (?P<nonzeros>\d+) nonzeros"
)
gurobi_sizes = _sizes_by(
    r"Presolved: (?P<constraints>\d+) rows, (?P<variables>\d+) columns, (?P<nonzeros>\d+) nonzeros"
)
# The line is absent if presolve proves infeasibility.
highs_sizes = _sizes_by(
    r"Presolve reductions: rows (?P<constraints>\d+)\(.*columns (?P<variables>\d+)\("
    r".*nonzeros (?P<nonzeros>\d+)\("
)


def cpsat_sizes(log: str) -> Sizes:
    """Returns the sizes in the block "Presolved ... model" of a CP-SAT log.

    The block has one line "#Variables: 1'234 (...)" and one line "#kBoolOr: 56 (...)" per kind of constraint.
    """
    block = re.search(r"^Presolved .*?(?:\n\n|\Z)", log, re.MULTILINE | re.DOTALL)
    found = re.findall(r"^#(Variables|k\w+): ([\d']+)", block[0] if block else "", re.MULTILINE)
    counts = {kind: int(number.replace("'", "")) for kind, number in found}
    if "Variables" not in counts:
        return Sizes()
    return Sizes(counts.pop("Variables"), sum(counts.values()))


def scip_nodes(log: str) -> int | None:
    """Returns the nodes of all solves in a SCIP log: "Solving Nodes : 12 (total of 15 nodes in 2 runs)"."""
    found = re.findall(r"^Solving Nodes +: (\d+)(?: \(total of (\d+))?", log, re.MULTILINE)
    return sum(int(total or nodes) for nodes, total in found) if found else None


Native = Any
"""The object by which PuLP or CPMpy exposes a solver; each solver has its own, without types."""

Options = dict[str, Any]
"""Keyword arguments or parameters of a solver, whose values the library leaves untyped."""


@dataclass(frozen=True)
class Counters:
    """Counters of a solver, named as in Outcome; None where it does not give one."""

    branches: int | None = None
    failures: int | None = None
    propagations: int | None = None
    lp_iterations: int | None = None
    restarts: int | None = None

    def after(self, solve: "Counters", cumulative: bool = False) -> "Counters":
        """Returns the counters after one more solve; those that it gives may include all earlier solves."""

        def total(before: int | None, figure: int | None) -> int | None:
            if figure is None:
                return before
            # Some libraries count in floats.
            return int(figure) + (0 if cumulative or before is None else before)

        return Counters(*map(total, astuple(self), astuple(solve)))


@dataclass(frozen=True)
class Description:
    """Everything that a driver knows of one solver of PuLP, CPMpy or clingo.

    Attributes:
        title: its name for people.
        packages: what pip installs; the version of the first is the solver's.
        modules: the libraries that its process imports; those of other solvers are hidden from it.
        no_wheel: why pip cannot install it here.
        missing_program: says how to get the program that it needs; None if that is there, or it needs none.
        separate_process: as in `Solver`.
        interface: PuLP's class for it; empty for HiGHS, which has a driver of its own, and for CPMpy.
        threads: the option for the number of threads; empty if it uses one.
        counts_alone: as in `Solver`.
        options: a new dictionary of its other options for a request; it may override the one for threads.
        log_to: makes it append its log to a file, and returns the options that CPMpy needs for that.
        presolved: reads the sizes of the presolved model from the log of its first solve.
        logged: reads counters from a log, summed over all solves in it, for want of an interface.
        counters: the counters that its interface gives after a solve.
        stopped: whether it was stopped without a solution, where PuLP calls that infeasible.
        cumulative: whether these are of all solves so far, not of the last one.
        enumerates: whether CPMpy can ask it for all solutions in one solve.
        variant: as in `Solver`.
        turned_off: the options by which a variant turns off a mechanism; a formulation that sets one of them
            itself leaves nothing to turn off.
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
    presolved: Callable[[str], Sizes] = lambda _: Sizes()
    logged: Callable[[str], Counters] = lambda _: Counters()
    counters: Callable[[Native], Counters] = lambda _: Counters()
    stopped: Callable[[Native], bool] = lambda _: False
    cumulative: bool = False
    enumerates: bool = False
    variant: bool = False
    turned_off: Collection[str] = ()

    def missing(self) -> str | None:
        """Returns what to install to get the solver, None if it is there."""
        absent = [package for package in self.packages if installed(package) is None]
        packages = (self.no_wheel or f"pip install {' '.join(absent)}") if absent else None
        return " and ".join(filter(None, (packages, self.missing_program()))) or None

    def solver(self) -> Solver:
        """Returns what the harness knows of it."""
        version = installed(self.packages[0])
        parallel = bool(self.threads)
        return Solver(
            self.title, version, self.missing(), self.separate_process, parallel,
            packages=self.packages, variant=self.variant, counts_alone=self.counts_alone,
        )  # fmt: skip

    def options_for(self, request: SolveRequest) -> Options:
        """Returns all its options for a request."""
        options = self.options(request)
        if self.threads:
            options.setdefault(self.threads, request.threads)
        return options


_WIDTH = 110
_INDENT = "  "
"""In front of the names of variables."""


def apart_by(variables: Iterable[str]) -> list[str]:
    """Returns lines that say in which variables solutions of the puzzle differ, with their names indented."""
    names = list(variables)
    say = f"Two solutions are different if they differ in one of these {len(names)} variables:"
    return [say, _INDENT + " ".join(names)]


def comment(mark: str, lines: Iterable[str]) -> str:
    """Returns lines as a comment, each behind the mark and wrapped; names are never broken."""
    wrapped = (
        textwrap.wrap(
            line, _WIDTH, subsequent_indent=line[: len(line) - len(line.lstrip())],
            break_long_words=False, break_on_hyphens=False,
        )
        for line in lines
    )  # fmt: skip
    return "".join(f"{mark} {part}\n" for parts in wrapped for part in parts)
