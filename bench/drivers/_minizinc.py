"""The program MiniZinc and the solvers that it drives, for models of CPMpy.

CPMpy's own way to them gives no statistics when all solutions are asked for, and takes a timeout without
statistics for an error (1.1.1); so its model is handed to the package minizinc here.
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
from bench.drivers._cpmpy import Report

NEEDED = (2, 8, 2)
"""The version that CPMpy takes."""

NO_SOLVERS = ("gist", "findmus", "globalizer")
"""What MiniZinc lists among its solvers."""


def missing() -> str | None:
    """What would bring the program, None if it is there."""
    wanted = "install MiniZinc 2.8.2 or newer, whose program minizinc must be on the path"
    if not shutil.which("minizinc"):
        return wanted
    said = re.search(r"version (\d+)\.(\d+)\.(\d+)", asked("--version"))
    if not said:
        return f"{wanted}; the one on the path does not say its version"
    found = tuple(map(int, said.groups()))
    return None if found >= NEEDED else f"{wanted}; the one on the path is {'.'.join(said.groups())}"


def solvers() -> dict[str, tuple[str, str | None]]:
    """Title and version of each of its solvers; without MiniZinc of Gecode, which comes with it."""
    if not shutil.which("minizinc"):
        return {"gecode": ("Gecode", None)}
    # A line is "  Gecode 6.2.0 (org.gecode.gecode, default solver, ...)"; without a version it is not there.
    known = re.findall(r"^  (\S.*) ([\d.]\S*) \(([\w.-]+)[,)]", asked("--solvers"), re.MULTILINE)
    by_tag = {name.split(".")[-1]: (title, number) for title, number, name in known}
    return {tag: what for tag, what in by_tag.items() if tag not in NO_SOLVERS}


@cache
def asked(option: str) -> str:
    """What the program says about itself; nothing if it cannot be run."""
    try:
        return subprocess.run(["minizinc", option], capture_output=True, text=True, timeout=20).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def solve(native: Any, task: Task, time_s: float, report: Report) -> Outcome:
    """Runs MiniZinc on a model that CPMpy has posted.

    Args:
        native: the cpmpy.solvers.CPM_minizinc.
        time_s: its time limit.

    Returns:
        Its `translate_s` is MiniZinc's flattening, its `search_s` what the solver itself took.

    Raises:
        Unsupported: if the solver cannot give all solutions.
    """
    import minizinc

    if task == Task.COUNT and "-a" not in native.mzn_solver.stdFlags:
        raise Unsupported(f"{native.mzn_solver.name} cannot count: it gives MiniZinc one solution alone")
    native.solver_vars(list(native.user_vars))
    model = copy(native.mzn_model)
    model.add_string(native.mzn_txt_solve)
    instance = minizinc.Instance(native.mzn_solver, model)
    statistics: dict[str, Any] = {}
    status = minizinc.Status.UNKNOWN

    async def ask() -> None:
        nonlocal status
        limit = timedelta(seconds=max(time_s, 0.001))  # 0 means none
        asked_for = instance.solutions(time_limit=limit, processes=1, all_solutions=task == Task.COUNT)
        async for result in asked_for:
            status = result.status
            statistics.update(result.statistics)
            if (found := result.solution) is not None:
                report(lambda variable: int(getattr(found, native.solver_var(variable))))

    asyncio.run(ask())
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
    """A time of MiniZinc's statistics."""
    return None if time is None else time.total_seconds()
