"""Backends on the sample of each kind of puzzle: what each solves, how long it takes, which is faster."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations
from math import nan
from operator import attrgetter

import numpy as np
import pandas as pd

from bench import catalogue
from bench.analysis.measurements import Measurement, fewest_threads, without_variants
from bench.analysis.tables import grouped, parts, rank
from bench.campaign.selection import SAMPLE
from bench.contract import Task
from bench.instruments.which.inference import CensoredRatio, censored_ratio
from bench.stats import Floats, holm, signed_rank

LEAST_PROBLEMS = 6
"""Fewer problems have no interval."""

CP, MIP = "cpsat", "milp"
"""The labels of the backends that the question is about."""

SEARCHES = ("backtrack", "native")
"""The backends whose models are hand searches; all others are solvers. The question is about them."""


def is_solver(label: str) -> bool:
    """Whether a backend is no hand search."""
    return parts(label).backend not in SEARCHES


@dataclass(frozen=True)
class Sample:
    """The backends on the sample of a kind of puzzle, with a task.

    Attributes:
        limit_s: the time limit.
        times: in seconds, a row for each problem and a column for each backend, in the order of all tables;
            inf for what was not solved within the limit.
        decided: the problems of which the presolve of CP leaves no variable.
    """

    puzzle: str
    task: Task
    limit_s: float
    times: pd.DataFrame
    decided: Set[str] = frozenset()

    @staticmethod
    def of(
        puzzle: str, task: Task, limit_s: float, times: pd.DataFrame, decided: Set[str] = frozenset()
    ) -> "Sample":
        """A sample of these times, in which what lies beyond the limit is inf."""
        return Sample(puzzle, task, limit_s, times.where(times <= limit_s, np.inf), decided)

    @property
    def solvers(self) -> list[str]:
        """The labels of the backends that are no hand searches."""
        return [str(label) for label in self.times if is_solver(str(label))]

    @property
    def problems(self) -> int:
        """How many problems it has."""
        return len(self.times)

    @property
    def capped(self) -> pd.DataFrame:
        """The times, where what was not solved counts as the limit."""
        return self.times.clip(upper=self.limit_s)

    @property
    def best(self) -> "pd.Series[float]":
        """The least time of a solver on each problem; of any backend if there is no solver."""
        return (self.times[self.solvers] if self.solvers else self.times).min(axis=1)


@dataclass(frozen=True)
class Standing:
    """A backend on the sample of a kind of puzzle.

    Attributes:
        solved: how many of the problems it solves.
        slowdown: the geometric mean, over the problems that any solver solves, of its time relative to the
            least of a solver; what it does not solve counts as the limit. NaN if no problem is solved.
    """

    puzzle: str
    task: Task
    label: str
    problems: int
    solved: int
    slowdown: float

    @property
    def bound(self) -> bool:
        """Whether the slowdown is a lower bound, as not all problems are solved."""
        return self.solved < self.problems


@dataclass(frozen=True)
class KindPair:
    """Two backends on the sample of a kind of puzzle.

    Attributes:
        unsolved, other_unsolved: how many problems the one does not solve, and the other.
        mean_log: the mean logarithm of the ratios of their times over the problems that at least one of the
            two solves; what was not solved counts as the limit. NaN if there is no such problem.
        least_log, most_log: the same for the least and the most that what was not solved may have needed:
            the limit, or any longer time.
        ratio: the times of the one relative to those of the other.
        p: of the signed-rank test on the logarithms of the ratios, where what was not solved counts as the
            limit. The test stays exact: under its hypothesis the two times of a problem could be exchanged,
            and so could they after the limit cut them off.
        sign: -1 if the one is faster by this test, 1 if the other is, 0 if neither.
        p_holm: corrected for the number of pairs of backends on all kinds with this task.
    """

    puzzle: str
    task: Task
    label: str
    other: str
    unsolved: int
    other_unsolved: int
    mean_log: float
    least_log: float
    most_log: float
    ratio: CensoredRatio
    p: float
    sign: int
    p_holm: float


def samples(measurements: Iterable[Measurement]) -> list[Sample]:
    """The samples of a campaign, one for each kind of puzzle and task that it has measured.

    A sample has the problems that all its backends tried, and the least of their time limits. Left out are
    backends that tried less than half of what another did, and samples of fewer than LEAST_PROBLEMS problems
    or of fewer than two backends.
    """
    found = []
    for (puzzle, task), group in grouped(of_samples(measurements), attrgetter("puzzle", "task")).items():
        by_label = grouped([each for each in group if each.status.tried], attrgetter("label"))
        columns = {
            label: {each.instance: each.time_s for each in by_label[label]}
            for label in sorted(by_label, key=rank)
        }
        most = max(map(len, columns.values()), default=0)
        kept = {label: times for label, times in columns.items() if 2 * len(times) >= most}
        times = pd.DataFrame(kept).sort_index().dropna()
        if len(times) >= LEAST_PROBLEMS and len(times.columns) > 1:
            limit_s = min(each.time_limit_s for label in kept for each in by_label[label])
            decided = {
                each.instance for each in by_label.get(CP, ()) if each.figures.presolved_variables == 0
            }
            found.append(Sample.of(puzzle, task, limit_s, times, decided))
    return sorted(found, key=lambda sample: (list(Task).index(sample.task), sample.puzzle))


def _first_formulation(of_solver: Sequence[Measurement]) -> str:
    """Of the formulations in a solver's measurements on a kind the first that the backend's file has."""
    one, names = of_solver[0], {each.formulation for each in of_solver}
    if len(names) == 1:
        return one.formulation
    written = catalogue.tables_in(catalogue.source_of(one.puzzle, one.backend), "FORMULATIONS")
    return next((name for name in written if name in names), min(names))


def of_samples(measurements: Iterable[Measurement]) -> list[Measurement]:
    """The measurements on the families `sample` that conclusions are drawn from.

    Of each solver they are those with the fewest threads, without variants, and of its formulations the first
    of the backend's file: to choose the best afterwards would favour those that have many. Their labels do
    not name the threads.
    """
    chosen = fewest_threads(without_variants(_split_samples(measurements)[0]))
    solver = attrgetter("puzzle", "backend", "solver")
    first = {names: _first_formulation(group) for names, group in grouped(chosen, solver).items()}
    return [
        replace(each, label=parts(each.label).option)
        for each in chosen
        if each.formulation == first[solver(each)]
    ]


def _split_samples(measurements: Iterable[Measurement]) -> tuple[list[Measurement], list[Measurement]]:
    """The measurements on instances of the families `sample`, and the others."""
    measurements = list(measurements)
    names = sample_instances({each.puzzle for each in measurements})
    belongs = [(each.puzzle, each.instance) in names for each in measurements]
    return (
        [each for each, of_sample in zip(measurements, belongs, strict=True) if of_sample],
        [each for each, of_sample in zip(measurements, belongs, strict=True) if not of_sample],
    )


def sample_instances(puzzles: Set[str]) -> set[tuple[str, str]]:
    """The puzzle and the name of each instance of the families `sample`."""
    return {
        (puzzle, instance)
        for puzzle in puzzles & set(catalogue.puzzle_names())
        for instance in catalogue.families(puzzle).get(SAMPLE, {})
    }


def standings(sample: Sample) -> list[Standing]:
    """The backends of a sample, the least slowdown first."""
    solvable = np.isfinite(sample.best)
    logs = np.log(sample.capped[solvable].div(sample.best[solvable], axis=0)).mean()
    found = [
        Standing(
            sample.puzzle,
            sample.task,
            str(label),
            sample.problems,
            int(np.isfinite(sample.times[label]).sum()),
            float(np.exp(logs[label])),
        )
        for label in sample.times
    ]
    return sorted(found, key=attrgetter("slowdown"))


def kind_pairs(samples: Sequence[Sample]) -> list[KindPair]:
    """Every two backends on each sample, with tests that are corrected for all of a task."""
    found = []
    for task in Task:
        pairs = [
            compare(sample, label, other)
            for sample in samples
            if sample.task == task
            for label, other in combinations(sample.times, 2)
        ]
        corrected = holm(pd.Series([pair.p for pair in pairs], dtype=float))
        found += [replace(pair, p_holm=float(p)) for pair, p in zip(pairs, corrected, strict=True)]
    return found


def compare(sample: Sample, label: str, other: str) -> KindPair:
    """Two backends on a sample; p_holm is not yet corrected."""
    one, two = (sample.times[name].to_numpy() for name in (label, other))
    capped, other_capped = (np.minimum(times, sample.limit_s) for times in (one, two))
    test = signed_rank(np.log(capped / other_capped).tolist())
    solved = np.isfinite(one) | np.isfinite(two)

    def mean_log(times: Floats, others: Floats) -> float:
        logs = np.log(times[solved]) - np.log(others[solved])
        return float(logs.mean()) if len(logs) else nan

    return KindPair(
        sample.puzzle,
        sample.task,
        label,
        other,
        unsolved=int(np.isinf(one).sum()),
        other_unsolved=int(np.isinf(two).sum()),
        mean_log=mean_log(capped, other_capped),
        least_log=mean_log(capped, two),
        most_log=mean_log(one, other_capped),
        ratio=censored_ratio(one.tolist(), two.tolist(), sample.limit_s),
        p=test.p,
        sign=test.sign,
        p_holm=test.p,
    )


def solved_over_time(sample: Sample) -> Mapping[str, tuple[np.ndarray, np.ndarray]]:
    """For each backend the times at which it has solved one more problem, and the share solved by then.

    What is not solved counts as stopped at the limit, so this is 1 minus the Kaplan-Meier estimate.
    """
    curves = {}
    for label in sample.times:
        times = np.sort(sample.times[label][np.isfinite(sample.times[label])])
        curves[str(label)] = (times, np.arange(1, len(times) + 1) / sample.problems)
    return curves
