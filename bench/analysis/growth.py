"""Growth of each model over the sizes of a family, the largest size it solves, hardness by givens."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import NamedTuple

import numpy as np
import pandas as pd

from bench import catalogue
from bench.analysis import puzzles
from bench.analysis.measurements import is_conclusive, known
from bench.analysis.tables import RESOLUTION_S, in_order, labels
from bench.campaign.selection import LEAST_SIZES
from bench.contract import Status, Task
from bench.stats import Interval
from models.shared.puzzle import WithGivens

MODEL = ["puzzle", "family", "task", "label", "formulation"]
"""The columns that identify a model on the instances of a family."""

LEAST_POINTS, MOST_POINTS = 4, 6
"""From fewer sizes there is no rate of growth; of more the largest count, where search dominates."""

FIGURES = ["total_s", "branches", "variables", "constraints", "peak_mb"]


class Family(NamedTuple):
    """A family of generated instances with a task: each has a picture of its growth."""

    puzzle: str
    name: str
    task: Task


@dataclass(frozen=True)
class Step:
    """A model on the instances of one size of a family.

    Attributes:
        size: unknowns of the puzzle.
        time_limit_s: the largest of the runs.
        tried: how many instances were tried.
        solved: how many of them were solved in every run.
        status: the first that is not conclusive, if there is one.
        example: the name of an instance.
        total_s, branches, variables, constraints, peak_mb: median, least and most over the instances that
            were solved, None if there are none.
    """

    family: Family
    label: str
    formulation: str
    size: float
    time_limit_s: float
    tried: int
    solved: int
    status: Status
    example: str
    total_s: Interval | None
    branches: Interval | None
    variables: Interval | None
    constraints: Interval | None
    peak_mb: Interval | None

    @property
    def reached(self) -> bool:
        """Whether most instances of the size are solved."""
        return 2 * self.solved > self.tried


class Rate(NamedTuple):
    """The exponent b of a time that grows as size ** b, with its 95% interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """The exponent and its interval."""
        return f"{self.value:.1f} ({self.low:.1f} to {self.high:.1f})"


@dataclass(frozen=True)
class Frontier:
    """The largest size of a family of which a model solves most instances.

    Attributes:
        size: this size, None if there is none.
        example: the name of an instance of this size.
        total_s: median time at this size, in seconds.
        largest: the largest size that any model was tried on.
        failed: the next size that was tried, of which most instances are unsolved; None if there is none.
        status: of that next size.
        rate: how its time grows with size, None where that is unknown.
    """

    family: Family
    label: str
    formulation: str
    size: float | None
    example: str
    total_s: float | None
    largest: float
    failed: float | None
    status: Status | None
    rate: Rate | None


@dataclass(frozen=True)
class GivensRun:
    """A run on an instance with givens, of a family whose instances have the same size."""

    family: Family
    instance: str
    label: str
    formulation: str
    size: float
    givens: int
    conclusive: bool
    time_limit_s: float
    total_s: float | None
    branches: float | None


