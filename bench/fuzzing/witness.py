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
from bench.fuzzing import scripts
from bench.fuzzing.check_witness import read_mps, violations
from bench.fuzzing.scripts import Target

STARTS_S = 20.0
"""Seconds that a script may need beside its solves."""

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
    """A solution of the model, and who found it."""

    values: Values
    found_by: str


def run(
    folder: Path, within_s: float, *words: str, project: bool = False
) -> subprocess.CompletedProcess[str]:
    """Runs Python in a folder, without this project unless it is wanted.

    Raises:
        subprocess.TimeoutExpired: if it does not end.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
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
    """A solution of the model that the solver denies, found in another way; None if none is found."""
    return another_solvers(target, folder) if target.backend == "milp" else not_found(target, folder)


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


def not_found(target: Target, folder: Path) -> Witness | None:
    """A solution that is found in another way, if possible one that the faulty way does not find.

    The other way is another solver of CPMpy; for backends with one solver another seed, or no presolve.
    """
    faulty = try_out(target, folder, [(target.seed, True)])
    if target.backend == "cpmpy":
        other = "choco" if target.solver == "ortools" else "ortools"
        trials, who = (
            try_out(replace(target, solver=other), folder, [(target.seed, True)]),
            f"CPMpy's {other}",
        )
    else:
        pairs = [(target.seed, False), (target.seed + 1, False), (target.seed + 1, True)]
        trials, who = try_out(target, folder, pairs), "the same solver without presolve or with another seed"
    found = [values for trial in trials for values in trial.found]
    known = [values for trial in faulty for values in trial.found]
    denied = (values for values in found if values not in known)
    best = next(denied, found[0] if found else None)
    return Witness(best, who) if best is not None else None
