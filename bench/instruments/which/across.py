"""Solvers across kinds of puzzles: each kind counts once, however many problems it has.

Nothing is said of hand searches across kinds: the instances of the samples are those on which they prove
within few branches that a solution is the only one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, inf, isfinite, isnan, log
from operator import attrgetter
from statistics import fmean, stdev

import pandas as pd

from bench import catalogue
from bench.analysis.tables import grouped
from bench.contract import Task
from bench.instruments.which.inference import detectable, flip_interval, sign_flip
from bench.instruments.which.kinds import KindPair, Sample, Standing, is_solver, kind_pairs, standings
from bench.stats import SIGNIFICANT, Ratio, holm
from models.shared.puzzle import Ingredient


@dataclass(frozen=True)
class AcrossPair:
    """Two solvers across the kinds of puzzles of which one of them, at least, solves something.

    Attributes:
        logs: by kind the mean logarithm of the ratio of their times, the one to the other.
        unsolved, other_unsolved: how many problems the one does not solve, and the other.
        ratio: the geometric mean of the ratios. Its interval is one of all pairs of the task that hold
            together with 95%, whatever the times of what was stopped: 0 and inf where nothing bounds it. NaN
            for too few kinds.
        p: of the sign-flip test on `logs`.
        p_holm: corrected for the number of pairs of the task.
    """

    task: Task
    label: str
    other: str
    logs: tuple[float, ...]
    unsolved: int
    other_unsolved: int
    ratio: Ratio
    p: float
    p_holm: float

    @property
    def differs(self) -> bool:
        """Whether the corrected test finds a difference."""
        return self.p_holm <= SIGNIFICANT


@dataclass(frozen=True)
class Loss:
    """What is lost by always taking one solver rather than the fastest for each problem.

    Attributes:
        kinds: how many kinds of puzzles it has a model of, where any backend solves a problem.
        fastest: on how many kinds it has the least slowdown.
        problems, solved: over these kinds.
        slowdown: over the kinds the geometric mean of its slowdowns. It has no interval: that
            of the test across kinds is for values on both sides of 0, and no logarithm of these is below.
    """

    task: Task
    label: str
    kinds: int
    fastest: int
    problems: int
    solved: int
    slowdown: float

    @property
    def bound(self) -> bool:
        """Whether the slowdown is a lower bound, as not all problems are solved."""
        return self.solved < self.problems


@dataclass(frozen=True)
class _OnIngredient:
    """The backends on the kinds of puzzles that have an ingredient; a description, no test.

    Attributes:
        puzzles: these kinds.
        losses: of the backends on these kinds, the least first; only those with a model of all.
    """

    task: Task
    ingredient: Ingredient
    puzzles: tuple[str, ...]
    losses: tuple[Loss, ...]


@dataclass(frozen=True)
class Power:
    """Which difference between two backends would be found across kinds with a probability of 95%.

    Attributes:
        kinds: how many.
        pairs: how many corrected tests there are.
        least: the factor for the pair whose logarithms vary the least over the kinds, by the strictest of the
            corrected tests; inf if it never finds anything.
        most: the same for the pair whose logarithms vary the most.
    """

    task: Task
    kinds: int
    pairs: int
    least: float
    most: float


@dataclass(frozen=True)
class Conclusions:
    """All that a campaign's samples say."""

    samples: Sequence[Sample]
    standings: Sequence[Standing]
    kind_pairs: Sequence[KindPair]
    pairs: Sequence[AcrossPair]
    losses: Sequence[Loss]
    ingredients: Sequence[_OnIngredient]
    power: Sequence[Power]


def conclusions(samples: Sequence[Sample]) -> Conclusions:
    """What these samples say."""
    stands = [standing for sample in samples for standing in standings(sample)]
    of_solvers = [standing for standing in stands if is_solver(standing.label)]
    of_kinds = kind_pairs(samples)
    pairs = across(pair for pair in of_kinds if is_solver(pair.label) and is_solver(pair.other))
    return Conclusions(
        samples, stands, of_kinds, pairs, losses(of_solvers), _on_ingredients(of_solvers), powers(pairs)
    )


def across(kind_pairs: Iterable[KindPair]) -> list[AcrossPair]:
    """Every two solvers across kinds, each task's tests and intervals corrected for their number."""
    found: list[AcrossPair] = []
    known = [pair for pair in kind_pairs if not isnan(pair.mean_log)]
    for task, of_task in grouped(known, attrgetter("task")).items():
        pairs = grouped(of_task, attrgetter("label", "other"))
        logs = {names: tuple(pair.mean_log for pair in group) for names, group in pairs.items()}
        p = pd.Series({names: sign_flip(values) for names, values in logs.items()}, dtype=float)
        for (names, group), corrected in zip(pairs.items(), holm(p), strict=True):
            # The ends grow with each logarithm.
            low, _ = flip_interval([pair.least_log for pair in group], intervals=len(pairs))
            _, high = flip_interval([pair.most_log for pair in group], intervals=len(pairs))
            found.append(
                AcrossPair(
                    task,
                    *names,
                    logs[names],
                    unsolved=sum(pair.unsolved for pair in group),
                    other_unsolved=sum(pair.other_unsolved for pair in group),
                    ratio=Ratio(exp(fmean(logs[names])), exp(low), exp(high)),
                    p=float(p[names]),
                    p_holm=float(corrected),
                )
            )
    return found


def losses(standings: Iterable[Standing]) -> list[Loss]:
    """What each backend loses across kinds, the least first within a task."""
    standings = [standing for standing in standings if isfinite(standing.slowdown)]
    first = {
        (task, puzzle): min(group, key=attrgetter("slowdown")).label
        for (task, puzzle), group in grouped(standings, attrgetter("task", "puzzle")).items()
    }
    found = []
    for (task, label), group in grouped(standings, attrgetter("task", "label")).items():
        found.append(
            Loss(
                task,
                label,
                kinds=len(group),
                fastest=sum(first[task, standing.puzzle] == label for standing in group),
                problems=sum(standing.problems for standing in group),
                solved=sum(standing.solved for standing in group),
                slowdown=exp(fmean(log(standing.slowdown) for standing in group)),
            )
        )
    return sorted(found, key=lambda loss: (list(Task).index(loss.task), loss.slowdown))


def _on_ingredients(standings: Iterable[Standing]) -> list[_OnIngredient]:
    """The backends on the kinds that share an ingredient, in the order of Ingredient."""
    found = []
    for task, of_task in grouped(standings, attrgetter("task")).items():
        for ingredient in Ingredient:
            members = [one for one in of_task if ingredient in catalogue.ingredients(one.puzzle)]
            puzzles = tuple(sorted({one.puzzle for one in members if isfinite(one.slowdown)}))
            of_all = tuple(loss for loss in losses(members) if loss.kinds == len(puzzles))
            if of_all:
                found.append(_OnIngredient(task, ingredient, puzzles, of_all))
    return found


def powers(pairs: Iterable[AcrossPair]) -> list[Power]:
    """The power of each task's tests across kinds; none where a task has fewer than two kinds."""
    found = []
    for task, of_task in grouped(pairs, attrgetter("task")).items():
        kinds = max(len(pair.logs) for pair in of_task)
        spreads = [stdev(pair.logs) for pair in of_task if len(pair.logs) == kinds > 1]
        if spreads:
            level = SIGNIFICANT / len(of_task)
            least, most = (_factor_of(detectable(kinds, of(spreads), level)) for of in (min, max))
            found.append(Power(task, kinds, len(of_task), least, most))
    return found


def _factor_of(log_ratio: float) -> float:
    return exp(log_ratio) if log_ratio < inf else inf
