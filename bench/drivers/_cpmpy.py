"""The search for one solution or all, with a solver that CPMpy drives itself."""

from collections.abc import Callable
from dataclasses import asdict
from math import floor
from pathlib import Path
from time import perf_counter
from typing import IO

from bench.contract import Outcome, SolveRequest, Task
from bench.drivers._common import Counters, Description, Native, Options, begin_solve, log_with_figures
from models.shared.model import Values

Report = Callable[[Values], None]
"""Receives the values of each solution."""


def solve(
    native: Native, description: Description, request: SolveRequest, until: float, report: Report
) -> Outcome:
    """Runs a solver on a model that CPMpy has posted to it, until a time of perf_counter."""
    with log_with_figures(request.log) as file:
        options = description.options_for(request) | description.log_to(native, file)
        search = _Search(native, description, options, until, file)
        search.run(request.task, report)
        log = Path(file.name).read_text(errors="replace")
    counters = search.counters.after(description.logged(log))
    return Outcome(search.complete, **asdict(counters), **asdict(description.presolved(log)))


class _Search:
    """Solves with a solver of CPMpy until the task is done or the time is up."""

    def __init__(
        self, native: Native, description: Description, options: Options, until: float, log: IO[str]
    ):
        self.native, self.description, self.options, self.until = native, description, options, until
        self.log = log
        self.complete = False
        self.counters = Counters()

    def run(self, task: Task, report: Report) -> None:
        """Finds one solution or all."""
        if task == Task.FIRST:
            if self.next_solution():
                self.complete = True
                report(_value)
        elif self.description.enumerates:
            if (left := self.seconds_left()) > 0:
                self.native.solveAll(display=lambda: report(_value), time_limit=left, **self.options)
                self.complete = self.status() in ("OPTIMAL", "UNSATISFIABLE")
                self.count()
        else:
            import cpmpy

            while self.next_solution():
                report(_value)
                differs = [variable != variable.value() for variable in self.native.user_vars]
                self.native.add(cpmpy.any(differs))

    def next_solution(self) -> bool:
        """Whether there is one more solution; the variables have its values."""
        if (left := self.seconds_left()) <= 0:
            return False
        begin_solve(self.log)
        found = bool(self.native.solve(time_limit=left, **self.options))
        self.count()
        self.complete = self.status() == "UNSATISFIABLE"
        return found

    def seconds_left(self) -> float:
        """The time until the limit, in whole milliseconds.

        Choco cuts its limit to those, and CPMpy (1.1.1) calls a search complete that ends before its limit.
        """
        return floor((self.until - perf_counter()) * 1000) / 1000

    def status(self) -> str:
        """Returns the status of the last solve."""
        return str(self.native.status().exitstatus.name)

    def count(self) -> None:
        """Adds the counters of the last solve."""
        counters = self.description.counters(self.native)
        self.counters = self.counters.after(counters, self.description.cumulative)


def _value(variable: Native) -> int:
    return int(variable.value())
