"""How much of the order of two backends is luck: how often it is reversed with the seed, or in a repeat."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf
from operator import attrgetter
from statistics import fmean

import numpy as np
import pandas as pd

from bench.analysis.measurements import Measurement, Problem, measurements
from bench.analysis.scores import FAR
from bench.analysis.tables import grouped
from bench.contract import Task
from bench.instruments.which.across import across
from bench.instruments.which.kinds import LEAST_PROBLEMS, Sample, kind_pairs, of_samples, sample_instances
from bench.stats import SIGNIFICANT


@dataclass(frozen=True)
class _Reversals:
    """How often the order of two backends on a problem is another one with another seed.

    Attributes:
        seeds: how many there are.
        compared: how many pairs of backends and of seeds on the same problem there are. That one is stopped
            and the other is not is an order; that both are is none, and such pairs are left out.
        share: in how many of them the order is reversed.
        far: the same where with the one seed the faster one is at least FAR times as fast; None if that is
            never so.
        repeated: for the pairs of which both have a second repeat with the first seed, the share in which the
            order is reversed in that, and the share with another seed; None if there are none.
        least_certain: the backend of whose pairs the most are reversed; empty if none is.
    """

    task: Task
    seeds: int
    compared: int
    share: float
    far: float | None
    repeated: tuple[float, float] | None
    least_certain: str


Solver = tuple[str, str]
"""A backend and its solver: labels depend on which others were measured."""

Column = Mapping[tuple[Problem, Solver], float]
"""The times of single runs in seconds, with one seed and repeat; inf for what was stopped."""

Times = Mapping[Solver, tuple[float, ...]]
"""The times of solvers on one problem, one for each column."""


def luck(runs: pd.DataFrame) -> list[_Reversals]:
    """How often the order is reversed on the samples, by task; nothing for a campaign with one seed.

    Single runs are compared, the first repeat of each seed, and beside it the first two repeats of the first
    seed. A solver counts on a problem if it has all of them.

    Args:
        runs: of `tables.read_runs`.
    """
    names = sample_instances(set(runs["puzzle"]))
    runs = runs[[name in names for name in zip(runs["puzzle"], runs["instance"], strict=True)]]
    seeds = sorted(set(runs["seed"]))
    if len(seeds) < 2:
        return []
    first = runs["repeat"] == 1
    measured = [of_samples(measurements(runs[first & (runs["seed"] == seed)])) for seed in seeds]
    by_seed = [_times_of(each) for each in measured]
    second = runs[(runs["repeat"] == 2) & (runs["seed"] == seeds[0])]
    again = _times_of(of_samples(measurements(second))) if len(second) else {}
    labels = {_solver_of(each): each.label for each in measured[0]}
    found = []
    for task in Task:
        compared = _Compared.of(together(by_seed, task), range(len(seeds)))
        if compared.reversed:
            repeated = together([*by_seed, again], task)
            same_seed = _Compared.of(repeated, (0, len(seeds))).reversed
            other_seeds = _Compared.of(repeated, range(len(seeds))).reversed
            shares = {solver: fmean(values) for solver, values in compared.by_solver.items()}
            least_certain = max(shares, key=lambda solver: shares[solver])
            found.append(
                _Reversals(
                    task,
                    len(seeds),
                    len(compared.reversed),
                    fmean(compared.reversed),
                    fmean(compared.far) if compared.far else None,
                    (fmean(same_seed), fmean(other_seeds)) if same_seed and other_seeds else None,
                    labels[least_certain] if shares[least_certain] else "",
                )
            )
    return found


def _solver_of(measurement: Measurement) -> Solver:
    return measurement.backend, measurement.solver


def _times_of(measured: Iterable[Measurement]) -> Column:
    return {(each.problem, _solver_of(each)): each.time_s for each in measured}


def together(columns: Sequence[Column], task: Task) -> list[Times]:
    """The times of a task for each problem, where every column has one."""
    found: dict[Problem, dict[Solver, tuple[float, ...]]] = defaultdict(dict)
    for problem, solver in columns[0]:
        if problem.task == task and all((problem, solver) in column for column in columns):
            found[problem][solver] = tuple(column[problem, solver] for column in columns)
    return list(found.values())


@dataclass(frozen=True)
class _Compared:
    """Whether each order is reversed: of all pairs, of those far apart, and by solver."""

    reversed: list[bool]
    far: list[bool]
    by_solver: Mapping[Solver, list[bool]]

    @staticmethod
    def of(problems: Iterable[Times], columns: Iterable[int]) -> "_Compared":
        """Every two solvers on each problem, with every two of these columns."""
        every: list[bool] = []
        far: list[bool] = []
        by_solver: dict[Solver, list[bool]] = defaultdict(list)
        pairs = list(combinations(columns, 2))
        for times in problems:
            for (solver, one), (other, two) in combinations(times.items(), 2):
                for left, right in pairs:
                    orders = {_is_faster(one[column], two[column]) for column in (left, right)}
                    if None in orders:
                        continue
                    for values in (every, by_solver[solver], by_solver[other]):
                        values.append(len(orders) > 1)
                    if max(one[left], two[left]) >= FAR * min(one[left], two[left]):
                        far.append(len(orders) > 1)
        return _Compared(every, far, by_solver)


def _is_faster(one: float, two: float) -> bool | None:
    """Whether the one is faster; None if both were stopped."""
    return None if one == two == inf else bool(one < two)


@dataclass(frozen=True)
class _SameAgain:
    """What the tests find between two repeats of the same runs, made as between two backends.

    Only the noise of timing is tested: what was stopped has no second repeat.

    Attributes:
        kinds, across: how many comparisons there are on kinds of puzzles, and across kinds.
        found: how many of them find a difference after correction.
        uncorrected: the share of those on kinds whose p is below 5% before it; 5% are expected.
        largest: the largest factor between the two, of those on kinds.
    """

    kinds: int
    across: int
    found: int
    uncorrected: float
    largest: float


def same_again(runs: pd.DataFrame) -> _SameAgain | None:
    """Compares the first repeat of everything with the second; None if a campaign has one repeat.

    Args:
        runs: of `tables.read_runs`.
    """
    on_kinds = kind_pairs(_twins(runs))
    if not on_kinds:
        return None
    over_kinds = across(on_kinds)
    p = [pair.p_holm for pair in on_kinds] + [pair.p_holm for pair in over_kinds]
    return _SameAgain(
        kinds=len(on_kinds),
        across=len(over_kinds),
        found=sum(each <= SIGNIFICANT for each in p),
        uncorrected=float(np.mean([pair.p <= SIGNIFICANT for pair in on_kinds])),
        largest=max(max(pair.ratio.value, 1 / pair.ratio.value) for pair in on_kinds),
    )


def _twins(runs: pd.DataFrame) -> list[Sample]:
    """For each backend, kind and task a sample with two columns, its first and its second repeat."""
    first, second = (_of_repeat(runs, repeat) for repeat in (1, 2))
    there = {key(each): each for each in second}
    both = [(each, there[key(each)]) for each in first if key(each) in there]
    found = []
    for names, group in grouped(both, lambda pair: attrgetter("puzzle", "task", "label")(pair[0])).items():
        if len(group) >= LEAST_PROBLEMS:
            puzzle, task, label = names
            one, two = ([pair[place].time_s for pair in group] for place in (0, 1))
            limit_s = min(each.time_limit_s for each, _ in group)
            found.append(Sample.of(puzzle, task, limit_s, pd.DataFrame({label: one, f"{label} again": two})))
    return found


def _of_repeat(runs: pd.DataFrame, repeat: int) -> list[Measurement]:
    """The measurements of the samples by the runs of one repeat, of the first seed."""
    chosen = runs[(runs["repeat"] == repeat) & (runs["seed"] == runs["seed"].min())]
    return of_samples(measurements(chosen)) if len(chosen) else []


def key(measurement: Measurement) -> tuple[object, ...]:
    """What two measurements of the same model on the same problem have in common."""
    # Labels depend on which other solvers were measured.
    return measurement.problem, measurement.backend, measurement.solver, measurement.formulation
