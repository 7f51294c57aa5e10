"""How much of the order of two backends is luck: how often it is reversed with the seed, or in a repeat."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import inf
from statistics import fmean

import pandas as pd

from bench.analysis.conclusions.kinds import of_samples, sample_instances
from bench.analysis.measurements import Problem, measurements
from bench.contract import Task


@dataclass(frozen=True)
class Reversals:
    """How often the order of two backends on a problem is another one with another seed.

    Attributes:
        seeds: how many there are.
        compared: how many pairs of backends and of seeds on the same problem there are. That one is stopped
            and the other is not is an order; that both are is none, and such pairs are left out.
        share: in how many of them the order is reversed.
        far: the same where with the one seed the faster one is at least FAR times as fast; None if that is
            never so.
        repeats: the share for two repeats with the same seed; None if there are none.
        least_certain: the backend of whose pairs the most are reversed; empty if none is.
    """

    task: Task
    seeds: int
    compared: int
    share: float
    far: float | None
    repeats: float | None
    least_certain: str


FAR = 2.0

Times = Mapping[str, tuple[float, ...]]
"""By label the time in seconds with each seed, or of each repeat; inf for what was stopped."""


def luck(runs: pd.DataFrame) -> list[Reversals]:
    """How often the order is reversed on the samples, by task; nothing for a campaign with one seed.

    Single runs are compared, the first repeat of each seed, and beside it the first two repeats of the first
    seed. A backend counts on a problem if it has all of them.

    Args:
        runs: of `tables.read_runs`.
    """
    names = sample_instances(set(runs["puzzle"]))
    runs = runs[[name in names for name in zip(runs["puzzle"], runs["instance"], strict=True)]]
    seeds = sorted(set(runs["seed"]))
    if len(seeds) < 2:
        return []
    first = runs["repeat"] == 1
    by_seed = [times_of(runs[first & (runs["seed"] == seed)]) for seed in seeds]
    again = [by_seed[0], times_of(runs[(runs["repeat"] == 2) & (runs["seed"] == seeds[0])])]
    found = []
    for task in Task:
        compared = Compared.of(together(by_seed, task))
        if compared.reversed:
            repeated = Compared.of(together(again, task)).reversed
            shares = {label: fmean(values) for label, values in compared.by_label.items()}
            least_certain = max(shares, key=lambda label: shares[label])
            found.append(
                Reversals(
                    task,
                    len(seeds),
                    len(compared.reversed),
                    fmean(compared.reversed),
                    fmean(compared.far) if compared.far else None,
                    fmean(repeated) if repeated else None,
                    least_certain if shares[least_certain] else "",
                )
            )
    return found


def times_of(runs: pd.DataFrame) -> dict[tuple[Problem, str], float]:
    """The time of each backend on each problem of the samples, in seconds."""
    if runs.empty:
        return {}
    return {(each.problem, each.label): each.time_s for each in reversed(of_samples(measurements(runs)))}


def together(columns: Iterable[Mapping[tuple[Problem, str], float]], task: Task) -> list[Times]:
    """The times of a task for each problem, where every column has one."""
    columns = list(columns)
    found: dict[Problem, dict[str, tuple[float, ...]]] = defaultdict(dict)
    for problem, label in columns[0]:
        if problem.task == task and all((problem, label) in column for column in columns):
            found[problem][label] = tuple(column[problem, label] for column in columns)
    return list(found.values())


@dataclass(frozen=True)
class Compared:
    """Whether each order is reversed: of all pairs, of those far apart, and by backend."""

    reversed: list[bool]
    far: list[bool]
    by_label: Mapping[str, list[bool]]

    @staticmethod
    def of(problems: Iterable[Times]) -> "Compared":
        """Every two backends on each problem, with every two columns."""
        every: list[bool] = []
        far: list[bool] = []
        by_label: dict[str, list[bool]] = defaultdict(list)
        for times in problems:
            for (label, one), (other, two) in combinations(times.items(), 2):
                for left, right in combinations(range(len(one)), 2):
                    orders = {is_faster(one[column], two[column]) for column in (left, right)}
                    if None in orders:
                        continue
                    for values in (every, by_label[label], by_label[other]):
                        values.append(len(orders) > 1)
                    if max(one[left], two[left]) >= FAR * min(one[left], two[left]):
                        far.append(len(orders) > 1)
        return Compared(every, far, by_label)


def is_faster(one: float, two: float) -> bool | None:
    """Whether the one is faster; None if both were stopped."""
    return None if one == two == inf else bool(one < two)
