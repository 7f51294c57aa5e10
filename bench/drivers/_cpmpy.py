"""The search for one solution or all: by a solver that CPMpy drives itself, or by the program MiniZinc."""

import asyncio
import re
import shutil
import subprocess
from collections.abc import Callable
from copy import copy
from datetime import timedelta
from functools import cache
from math import floor
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.contract import Outcome, SolveRequest, Task, Unsupported
from bench.drivers._common import (
    Description,
    Figures,
    Native,
    added,
    begin_solve,
    log_with_figures,
    presolved_sizes,
)
from models.shared.model import Values

_Report = Callable[[Values], None]
"""Receives the values of each solution."""


def solve(
    native: Native, description: Description, request: SolveRequest, until: float, report: _Report
) -> Outcome:
    """Runs a solver on a model that CPMpy has posted to it, until a time of perf_counter."""
    complete = False
    counters: Figures = {}

    def seconds_left() -> float:
        """The time until the limit, in whole milliseconds.

        Choco cuts its limit to those, and CPMpy (1.1.1) calls a search complete that ends before its limit.
        """
        return floor((until - perf_counter()) * 1000) / 1000

    def status() -> str:
        """Adds the counters of the last solve; returns its status."""
        nonlocal counters
        last = description.counters(native)
        counters = counters | added({}, last) if description.cumulative else added(counters, last)
        return str(native.status().exitstatus.name)

    def next_solution() -> bool:
        """Whether there is one more solution; the variables have its values."""
        nonlocal complete
        if (left := seconds_left()) <= 0:
            return False
        begin_solve(file)
        found = bool(native.solve(time_limit=left, **options))
        complete = status() == "UNSATISFIABLE"
        return found

    with log_with_figures(request.log) as file:
        options = description.options_for(request) | description.log_to(native, file)
        if request.task == Task.FIRST:
            if next_solution():
                complete = True
                report(_value)
        elif description.enumerates:
            if (left := seconds_left()) > 0:
                native.solveAll(display=lambda: report(_value), time_limit=left, **options)
                complete = status() in ("OPTIMAL", "UNSATISFIABLE")
        else:
            import cpmpy

            while next_solution():
                report(_value)
                native.add(cpmpy.any([variable != variable.value() for variable in native.user_vars]))
        log = Path(file.name).read_text(errors="replace")
    figures = counters | description.logged(log) | presolved_sizes(description.presolved, log)
    return Outcome(complete, **figures)


def _value(variable: Native) -> int:
    return int(variable.value())


def minizinc_missing() -> str | None:
    """Returns what to install to get the program, None if it is there."""
    wanted = "install MiniZinc 2.8.2 or newer, whose program minizinc must be on the path"
    if not shutil.which("minizinc"):
        return wanted
    version = re.search(r"version (\d+)\.(\d+)\.(\d+)", _output_of("--version"))
    if not version:
        return f"{wanted}; the one on the path does not say its version"
    # CPMpy accepts no older one.
    new_enough = tuple(map(int, version.groups())) >= (2, 8, 2)
    return None if new_enough else f"{wanted}; the one on the path is {'.'.join(version.groups())}"


def minizinc_solvers() -> dict[str, tuple[str, str | None]]:
    """Returns title and version of each of its solvers; without MiniZinc those of Gecode, its default."""
    if not shutil.which("minizinc"):
        return {"gecode": ("Gecode", None)}
    # A line is "  Gecode 6.2.0 (org.gecode.gecode, default solver, ...)"; without a version, not installed.
    known = re.findall(r"^  (\S.*) ([\d.]\S*) \(([\w.-]+)[,)]", _output_of("--solvers"), re.MULTILINE)
    by_tag = {name.split(".")[-1]: (title, number) for title, number, name in known}
    tools = ("gist", "findmus", "globalizer")
    return {tag: what for tag, what in by_tag.items() if tag not in tools}


@cache
def _output_of(option: str) -> str:
    """Returns the output of the program for an option; nothing if it cannot be run."""
    try:
        return subprocess.run(["minizinc", option], capture_output=True, text=True, timeout=20).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def solve_with_minizinc(native: Native, task: Task, time_s: float, report: _Report) -> Outcome:
    """Runs MiniZinc, by the package minizinc, on a cpmpy.solvers.CPM_minizinc that has a model.

    CPMpy's own interface gives no statistics when it counts solutions, and raises an error on a timeout
    without statistics (1.1.1).

    `translate_s` of the outcome is MiniZinc's flattening, `search_s` the time of the solver itself.

    Raises:
        Unsupported: if the solver cannot enumerate solutions.
    """
    import minizinc

    if task == Task.COUNT and "-a" not in native.mzn_solver.stdFlags:
        raise Unsupported(f"{native.mzn_solver.name} cannot count: it gives MiniZinc only one solution")
    native.solver_vars(list(native.user_vars))
    model = copy(native.mzn_model)
    model.add_string(native.mzn_txt_solve)
    instance = minizinc.Instance(native.mzn_solver, model)
    statistics: dict[str, Any] = {}
    status = minizinc.Status.UNKNOWN

    async def search() -> None:
        nonlocal status
        limit = timedelta(seconds=max(time_s, 0.001))  # 0 means none
        results = instance.solutions(time_limit=limit, processes=1, all_solutions=task == Task.COUNT)
        async for result in results:
            status = result.status
            statistics.update(result.statistics)
            if (found := result.solution) is not None:
                report(lambda variable: int(getattr(found, native.solver_var(variable))))

    asyncio.run(search())
    done = (minizinc.Status.ALL_SOLUTIONS, minizinc.Status.UNSATISFIABLE)
    return Outcome(
        complete=status in done or (task == Task.FIRST and status.has_solution()),
        translate_s=statistics["flatTime"].total_seconds() if "flatTime" in statistics else None,
        search_s=statistics["solveTime"].total_seconds() if "solveTime" in statistics else None,
        branches=statistics.get("nodes"),
        failures=statistics.get("failures"),
        propagations=statistics.get("propagations"),
        restarts=statistics.get("restarts"),
    )
