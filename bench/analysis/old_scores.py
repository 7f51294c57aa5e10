"""Across puzzles: what is solved how fast by each backend, and who beats whom.

A problem is one instance with one task. Each backend enters with one formulation a puzzle (`leading`), and
scores are over the problems that every backend was tried on, since others would compare different sets.
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from bench.analysis.tables import TASKS, in_order, rank
from bench.campaign.validation import NOT_TRIED
from bench.stats import Ratio, holm, ratio

Cell = Mapping[str, Any]
"""A row of `leading`."""

Problem = tuple[str, str, str]
"""A puzzle, an instance, a task."""

PROBLEM = ["puzzle", "instance", "task"]
SHIFT_S = 0.1
"""Added to each time before the geometric mean, so that microseconds of trivial problems do not decide."""

VIRTUAL_BEST = "virtual best"


def leading(table: pd.DataFrame) -> pd.DataFrame:
    """The cells of one formulation for each puzzle and backend: the one that solves most, then the fastest.

    Args:
        table: of `tables.cells`.

    Returns:
        Its rows, with time_s: the median of the sample, inf where half of it failed; and par2_s: the mean of
        the runs' times in seconds, where one that failed counts twice its time limit.
    """
    times = [float(np.median(sample)) for sample in table["sample"]]
    spent = table["times"].map(sum) + 2 * table["time_limit_s"] * (table["runs"] - table["times"].map(len))
    table = table.assign(time_s=times, par2_s=spent / table["runs"])
    solved = np.isfinite(table["time_s"])
    models = [table[column] for column in ("puzzle", "label", "formulation")]
    ranks = pd.DataFrame({"solved": solved, "mean": np.log(table["par2_s"])}).groupby(models)
    ranked = ranks.agg({"solved": "sum", "mean": "mean"}).reset_index()
    ranked = ranked.sort_values(["solved", "mean"], ascending=[False, True], kind="stable")
    best = ranked.drop_duplicates(["puzzle", "label"])[["puzzle", "label", "formulation"]]
    return in_order(table.merge(best))


def shared(led: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The rows of the problems that every backend was tried on, and how many problems that leaves out.

    A backend that was tried on nothing of a task (it is not installed, or cannot count) leaves nothing out.
    """
    tried = led[~led["status"].isin(NOT_TRIED)]
    by_problem, by_task = (tried.groupby(keys)["label"].transform("nunique") for keys in (PROBLEM, "task"))
    whole = by_problem == by_task
    return tried[whole], len(led[PROBLEM].drop_duplicates()) - len(
        tried.loc[whole, PROBLEM].drop_duplicates()
    )


def scores(led: pd.DataFrame) -> pd.DataFrame:
    """For each task and backend, and their virtual best: how much is solved, PAR-2, geometric mean.

    The virtual best takes the least time that any backend takes for the problem.

    Args:
        led: of `shared`.

    Returns:
        Columns task, label, problems, solved, par2_s (mean over the problems), mean_s (geometric mean
        with shift SHIFT_S, where what is not solved takes its time limit).
    """
    capped = np.minimum(led["time_s"], led["time_limit_s"])
    rows = led.assign(solved=np.isfinite(led["time_s"]), shifted=np.log(capped + SHIFT_S))
    best = rows.groupby(PROBLEM, as_index=False).agg({"solved": "max", "par2_s": "min", "shifted": "min"})
    rows = pd.concat([rows, best.assign(label=VIRTUAL_BEST)])
    table = rows.groupby(["task", "label"], sort=False).agg(
        problems=("solved", "size"),
        solved=("solved", "sum"),
        par2_s=("par2_s", "mean"),
        mean_s=("shifted", "mean"),
    )
    table["mean_s"] = np.exp(table["mean_s"]) - SHIFT_S
    order = table.reset_index().sort_values("par2_s", kind="stable")
    return order.sort_values("task", key=lambda tasks: tasks.map(list(TASKS).index), kind="stable")


def time_ratio(cell: Cell, other: Cell) -> Ratio:
    """How many times as long a cell took as another; a run that failed took longer than any that did not."""
    return ratio(cell["sample"], other["sample"])


