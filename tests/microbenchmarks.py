"""Compares the microbenchmarks of a run with the saved ones: `python -m tests.microbenchmarks FILE [--save]`.

FILE is what `pytest -n 0 --benchmark-enable --benchmark-json FILE tests/test_benchmarks.py` wrote. No
absolute time is compared: each shortest time is divided by that of a reference load in the same run, that
ratio by the baseline's, and what all benchmarks of the processor share of it is taken off, since a load of a
second may meet a slow moment of the machine.
Exit codes: 0 pass, 1 a benchmark (or all) takes FACTOR times as long as it did, 4 nothing measured.
"""

import csv
import json
import sys
from pathlib import Path
from statistics import median

from bench.catalogue import ROOT

BASELINE = ROOT / "results" / "baseline" / "benchmarks.csv"
FACTOR = 2.5
"""Here the same code took 0.58 to 1.65 times as long from run to run; other processors differ by more."""

LOADS = {"test_record": "test_calibrate[disk]"}
"""What is compared with another load than that of the processor."""

PROCESSOR = "test_calibrate[processor]"


def ratios(file: Path) -> dict[str, float]:
    """How many times as long as its reference load each benchmark took at best."""
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
    """A line for each benchmark that takes FACTOR times as long as in the baseline."""
    with BASELINE.open(newline="") as file:
        saved = {row["benchmark"]: float(row["ratio"]) for row in csv.DictReader(file)}
    times = {name: ratio / saved[name] for name, ratio in found.items() if name in saved}
    # What the disk's load is compared with says nothing about the processor's.
    shared = median(time for name, time in times.items() if name not in LOADS)
    beside = {name: time / (1 if name in LOADS else shared) for name, time in times.items()}
    lines = [
        f"slower: {name}: {time:.1f} times as long, beside the others"
        for name, time in beside.items()
        if time > FACTOR
    ]
    if shared > FACTOR:
        lines.append(f"slower: most benchmarks: {shared:.1f} times as long, beside the reference load")
    return lines


def main(file: Path, saving: bool) -> int:
    """Compares or saves; gives the exit code."""
    found = ratios(file)
    if saving:
        save(found)
        return 0
    if not found:
        print("nothing measured")
        return 4
    lines = slower(found)
    print("\n".join(lines) or f"pass: {len(found)} microbenchmarks, none takes {FACTOR:g} times as long")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), "--save" in sys.argv))
