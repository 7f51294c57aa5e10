"""Tables from runs.csv: medians with intervals, and the seed comparison."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd

from bench.analysis import puzzles
from bench.analysis.units import plural
from bench.campaign import current as current_rows
from bench.campaign import results
from bench.campaign.results import COLUMNS
from bench.campaign.validation import CLAIMS, DONE, WRONG
from bench.catalogue.errors import RequestError
from bench.stats import median_interval
from models.shared.puzzle import Reported

MEASUREMENT = CELL = list(results.MEASUREMENT)
"""The columns that identify a measurement."""

CONTENTS = list(results.CONTENTS)
"""What a measurement depends on beside its names; times are never pooled over different ones."""

RUN = [*results.KEY, "repeat"]
"""What names a run; the later of two rows with the same name is that of the repeated run."""

TEXT = {
    "campaign", "started_at", "puzzle", "instance", "instance_sha256", "backend", "solver", "solver_version",
    "formulation", "task", "status", "answer", "host", "cpu", "python", "version", "commit", "error",
    "solution", "model_sha256", "rules_sha256",
}  # fmt: skip

TASKS = {"first": "one solution", "count": "all solutions"}
"""The tasks in the order in which they are shown, in words."""

CORE = ("cpsat", "milp", "csp", "backtrack")
"""The backends that come first, in this order; then the others by name."""

PROVENANCE = ("host", "cpu", "python", "version", "commit")

SIZES = ["variables", "constraints", "presolved_variables", "presolved_constraints"]
RESOLUTION_S = COARSE_S = 0.010
"""Timing resolution: forking and first touches of memory are a varying part of shorter times."""

SPANS = {
    "below 10 ms": (0.0, COARSE_S),
    "10 to 50 ms": (COARSE_S, 0.05),
    "50 to 200 ms": (0.05, 0.2),
    "from 200 ms": (0.2, np.inf),
}
"""Times of different size vary differently."""

PHASES = ["build_s", "translate_s", "presolve_s", "search_s"]
SHARES = {phase: f"{phase.removesuffix('_s')}_share" for phase in PHASES}
"""The columns of `cells` for the share of each phase."""

FIGURES = [*SIZES, *PHASES, "branches", "failures", "lp_iterations", "solutions", "peak_mb"]


MOST_COMPARED = 6
"""Of a puzzle's instances no more are compared in detail, nor shown in one picture; the tables have all."""

MOST_IN_ALL = 24
"""Nor in a campaign of many puzzles more than this; but at least one of each."""

SUPERSEDED = "superseded"


class NothingRecorded(RequestError):
    """A campaign without any run."""


@dataclass(frozen=True)
class Superseded:
    """How many rows of a campaign do not count, as later ones stand for them.

    Attributes:
        contents: of an instance, a model or a solver release that changed since.
        repeated: of runs that were made again.
    """

    contents: int = 0
    repeated: int = 0


def read_runs(folder: Path) -> pd.DataFrame:
    """The rows of a campaign's runs.csv that count (`current`); numbers as floats, NaN for no figure.

    Args:
        folder: the campaign's, or the file itself.

    Raises:
        RequestError: if there is no such file, or it has other columns.
        NothingRecorded: if it has no rows.
    """
    path = folder if folder.is_file() else folder / "runs.csv"
    rows = results.read(path)
    if not rows:
        raise NothingRecorded(f"{path}: no run is recorded yet")
    latest = current_rows.latest_contents(rows)
    numbers = current_rows.without_repeated(rows, latest)
    cells = zip(*[vars(rows[number]).values() for number in numbers], strict=True)
    runs = pd.DataFrame(
        {
            # Without a dtype pandas looks at every value, and calls columns without any figure objects.
            column: pd.array(values, dtype="str")
            if column in TEXT
            else np.array(values, dtype=float if None in values else None)
            for column, values in zip(COLUMNS, cells, strict=True)
        }
    )
    runs.attrs[SUPERSEDED] = Superseded(len(rows) - len(latest), len(latest) - len(numbers))
    return runs


