"""Backends on samples: what each solves and how fast, and which of two is faster; on kinds, and across them.

Across kinds each kind of puzzle counts once, however many problems it has.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from math import exp
from operator import attrgetter

import numpy as np
import pandas as pd

from bench import catalogue
from bench.analysis.measurements import Measurement, Problem, fewest_threads, measurements, without_variants
from bench.analysis.tables import grouped, parts, rank
from bench.campaign.selection import SAMPLES
from bench.contract import Task
from bench.stats import SIGNIFICANT, SLACK, TAIL, Floats, holm, median_log, signed_rank, walsh

LEAST_PROBLEMS = 6
"""Fewer problems say nothing of a kind of puzzle."""

_LEAST_KINDS = 6
"""Nothing is said across fewer kinds: no test could find a difference."""

_LEAST_PREDICTING = 9
"""A further kind lies beyond the range of so many with 2 / (k + 1), 20%."""

CP, MIP = "cpsat", "milp"

_MOST_FLIPPED = 14
"""Of so many values all flips of signs are tried, and all subsets are averaged; of more 2**14 random ones."""


def is_solver(label: str) -> bool:
    """Whether a backend is no hand search."""
    return parts(label).backend not in ("backtrack", "native")


@dataclass(frozen=True)
class Sample:
    """The backends on the sample of a kind of puzzle, with a task.

    Attributes:
        times: in seconds, a row for each problem and a column for each backend, in the order of all tables;
            inf for what was not solved within the limit.
        decided: the problems that the presolve of CP decides.
    """

    puzzle: str
    task: Task
    limit_s: float
    times: pd.DataFrame
    decided: Set[str] = frozenset()

    def __post_init__(self) -> None:
        """What lies beyond the limit is not solved."""
        object.__setattr__(self, "times", self.times.where(self.times <= self.limit_s, np.inf))

    @property
    def capped(self) -> pd.DataFrame:
        """The times, where what was not solved counts as the limit."""
        return self.times.clip(upper=self.limit_s)

    @property
    def best(self) -> "pd.Series[float]":
        """The least time of a solver on each problem; of any backend if there is no solver."""
        solvers = [label for label in self.times if is_solver(label)]
        return self.capped[solvers or [*self.times]].min(axis=1)


class Conclusions:
    """All that samples say, of which there are one or more."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.samples = samples
        self.standings = pd.concat(map(standings_on, samples), ignore_index=True)
        self.tasks = [task for task in Task if task in set(self.standings["task"])]
        self.labels = sorted(set(self.standings["label"]), key=rank)
        self.overall = overall(self.standings)
        self.on_kinds = compared(samples)
        self.across = across(self.on_kinds)


def samples(measured: Iterable[Measurement]) -> list[Sample]:
    """The samples of what `of_samples` returns, for each kind of puzzle and task: what all backends tried.

    Backends that tried less than half of what another did are left out, as are samples of fewer than
    LEAST_PROBLEMS problems or of fewer than two backends.
    """
    found = []
    for (puzzle, task), group in grouped(measured, attrgetter("puzzle", "task")).items():
        by_label = grouped([each for each in group if each.status.tried], attrgetter("label"))
        most = max(map(len, by_label.values()), default=0)
        kept = [label for label in sorted(by_label, key=rank) if 2 * len(by_label[label]) >= most]
        columns = {label: {each.instance: each.time_s for each in by_label[label]} for label in kept}
        times = pd.DataFrame(columns).sort_index().dropna()
        if len(times) >= LEAST_PROBLEMS and len(kept) > 1:
            limit_s = min(each.time_limit_s for label in kept for each in by_label[label])
            of_cp = by_label.get(CP, ())
            # Where presolve proves that there is no solution, it states no size.
            decided = {
                each.instance for each in of_cp if each.solved and not each.figures.presolved_variables
            }
            found.append(Sample(puzzle, task, limit_s, times, decided))
    return sorted(found, key=lambda sample: (list(Task).index(sample.task), sample.puzzle))


