"""Trajectories: what runs of the task `best` knew when, and which of two had the better result.

Sources:
    Berthold: Measuring the impact of primal heuristics (2013).
    MiniZinc Challenge 2020, rules: https://www.minizinc.org/challenge/2020/rules/
"""

import json
from collections.abc import Sequence
from itertools import pairwise
from math import inf, isnan
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from bench import catalogue
from bench.contract import Status
from models.shared.puzzle import Sense


class Trajectory(NamedTuple):
    """A run of the task `best`; a wrong one knew nothing.

    Attributes:
        steps: the time, the best value and the closest bound from then on, as in the column `trajectory`.
        gaps: each time, and the primal gap to the best known value from then on.
        best: the best known value, NaN for none.
        quality: whether there is a result, whether it is proven, and its value; the better, the larger.
        end_s: when the run ended, at most the time limit.
    """

    steps: Sequence[tuple[float, int | None, int | None]]
    gaps: Sequence[tuple[float, float]]
    best: float
    quality: tuple[bool, bool, float]
    end_s: float
    limit_s: float
    host: str

    @property
    def integral(self) -> float:
        """The primal integral up to the time limit, divided by it: the mean primal gap."""
        gaps = [(min(at_s, self.limit_s), gap) for at_s, gap in [(0.0, 1.0), *self.gaps, (inf, 0.0)]]
        return sum(gap * (until - at_s) for (at_s, gap), (until, _) in pairwise(gaps)) / self.limit_s

    def reached_s(self, target: float) -> float:
        """When the primal gap was at most the target, or below 0 when the value was proved; inf for never."""
        times = (at_s for at_s, gap in self.gaps if gap <= target)
        return next(times, inf) if target >= 0 else self.end_s if self.quality[1] else inf


def primal_gap(value: float | None, best: float) -> float:
    """How far a value is from the best one, from 0 to 1: 1 for none, and if their signs differ."""
    if value is None or value * best < 0:
        return 1.0
    return abs(value - best) / (max(abs(value), abs(best)) or 1)


def trajectory(row: Any) -> Trajectory:
    """The trajectory of a row of runs, with the columns `best` and `conclusive`."""
    steps = json.loads(row.trajectory) if row.trajectory and row.status != Status.WRONG else []
    value = steps[-1][1] if steps else None
    worth = -inf if value is None else -value if row.sense == Sense.LEAST else value
    end_s = row.time_limit_s if isnan(row.total_s) else min(row.total_s, row.time_limit_s)
    gaps = [(at_s, primal_gap(found, row.best)) for at_s, found, _ in steps]
    quality = row.conclusive or value is not None, row.conclusive, worth
    return Trajectory(steps, gaps, row.best, quality, end_s, row.time_limit_s, row.host)


def points(one: Trajectory, other: Trajectory) -> float:
    """What a run scores against another, from 0 to 1, by the complete procedure of the MiniZinc Challenge."""
    if not one.quality[0] or one.quality != other.quality:
        return float(one.quality > other.quality)
    both_s = one.end_s + other.end_s
    return other.end_s / both_s if both_s and one.host == other.host else 0.5


def best_known(runs: pd.DataFrame, files: Sequence[Path] = ()) -> dict[str, float]:
    """The best value of each instance, by its hash: of checked solutions, and what its file expects."""
    found = {}
    keys = ["puzzle", "instance", "instance_sha256", "sense"]
    for (puzzle, name, sha256, sense), own in runs[runs["objective"].notna()].groupby(keys):
        instance = catalogue.unchanged(puzzle, name, sha256, files)
        claims = (instance.expected.answer, instance.expected.best) if instance else ()
        found[sha256] = Sense(sense).best([*own["objective"], *(c for c in claims if isinstance(c, int))])
    return found


def with_solution(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs with a solution; of an instance with an objective the best ones come first."""
    failed = runs["status"].isin([status.value for status in Status if status.failed])
    found = runs[~failed & (runs["solution"] != "")]
    worth = found["objective"].where(found["sense"] == Sense.LEAST, -found["objective"])
    return found.loc[worth.sort_values(kind="stable").index]
