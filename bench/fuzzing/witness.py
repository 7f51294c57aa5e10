"""What a solver is asked again about a finding, in processes of their own, and the witness against it."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from bench.catalogue import ROOT
from bench.contract import Task
from bench.fuzzing import scripts
from bench.fuzzing.check_witness import read_mps, violations
from bench.fuzzing.scripts import Target

STARTS_S = 20.0
"""Seconds that a script may need beside its solves."""

MOST = 100
"""So many solutions at most are kept of a model whose solutions are counted."""

TRIED = "TRIED "
"""How a line of `scripts.trials` begins."""

OTHERS = ("cbc", "scip", "cplex", "nopresolve")
"""The solvers of integer programs that are asked for a witness, in this order, if they are installed."""

Values = dict[str, Any] | list[str]
"""A solution of a model: values by variable, or the atoms that hold."""


@dataclass(frozen=True)
class Trial:
    """What a solver says of the model; `shows` is None where that was not asked."""

    seed: int
    presolve: bool
    said: str
    complete: bool
    shows: bool | None = None
    found: Sequence[Values] = ()


@dataclass(frozen=True)
class Witness:
    """A solution of the model, or those that are known where all are counted, and who found it."""

    values: Values | list[Values]
    found_by: str


def run(
    folder: Path, within_s: float, *words: str, project: bool = False
) -> subprocess.CompletedProcess[str]:
    """Runs Python in a folder, without this project unless it is wanted.

    Raises:
        subprocess.TimeoutExpired: if it does not end.
    """
    others = ("PYTHONPATH", "PYTHONSAFEPATH")
    environment = {name: value for name, value in os.environ.items() if name not in others}
    if project:
        environment["PYTHONPATH"] = str(ROOT)
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, timeout=within_s,
        capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
    )  # fmt: skip


def try_out(
    target: Target, folder: Path, pairs: Sequence[tuple[int, bool]], judged: bool = False
) -> list[Trial]:
    """What the solver says with each seed, with presolve or without; fewer if it ends or needs too long."""
    words = ["-c", scripts.trials(target), json.dumps(pairs), *(["judged"] if judged else [])]
    try:
        output = run(folder, STARTS_S + len(pairs) * target.time_s, *words).stdout
    except subprocess.TimeoutExpired as error:
        output = (error.stdout or b"").decode("utf-8", "replace")
    lines = [line.removeprefix(TRIED) for line in output.splitlines() if line.startswith(TRIED)]
    trials: list[Trial] = []
    with suppress(ValueError):  # The last line may be cut off.
        trials.extend(Trial(**json.loads(line)) for line in lines)
    return trials


def find_witness(target: Target, folder: Path) -> Witness | None:
    """What shows that the solver denies a solution, found in another way; None if nothing is found."""
    return another_solvers(target, folder) if target.backend == "milp" else in_other_ways(target, folder)


def another_solvers(target: Target, folder: Path) -> Witness | None:
    """A solution that another solver of integer programs finds, and that satisfies the rows exactly.

    The last to be asked is the same solver without presolve.
    """
    program = read_mps((folder / target.model).read_text())
    for name in (other for other in OTHERS if other != target.solver):
        other = replace(target, solver=name, base_rows=None)
        for trial in try_out(other, folder, [(1, name != "nopresolve")]):
            for values in trial.found:
                assert isinstance(values, dict)
                exact = {column: exactly(values[column]) for column in program.columns if column in values}
                if not violations(program, exact):
                    return Witness(exact, "HiGHS without presolve" if name == "nopresolve" else name.upper())
    return None


def exactly(value: float) -> int | str:
    """The whole number or the simple fraction that a float stands for."""
    nearest = Fraction(value).limit_denominator(1000)
    return int(nearest) if nearest.denominator == 1 else str(nearest)


def in_other_ways(target: Target, folder: Path) -> Witness | None:
    """A solution that is found in another way, or where all are counted those that are found in any way.

    The other way is another solver of CPMpy; for backends with one solver it is one thread, without presolve
    or with another seed. Solutions that the faulty way does not find come first.
    """
    if target.backend == "cpmpy":
        other = "choco" if target.solver == "ortools" else "ortools"
        trials, who = (
            try_out(replace(target, solver=other), folder, [(target.seed, True)]),
            f"CPMpy's {other}",
        )
    else:
        pairs = [(target.seed, False), (target.seed + 1, False), (target.seed + 1, True)]
        trials = try_out(replace(target, threads=1), folder, pairs)
        who = "the same solver with one thread, without presolve or with another seed"
    known = [values for trial in try_out(target, folder, [(target.seed, True)]) for values in trial.found]
    found = [values for trial in trials for values in trial.found]
    different = {repr(values): values for values in found}.values()
    best = sorted(different, key=lambda values: values in known)
    if not best:
        return None
    return Witness(best[:MOST] if target.task == Task.COUNT else best[0], who)
