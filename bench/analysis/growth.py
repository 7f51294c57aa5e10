"""Growth of each model over the sizes of a family, the largest size it solves, hardness by givens."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter
from statistics import median
from typing import NamedTuple

import numpy as np

from bench import catalogue
from bench.analysis.measurements import Measurement
from bench.analysis.tables import RESOLUTION_S, grouped, rank
from bench.campaign.selection import LEAST_SIZES, SAMPLE
from bench.catalogue import RequestError
from bench.contract import Status, Task
from bench.stats import Interval
from models.shared.puzzle import WithGivens

_LEAST_POINTS, _MOST_POINTS = 4, 6
"""From fewer sizes there is no rate of growth; of more the largest count, where search dominates."""


SIZE, HARD = "size", "hard"
"""The family that every puzzle has, and that of puzzles whose good models solve every size of it."""


class Family(NamedTuple):
    """A family of generated instances with a task: each has a picture of its growth."""

    puzzle: str
    name: str
    task: Task


@dataclass(frozen=True)
class Step:
    """A model on the instances of one size of a family.

    Attributes:
        size: unknowns of the puzzle.
        time_limit_s: the largest of the runs.
        tried: how many instances were tried.
        solved: how many of them were solved in every run.
        status: of the first instance that was not solved, if there is one.
        example: the name of an instance.
        total_s, branches, variables, peak_mb: median, least and most over the instances that
            were solved, None if there are none.
    """

    family: Family
    label: str
    formulation: str
    size: float
    time_limit_s: float
    tried: int
    solved: int
    status: Status
    example: str
    total_s: Interval | None
    branches: Interval | None
    variables: Interval | None
    peak_mb: Interval | None

    @property
    def reached(self) -> bool:
        """Whether most instances of the size are solved."""
        return 2 * self.solved > self.tried


@dataclass(frozen=True)
class Frontier:
    """The largest size of a family of which a model solves most instances.

    Attributes:
        size, example, total_s: this size, an instance of it, and the median time; None if there is none.
        largest: the largest size that any model was tried on.
        failed, status: the next size that was tried, of which most instances are unsolved, and why.
        rate: the exponent b of its time, which grows as size ** b, with its 95% interval; None where that
            is unknown.
    """

    family: Family
    label: str
    formulation: str
    size: float | None
    example: str
    total_s: float | None
    largest: float
    failed: float | None
    status: Status | None
    rate: Interval | None

    @property
    def grows(self) -> str:
        """The rate in words, empty where it is unknown."""
        return "{:.1f} ({:.1f} to {:.1f})".format(*self.rate) if self.rate else ""


class GivensPoint(NamedTuple):
    """A measurement on an instance with givens, of a family whose instances have the same size."""

    family: Family
    measurement: Measurement
    givens: int


def by_family(measurements: Iterable[Measurement]) -> list[tuple[Family, list[Measurement], int]]:
    """The measurements on instances of the project's families but the samples, in the order of all tables.

    Behind them stands the number of sizes of the family's instances, over all tasks.
    """
    measurements = list(measurements)
    names = {
        (puzzle, instance): family
        for puzzle in {each.puzzle for each in measurements} & set(catalogue.puzzle_names())
        for family, paths in catalogue.families(puzzle).items()
        if family != SAMPLE
        for instance in paths
    }
    found: dict[Family, list[Measurement]] = defaultdict(list)
    sizes: dict[tuple[str, str], set[float]] = defaultdict(set)
    for each in measurements:
        if name := names.get((each.puzzle, each.instance)):
            found[Family(each.puzzle, name, each.task)].append(each)
            sizes[each.puzzle, name].add(each.size)
    order = sorted(found, key=lambda family: (family[:2], list(Task).index(family.task)))
    return [(family, found[family], len(sizes[family[:2]])) for family in order]


def steps(measurements: Iterable[Measurement]) -> list[Step]:
    """What became of the instances of each size, by model, for families with several sizes.

    They are in the order of all tables, the smallest size of a model first.
    """

    found = []
    for family, members, sizes in by_family(measurements):
        if sizes < LEAST_SIZES:
            continue
        groups = grouped(members, lambda each: (rank(each.label), each.formulation, each.size))
        for _, group in sorted(groups.items()):
            first, solved = group[0], [each for each in group if not each.inconclusive]
            step = Step(
                family=family,
                label=first.label,
                formulation=first.formulation,
                size=first.size,
                time_limit_s=max(each.time_limit_s for each in group),
                tried=len(group),
                solved=len(solved),
                status=next((each.status for each in group if each.inconclusive), first.status),
                example=first.instance,
                total_s=extent(each.total_s for each in solved),
                branches=extent(each.figures.branches for each in solved),
                variables=extent(each.figures.variables for each in solved),
                peak_mb=extent(each.figures.peak_mb for each in solved),
            )
            found.append(step)
    return found


def extent(values: Iterable[float | None]) -> Interval | None:
    """The median, the least and the most of the values that are known; None if there are none."""
    known = [value for value in values if value is not None]
    return Interval(median(known), min(known), max(known)) if known else None


def by_model(steps: Iterable[Step]) -> list[list[Step]]:
    """The steps of each model in a family, the smallest size first."""
    return list(grouped(steps, attrgetter("family", "label", "formulation")).values())


def frontier(steps: Sequence[Step]) -> list[Frontier]:
    """The largest size at which each model solves most instances."""
    found = []
    for sizes in by_model(steps):
        family = sizes[0].family
        top = next((step for step in reversed(sizes) if step.reached), None)
        lost = next((step for step in sizes if not step.reached and (not top or step.size > top.size)), None)
        found.append(
            Frontier(
                family=family,
                label=sizes[0].label,
                formulation=sizes[0].formulation,
                size=top.size if top else None,
                example=top.example if top else "",
                total_s=top.total_s.median if top and top.total_s else None,
                largest=max(step.size for step in steps if step.family[:2] == family[:2]),
                failed=lost.size if lost else None,
                status=lost.status if lost else None,
                rate=_fitted(sizes),
            )
        )
    return found


def hardest(reached: Sequence[Frontier]) -> list[Frontier]:
    """Without the family `size` of puzzles whose family `hard` is here with the same task."""
    hard = {each.family for each in reached if each.family.name == HARD}
    return [
        each for each in reached if each.family.name != SIZE or each.family._replace(name=HARD) not in hard
    ]


def _fitted(sizes: Sequence[Step]) -> Interval | None:
    """The rate at which the time of a model grows with size: least squares of log time on log size.

    Only sizes of which all instances are solved count, as a time limit cuts off the longest times of the
    others, and times that are not below timing resolution. None if there are fewer than _LEAST_POINTS.
    """
    # Importing scipy needs a quarter of a second.
    from scipy.stats import linregress, t

    points = [
        (step.size, step.total_s.median)
        for step in sizes
        if step.solved == step.tried and step.total_s and step.total_s.median >= RESOLUTION_S
    ][-_MOST_POINTS:]
    if len(points) < _LEAST_POINTS:
        return None
    fit = linregress(*np.log(points).T)
    half = float(t.ppf(0.975, len(points) - 2) * fit.stderr)
    return Interval(float(fit.slope), float(fit.slope) - half, float(fit.slope) + half)


def givens(measurements: Iterable[Measurement]) -> list[GivensPoint]:
    """The measurements on families of one size whose instances have givens, in the order of all tables."""
    points = []
    for family, members, sizes in by_family(measurements):
        paths = catalogue.families(family.puzzle)[family.name] if sizes == 1 else {}
        counts = {}
        for name, path in paths.items():
            with suppress(RequestError):
                puzzle = catalogue.load(path, adds=False).puzzle
                if isinstance(puzzle, WithGivens):
                    counts[name] = len(puzzle.givens)
        points += [
            GivensPoint(family, each, counts[each.instance]) for each in members if each.instance in counts
        ]
    return points
