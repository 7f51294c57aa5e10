"""The program MiniZinc and the solvers that it drives, for models of CPMpy.

CPMpy's own interface gives no statistics when it counts solutions, and raises an error on a timeout without
statistics (1.1.1); so this module passes its model to the package minizinc.
"""

import asyncio
import re
import shutil
import subprocess
from copy import copy
from datetime import timedelta
from functools import cache
from typing import Any

from bench.contract import Outcome, Task, Unsupported
from bench.drivers._common import Native
from bench.drivers._cpmpy import Report


def missing() -> str | None:
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


def solvers() -> dict[str, tuple[str, str | None]]:
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


def solve(native: Native, task: Task, time_s: float, report: Report) -> Outcome:
    """Runs MiniZinc on a cpmpy.solvers.CPM_minizinc, to which CPMpy has posted a model.

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
        translate_s=seconds(statistics.get("flatTime")),
        search_s=seconds(statistics.get("solveTime")),
        branches=statistics.get("nodes"),
        failures=statistics.get("failures"),
        propagations=statistics.get("propagations"),
        restarts=statistics.get("restarts"),
    )


def seconds(time: timedelta | None) -> float | None:
    """Returns a time of MiniZinc's statistics in seconds."""
    return None if time is None else time.total_seconds()
