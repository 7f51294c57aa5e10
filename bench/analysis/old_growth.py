"""How each model grows over the sizes of a family, how far it gets, and what the number of givens does."""

from dataclasses import dataclass
from math import nan

import numpy as np
import pandas as pd

from bench import catalogue
from bench.analysis import puzzles
from bench.analysis.tables import RESOLUTION_S, in_order, labels
from bench.campaign.selection import LEAST_SIZES
from bench.campaign.validation import DONE
from models.shared.puzzle import WithGivens

FAMILY = ["puzzle", "family", "task"]
"""What has a picture of its growth."""

MODEL = [*FAMILY, "label", "formulation"]
"""What the instances of a family that one model was tried on have in common."""

LEAST_POINTS, MOST_POINTS = 4, 6
"""From fewer sizes there is no rate of growth; of more the largest count, where search dominates."""

FIGURES = ["total_s", "branches", "variables", "constraints", "peak_mb"]


@dataclass(frozen=True)
class Rate:
    """The exponent b of a time that grows as size ** b, with its 95% interval; NaN where there is none."""

    value: float = nan
    low: float = nan
    high: float = nan

    def __str__(self) -> str:
        """The exponent and its interval; nothing if there is none."""
        return "" if np.isnan(self.value) else f"{self.value:.1f} ({self.low:.1f} to {self.high:.1f})"


def in_families(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs on instances of the project's families, with the columns family, label and done.

    Args:
        runs: of `tables.read_runs`.
    """
    family = {
        (puzzle, name): family
        for puzzle in set(runs["puzzle"]) & set(catalogue.puzzle_names())
        for family, paths in catalogue.families(puzzle).items()
        for name in paths
    }
    keys = zip(runs["puzzle"], runs["instance"], strict=True)
    runs = runs.assign(family=[family.get(key) for key in keys], label=labels(runs))
    return runs.dropna(subset="family").assign(done=lambda rows: rows["status"].isin(DONE))


def steps(runs: pd.DataFrame) -> pd.DataFrame:
    """One row a model and size, of families with several sizes: what became of the instances of this size.

    Args:
        runs: of `tables.read_runs`.

    Returns:
        Columns MODEL, size, time_limit_s, tried and solved (instances), reached (whether most are solved),
        status (the first that is no solution), example (the name of an instance), and of each of FIGURES,
        over what was solved, the median under its own name and the least and the most with _low and _high.
    """
    within = in_families(runs)
    within = within[within.groupby(["puzzle", "family"])["size"].transform("nunique") >= LEAST_SIZES]
    if within.empty:
        return pd.DataFrame(columns=[*MODEL, "size", "tried", "solved"])
    # First the repeats of an instance, then the instances of a size.
    one = within.groupby([*MODEL, "size", "instance"])
    each = one.agg(
        done=("done", "all"), status=("status", lambda of: worst(list(of))), limit=("time_limit_s", "max")
    )
    solved = within[within["done"]].groupby([*MODEL, "size", "instance"])[FIGURES].median()
    each = each.join(solved).reset_index()
    for figure in FIGURES:
        each[figure] = each[figure].where(each["done"])
    sizes = each.groupby([*MODEL, "size"])
    table = sizes.agg(
        tried=("done", "size"),
        solved=("done", "sum"),
        status=("status", lambda of: worst(list(of))),
        time_limit_s=("limit", "max"),
        example=("instance", "first"),
    )
    table["reached"] = 2 * table["solved"] > table["tried"]
    for figure in FIGURES:
        table[figure] = sizes[figure].median()
        table[f"{figure}_low"], table[f"{figure}_high"] = sizes[figure].min(), sizes[figure].max()
    return in_order(table.reset_index().assign(instance=lambda rows: rows["family"]))


def worst(statuses: list[str]) -> str:
    """The first status that is no solution, or the first."""
    return next((status for status in statuses if status not in DONE), statuses[0])


def frontier(table: pd.DataFrame) -> pd.DataFrame:
    """One row a model: the largest size at which it solves most instances.

    Args:
        table: of `steps`.

    Returns:
        Columns MODEL, size, example and total_s of that size (NaN if there is none); largest (that any model
        was tried on); failed (the next size that was tried, NaN if none); status (what became of it);
        rate (Rate).
    """
    if table.empty:
        return pd.DataFrame(columns=MODEL)
    rows = []
    largest = table.groupby(["puzzle", "family"])["size"].max()
    for model, sizes in table.groupby(MODEL, sort=False):
        won = sizes[sizes["reached"]]
        top = won.iloc[-1] if len(won) else pd.Series({"size": nan, "example": "", "total_s": nan})
        lost = sizes[~sizes["reached"] & ~(sizes["size"] < top["size"])]
        rows.append(
            {
                **dict(zip(MODEL, model, strict=True)),
                "size": top["size"],
                "example": top["example"],
                "total_s": top["total_s"],
                "largest": largest[model[:2]],
                "failed": lost["size"].min() if len(lost) else nan,
                "status": lost["status"].iloc[0] if len(lost) else "",
                "rate": rate(sizes),
            }
        )
    return pd.DataFrame(rows)


def rate(sizes: pd.DataFrame) -> Rate:
    """How the time of one model grows at the end: least squares of log time on log size, a point a size.

    Only sizes of which all instances were solved count (a time limit cuts off the longest times of the
    others), and times that are not coarse.
    """
    # scipy takes a quarter of a second to import.
    from scipy.stats import linregress, t

    known = sizes[(sizes["solved"] == sizes["tried"]) & (sizes["total_s"] >= RESOLUTION_S)].tail(MOST_POINTS)
    if len(known) < LEAST_POINTS:
        return Rate()
    fit = linregress(np.log(known["size"]), np.log(known["total_s"]))
    half = float(t.ppf(0.975, len(known) - 2) * fit.stderr)
    return Rate(float(fit.slope), float(fit.slope) - half, float(fit.slope) + half)


def givens(runs: pd.DataFrame) -> pd.DataFrame:
    """One row a run on a family of one size whose instances have givens, with their number in `givens`.

    Args:
        runs: of `tables.read_runs`.
    """
    within = in_families(runs)
    within = within[within.groupby(["puzzle", "family"])["size"].transform("nunique") == 1]
    number = {}
    for puzzle, family in within[["puzzle", "family"]].drop_duplicates().itertuples(index=False):
        for name, path in catalogue.families(puzzle)[family].items():
            loaded = puzzles.load(path)
            if isinstance(loaded, catalogue.Instance) and isinstance(loaded.puzzle, WithGivens):
                number[puzzle, name] = len(loaded.puzzle.givens)
    keys = zip(within["puzzle"], within["instance"], strict=True)
    found = within.assign(givens=[number.get(key, nan) for key in keys]).dropna(subset="givens")
    return in_order(found)