def of_samples(measured: Iterable[Measurement]) -> list[Measurement]:
    """The measurements that conclusions are drawn from; their labels do not name threads.

    They are those on samples, or of a campaign without these on collections. Of each solver they have the
    fewest threads, and the formulation that is the first of the backend's file: to choose the best afterwards
    would favour those that have many.
    """
    measured = list(measured)
    puzzles = {each.puzzle for each in measured} & set(catalogue.puzzle_names())
    names = {(puzzle, name) for puzzle in puzzles for name in strata(puzzle)}
    on_samples = [each for each in measured if (each.puzzle, each.instance) in names]
    drawn = on_samples or [each for each in measured if each.collection and each.puzzle in puzzles]
    chosen = fewest_threads(without_variants(drawn))
    solver = attrgetter("puzzle", "backend", "solver")
    first = {names: _first_formulation(group) for names, group in grouped(chosen, solver).items()}
    kept = [each for each in chosen if each.formulation == first[solver(each)]]
    return [replace(each, label=parts(each.label).option) for each in kept]


def strata(puzzle: str) -> dict[str, str]:
    """The family of each instance of a puzzle's samples, by its name."""
    families = catalogue.families(puzzle)
    return {name: family for family in SAMPLES for name in families.get(family, ())}


def _first_formulation(of_solver: Sequence[Measurement]) -> str:
    """The one of a solver's formulations on a kind that stands first in the backend's file."""
    one, names = of_solver[0], {each.formulation for each in of_solver}
    if len(names) == 1:
        return one.formulation
    written = catalogue.tables_in(catalogue.source_of(one.puzzle, one.backend), "FORMULATIONS")
    return next((name for name in written if name in names), min(names))


def standings_on(sample: Sample) -> pd.DataFrame:
    """A row for each backend: puzzle, task, label, how many problems there are and are solved, its slowdown.

    That is the geometric mean, over the problems that any backend solves, of its time relative to the least
    of a solver; what is not solved counts as the limit. NaN if no problem is solved.
    """
    logs = np.log(sample.capped.div(sample.best, axis=0))[np.isfinite(sample.times).any(axis=1)]
    figures = {"solved": np.isfinite(sample.times).sum(), "slowdown": np.exp(logs.mean())}
    standings = pd.DataFrame(figures).rename_axis("label").reset_index()
    return standings.assign(puzzle=sample.puzzle, task=sample.task, problems=len(sample.times))


def overall(standings: pd.DataFrame) -> pd.DataFrame:
    """The standing of each backend across kinds: its slowdown is the geometric mean of those on kinds.

    Of a task only backends with a model of the most kinds are compared. There is no interval: that of the
    test across kinds is for values on both sides of 0, and those of most solvers are not negative.
    """
    counted = standings[standings["slowdown"].notna()]
    groups = counted.assign(log=np.log(counted["slowdown"])).groupby(["task", "label"], sort=False)
    table = groups.agg(
        kinds=("puzzle", "size"), problems=("problems", "sum"), solved=("solved", "sum"), log=("log", "mean")
    )
    table = table.assign(slowdown=np.exp(table.pop("log"))).reset_index()
    return table[table["kinds"] == table.groupby("task")["kinds"].transform("max")]


