"""Measurements: what the repeats of a run have in common, and what they say together."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields
from itertools import groupby
from math import inf, isnan
from operator import attrgetter, itemgetter
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pandas as pd

from bench.analysis import tables
from bench.analysis.tables import MEASUREMENT, PHASES, RESOLUTION_S, grouped
from bench.analysis.trajectories import Trajectory, best_known, trajectory
from bench.campaign.results import MODEL_AND_SOLVER
from bench.contract import Status, Task
from bench.environment.index import by_version
from bench.stats import Interval, median_interval


class Problem(NamedTuple):
    """An instance with a task."""

    puzzle: str
    instance: str
    task: Task


class Place(NamedTuple):
    """What the runs of a block have in common beside their problem: one host executed them back to back.

    The session counts: a model that was added later, or executed again, has no part in earlier blocks.
    """

    host: str
    session: int
    seed: int
    repeat: int


@dataclass(frozen=True)
class Figures:
    """What is known of a model and its search, in the units of runs.csv; None for no figure.

    Here build_s is without reasoning_s.
    """

    variables: float | None = None
    constraints: float | None = None
    presolved_variables: float | None = None
    presolved_constraints: float | None = None
    reasoning_s: float | None = None
    build_s: float | None = None
    translate_s: float | None = None
    presolve_s: float | None = None
    search_s: float | None = None
    branches: float | None = None
    failures: float | None = None
    lp_iterations: float | None = None
    cpu_s: float | None = None
    rounds: float | None = None
    solutions: float | None = None
    peak_mb: float | None = None
    instructions: float | None = None

    @property
    def phases(self) -> dict[str, float]:
        """The time of each phase that is known, in seconds, by its name in PHASES and in their order."""
        return {phase: time for phase in PHASES if (time := getattr(self, phase)) is not None}


FIGURES = [field.name for field in fields(Figures)]


@dataclass(frozen=True)
class Measurement:
    """The runs of one model on one problem.

    Attributes:
        label: of `tables.labels`.
        size: unknowns of the puzzle.
        time_limit_s: the largest of the runs.
        runs, conclusive, seeds: how many runs there are, conclusive ones, and seeds.
        status: the worst of all runs; `error` is of a run with this status.
        times: total time of each conclusive run.
        sample: what comparisons use: the total time of each run, inf if it was not conclusive; with several
            seeds the median for each, since the repeats of one seed say nothing about another.
        unbuilt: as the sample, without the time of building the model.
        total: median of `times` with its 95% interval, with several seeds of the median for each; None if no
            run was conclusive.
        figures: medians over the conclusive runs; if there is none, over the feasible ones.
        branches_range: the fewest and the most branches of a conclusive run.
        blocks: the time of each run, inf if it was not conclusive; empty if the campaign has one host.
        typical: the median run of the task `best` by its result, of two the worse one; None of other tasks.
    """

    puzzle: str
    instance: str
    backend: str
    solver: str
    formulation: str
    task: Task
    threads: int
    label: str
    size: float
    time_limit_s: float
    runs: int
    conclusive: int
    status: Status
    error: str
    times: tuple[float, ...]
    sample: tuple[float, ...]
    unbuilt: tuple[float, ...] = ()
    total: Interval | None = None
    figures: Figures = Figures()
    branches_range: tuple[float, float] | None = None
    blocks: Mapping[Place, float] = field(default_factory=dict, repr=False)
    seeds: int = 1
    collection: str = ""
    release: str = ""
    typical: Trajectory | None = field(default=None, repr=False)

    @property
    def problem(self) -> Problem:
        """The problem that was to be solved."""
        return Problem(self.puzzle, self.instance, self.task)

    @property
    def model(self) -> str:
        """The label and the formulation."""
        return f"{self.label} {self.formulation}".rstrip()

    @property
    def hosts(self) -> Set[str]:
        """The hosts of its runs; the only one of a campaign has no name here."""
        return {block.host for block in self.blocks} or {""}

    @property
    def inconclusive(self) -> int:
        """How many runs were not conclusive."""
        return self.runs - self.conclusive

    @property
    def failure(self) -> str:
        """The status of the runs that failed, with their number if others did not; empty if none failed."""
        some = f"{self.inconclusive} of {self.runs} {self.status}" if self.conclusive else self.result
        return some if self.inconclusive else ""

    @property
    def result(self) -> str:
        """The status; of solutions that are not proved to be the best also the value and the bound."""
        if self.status is not Status.FEASIBLE or not (self.typical and self.typical.steps):
            return self.status
        _, value, bound = self.typical.steps[-1]
        return f"{self.status}: {value}" + ("" if bound is None else f", bound {bound}")

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
    def unbuilt_s(self) -> float:
        """The median in seconds without building the model; inf where `time_s` is."""
        return median(self.unbuilt)

    @property
    def solved(self) -> bool:
        """Whether the measurement counts as solved: less than half of its sample was not conclusive."""
        return self.time_s < inf

    @property
    def par2_s(self) -> float:
        """The mean time of the runs in seconds, where one that was not conclusive counts twice its limit."""
        penalties = 2 * self.time_limit_s * (self.runs - len(self.times))
        return (sum(self.times) + penalties) / self.runs


def measurements(runs: pd.DataFrame, files: Sequence[Path] = ()) -> list[Measurement]:
    """The measurements of a campaign, in the order of all tables; `files` as in `best_known`."""
    runs = runs.assign(
        label=tables.labels(runs), conclusive=is_conclusive(runs), severity=tables.severity(runs["status"])
    )
    runs[FIGURES] = runs[FIGURES].astype(float)
    runs["sample_s"] = runs["total_s"].where(runs["conclusive"]).fillna(inf)
    runs["built_s"] = runs["build_s"].fillna(0.0)
    runs["build_s"] -= runs["reasoning_s"].fillna(0.0)
    runs["session"] = runs.get("session", 0)
    runs["best"] = runs["instance_sha256"].map(best_known(runs, files)).astype(float)
    names = [*MEASUREMENT, "label"]
    used = ["conclusive", "severity", "sample_s", "built_s", "size", "time_limit_s", "status", "error"]
    used += ["collection", *Place._fields, "total_s", "sense", "trajectory", "best"]
    several = len(tables.hosts(runs)) > 1
    groups = grouped(runs[[*names, *FIGURES, *used]].itertuples(index=False), attrgetter(*names))
    return [
        _measurement_of(dict(zip(names, key, strict=True)), groups[key], several)
        for key in tables.in_order(runs[names].drop_duplicates()).itertuples(index=False, name=None)
    ]


def _measurement_of(names: Mapping[str, Any], rows: Sequence[Any], several: bool) -> Measurement:
    """The measurement of these runs, with its names; `several`: whether the campaign has several hosts."""
    rows = sorted(rows, key=attrgetter("seed"))
    worst = min(rows, key=attrgetter("conclusive", "severity"))
    done = [row for row in rows if row.sample_s < inf]
    branches = [row.branches for row in done if not isnan(row.branches)]
    results = [trajectory(row) for row in rows if names["task"] == Task.BEST]
    results.sort(key=lambda run: (run.quality, -run.end_s), reverse=True)
    return Measurement(
        **{**names, "task": Task(names["task"]), "threads": int(names["threads"])},
        size=float(max(row.size for row in rows)), time_limit_s=float(max(row.time_limit_s for row in rows)),
        runs=len(rows), conclusive=sum(row.conclusive for row in rows), status=Status(worst.status),
        error="" if worst.conclusive else worst.error, times=tuple(row.sample_s for row in done),
        sample=_independent((row.seed, row.sample_s) for row in rows),
        unbuilt=_independent((row.seed, row.sample_s - row.built_s) for row in rows),
        total=median_interval(_independent((row.seed, row.sample_s) for row in done)) if done else None,
        figures=median_figures(done or [row for row in rows if row.status == Status.FEASIBLE]),
        branches_range=(min(branches), max(branches)) if branches else None,
        blocks={Place(row.host, row.session, row.seed, row.repeat): row.sample_s for row in rows if several},
        seeds=len({row.seed for row in rows}), collection=worst.collection,
        typical=results[len(results) // 2] if results else None,
    )  # fmt: skip


def median_figures(rows: Iterable[Any]) -> Figures:
    """The medians of the figures of rows (nan for none), or of Figures."""
    columns = zip(*map(attrgetter(*FIGURES), rows), strict=True)
    known = [[value for value in column if value is not None and not isnan(value)] for column in columns]
    return Figures(*(median(values) if values else None for values in known))


def fewest_threads(measured: Iterable[Measurement]) -> list[Measurement]:
    """Those of `one_release` with the fewest threads of each model and solver on a problem, in order."""
    measured = one_release(measured)
    model = attrgetter(*MODEL_AND_SOLVER)
    fewest = {key: min(each.threads for each in own) for key, own in grouped(measured, model).items()}
    return [each for each in measured if each.threads == fewest[model(each)]]


def one_release(measured: Iterable[Measurement]) -> list[Measurement]:
    """The measurements of each solver as it is installed, else with its newest release, in their order."""
    measured, solver = list(measured), attrgetter("backend", "solver")
    order = sorted(measured, key=lambda each: (not each.release, by_version(each.release)))
    newest = {solver(each): each.release for each in order}
    return [each for each in measured if each.release == newest[solver(each)]]


def _independent(times: Iterable[tuple[int, float]]) -> tuple[float, ...]:
    """The times of a single seed; of several the median for each. Times stand behind their seeds, sorted."""
    seeds = [[time for _, time in group] for _, group in groupby(times, itemgetter(0))]
    return tuple(*seeds) if len(seeds) == 1 else tuple(map(median, seeds))


def is_conclusive(runs: pd.DataFrame) -> "pd.Series[bool]":
    """Which runs are conclusive."""
    return runs["status"].isin([status.value for status in Status if status.conclusive])


def without_variants(measured: Iterable[Measurement]) -> list[Measurement]:
    """The measurements of solvers that one would choose; of a campaign that has only variants, all."""
    measured = list(measured)
    return [each for each in measured if not tables.is_variant(each.backend, each.solver)] or measured