def against_fastest(led: pd.DataFrame) -> pd.DataFrame:
    """The rows with the ratio of their time to that of the fastest backend for the problem.

    Returns:
        The columns fastest (a label; empty if nobody solved it), ratio, ratio_low, ratio_high beside; inf
        where it failed, NaN for an interval that the samples are too small for.
    """
    cells = led.to_dict("records")
    best: dict[Problem, Cell] = {}
    for cell in cells:
        if cell["time_s"] < best.setdefault(problem_of(cell), cell)["time_s"]:
            best[problem_of(cell)] = cell
    fastest = [best[problem_of(cell)] for cell in cells]
    compared = [
        Ratio(1.0, 1.0, 1.0) if cell is first and np.isfinite(cell["time_s"]) else time_ratio(cell, first)
        for cell, first in zip(cells, fastest, strict=True)
    ]
    return led.assign(
        fastest=[first["label"] if np.isfinite(first["time_s"]) else "" for first in fastest],
        ratio=[each.value for each in compared],
        ratio_low=[each.low for each in compared],
        ratio_high=[each.high for each in compared],
    )


def by_problem(led: pd.DataFrame) -> dict[Problem, list[Cell]]:
    """The cells of each problem, in order."""
    problems: dict[Problem, list[Cell]] = defaultdict(list)
    for cell in led.to_dict("records"):
        problems[problem_of(cell)].append(cell)
    return problems


def problem_of(cell: Cell) -> Problem:
    """Which problem a cell belongs to."""
    return cell["puzzle"], cell["instance"], cell["task"]


def pairs(led: pd.DataFrame) -> pd.DataFrame:
    """Every two backends on each task: how often one wins, and a paired test over the problems.

    One wins a problem where the interval of the ratio leaves out 1 (a run that failed took longer than any
    that did not), or that it always solves and the other never; else it is a tie. p is of Wilcoxon's
    signed-rank test on the logarithms of the ratios of median times, where what is not solved takes twice
    its time limit; p_holm is corrected for the number of pairs of a task.

    Returns:
        Columns task, label, other, problems, wins, ties, losses, ratio (geometric mean of the ratios of the
        times, label to other, over what both solve), p, p_holm.
    """
    # A second to import; only who reads across puzzles waits for it.
    from scipy.stats import wilcoxon

    found = []
    for task, rows in led[~led["status"].isin(NOT_TRIED)].groupby("task", sort=False):
        cells: dict[str, dict[Problem, Cell]] = defaultdict(dict)
        for cell in rows.to_dict("records"):
            cells[cell["label"]][problem_of(cell)] = cell
        for label, other in combinations(sorted(cells, key=rank), 2):
            both = [(cell, cells[other][key]) for key, cell in cells[label].items() if key in cells[other]]
            outcomes = [outcome(*pair) for pair in both]
            logs = [math.log(capped(cell) / capped(opponent)) for cell, opponent in both]
            solved = [
                log
                for log, pair in zip(logs, both, strict=True)
                if all(np.isfinite(cell["time_s"]) for cell in pair)
            ]
            found.append(
                {
                    "task": task,
                    "label": label,
                    "other": other,
                    "problems": len(both),
                    "wins": outcomes.count(1),
                    "ties": outcomes.count(0),
                    "losses": outcomes.count(-1),
                    "ratio": math.exp(np.mean(solved)) if solved else np.nan,
                    "p": float(wilcoxon(logs).pvalue) if any(logs) else 1.0,
                }
            )
    table = pd.DataFrame(
        found, columns=["task", "label", "other", "problems", "wins", "ties", "losses", "ratio", "p"]
    )
    return table.assign(p_holm=table.groupby("task")["p"].transform(holm))


def capped(cell: Cell) -> float:
    """The time of a cell in seconds; twice its time limit if it is not solved."""
    return float(min(cell["time_s"], 2 * cell["time_limit_s"]))


def outcome(cell: Cell, other: Cell) -> int:
    """1 if the cell beats the other one, -1 if it is beaten, 0 if that cannot be said."""
    shares = [row["done"] / row["runs"] for row in (cell, other)]
    if set(shares) == {0, 1}:
        return 1 if shares[0] else -1
    compared = time_ratio(cell, other)
    return (1 if compared.high < 1 else -1) if compared.differs else 0


def times(led: pd.DataFrame, task: str) -> pd.DataFrame:
    """Problems by backends: the times in seconds, inf where it is not solved."""
    return led[led["task"] == task].pivot(index=PROBLEM, columns="label", values="time_s")


def profile(matrix: pd.DataFrame) -> dict[str, list[float]]:
    """Dolan and More's performance profile: each backend's ratios to the best for what it solves, in order.

    The k-th of n ratios says on which share of the problems, k / n of those that anybody solves, the backend
    takes at most so many times as long as the best of the backends that are compared.

    Source:
        Dolan, More: Benchmarking optimization software with performance profiles (2002).
    """
    solvable = matrix[np.isfinite(matrix).any(axis=1)]
    ratios = solvable.div(solvable.min(axis=1), axis=0)
    return {str(label): sorted(ratios.loc[np.isfinite(ratios[label]), label]) for label in ratios}
