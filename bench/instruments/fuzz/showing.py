"""What every show.py does: reads show.json, solves, says whether the fault shows. Needs Python alone."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Said = tuple[str, bool, list[Any]]
"""What a solver says, whether it ended its search, and its solutions: values by variable, or atoms."""


@dataclass(frozen=True)
class Target:
    """What show.py solves, with what, and what it looks for.

    The fault is `denies` if the search ends without a known solution among its own; `breaks` if a solution
    does not satisfy the model, or is given twice; `fails` if the process ends with an error, or the search
    without a result; `hangs` if it does not stop at its time limit.
    """

    name: str  # The solver with its release, for people.
    backend: str
    solver: str
    release: str  # What to install, as in `highspy==1.15.1`; empty if the project's command is run.
    model: str  # The file with the model.
    fault: str
    count: bool  # Whether all solutions are asked for, not one.
    seed: int
    threads: int
    time_s: float
    formulation: str = ""
    witness: bool = False  # Whether there is a witness.json.
    base_rows: int | None = None  # Later rows are added one by one, after a solve each; None for one solve.
    program: str = ""  # Of the user, as for `--program`.

    @property
    def judgeable(self) -> bool:
        """Whether what the solver says can tell if that is the fault."""
        return self.witness or self.fault == "breaks"


_Holds = Callable[[Target, Any, float], bool]


def main(solve: Callable[[Target, int, bool], Said], holds: _Holds) -> None:
    """Carries out show.py, which exits with 1 if the fault shows; or the trials that its arguments ask for.

    `solve` gets a seed, and whether to presolve; `holds` says if values satisfy the model, by a tolerance.
    """
    if len(sys.argv) > 2:
        target, pairs = Target(**json.loads(sys.argv[1])), json.loads(sys.argv[2])
        for seed, presolve in pairs:
            said, complete, found = solve(target, seed, presolve)
            shows = _shows(target, holds, complete, found) if target.judgeable else None
            result = {"found": found} if shows is None else {"shows": shows}
            line = json.dumps({"seed": seed, "presolve": presolve, "said": said} | result)
            print("\nTRIED", line, flush=True)
        return
    os.chdir(Path(sys.argv[0]).parent)
    target = Target(**json.loads(Path("show.json").read_text()))
    if target.fault in ("fails", "hangs") and "solve" not in sys.argv:
        words = [sys.executable, Path(sys.argv[0]).name, "solve"]
        try:
            code = subprocess.run(words, timeout=target.time_s + 5).returncode
            print("The process ends with the exit code", code)
            shows = target.fault == "fails" and code != 0
        except subprocess.TimeoutExpired:
            print("It does not end.")
            shows = True
    else:
        said, complete, found = solve(target, target.seed, target.solver != "nopresolve")
        print(f"It says: {said}; solutions: {len(found)}")
        if "solve" in sys.argv:
            sys.exit(not complete)
        if target.witness and target.count:
            missing, known = _missing(target, found), _missing(target, [])
            print("Known solutions that are missing:", len(missing), "of", len(known))
        elif target.witness:
            print("The witness satisfies the model:", holds(target, _missing(target, [])[0], 0))
        shows = _shows(target, holds, complete, found)
    print("The fault shows." if shows else "The fault does not show.")
    sys.exit(shows)


def _missing(target: Target, found: list[Any]) -> list[Any]:
    """The known solutions that are not found; one that is asked for may be another."""
    known = json.loads(Path("witness.json").read_text())
    if target.count:
        return [values for values in known if values not in found]
    return [] if found else [known]


def _shows(target: Target, holds: _Holds, complete: bool, found: list[Any]) -> bool:
    """Whether what a solver says is the fault; that the model has the missing solution is checked again."""
    if target.fault == "breaks":
        texts = {json.dumps(values, sort_keys=True) for values in found}
        return len(texts) < len(found) or not all(holds(target, values, 1e-6) for values in found)
    missing = _missing(target, found) if complete and target.witness else []
    return any(holds(target, values, 0) for values in missing)