def compared(samples: Iterable[Sample]) -> pd.DataFrame:
    """Every two backends on each sample; what was not solved counts as the limit.

    Returns:
        unsolved, other_unsolved: how many problems the one does not solve, and the other.
        mean_log: the mean logarithm of the ratios of their times over the problems that at least one of the
            two solves. NaN if there is no such problem.
        least_log, most_log: its bounds, whatever longer time the unsolved problems would have needed.
        ratio: of their times, Hodges and Lehmann's estimate.
        hidden: whether the ratio would be another one if what was not solved had needed longer.
        sign: -1 if the one is faster by the signed-rank test, 1 if the other is, 0 if neither.
        p, p_holm: of this test, and corrected for the pairs of the task. It is exact: under its hypothesis
            the two times of a problem could be exchanged, also after the limit cut them off.
    """
    pairs = []
    for sample in samples:
        known, capped = np.log(sample.times), np.log(sample.capped)
        for label, other in combinations(sample.times, 2):
            of_pair = known[[label, other]]
            unsolved, other_unsolved = np.isinf(of_pair).sum()
            logs = capped[label] - capped[other], capped[label] - known[other], known[label] - capped[other]
            means = [values[np.isfinite(of_pair).any(axis=1)].mean() for values in logs]
            ratio, least, most = (median_log(walsh(values.to_numpy())) for values in logs)
            p, sign = signed_rank(logs[0].tolist())
            names = sample.puzzle, sample.task, label, other, unsolved, other_unsolved
            pairs.append((*names, *means, exp(ratio), least != most, sign, p))
    columns = ["puzzle", "task", "label", "other", "unsolved", "other_unsolved"]
    columns += ["mean_log", "least_log", "most_log", "ratio", "hidden", "sign", "p"]
    table = pd.DataFrame(pairs, columns=columns)
    return table.assign(p_holm=table.groupby("task")["p"].transform(holm))


def across(on_kinds: pd.DataFrame) -> pd.DataFrame:
    """Every two backends across kinds, from `compared`: at least _LEAST_KINDS, of which one solves something.

    Returns:
        kinds, unsolved, other_unsolved: the number of kinds, and sums over them.
        ratio, spread: the geometric mean of the ratios of their times, and the standard deviation of their
            logarithms over kinds.
        low, high: its interval; those of all pairs of the task hold together with 95%, whatever the times of
            what was stopped: 0 and inf where nothing bounds it. NaN for too few kinds for so many pairs.
        p, p_holm: of the sign-flip test on the mean logarithms, and corrected for the pairs of the task.
    """
    names = ["task", "label", "other"]
    known = on_kinds[on_kinds["mean_log"].notna()]
    known = known[known.groupby(names)["puzzle"].transform("size") >= _LEAST_KINDS]
    number = known.drop_duplicates(names)["task"].value_counts()
    unsolved = ["unsolved", "other_unsolved"]
    pairs = []
    for pair, group in known.groupby(names, sort=False):
        # The ends grow with each logarithm.
        low, _ = flip_interval(group["least_log"], number[pair[0]])
        _, high = flip_interval(group["most_log"], number[pair[0]])
        logs = group["mean_log"]
        figures = exp(logs.mean()), exp(low), exp(high), logs.std(), sign_flip(logs)
        pairs.append((*pair, len(group), *group[unsolved].sum(), *figures))
    columns = [*names, "kinds", *unsolved, "ratio", "low", "high", "spread", "p"]
    table = pd.DataFrame(pairs, columns=columns)
    return table.assign(p_holm=table.groupby("task")["p"].transform(holm))


def of_a_further_kind(logs: Sequence[float] | Floats) -> tuple[float, float]:
    """The interval in which the value of a further kind lies with 80%, if kinds are drawn in the same way.

    It assumes no distribution: k values and a further one are equally likely to have any order. Between two
    values it is interpolated, which for heavy tails makes that some 83% (test_conclusions.py). NaN for fewer
    than 9 kinds, whose range is left more often.

    Source:
        Wilks: Determination of sample sizes for setting tolerance limits (1941), Annals of Mathematical
        Statistics 12, 91-96.
    """
    if len(logs) < _LEAST_PREDICTING:
        return np.nan, np.nan
    low, high = np.quantile(logs, [0.1, 0.9], method="weibull")
    return float(low), float(high)


def sign_flip(values: Sequence[float] | Floats) -> float:
    """The two-sided p of the test that values are symmetric about 0, by flips of their signs (`_signs`).

    Source:
        Fisher: The Design of Experiments (1935), section 21.
    """
    sums = np.abs(_signs(len(values)) @ np.asarray(values, dtype=float))
    return float(np.mean(sums >= sums[-1] - SLACK))


