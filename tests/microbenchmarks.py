"""Compares the microbenchmarks of a run with the saved ones: `python -m tests.microbenchmarks FILE [--save]`.

FILE is what `pytest --benchmark-json FILE tests/test_benchmarks.py` wrote. No absolute time is compared:
each shortest time is divided by that of a calibration load in the same run, and that ratio by the baseline's.
Exit codes: 0 pass, 1 a benchmark takes FACTOR times as long as it did, 4 nothing measured.
"""

import csv
import json
import sys
from pathlib import Path

from bench.catalogue import ROOT

BASELINE = ROOT / "results" / "baseline" / "benchmarks.csv"
FACTOR = 2.0
"""Another processor is better at one thing than at another, and a shared one is not steady."""

LOADS = {"test_record": "test_calibrate[disk]"}
"""What is compared with another load than that of the processor."""

PROCESSOR = "test_calibrate[processor]"


def ratios(file: Path) -> dict[str, float]:
    """How many times as long as its calibration load each benchmark took at best."""
    found = json.loads(file.read_text())["benchmarks"]
    times = {benchmark["name"]: float(benchmark["stats"]["min"]) for benchmark in found}
    return {
        name: time_s / times[LOADS.get(name, PROCESSOR)]
        for name, time_s in times.items()
        if not name.startswith("test_calibrate")
    }


def save(found: dict[str, float]) -> None:
    """Makes the ratios the baseline."""
    with BASELINE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("benchmark", "ratio"))
        writer.writerows((name, f"{ratio:.4g}") for name, ratio in sorted(found.items()))


def slower(found: dict[str, float]) -> list[str]:
    """A line for each benchmark that takes FACTOR times as long as in the baseline, by its load."""
    with BASELINE.open(newline="") as file:
        saved = {row["benchmark"]: float(row["ratio"]) for row in csv.DictReader(file)}
    return [
        f"slower: {name}: {ratio / saved[name]:.1f} times as long, by the calibration load of its run"
        for name, ratio in found.items()
        if ratio > FACTOR * saved.get(name, float("inf"))
    ]


def main(file: Path, saving: bool) -> int:
    """Compares or saves; gives the exit code."""
    found = ratios(file)
    if not found:
        print("nothing measured")
        return 4
    if saving:
        save(found)
        return 0
    lines = slower(found)
    print("\n".join(lines) or f"pass: {len(found)} microbenchmarks, none takes {FACTOR:g} times as long")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), "--save" in sys.argv))
