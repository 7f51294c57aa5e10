"""Chooses the size of the instances of the family `sample`, before any of them is made.

`python -m tests.pilot` generates instances of several sizes with seeds that the samples do not have, measures
the core backends on them, records that in results/pilot, and prints the size that the rule names.

The rule: let the time of a backend at a size be the median over the instances and both tasks, where what is
not solved counts the time limit. The size is the one at which the median over the core backends is nearest,
as a ratio, to TARGET_S.
"""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import log
from pathlib import Path

import pandas as pd

from bench import catalogue
from bench.analysis.tables import read_runs
from bench.instruments.generate.instance_file import Order, generate
from tests.families import with_one_solution

TARGET_S = 0.5

TIME_LIMIT_S = 10

SEEDS = (101, 102, 103)
"""No seed of the samples."""

SIZES = {
    "block_party": (10, 15, 20, 25, 30, 40),
    "bug_byte": (12, 16, 20, 24, 28, 32),
    "choco_banana": (6, 7, 8, 10, 12, 14),
    "cross_sums": (5, 6, 7, 8, 9, 10, 12),
    "die_agony": (16, 24, 32, 48, 64, 96),
    "hooks": (4, 5, 6, 7, 8, 9, 10),
    "knight_moves": (6, 8, 10, 12, 14, 16),
    "magic_hexagon": (3,),
    "number_cross": (4, 5, 6, 7),
    "sudoku": (9, 12, 16, 20, 25),
    "twenty_four_seven": (1, 2, 3, 4),
}
"""The sizes that count: those of which the generator makes an instance within about half a minute."""

FOLDER = catalogue.ROOT / "results" / "pilot"


def medians(runs: pd.DataFrame) -> pd.DataFrame:
    """The times in seconds by puzzle, size and backend, and their median over the backends.

    Args:
        runs: the columns puzzle, instance, backend, status, total_s and time_limit_s of runs.csv.
    """
    limit_s = runs["time_limit_s"]
    time_s = runs["total_s"].where(runs["status"] == "solved", limit_s).clip(upper=limit_s)
    size = runs["instance"].str.split("_").str[-2].astype(int)
    by_backend = runs.assign(time_s=time_s, size=size).groupby(["puzzle", "size", "backend"])["time_s"]
    table = by_backend.median().unstack()
    return table.assign(median=table.median(axis=1))


def chosen(table: pd.DataFrame) -> Mapping[str, int]:
    """The size that the rule names for each puzzle, by the table of `medians`; only SIZES count."""
    tried = table[[size in SIZES[puzzle] for puzzle, size in table.index]]
    distance = tried["median"].map(lambda time_s: abs(log(time_s / TARGET_S)))
    return {puzzle: int(of.idxmin()[1]) for puzzle, of in distance.groupby(level=0)}


def record(orders: Mapping[str, Order], folder: Path, arguments: Sequence[str]) -> None:
    """Generates instances by name where they are missing, and runs what `folder` has not recorded."""
    instances = catalogue.ROOT / "build" / folder.name
    instances.mkdir(parents=True, exist_ok=True)
    files = {instances / f"{name}.toml": order for name, order in orders.items()}

    def make(file: Path) -> None:
        if not file.exists():
            file.write_text(generate(files[file], time_limit_s=600), encoding="utf-8")

    with ThreadPoolExecutor() as threads:
        list(threads.map(make, files))
    # Relative to the project, so that what is recorded names no path of a machine.
    *inputs, out = (str(path.relative_to(catalogue.ROOT)) for path in (*files, folder))
    options = [*arguments, "--repeat", "1", "--time-limit", str(TIME_LIMIT_S), "--no-plots", "--no-logs"]
    command = [sys.executable, "-m", "bench", "run", *inputs, *options, "--out", out]
    subprocess.run(command, check=True, cwd=catalogue.ROOT)


def main() -> None:
    """Generates what is missing, measures what is not recorded, prints the table and the sizes."""
    orders = {
        f"{puzzle}_pilot_{size}_{seed}": with_one_solution(puzzle, size, seed)
        for puzzle in SIZES
        for size in SIZES[puzzle]
        for seed in SEEDS
    }
    record(orders, FOLDER, ["--formulation", "default", *sys.argv[1:]])
    table = medians(read_runs(FOLDER))
    print(table.round(3).to_string())
    print(dict(chosen(table)))


if __name__ == "__main__":
    main()