def flip_interval(values: Sequence[float] | Floats, intervals: int = 1) -> tuple[float, float]:
    """The interval of the centres that `sign_flip` does not reject: quantiles of the means of subsets.

    With Bonferroni's correction so many `intervals` hold together with 95%. Infinite values must have the
    same sign. The ends are NaN for too few values: fewer than 6 for one interval, and more for several.

    Source:
        Hartigan: Using subsample values as typical values (1969), Journal of the American Statistical
        Association 64, 1303-1317.
    """
    members = _signs(len(values))[:-1] < 0
    known = np.asarray(values, dtype=float)
    unbounded = np.isinf(known)
    means = members @ np.where(unbounded, 0.0, known) / members.sum(axis=1)
    means[members @ unbounded] = known[unbounded].sum()
    means.sort()
    rank = int(TAIL / intervals * (len(means) + 1))
    return (float(means[rank - 1]), float(means[-rank])) if rank else (np.nan, np.nan)


@cache
def _signs(size: int) -> Floats:
    """Rows of so many signs, 1 or -1: all there are, or random ones. The row of ones is the last."""
    if size <= _MOST_FLIPPED:
        return np.array(list(product((-1.0, 1.0), repeat=size)))
    rows = np.random.default_rng(0).choice([-1.0, 1.0], (2**_MOST_FLIPPED, size))
    rows[-1] = 1.0
    # A subset needs a member.
    rows[:-1][(rows[:-1] > 0).all(axis=1), 0] = -1.0
    return rows


@cache
def detectable(size: int, level: float) -> float:
    """The least mean that `sign_flip` finds in normal samples with a power of 95%, in standard deviations.

    It is inf if no p can be as small as the level.
    """
    if 2.0 ** (1 - size) > level:
        return np.inf
    noise = np.random.default_rng(0).standard_normal((size, 1000)).T

    def is_found(step: int) -> bool:
        # One by one: a product of matrices would be divided between threads, which a busy machine holds up.
        return bool(np.mean([sign_flip(values + step / 100) <= level for values in noise]) >= 0.95)

    return (1 + bisect_left(range(1, 1000), True, key=is_found)) / 100


def same_again(runs: pd.DataFrame) -> dict[str, float]:
    """A/A: what the tests find between two repeats of the same runs, which differ in noise alone.

    Returns:
        kinds, across: how many comparisons there are on kinds of puzzles, and across kinds.
        found: how many of them find a difference after correction.
        uncorrected: the share of those on kinds whose p is below 5% before it; 5% are expected.
        largest: the largest factor between the two, of those on kinds.
        Nothing if a campaign has one repeat.
    """
    first, second = (_repeated(runs, repeat) for repeat in (1, 2))
    both = sorted(key for key in first.keys() & second if first[key].formulation == second[key].formulation)
    twins = []
    for keys in grouped(both, lambda key: (key[0].puzzle, key[0].task, key[1])).values():
        if len(keys) >= LEAST_PROBLEMS:
            one = first[keys[0]]
            columns = {one.label: first, "again": second}
            times = pd.DataFrame({name: [of[key].time_s for key in keys] for name, of in columns.items()})
            twins.append(Sample(one.puzzle, one.task, min(first[key].time_limit_s for key in keys), times))
    if not twins:
        return {}
    on_kinds = compared(twins)
    over_kinds = across(on_kinds)
    p = pd.concat([on_kinds["p_holm"], over_kinds["p_holm"]])
    return {
        "kinds": len(on_kinds),
        "across": len(over_kinds),
        "found": int((p <= SIGNIFICANT).sum()),
        "uncorrected": float((on_kinds["p"] <= SIGNIFICANT).mean()),
        "largest": float(np.maximum(on_kinds["ratio"], 1 / on_kinds["ratio"]).max()),
    }


def _repeated(runs: pd.DataFrame, repeat: int) -> Mapping[tuple[Problem, str], Measurement]:
    """Single runs of the first seed by problem, and backend with its solver."""
    chosen = runs[(runs["seed"] == runs["seed"].min()) & (runs["repeat"] == repeat)]
    measured = of_samples(measurements(chosen)) if len(chosen) else []
    return {(each.problem, f"{each.backend}:{each.solver}"): each for each in measured}
