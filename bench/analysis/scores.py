"""Scores across puzzles: what each backend solves and how fast, which of two is faster, what threads add.

Each backend enters with one formulation for each puzzle and task (`best_formulations`).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from operator import attrgetter
from statistics import fmean
from typing import NamedTuple, TypeVar

import numpy as np
import pandas as pd

from bench.analysis.compare import capped_s, compare
from bench.analysis.measurements import Measurement, Problem
from bench.analysis.tables import grouped, parts, rank
from bench.analysis.trajectories import points
from bench.contract import Task
from bench.stats import Interval, Ratio, holm, median_interval, median_log, signed_rank

SHIFT_S = 0.1
"""Added to each time before the geometric mean, so that microseconds of trivial problems do not decide."""

VIRTUAL_BEST = "virtual best"

_P = TypeVar("_P", Measurement, "Slowdown")


class Slowdown(NamedTuple):
    """A measurement beside the fastest one on the same problem.

    `fastest` is the label of that one's backend, empty if the problem is unsolved; `ratio` is that of the two
    times, inf for what is unsolved, NaN if no block has both; `far` is as of Comparison.
    """

    measurement: Measurement
    fastest: str
    ratio: Ratio
    far: bool = False

    @property
    def problem(self) -> Problem:
        """The problem of the measurement."""
        return self.measurement.problem

    @property
    def apart(self) -> bool:
        """Whether there is a fastest backend, but no block has both."""
        return self.fastest != "" and math.isnan(self.ratio.value)

    @property
    def is_fastest(self) -> bool:
        """Whether the measurement itself is the fastest one."""
        return self.measurement.label == self.fastest


class _Score(NamedTuple):
    """What a backend, or the virtual best of all, achieves on all problems of a task.

    `par2_s` is a mean over the problems, `mean_s` the geometric mean of the times with shift SHIFT_S, where
    what is unsolved counts as the limit.
    """

    task: Task
    label: str
    problems: int
    solved: int
    par2_s: float
    mean_s: float


class Pair(NamedTuple):
    """Two backends on all problems of a task that both tried.

    Attributes:
        wins, ties, losses: on how many the one is faster, neither is, and the other is, by Comparison.
        ratio: geometric mean of the ratios of their times, over what both solve; NaN if there is none.
        p: of Wilcoxon's signed-rank test on the logarithms of Comparison.
        p_holm: corrected for the number of pairs of the task.
    """

    task: Task
    label: str
    other: str
    problems: int
    wins: int
    ties: int
    losses: int
    ratio: float
    p: float
    p_holm: float


class Gain(NamedTuple):
    """A model on a problem with several threads, relative to the same model with one.

    The speed-up is of total time: inf if only the runs with several threads are conclusive, 0 if only those
    with one are. CPU time is None if a run was not conclusive: until a limit it says nothing.
    """

    problem: Problem
    label: str
    threads: int
    speedup: float
    cpu: float | None


class Speedup(NamedTuple):
    """The gains of a backend on all problems of a task, or on those of one puzzle.

    `puzzle` is empty for all puzzles, each of which counts once, with its median. Problems that are unsolved
    with both numbers of threads are left out. `speedup` and `cpu` are medians over the problems, with their
    intervals (`middle`); `cpu` is None if unknown.
    """

    task: Task
    label: str
    puzzle: str
    threads: int
    problems: int
    speedup: Interval
    cpu: Interval | None


def best_formulations(measurements: Iterable[Measurement]) -> list[Measurement]:
    """The measurements of each backend's best formulation for each puzzle and task, in their order.

    Of those that do not reason before the solver, if there is one, the best formulation solves the most
    problems; of several such ones it has the least geometric mean of `Measurement.par2_s`, and of these the
    least mean primal integral.
    """
    measurements = list(measurements)

    def preference(group: Sequence[Measurement]) -> tuple[bool, int, float, float, str]:
        reasons = any(each.figures.reasoning_s is not None for each in group)
        log_s = fmean(math.log(each.par2_s) for each in group)
        integral = fmean(each.typical.integral if each.typical else 0.0 for each in group)
        return reasons, -sum(each.solved for each in group), log_s, integral, group[0].formulation

    best, key = {}, attrgetter("puzzle", "label", "task")
    for model, formulations in grouped(measurements, key).items():
        groups = grouped(formulations, attrgetter("formulation")).values()
        best[model] = min(groups, key=preference)[0].formulation
    return [each for each in measurements if each.formulation == best[key(each)]]


def by_problem(items: Iterable[_P]) -> dict[Problem, list[_P]]:
    """The measurements, or slowdowns, of each problem, in their order."""
    return grouped(items, lambda item: item.problem)


def shared(best: Iterable[Measurement]) -> tuple[list[Measurement], int]:
    """The measurements of the problems that every backend tried, and how many problems that leaves out.

    A backend that tried nothing of a task (it is not installed, or cannot count) leaves nothing out. Problems
    that the backends tried without a common host are left out.
    """
    best = list(best)
    tried = [each for each in best if each.status.tried]
    backends = Counter(task for task, _ in {(each.task, each.label) for each in tried})
    kept = [
        group
        for problem, group in by_problem(tried).items()
        if len(group) == backends[problem.task] and set.intersection(*(set(each.hosts) for each in group))
    ]
    return [each for group in kept for each in group], len(by_problem(best)) - len(kept)


def scores(shared: Iterable[Measurement]) -> list[_Score]:
    """The score of each backend, and of the fastest for each problem; by task, the least PAR-2 first."""
    found: dict[tuple[Task, str], list[tuple[bool, float, float]]] = defaultdict(list)
    for problem, group in by_problem(shared).items():
        values = [(each.solved, each.par2_s, math.log(capped_s(each) + SHIFT_S)) for each in group]
        for each, value in zip(group, values, strict=True):
            found[problem.task, each.label].append(value)
        solved, par2_s, log_s = zip(*values, strict=True)
        found[problem.task, VIRTUAL_BEST].append((any(solved), min(par2_s), min(log_s)))
    table = []
    for (task, label), values in found.items():
        solved, par2_s, log_s = zip(*values, strict=True)
        mean_s = math.exp(fmean(log_s)) - SHIFT_S
        table.append(_Score(task, label, len(values), sum(solved), fmean(par2_s), mean_s))
    return sorted(table, key=lambda score: (list(Task).index(score.task), score.par2_s))


def challenge(tried: Iterable[Measurement]) -> dict[tuple[str, str], list[float]]:
    """By puzzle and model its `points` against each other one, on each problem with an objective."""
    scored = defaultdict[tuple[str, str], list[float]](list)
    for one, other in (pair for group in by_problem(tried).values() for pair in permutations(group, 2)):
        if one.typical and other.typical:
            scored[one.puzzle, one.model].append(points(one.typical, other.typical))
    return scored


def ranked(problem: Iterable[Measurement]) -> list[Measurement]:
    """The measurements of a problem, the fastest first; those without a common block behind the others."""
    order = sorted(problem, key=lambda each: (not each.solved, each.time_s))
    if len(set().union(*(each.hosts for each in order))) <= 1:
        return order
    # Of several hosts blocks decide, not medians: all are compared with the fastest that has most in common.
    first = min(order, key=lambda one: (not one.solved, sum(compare(one, two).apart for two in order)))

    def place(each: Measurement) -> tuple[bool, bool, float]:
        value = compare(each, first).ratio.value
        return not each.solved, math.isnan(value), 0.0 if math.isnan(value) else value

    return sorted(order, key=place)


def slowdowns(best: Iterable[Measurement]) -> list[Slowdown]:
    """Each measurement with its time relative to the fastest backend for the problem."""
    found = []
    for group in by_problem(best).values():
        first = ranked(group)[0]
        for each in group:
            compared = compare(each, first)
            times = Ratio(1.0, 1.0, 1.0) if each is first and each.solved else compared.ratio
            found.append(Slowdown(each, first.label if first.solved else "", times, compared.far))
    return found


def pairs(best: Sequence[Measurement]) -> list[Pair]:
    """Every two backends on each task: how often one wins, and a paired test over the problems."""
    found = []
    for task in Task:
        tried = [each for each in best if each.task == task and each.status.tried]
        backends = sorted(grouped(tried, attrgetter("label")).items(), key=lambda backend: rank(backend[0]))
        uncorrected = []
        for (label, ours), (other, theirs) in combinations(backends, 2):
            there = {each.problem: each for each in theirs}
            both = [(each, there[each.problem]) for each in ours if each.problem in there]
            compared = [(one.solved and two.solved, compare(one, two)) for one, two in both]
            # What no block has both of cannot be compared.
            compared = [(solved, result) for solved, result in compared if not result.apart]
            logs = [result.log for solved, result in compared if solved]
            mean = math.exp(fmean(logs)) if logs else math.nan
            p, _ = signed_rank([result.log for _, result in compared])
            verdicts = [result.verdict for _, result in compared]
            wins, ties, losses = (verdicts.count(verdict) for verdict in (1, 0, -1))
            uncorrected.append(Pair(task, label, other, len(compared), wins, ties, losses, mean, p, p))
        corrected = holm(pd.Series([pair.p for pair in uncorrected], dtype=float))
        found += [pair._replace(p_holm=float(p)) for pair, p in zip(uncorrected, corrected, strict=True)]
    return found


def times(measurements: Iterable[Measurement], task: str) -> pd.DataFrame:
    """A matrix of times in seconds, problems by backends: inf for unsolved, NaN for what was not tried."""
    by_label = grouped((each for each in measurements if each.task == task), attrgetter("label"))
    return pd.DataFrame(
        {label: {each.problem: each.time_s for each in own} for label, own in by_label.items()}
    )


def profile(matrix: pd.DataFrame) -> dict[str, list[float]]:
    """Dolan and More's performance profile: each backend's ratios to the best for what it solves, in order.

    Source:
        Dolan, More: Benchmarking optimization software with performance profiles (2002).
    """
    solvable = matrix[np.isfinite(matrix).any(axis=1)]
    ratios = solvable.div(solvable.min(axis=1), axis=0)
    return {str(label): sorted(ratios.loc[np.isfinite(ratios[label]), label]) for label in ratios}


def gains(measured: Iterable[Measurement]) -> list[Gain]:
    """The gains on each problem, with the formulation that is the best with one thread.

    What is unsolved with both numbers of threads has none, nor have runs of different hosts or sessions.
    """
    measured = list(measured)
    model = attrgetter("problem", "backend", "solver", "formulation", "release")
    alone = best_formulations(each for each in measured if each.threads == 1)
    base = {model(each): each for each in alone}
    found = []
    for each in measured:
        one = base.get(model(each)) if each.threads > 1 else None
        if not one or not (one.conclusive or each.conclusive) or (compared := compare(one, each)).apart:
            continue
        ours, theirs = each.figures.cpu_s, one.figures.cpu_s
        comparable = not (one.inconclusive or each.inconclusive or one.hosts.isdisjoint(each.hosts))
        cpu = ours / theirs if comparable and ours and theirs else None
        found.append(Gain(one.problem, parts(one.label).option, each.threads, compared.ratio.value, cpu))
    return found


def speedups(found: Sequence[Gain]) -> list[Speedup]:
    """The gains by task, backend and number of threads: of all puzzles, then of each if there are several."""
    several = len({gain.problem.puzzle for gain in found}) > 1
    table = []
    keys = attrgetter("problem.task", "label", "threads")
    for (task, label, threads), group in grouped(found, keys).items():
        rows = []
        for puzzle, own in grouped(group, attrgetter("problem.puzzle")).items():
            cpu = [each.cpu for each in own if each.cpu is not None]
            figures = middle([each.speedup for each in own]), middle(cpu) if cpu else None
            rows.append(Speedup(task, label, puzzle if several else "", threads, len(own), *figures))
        table += rows
        if several:
            cpu = [row.cpu.median for row in rows if row.cpu]
            figures = middle([row.speedup.median for row in rows]), middle(cpu) if cpu else None
            table.append(Speedup(task, label, "", threads, len(group), *figures))
    tasks = list(Task)
    return sorted(table, key=lambda row: (tasks.index(row.task), rank(row.label), row.puzzle, row.threads))


def middle(ratios: Sequence[float]) -> Interval:
    """The median of ratios, geometric between two, with its interval; that of the inverses is its inverse."""
    logs = [math.log(ratio) if ratio > 0 else -math.inf for ratio in ratios]
    return median_interval(ratios)._replace(median=math.exp(median_log(logs)))
