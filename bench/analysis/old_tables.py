"""The tables that pictures still read; they go when those read measurements."""

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

import numpy as np
import pandas as pd

from bench.analysis import puzzles
from bench.analysis.tables import MEASUREMENT, PHASES, RESOLUTION_S, TASKS, in_order, labels, severity
from bench.campaign.validation import DONE
from bench.stats import median_interval
from models.shared.puzzle import Reported

MOST_COMPARED = 6
MOST_IN_ALL = 24
SIZES = ["variables", "constraints", "presolved_variables", "presolved_constraints"]
SHARES = {phase: f"{phase.removesuffix('_s')}_share" for phase in PHASES}
FIGURES = [*SIZES, *PHASES, "branches", "failures", "lp_iterations", "solutions", "peak_mb"]


def cells(runs: pd.DataFrame) -> pd.DataFrame:
    """One row a measurement, as measurements.py has it."""
    runs = runs.assign(done=runs["status"].isin(DONE))
    done = runs[runs["done"]].dropna(subset="total_s")
    failed = runs[~runs["done"]].sort_values("status", key=severity, kind="stable").groupby(MEASUREMENT)
    groups, finished = runs.groupby(MEASUREMENT), done.groupby(MEASUREMENT)
    attempts = runs.assign(attempt_s=runs["total_s"].where(runs["done"]).fillna(np.inf))
    table = pd.DataFrame({"runs": groups.size(), "done": groups["done"].sum()}).join(
        [
            groups[["size", "time_limit_s"]].max(),
            finished[FIGURES].median(),
            finished["total_s"].agg(list).rename("times"),
            phase_shares(done),
            by_seed(done, "total_s").rename("known"),
            by_seed(attempts, "attempt_s").rename("sample"),
            finished["branches"].agg(branches_low="min", branches_high="max"),
            failed[["status", "error"]].first(),
        ]
    )
    table["status"] = table["status"].fillna(groups["status"].first())
    table["error"] = table["error"].fillna("")
    for column in ("times", "known"):
        table[column] = [value if isinstance(value, list) else [] for value in table[column]]
    intervals = [median_interval(known) for known in table.pop("known")]
    table[["total_s", "total_low", "total_high"]] = np.array(intervals, dtype=float)
    table["coarse"] = table["total_s"] < RESOLUTION_S
    table = table.reset_index()
    table["label"] = labels(table)
    return in_order(table)


def phase_shares(done: pd.DataFrame) -> pd.DataFrame:
    """The share of each phase (SHARES) in the time of each cell's runs; NaN where no run tells it."""
    sums = done.groupby(MEASUREMENT)[[*PHASES, "total_s"]].sum(min_count=1)
    shares = sums[PHASES].div(sums["total_s"].where(sums["total_s"] > 0), axis="index")
    return shares.rename(columns=SHARES)


def by_seed(runs: pd.DataFrame, column: str) -> "pd.Series[Any]":
    """For each cell a list: the values of its runs, or if it has several seeds, the median of each."""
    seeds = runs.groupby([*MEASUREMENT, "seed"])[column].median().groupby(level=MEASUREMENT).agg(list)
    values = runs.groupby(MEASUREMENT)[column].agg(list)
    return values.where(seeds.map(len) == 1, seeds)


def reported_figures(puzzle: str) -> pd.DataFrame:
    """What the sources reported about a puzzle: a row for each system and instance, as in Reported.

    No rows for a puzzle that is not among the project's, or that cannot be imported.
    """
    return pd.DataFrame(
        [asdict(figures) for figures in puzzles.reported(puzzle)],
        columns=[field.name for field in fields(Reported)],
    )


def compared_task(table: pd.DataFrame, puzzle: str, instance: str) -> str:
    """The task that the models of an instance are compared by: one solution, else all of them.

    Args:
        table: of `cells`.
    """
    rows = table[(table["puzzle"] == puzzle) & (table["instance"] == instance)]
    return next(task for task in TASKS if task in set(rows["task"]))


def comparison(table: pd.DataFrame, puzzle: str, instance: str) -> pd.DataFrame:
    """The models of an instance side by side: our figures, then those that the sources reported.

    The figures are for the task of `compared_task`; what the sources reported is for one solution, and stands
    beside ours only if that is the task.

    Args:
        table: of `cells`.

    Returns:
        Columns system, formulation, SIZES, branches, failures, PHASES, total_s, reported (bool), note.
    """
    task = compared_task(table, puzzle, instance)
    ours = table[(table["puzzle"] == puzzle) & (table["instance"] == instance) & (table["task"] == task)]
    failed = ours["status"].where(ours["done"] == 0, "")
    ours = ours.assign(
        system=ours["label"], reported=False, note=ours["error"].where(ours["error"] != "", failed)
    )
    theirs = reported_figures(puzzle)
    theirs = theirs[(theirs["instance"] == instance) & (task == "first")].assign(reported=True)
    theirs["formulation"] = theirs["formulation"].fillna("")
    columns = [
        "system", "formulation", *SIZES, "branches", "failures", *PHASES, "total_s", "reported", "note",
    ]  # fmt: skip
    parts = [part.reindex(columns=columns) for part in (ours, theirs) if len(part)]
    return pd.concat([part.astype(object) for part in parts], ignore_index=True)


def compared_instances(table: pd.DataFrame) -> list[tuple[str, str]]:
    """The (puzzle, instance) pairs of which the models are compared in detail.

    All that some model solved, and all that sources reported figures for. Of a puzzle with many of them
    (MOST_COMPARED, MOST_IN_ALL) those with reported figures, and others evenly chosen by size.

    Args:
        table: of `cells`.
    """
    chosen = []
    most = max(1, min(MOST_COMPARED, MOST_IN_ALL // table["puzzle"].nunique()))
    for puzzle, rows in table.groupby("puzzle", sort=False):
        by_size = rows.sort_values("size", kind="stable")
        published = set(reported_figures(puzzle)["instance"])
        wanted = by_size.loc[(by_size["done"] > 0) | by_size["instance"].isin(published), "instance"]
        names = list(dict.fromkeys(wanted))
        first = [name for name in names if name in published]
        rest = [name for name in names if name not in published]
        picked = {*first, *evenly(rest, max(0, most - len(first)))}
        chosen += [(str(puzzle), name) for name in names if name in picked]
    return chosen


def evenly(names: Sequence[str], most: int) -> list[str]:
    """All of them, or of more than `most` so many, evenly spaced."""
    places = np.linspace(0, len(names) - 1, min(len(names), most)).round().astype(int)
    return [names[place] for place in places]