def current(runs: pd.DataFrame) -> pd.DataFrame:
    """The rows that no later one supersedes (`campaign.current`), so that different contents are not pooled.

    Args:
        runs: the rows of one runs.csv, in its order.

    Returns:
        The rows, in the same order; `superseded` tells how many are left out.
    """
    columns = list(dict.fromkeys([*RUN, *CONTENTS, "status"]))
    named = runs[columns].astype(object).fillna("")
    rows = cast(list[results.Row], list(named.itertuples(index=False)))
    latest = current_rows.latest_contents(rows)
    numbers = current_rows.without_repeated(rows, latest)
    before, kept = superseded(runs), runs.iloc[numbers].reset_index(drop=True)
    kept.attrs[SUPERSEDED] = Superseded(
        before.contents + len(runs) - len(latest), before.repeated + len(latest) - len(numbers)
    )
    return kept


def superseded(runs: pd.DataFrame) -> Superseded:
    """How many rows `current` left out; none where the rows do not come from it."""
    found = runs.attrs.get(SUPERSEDED)
    return found if isinstance(found, Superseded) else Superseded()


def cells(runs: pd.DataFrame) -> pd.DataFrame:
    """One row a cell (CELL): runs, how many are solved, the worst status, medians of the figures.

    A run counts as done if it is solved or proves that there is no solution; medians are over those. `times`
    has the total_s of each. total_s is the median of them, or where there are several seeds, of the medians
    of each seed, since the repeats of one seed say nothing about another; its interval is in total_low and
    total_high; it is coarse if it is below COARSE_S. `sample` is what a comparison is made from: the times of
    all runs, again by seed where there are several, and inf for what failed. branches has its range in
    branches_low and branches_high. The shares of the phases (SHARES) are of the time of all these runs
    together: medians of phases need not add up to the median of the total. label is the backend, with its
    solver where the campaign has several.
    """
    runs = runs.assign(done=runs["status"].isin(DONE))
    done = runs[runs["done"]].dropna(subset="total_s")
    failed = runs[~runs["done"]].sort_values("status", key=severity, kind="stable").groupby(CELL)
    groups, finished = runs.groupby(CELL), done.groupby(CELL)
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
    table["coarse"] = table["total_s"] < COARSE_S
    table = table.reset_index()
    table["label"] = labels(table)
    return in_order(table)


def phase_shares(done: pd.DataFrame) -> pd.DataFrame:
    """The share of each phase (SHARES) in the time of each cell's runs; NaN where no run tells it."""
    sums = done.groupby(CELL)[[*PHASES, "total_s"]].sum(min_count=1)
    shares = sums[PHASES].div(sums["total_s"].where(sums["total_s"] > 0), axis="index")
    return shares.rename(columns=SHARES)


def severity(statuses: "pd.Series[str]") -> "pd.Series[float]":
    """The place of each status among WRONG; all others come behind."""
    return statuses.map({status: float(place) for place, status in enumerate(WRONG)}).fillna(len(WRONG))


def labels(table: pd.DataFrame) -> "pd.Series[str]":
    """What each row's model is called: its backend, with the solver where the table has several."""
    several = table.groupby("backend")["solver"].transform("nunique") > 1
    named = table["backend"] + ":" + table["solver"]
    return table["backend"].where(~several | (table["solver"] == ""), named)


def by_seed(runs: pd.DataFrame, column: str) -> "pd.Series[Any]":
    """For each cell a list: the values of its runs, or if it has several seeds, the median of each."""
    seeds = runs.groupby([*CELL, "seed"])[column].median().groupby(level=CELL).agg(list)
    values = runs.groupby(CELL)[column].agg(list)
    return values.where(seeds.map(len) == 1, seeds)


def in_order(table: pd.DataFrame) -> pd.DataFrame:
    """The rows by puzzle, instance, task (TASKS), backend (rank) and formulation."""
    keys = {"task": list(TASKS).index, "label": rank}
    return table.sort_values(
        [
            column
            for column in ("puzzle", "family", "instance", "task", "label", "formulation")
            if column in table
        ],
        key=lambda column: column.map(keys.get(str(column.name), lambda value: value)),
        kind="stable",
        ignore_index=True,
    )


