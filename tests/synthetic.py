"""Campaigns of any size with invented times: `python -m tests.synthetic FOLDER INSTANCES REPEATS`.

The rows are like those of a campaign of all puzzles, and some of the runs failed.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_type_hints

import numpy as np
import pandas as pd

from bench.campaign.results import COLUMNS, Row, read
from bench.contract import Status, Task

PUZZLES = {"block_party": 0.05, "bug_byte": 0.1, "die_agony": 0.02, "magic_hexagon": 0.3, "number_cross": 0.7}
"""Typical times in seconds."""

MODELS = {
    ("cpsat", "cpsat", "windows"): 1.0,
    ("cpsat", "cpsat", "textbook"): 2.0,
    ("milp", "highs", "windows"): 1.5,
    ("csp", "recursive", "nearest"): 8.0,
    ("backtrack", "python", "shaving"): 0.8,
}
"""Backend, solver and formulation, and its time relative to the typical one."""

ROWS = len(PUZZLES) * len(MODELS) * 2
"""A campaign has so many rows for each instance of a puzzle and repeat."""


ROW = Row(
    campaign="", started_at="", puzzle="p", instance="i", instance_sha256="s", size=1, backend="b",
    solver="s", solver_version="", formulation="f", task=Task.COUNT, seed=1, repeat=1, threads=1,
    time_limit_s=60.0, memory_limit_mb=4096, status=Status.SOLVED, solutions=1, witnesses=1, answer="7",
    solution="[1]", total_s=1.0, overhead_s=0.01,
)  # fmt: skip
"""A row of a run that counted one solution."""


def campaign(instances: int, repeats: int, failing: float = 0.03, seed: int = 1) -> pd.DataFrame:
    """ROWS * instances * repeats rows of a runs.csv."""
    rng = np.random.default_rng(seed)
    measurements = [
        {
            "puzzle": puzzle, "instance": f"{puzzle}_{number:03}", "instance_sha256": f"{number:064}",
            "size": 100 + number, "backend": backend, "solver": solver, "solver_version": "1.0",
            "formulation": formulation, "task": task,
            "total_s": time_s * factor * (1 + 0.1 * number),
        }
        for puzzle, time_s in PUZZLES.items()
        for number in range(instances)
        for (backend, solver, formulation), factor in MODELS.items()
        for task in ("first", "count")
    ]  # fmt: skip
    runs = pd.DataFrame(measurements).loc[lambda rows: rows.index.repeat(repeats)].reset_index(drop=True)
    runs["repeat"] = runs.groupby(["instance", "backend", "formulation", "task"]).cumcount() + 1
    runs["total_s"] *= np.exp(rng.normal(0, 0.1, len(runs)))
    same: dict[str, Any] = {
        "campaign": "synthetic", "started_at": "2026-01-01T00:00:00.000+00:00", "seed": 1, "threads": 1,
        "time_limit_s": 60.0, "memory_limit_mb": 4096, "status": "solved", "solutions": 1, "answer": "42",
        "variables": 500, "constraints": 1000, "presolved_variables": 20, "presolved_constraints": 30,
        "branches": 7, "failures": 3, "peak_mb": 90, "overhead_s": 0.01, "disturbed": 0, "reference_s": 0.01,
        "host": "host", "cpu": "processor", "python": "3.11", "version": "0.1.0", "commit": "abc",
        "model_sha256": f"{1:064}", "rules_sha256": f"{2:064}", "witnesses": 1, "collection": "",
        "release": "",
    }  # fmt: skip
    runs = runs.assign(**same).assign(
        build_s=0.3 * runs["total_s"], presolve_s=0.2 * runs["total_s"], search_s=0.5 * runs["total_s"]
    )
    failed = rng.random(len(runs)) < failing
    runs.loc[failed, ["status", "error"]] = ["timeout", "killed: it did not stop at its time limit"]
    runs.loc[failed, ["total_s", "solutions", "answer", "build_s", "presolve_s", "search_s", "branches"]] = (
        None
    )
    return runs.reindex(columns=list(COLUMNS))


def on_hosts(runs: pd.DataFrame, slower: Mapping[str, float], seed: int = 1) -> pd.DataFrame:
    """The runs with each block on one of these hosts, all of whose times are so many times as long."""
    rng = np.random.default_rng(seed)
    blocks = runs.groupby(["puzzle", "instance", "task", "seed", "repeat"]).ngroup()
    host = pd.Series(rng.choice(list(slower), blocks.max() + 1)).loc[blocks].to_numpy()
    factors = pd.Series(host, runs.index).map(slower)
    times = ["total_s", "build_s", "presolve_s", "search_s", "reference_s"]
    return runs.assign(host=host, **{column: runs[column].astype(float) * factors for column in times})


def write(folder: Path, runs: pd.DataFrame) -> None:
    """Writes the rows as the runs.csv of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = [name for name, kind in get_type_hints(Row).items() if kind in (int, int | None)]
    numbers = {column: pd.to_numeric(runs[column]).astype("Int64") for column in whole if column in runs}
    runs.assign(**numbers).to_csv(folder / "runs.csv", index=False)


def rows(runs: pd.DataFrame) -> list[Row]:
    """The rows as they are read from a runs.csv."""
    with TemporaryDirectory() as folder:
        write(Path(folder), runs)
        return read(Path(folder) / "runs.csv")


if __name__ == "__main__":
    write(Path(sys.argv[1]), campaign(int(sys.argv[2]), int(sys.argv[3])))
