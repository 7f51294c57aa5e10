"""Tables from runs.csv: medians with intervals, and the seed comparison."""

from pathlib import Path

import numpy as np
import pandas as pd

from bench import catalogue
from bench.catalogue import RequestError
from bench.reading.intervals import median_interval
from bench.record import COLUMNS
from bench.verdict import DONE

CELL = ["puzzle", "instance", "backend", "solver", "formulation", "task"]
"""What the repeats of one measurement have in common."""

TEXT = {
    "campaign", "started_at", "puzzle", "instance", "instance_sha256", "backend", "solver", "solver_version",
    "formulation", "task", "status", "answer", "host", "cpu", "python", "version", "commit", "error",
    "solution",
}  # fmt: skip

SIZES = ["variables", "constraints", "presolved_variables", "presolved_constraints"]
COARSE_S = 0.010
"""A shorter time is coarse: forking and the first touch of memory are a part of it that varies."""

SPANS = {
    "below 10 ms": (0.0, COARSE_S),
    "10 to 50 ms": (COARSE_S, 0.05),
    "50 to 200 ms": (0.05, 0.2),
    "from 200 ms": (0.2, np.inf),
}
"""Times of different size vary differently."""

PHASES = ["build_s", "translate_s", "presolve_s", "search_s"]


def read_runs(folder: Path) -> pd.DataFrame:
    """The rows of a campaign's runs.csv; numbers as floats, NaN where there is no figure.

    Raises:
        RequestError: if there is no such file, it has other columns, or no rows.
    """
    path = folder / "runs.csv"
    try:
        runs = pd.read_csv(path, dtype=str, keep_default_na=False, encoding_errors="replace")
    except FileNotFoundError:
        raise RequestError(f"{path}: there is no such file") from None
    except (OSError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise RequestError(f"{path}: not a runs.csv ({error})") from None
    if missing := [column for column in COLUMNS if column not in runs.columns]:
        raise RequestError(f"{path}: the column {missing[0]} is missing")
    if runs.empty:
        raise RequestError(f"{path}: no run is recorded yet")
    for column in runs.columns:
        if column not in TEXT:
            runs[column] = pd.to_numeric(runs[column], errors="coerce")
    return runs


def cells(runs: pd.DataFrame) -> pd.DataFrame:
    """One row a cell (CELL): runs, how many are solved, the worst status, medians of the figures.

    A run counts as done if it is solved or proves that there is no solution; medians are over those.
    total_s has its interval in total_low and total_high, and the time of each run in times; it is coarse if
    it is below COARSE_S. branches has its range in branches_low and branches_high. label is the backend, with
    its solver where the campaign has several of them.
    """
    several = runs.groupby("backend")["solver"].nunique() > 1
    rows = []
    for cell, group in runs.groupby(CELL, sort=False):
        done = group[group["status"].isin(DONE)]
        failed = group[~group["status"].isin(DONE)]
        median, low, high = median_interval(done["total_s"])
        figures = {
            column: done[column].median() if done[column].notna().any() else np.nan
            for column in (*SIZES, *PHASES, "branches", "failures", "lp_iterations", "solutions", "peak_mb")
        }
        rows.append(
            dict(zip(CELL, cell, strict=True))
            | figures
            | {
                "label": f"{cell[2]}:{cell[3]}" if several[cell[2]] and cell[3] else cell[2],
                "runs": len(group),
                "done": len(done),
                "status": (failed if len(failed) else done)["status"].iloc[0],
                "error": failed["error"].iloc[0] if len(failed) else "",
                "total_s": median,
                "total_low": low,
                "total_high": high,
                "coarse": median < COARSE_S,
                "times": done["total_s"].tolist(),
                "branches_low": done["branches"].min(),
                "branches_high": done["branches"].max(),
            }
        )
    table = pd.DataFrame(rows)
    return table.sort_values([*CELL[:2], "task", "label", "formulation"], kind="stable", ignore_index=True)


def comparison(table: pd.DataFrame, puzzle: str, instance: str) -> pd.DataFrame:
    """The seed comparison: our figures for the task `first`, then those that the sources reported.

    Args:
        table: of `cells`.

    Returns:
        Columns system, formulation, SIZES, branches, PHASES, total_s, reported (bool), note.
    """
    ours = table[(table["puzzle"] == puzzle) & (table["instance"] == instance) & (table["task"] == "first")]
    ours = ours.assign(system=ours["label"], reported=False, note=ours["error"])
    theirs = pd.DataFrame(
        {
            "system": figures.system,
            "formulation": figures.formulation or "",
            "variables": figures.variables,
            "constraints": figures.constraints,
            "presolved_variables": figures.presolved_variables,
            "presolved_constraints": figures.presolved_constraints,
            "branches": figures.branches,
            "search_s": figures.search_s,
            "total_s": figures.total_s,
            "reported": True,
            "note": figures.note,
        }
        for figures in catalogue.reported(puzzle)
        if figures.instance == instance
    )
    columns = ["system", "formulation", *SIZES, "branches", *PHASES, "total_s", "reported", "note"]
    parts = [part.reindex(columns=columns) for part in (ours, theirs) if len(part)]
    return pd.concat([part.astype(object) for part in parts], ignore_index=True)


def compared_instances(table: pd.DataFrame) -> list[tuple[str, str]]:
    """The (puzzle, instance) pairs of the campaign that sources reported figures for."""
    return [
        (puzzle, instance)
        for puzzle, instance in dict.fromkeys(zip(table["puzzle"], table["instance"], strict=True))
        if puzzle in catalogue.puzzle_names()
        and any(figures.instance == instance for figures in catalogue.reported(puzzle))
    ]


def sentinel_times(runs: pd.DataFrame) -> list[float]:
    """What the sentinel measured during the campaign, in seconds, in order."""
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
    """One line for each instance and question on which models contradict each other, with who says what."""
    lines = []
    claims = runs[runs["status"].isin([*DONE, "wrong"]) & runs["solutions"].notna()]
    claims = claims.assign(
        model=claims["backend"] + ":" + claims["solver"] + " " + claims["formulation"],
        feasible=np.where(claims["solutions"] > 0, "feasible", "infeasible"),
        count=claims["solutions"].map("{:.0f} solutions".format),
    )
    for (instance, _), group in claims.groupby(["instance", "instance_sha256"], sort=False):
        refused = (group["solutions"] > 0) & (group["answer"] == "")
        counted = group[group["task"] == "count"]
        answered = group[~refused & (group["solutions"] > 0)]
        unique = len(counted) > 0 and (counted["solutions"] == 1).all()
        for question, said in (
            ("feasible", group[~refused]),
            ("count", counted),
            ("answer", answered if unique else answered[:0]),
        ):
            sides = said.groupby(question)["model"].unique()
            if len(sides) > 1:
                views = "; ".join(f"{view} by {', '.join(sorted(who))}" for view, who in sides.items())
                lines.append(f"{instance}: {'the answers differ: ' if question == 'answer' else ''}{views}")
    return lines


def ratios(base: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """The cells that two tables (of `cells`) both have solved, with `ratio`: median total_s of new / base."""
    both = base[base["done"] > 0].merge(new[new["done"] > 0], on=CELL, suffixes=("", "_new"))
    return both.assign(ratio=both["total_s_new"] / both["total_s"])
