"""How much of the order of two backends is luck: how often it turns with the seed, or in a repeat."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import inf

import numpy as np
import pandas as pd

from bench.analysis.conclusions.kinds import of_samples
from bench.analysis.measurements import Problem, measurements
from bench.contract import Task
from bench.stats import Floats


@dataclass(frozen=True)
class Turns:
    """How often the order of two backends on a problem is another one with another seed.

    Attributes:
        seeds: how many there are.
        problems, pairs: how many problems there are, and how many pairs of backends on them.
        share: of the pairs of backends and seeds, in how many the order turns. That one is stopped at the
            limit and the other is not is an order; that both are is none, and such pairs are left out.
        far: the same where the faster one is at least FAR times as fast with the one seed.
        repeats: the share for two repeats with the same seed; None if there are none.
        backends: by label the share of the pairs that it is one of.
    """

    task: Task
    seeds: int
    problems: int
    pairs: int
    share: float
    far: float
    repeats: float | None
    backends: Mapping[str, float]

    @property
    def least_certain(self) -> str:
        """The backend whose order turns most often."""
        return max(self.backends, key=lambda label: self.backends[label])


FAR = 2.0

Times = dict[str, Floats]
"""By label the time in seconds with each seed, or of each repeat; inf for what was stopped."""


def luck(runs: pd.DataFrame) -> list[Turns]:
    """How often the order turns on the samples, by task; nothing for a campaign with one seed.

    A backend counts on a problem if it was run there with all seeds.

    Args:
        runs: of `tables.read_runs`.
    """
    seeds = sorted(set(runs["seed"]))
    if len(seeds) < 2:
        return []
    by_seed = [times_of(runs[runs["seed"] == seed]) for seed in seeds]
    of_first = runs[runs["seed"] == seeds[0]]
    again = [times_of(of_first[of_first["repeat"] == repeat]) for repeat in (1, 2)]
    found = []
    for task in Task:
        problems = together(by_seed, task)
        if problems:
            repeated = together(again, task)
            share, far, backends = turned(problems.values())
            found.append(
                Turns(
                    task,
                    len(seeds),
                    len(problems),
                    sum(len(times) * (len(times) - 1) // 2 for times in problems.values()),
                    share,
                    far,
                    turned(repeated.values())[0] if repeated else None,
                    backends,
                )
            )
    return found


def times_of(runs: pd.DataFrame) -> dict[tuple[Problem, str], float]:
    """The median time of each backend on each problem of the samples, in seconds."""
    if runs.empty:
        return {}
    return {(each.problem, each.label): each.time_s for each in reversed(of_samples(measurements(runs)))}


def together(columns: Iterable[Mapping[tuple[Problem, str], float]], task: Task) -> dict[Problem, Times]:
    """The times of a task by problem and backend, where every column has one, and a problem two backends."""
    columns = list(columns)
    found: dict[Problem, Times] = defaultdict(dict)
    for problem, label in columns[0]:
        if problem.task == task and all((problem, label) in column for column in columns):
            found[problem][label] = np.array([column[problem, label] for column in columns])
    return {problem: times for problem, times in found.items() if len(times) > 1}


def turned(problems: Iterable[Times]) -> tuple[float, float, dict[str, float]]:
    """In which share of all pairs of backends and of columns the order turns.

    Returns:
        The share, the share where they are far apart in the one column, and the share by label; NaN for no
        pairs.
    """
    every: list[bool] = []
    far: list[bool] = []
    of_label: dict[str, list[bool]] = defaultdict(list)
    for times in problems:
        for (label, one), (other, two) in combinations(times.items(), 2):
            for left, right in combinations(range(len(one)), 2):
                orders = [order(one[column], two[column]) for column in (left, right)]
                if None in orders:
                    continue
                turns = orders[0] != orders[1]
                every.append(turns)
                of_label[label].append(turns)
                of_label[other].append(turns)
                if max(one[left], two[left]) >= FAR * min(one[left], two[left]):
                    far.append(turns)
    by_label = {label: float(np.mean(values)) for label, values in of_label.items()}
    return mean(every), mean(far), by_label


def order(one: float, two: float) -> bool | None:
    """Whether the one is faster; None if both were stopped."""
    return None if one == two == inf else bool(one < two)


def mean(values: list[bool]) -> float:
    """The share of the values that hold; NaN for none."""
    return float(np.mean(values)) if values else float("nan")
