"""Runs the project's command, as there is no solver to call alone: exits with 1 if the fault shows."""

import json
import os
import subprocess
import sys
from pathlib import Path

from bench.instruments.fuzz.showing import Target

_STATUSES = {"denies": "wrong infeasible", "breaks": "wrong", "fails": "crashed memout", "hangs": "timeout"}
"""How the project records a run with the fault."""


def main() -> None:
    """Runs the command."""
    os.chdir(Path(__file__).parent)
    target = Target(**json.loads(Path("show.json").read_text()))
    words = [sys.executable, "-m", "bench", "solve", target.model, "--json"]
    words += [*["--task", "count"] * target.count, "--backend", f"{target.backend}:{target.solver}"]
    words += ["--formulation", target.formulation, "--seed", f"{target.seed}"]
    words += ["--threads", f"{target.threads}", "--time-limit", f"{target.time_s}"]
    words += ["--program", target.program] if target.program else []
    ended = subprocess.run(words, capture_output=True, text=True)
    if not ended.stdout:
        print(ended.stderr + "This script needs a Python in which the project, puzzle-bench, is installed.")
        sys.exit(2)
    row = json.loads(ended.stdout)
    shows = row["status"] in _STATUSES[target.fault].split()
    print("Solutions that the checker accepts:", row["solutions"] or 0)
    print(f"The run is {row['status']}{': ' if row['error'] else ''}{row['error']}")
    print("The fault shows." if shows else "The fault does not show.")
    sys.exit(shows)


if __name__ == "__main__":
    main()
