"""Backends across kinds of puzzles: each kind counts once, however many problems it has."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, inf, log
from operator import attrgetter
from statistics import fmean, median, stdev

import pandas as pd

from bench import catalogue
from bench.analysis.conclusions.inference import detectable, flip_interval, sign_flip
from bench.analysis.conclusions.kinds import KindPair, Sample, Standing, kind_pairs, standings
from bench.analysis.tables import grouped
from bench.contract import Task
from bench.stats import Ratio, holm
from models.shared.puzzle import Ingredient

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class AcrossPair:
    """Two backends across the kinds of puzzles that both have a model of.

    Attributes:
        logs: by kind the mean logarithm of the ratio of their times, the one to the other.
        p: of the sign-flip test on `logs`.
        p_holm: corrected for the number of pairs of the task.
    """

    task: Task
    label: str
    other: str
    logs: tuple[float, ...]
    p: float
    p_holm: float

    @cached_property
    def ratio(self) -> Ratio:
        """The geometric mean of the ratios."""
        return geometric(self.logs)

    @property
    def differs(self) -> bool:
        """Whether the corrected test finds a difference."""
        return self.p_holm < SIGNIFICANT

    @property
    def faster(self) -> str:
        """The one with the smaller mean."""
        return self.label if self.ratio.value < 1 else self.other

    @property
    def slower(self) -> str:
        """The one with the larger mean."""
        return self.other if self.ratio.value < 1 else self.label


@dataclass(frozen=True)
class Loss:
    """What is lost by always taking one backend rather than the fastest for each problem.

    Attributes:
        kinds: how many kinds of puzzles it has a model of.
        fastest: on how many kinds it has the least slowdown.
        problems, solved: over all kinds.
        slowdown: over the kinds the geometric mean of its slowdowns.
    """

    task: Task
    label: str
    kinds: int
    fastest: int
    problems: int
    solved: int
    slowdown: Ratio


@dataclass(frozen=True)
class OnIngredient:
    """The backends on the kinds of puzzles that have an ingredient; a description, no test.

    Attributes:
        puzzles: these kinds.
        slowdowns: by label the geometric mean over these kinds, the least first.
    """

    task: Task
    ingredient: Ingredient
    puzzles: tuple[str, ...]
    slowdowns: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Power:
    """Which difference between two backends would be found across kinds with a probability of 95%.

    Attributes:
        kinds: how many.
        spread: the median over the pairs of the standard deviation of their logarithms over the kinds, which
            is assumed.
        alone: the factor for a single test.
        corrected: the factor for the strictest of the corrected tests; inf if it never finds anything.
    """

    task: Task
    kinds: int
    pairs: int
    spread: float
    alone: float
    corrected: float


@dataclass(frozen=True)
class Conclusions:
    """All that a campaign's samples say."""

    samples: Sequence[Sample]
    standings: Sequence[Standing]
    kind_pairs: Sequence[KindPair]
    pairs: Sequence[AcrossPair]
    losses: Sequence[Loss]
    ingredients: Sequence[OnIngredient]
    power: Sequence[Power]


def conclusions(samples: Sequence[Sample]) -> Conclusions:
    """What these samples say."""
    stands = [standing for sample in samples for standing in standings(sample)]
    of_kinds = kind_pairs(samples)
    pairs = across(of_kinds)
    return Conclusions(
        samples, stands, of_kinds, pairs, losses(stands), on_ingredients(stands), powers(pairs)
    )


def geometric(logs: Sequence[float]) -> Ratio:
    """The geometric mean of ratios over kinds, given as logarithms; no interval for fewer than 6 kinds."""
    low, high = flip_interval(logs)
    return Ratio(exp(fmean(logs)), exp(low), exp(high))


def across(kind_pairs: Iterable[KindPair]) -> list[AcrossPair]:
    """Every two backends across kinds, each task's tests corrected for their number."""
    found: list[AcrossPair] = []
    for task, of_task in grouped(kind_pairs, attrgetter("task")).items():
        pairs = []
        for (label, other), group in grouped(of_task, attrgetter("label", "other")).items():
            logs = tuple(pair.mean_log for pair in group)
            p = sign_flip(logs)
            pairs.append(AcrossPair(task, label, other, logs, p, p))
        corrected = holm(pd.Series([pair.p for pair in pairs], dtype=float))
        found += [replace(pair, p_holm=float(p)) for pair, p in zip(pairs, corrected, strict=True)]
    return found


def losses(standings: Iterable[Standing]) -> list[Loss]:
    """What each backend loses across kinds, the least first within a task."""
    standings = [standing for standing in standings if standing.slowdown >= 1]
    first = {
        (task, puzzle): min(group, key=attrgetter("slowdown")).label
        for (task, puzzle), group in grouped(standings, attrgetter("task", "puzzle")).items()
    }
    found = [
        Loss(
            task,
            label,
            kinds=len(group),
            fastest=sum(first[task, standing.puzzle] == label for standing in group),
            problems=sum(standing.problems for standing in group),
            solved=sum(standing.solved for standing in group),
            slowdown=geometric([log_of(standing) for standing in group]),
        )
        for (task, label), group in grouped(standings, attrgetter("task", "label")).items()
    ]
    return sorted(found, key=lambda loss: (list(Task).index(loss.task), loss.slowdown.value))


def log_of(standing: Standing) -> float:
    """The logarithm of a slowdown."""
    return log(standing.slowdown)


def on_ingredients(standings: Iterable[Standing]) -> list[OnIngredient]:
    """The backends on the kinds that share an ingredient, in the order of Ingredient.

    Only backends with a model of all these kinds are there, as others would be compared on fewer.
    """
    found = []
    for task, of_task in grouped(standings, attrgetter("task")).items():
        for ingredient in Ingredient:
            members = [one for one in of_task if ingredient in catalogue.ingredients(one.puzzle)]
            puzzles = tuple(sorted({one.puzzle for one in members}))
            by_label = grouped(members, attrgetter("label"))
            means = [
                (label, exp(fmean(map(log_of, group))))
                for label, group in by_label.items()
                if len(group) == len(puzzles)
            ]
            if means:
                ordered = tuple(sorted(means, key=lambda mean: mean[1]))
                found.append(OnIngredient(task, ingredient, puzzles, ordered))
    return found


def powers(pairs: Iterable[AcrossPair]) -> list[Power]:
    """The power of each task's tests across kinds; none where a task has fewer than two kinds."""
    found = []
    for task, of_task in grouped(pairs, attrgetter("task")).items():
        kinds = max(len(pair.logs) for pair in of_task)
        spreads = [stdev(pair.logs) for pair in of_task if len(pair.logs) == kinds > 1]
        if spreads:
            spread, number = median(spreads), len(of_task)
            alone, corrected = (
                detectable(kinds, spread, level) for level in (SIGNIFICANT, SIGNIFICANT / number)
            )
            found.append(Power(task, kinds, number, spread, factor_of(alone), factor_of(corrected)))
    return found


def factor_of(log_ratio: float) -> float:
    """The factor whose logarithm this is; inf for inf."""
    return exp(log_ratio) if log_ratio < inf else inf