def in_families(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs on instances of the project's families, with the columns family, label and conclusive.

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
    return runs.dropna(subset="family").assign(conclusive=is_conclusive)


def steps(runs: pd.DataFrame) -> list[Step]:
    """What became of the instances of each size, by model; of families with several sizes.

    Args:
        runs: of `tables.read_runs`.

    Returns:
        In the order of all tables, the smallest size of a model first.
    """
    within = in_families(runs)
    within = within[within.groupby(["puzzle", "family"])["size"].transform("nunique") >= LEAST_SIZES]
    if within.empty:
        return []
    # First the repeats of an instance, then the instances of a size.
    one = within.groupby([*MODEL, "size", "instance"])
    each = one.agg(
        solved=("conclusive", "all"), status=("status", worst), time_limit_s=("time_limit_s", "max")
    )
    figures = within[within["conclusive"]].groupby([*MODEL, "size", "instance"])[FIGURES].median()
    each = each.join(figures).reset_index()
    each[FIGURES] = each[FIGURES].where(each["solved"])
    sizes = each.groupby([*MODEL, "size"])
    table = sizes.agg(
        tried=("solved", "size"), solved=("solved", "sum"), status=("status", worst),
        time_limit_s=("time_limit_s", "max"), example=("instance", "first"),
    )  # fmt: skip
    spreads = {name: sizes[name].agg(["median", "min", "max"]) for name in FIGURES}
    table = table.join([spread.add_prefix(f"{name}_") for name, spread in spreads.items()]).reset_index()
    return [
        Step(
            family=Family(row.puzzle, row.family, Task(row.task)),
            label=row.label,
            formulation=row.formulation,
            size=float(row.size),
            time_limit_s=float(row.time_limit_s),
            tried=int(row.tried),
            solved=int(row.solved),
            status=Status(row.status),
            example=row.example,
            **{name: spread(*(getattr(row, f"{name}_{end}") for end in ENDS)) for name in FIGURES},
        )
        for row in in_order(table).itertuples(index=False)
    ]


ENDS = ["median", "min", "max"]


def spread(median: float, low: float, high: float) -> Interval | None:
    """An interval, None where there are no values."""
    return None if isnan(median) else Interval(median, low, high)


def worst(statuses: "pd.Series[str]") -> str:
    """The first status that is not conclusive, or the first."""
    return str(next((status for status in statuses if not Status(status).conclusive), statuses.iloc[0]))


def by_model(steps: Iterable[Step]) -> list[list[Step]]:
    """The steps of each model in a family, the smallest size first."""
    models: dict[tuple[Family, str, str], list[Step]] = {}
    for step in steps:
        models.setdefault((step.family, step.label, step.formulation), []).append(step)
    return list(models.values())


def frontier(steps: Sequence[Step]) -> list[Frontier]:
    """The largest size at which each model solves most instances.

    Args:
        steps: of `steps`.
    """
    largest: dict[tuple[str, str], float] = {}
    for step in steps:
        where = step.family[:2]
        largest[where] = max(step.size, largest.get(where, 0))
    found = []
    for sizes in by_model(steps):
        top = next((step for step in reversed(sizes) if step.reached), None)
        lost = next((step for step in sizes if not step.reached and (not top or step.size > top.size)), None)
        found.append(
            Frontier(
                family=sizes[0].family,
                label=sizes[0].label,
                formulation=sizes[0].formulation,
                size=top.size if top else None,
                example=top.example if top else "",
                total_s=top.total_s.median if top and top.total_s else None,
                largest=largest[sizes[0].family[:2]],
                failed=lost.size if lost else None,
                status=lost.status if lost else None,
                rate=rate(sizes),
            )
        )
    return found


def rate(sizes: Sequence[Step]) -> Rate | None:
    """The rate at which the time of a model grows with size: least squares of log time on log size.

    Only sizes of which all instances are solved count, as a time limit cuts off the longest times of the
    others, and times that are not below timing resolution. None if there are fewer than LEAST_POINTS.
    """
    # scipy takes a quarter of a second to import.
    from scipy.stats import linregress, t

    points = [
        (step.size, step.total_s.median)
        for step in sizes
        if step.solved == step.tried and step.total_s and step.total_s.median >= RESOLUTION_S
    ][-MOST_POINTS:]
    if len(points) < LEAST_POINTS:
        return None
    fit = linregress(*np.log(points).T)
    half = float(t.ppf(0.975, len(points) - 2) * fit.stderr)
    return Rate(float(fit.slope), float(fit.slope) - half, float(fit.slope) + half)


def givens(runs: pd.DataFrame) -> list[GivensRun]:
    """The runs on families of one size whose instances have givens, in the order of all tables.

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
    return [
        GivensRun(
            family=Family(row.puzzle, row.family, Task(row.task)),
            instance=row.instance,
            label=row.label,
            formulation=row.formulation,
            size=float(row.size),
            givens=number[row.puzzle, row.instance],
            conclusive=bool(row.conclusive),
            time_limit_s=float(row.time_limit_s),
            total_s=known(row.total_s),
            branches=known(row.branches),
        )
        for row in in_order(within).itertuples(index=False)
        if (row.puzzle, row.instance) in number
    ]
