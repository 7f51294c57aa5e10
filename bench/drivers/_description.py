"""The description of a solver: where it comes from, which options it has, what it counts."""

from collections.abc import Callable, Collection
from dataclasses import astuple, dataclass
from typing import IO, Any

from bench.contract import Solver, SolveRequest
from bench.drivers._libraries import installed
from bench.drivers._logs import Sizes

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