def rank(label: str) -> tuple[int, str]:
    """The place of a backend (or backend:solver) in every order."""
    backend = label.partition(":")[0]
    return CORE.index(backend) if backend in CORE else len(CORE), label


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


def sentinel_times(runs: pd.DataFrame) -> list[float]:
    """The times of the reference load during the campaign, in seconds, in order."""
    times = runs.sort_values("started_at")["sentinel_s"].dropna().drop_duplicates()
    return [float(time) for time in times]


def same_seed_variation(runs: pd.DataFrame) -> dict[str, tuple[int, float]]:
    """By SPANS: how many models were run several times with one seed, and how much their total_s varied.

    The variation of a model is the standard deviation as a share of the mean; here is the median over models.
    """
    times = runs[runs["status"].isin(DONE)].groupby([*CELL, "seed"])["total_s"]
    models = pd.DataFrame(
        {"runs": times.size(), "median": times.median(), "varies": times.std() / times.mean()}
    )
    models = models[models["runs"] > 1]
    found = {}
    for span, (low, high) in SPANS.items():
        varies = models.loc[models["median"].between(low, high, inclusive="left"), "varies"]
        if len(varies):
            found[span] = len(varies), float(varies.median())
    return found


def disagreements(runs: pd.DataFrame) -> list[str]:
    """One line for each instance and question on which models contradict each other, with who says what.

    Solutions that passed the checker are witnesses: who claims fewer than some run found is refuted. A run
    that crashed, or a solution of which was refused, claims nothing.
    """
    lines = []
    keys = ["instance", "instance_sha256", "rules_sha256"]
    runs = runs.assign(most=runs.groupby(keys)["witnesses"].transform("max"))
    claims = runs[runs["status"].isin([*CLAIMS, "wrong"]) & runs["solutions"].notna() & ~refused(runs)]
    claims = claims.assign(
        model=claims["backend"] + ":" + claims["solver"] + " " + claims["formulation"],
        feasible=np.where(claims["solutions"] > 0, "feasible", "infeasible"),
        count=claims["solutions"].map(lambda number: plural(number, "solution")),
    )
    views = claims.assign(
        count=claims["count"].where(claims["task"] == "count"),
        answer=claims["answer"].where(claims["answer"] != ""),
    )
    differ = (views.groupby(keys)[["feasible", "count", "answer"]].transform("nunique") > 1).any(axis=1)
    for (instance, *_), group in claims[differ].groupby(keys, sort=False):
        counted = group[group["task"] == "count"]
        answered = group[group["solutions"] > 0]
        unique = len(counted) > 0 and (counted["solutions"] == 1).all()
        for question, said in (
            ("feasible", group),
            ("count", counted),
            ("answer", answered if unique else answered[:0]),
        ):
            order = said.sort_values(["solutions", question], ascending=[False, True], kind="stable")
            sides = order.groupby(question, sort=False)
            if len(sides) > 1:
                witnesses = 0 if question == "answer" else group["most"].iloc[0]
                views = "; ".join(
                    f"{view} by {', '.join(sorted(side['model'].unique()))}{refuted(side, witnesses)}"
                    for view, side in sides
                )
                lines.append(f"{instance}: {'the answers differ: ' if question == 'answer' else ''}{views}")
    return lines


def refused(runs: pd.DataFrame) -> "pd.Series[bool]":
    """Which runs handed in a solution that the checker refused: it is recorded, and has no answer."""
    told, answered = (runs[column].notna() & (runs[column] != "") for column in ("solution", "answer"))
    return (runs["status"] == "wrong") & ((runs["solutions"] > 0) | told) & ~answered


def refuted(claims: pd.DataFrame, witnesses: float) -> str:
    """What refutes claims of so many solutions, if more of them passed the checker; else nothing."""
    if not witnesses > claims["solutions"].max():
        return ""
    found = "a solution" if witnesses == 1 else f"{witnesses:.0f} different solutions"
    return f", refuted: {found} passed the checker"
