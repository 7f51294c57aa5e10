"""Measurements: what the repeats of a run have in common, and what they say together."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain
from math import isnan
from statistics import median
from typing import NamedTuple

import numpy as np
import pandas as pd

from bench.analysis.tables import MEASUREMENT, PHASES, RESOLUTION_S, in_order, labels, severity
from bench.contract import Status, Task
from bench.stats import Interval, median_interval


class Problem(NamedTuple):
    """An instance with a task."""

    puzzle: str
    instance: str
    task: Task


@dataclass(frozen=True)
class Figures:
    """What is known of a model and its search, in the units of runs.csv; None for no figure."""

    variables: float | None = None
    constraints: float | None = None
    presolved_variables: float | None = None
    presolved_constraints: float | None = None
    build_s: float | None = None
    translate_s: float | None = None
    presolve_s: float | None = None
    search_s: float | None = None
    branches: float | None = None
    failures: float | None = None
    lp_iterations: float | None = None
    solutions: float | None = None
    peak_mb: float | None = None

    @property
    def phases(self) -> dict[str, float]:
        """The time of each phase that is known, in seconds, by its name in PHASES and in their order."""
        times = {phase: getattr(self, phase) for phase in PHASES}
        return {phase: time for phase, time in times.items() if time is not None}

    @property
    def solved_by_presolve(self) -> bool:
        """Whether presolve, or propagation at the root, removes everything, so that no search is left.

        Where the number of variables is unknown, constraints and branches decide.
        """
        if self.branches:
            return False
        if self.presolved_variables is not None:
            return self.presolved_variables == 0 and not self.presolved_constraints
        return self.presolved_constraints == 0 and self.branches == 0


FIGURES = [field.name for field in fields(Figures)]


@dataclass(frozen=True)
class Measurement:
    """The runs of one model on one problem.

    Attributes:
        label: the backend, with its solver where the campaign has several of it.
        size: unknowns of the puzzle.
        time_limit_s: the largest of the runs.
        runs: how many there are.
        conclusive: how many of them were conclusive.
        status: the worst of all runs.
        error: of a run with this status.
        times: total time of each conclusive run, in seconds.
        sample: what comparisons use: the total time of each run, inf if it was not conclusive; with several
            seeds the median for each, since the repeats of one seed say nothing about another.
        total: median total time with its 95% interval; with several seeds of the medians for each. None if
            no run was conclusive.
        figures: medians over the conclusive runs.
        branches_range: the fewest and the most branches of a conclusive run.
        shares: by phase (PHASES) its share in the time of all conclusive runs together. Medians of phases
            need not add up to the median of the total.
    """

    puzzle: str
    instance: str
    backend: str
    solver: str
    formulation: str
    task: Task
    label: str
    size: float
    time_limit_s: float
    runs: int
    conclusive: int
    status: Status
    error: str
    times: tuple[float, ...]
    sample: tuple[float, ...]
    total: Interval | None = None
    figures: Figures = Figures()
    branches_range: tuple[float, float] | None = None
    shares: Mapping[str, float] = field(default_factory=dict)

    @property
    def problem(self) -> Problem:
        """The problem that was to be solved."""
        return Problem(self.puzzle, self.instance, self.task)

    @property
    def model(self) -> str:
        """The label and the formulation."""
        return f"{self.label} {self.formulation}".rstrip()

    @property
    def inconclusive(self) -> int:
        """How many runs were not conclusive."""
        return self.runs - self.conclusive

    @property
    def total_s(self) -> float | None:
        """The median total time in seconds, None if no run was conclusive."""
        return self.total and self.total.median

    @property
    def below_resolution(self) -> bool:
        """Whether the median total time is below timing resolution (RESOLUTION_S)."""
        return self.total is not None and self.total.median < RESOLUTION_S

    @property
    def time_s(self) -> float:
        """The median of the sample in seconds: inf where half of it was not conclusive."""
        return median(self.sample)

    @property
    def solved(self) -> bool:
        """Whether the measurement counts as solved: less than half of its sample was not conclusive."""
        return self.time_s < np.inf

    @property
    def par2_s(self) -> float:
        """The mean time of the runs in seconds, where one that was not conclusive counts twice its limit."""
        penalties = 2 * self.time_limit_s * (self.runs - len(self.times))
        return (sum(self.times) + penalties) / self.runs


def measurements(runs: pd.DataFrame) -> list[Measurement]:
    """The measurements of a campaign, in the order of all tables.

    Args:
        runs: of `tables.read_runs`.
    """
    conclusive = is_conclusive(runs)
    runs = runs.assign(conclusive=conclusive, sample_s=runs["total_s"].where(conclusive).fillna(np.inf))
    done = runs[conclusive].dropna(subset="total_s")
    # The worst first: what was not conclusive, in order of severity, then the rest.
    ranked = runs.assign(severity=severity(runs["status"])).sort_values(
        ["conclusive", "severity"], kind="stable"
    )
    groups, finished = runs.groupby(MEASUREMENT), done.groupby(MEASUREMENT)
    table = pd.DataFrame({"runs": groups.size(), "conclusive": groups["conclusive"].sum()}).join(
        [
            groups[["size", "time_limit_s"]].max(),
            ranked.groupby(MEASUREMENT)[["status", "error"]].first().fillna({"error": ""}),
            finished[FIGURES].median(),
            finished["branches"].agg(branches_low="min", branches_high="max"),
            phase_shares(done),
        ]
    )
    table = table.reset_index()
    table["label"] = labels(table)
    times, samples = by_seed(done, "total_s"), by_seed(runs, "sample_s")
    found = []
    for row in in_order(table).itertuples(index=False):
        key = tuple(getattr(row, column) for column in MEASUREMENT)
        found.append(
            Measurement(
                puzzle=row.puzzle,
                instance=row.instance,
                backend=row.backend,
                solver=row.solver,
                formulation=row.formulation,
                task=Task(row.task),
                label=row.label,
                size=float(row.size),
                time_limit_s=float(row.time_limit_s),
                runs=int(row.runs),
                conclusive=int(row.conclusive),
                status=Status(row.status),
                error=row.error if row.conclusive < row.runs else "",
                times=tuple(chain(*times.get(key, ()))),
                sample=independent(samples[key]),
                total=median_interval(independent(times[key])) if key in times else None,
                figures=Figures(*(known(getattr(row, name)) for name in FIGURES)),
                branches_range=None if isnan(row.branches_low) else (row.branches_low, row.branches_high),
                shares={
                    phase: share for phase in PHASES if not isnan(share := getattr(row, f"{phase}_share"))
                },
            )
        )
    return found


def is_conclusive(runs: pd.DataFrame) -> "pd.Series[bool]":
    """Which runs are conclusive."""
    return runs["status"].isin([status.value for status in Status if status.conclusive])


def known(value: float) -> float | None:
    """The value, None for NaN."""
    return None if isnan(value) else float(value)


def phase_shares(done: pd.DataFrame) -> pd.DataFrame:
    """The share of each phase in the time of each measurement's runs, NaN where no run gives it."""
    sums = done.groupby(MEASUREMENT)[[*PHASES, "total_s"]].sum(min_count=1)
    shares = sums[PHASES].div(sums["total_s"].where(sums["total_s"] > 0), axis="index")
    return shares.add_suffix("_share")


def by_seed(runs: pd.DataFrame, column: str) -> dict[tuple[str, ...], list[list[float]]]:
    """The values of a column by measurement: a list for each seed, in the order of the seeds."""
    found: dict[tuple[str, ...], dict[float, list[float]]] = defaultdict(lambda: defaultdict(list))
    for *key, seed, value in runs[[*MEASUREMENT, "seed", column]].itertuples(index=False, name=None):
        found[tuple(key)][seed].append(value)
    return {key: [seeds[seed] for seed in sorted(seeds)] for key, seeds in found.items()}


def independent(seeds: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The values of a single seed; of several the median for each."""
    return tuple(*seeds) if len(seeds) == 1 else tuple(map(median, seeds))
