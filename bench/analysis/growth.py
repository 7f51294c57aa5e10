"""Growth of each model over the sizes of a family, the largest size it solves, hardness by givens."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
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

_SIZE, _HARD = "size", "hard"
"""The family that every puzzle has, and that of puzzles whose good models solve every size of it."""


class Family(NamedTuple):
    """A family of generated instances with a task."""

    puzzle: str
    name: str
    task: Task


@dataclass(frozen=True)
class Step:
    """A model on the instances of one size of a family.

    Attributes:
        size: unknowns of the puzzle.
        time_limit_s: the largest of the runs.
        tried, solved: how many instances were tried, and how many of them were solved in every run.
        status: of the first instance that was not solved, if there is one.
        example: the name of an instance.
        total_s, branches, variables, peak_mb: median, least and most over the instances that were solved.
    """

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
class Climb:
    """A model on the sizes of a family.

    Attributes:
        steps: the smallest size first.
        largest: the largest size of the family that any model was tried on.
        rate: the exponent b of its time, which grows as size ** b, with its 95% interval; None if unknown.
    """

    family: Family
    label: str
    formulation: str
    steps: Sequence[Step]
    largest: float
    rate: Interval | None

    @property
    def model(self) -> str:
        """The label and the formulation."""
        return f"{self.label} {self.formulation}".rstrip()

    @property
    def top(self) -> Step | None:
        """The largest size of which the model solves most instances."""
        return next((step for step in reversed(self.steps) if step.reached), None)

    @property
    def failed(self) -> Step | None:
        """The next larger size that was tried, of which most instances are unsolved."""
        least = self.top.size if self.top else -inf
        return next((step for step in self.steps if step.size > least), None)

    @property
    def grows(self) -> str:
        """The rate in words, empty where it is unknown."""
        return "{:.1f} ({:.1f} to {:.1f})".format(*self.rate) if self.rate else ""


def by_family(measurements: Iterable[Measurement]) -> list[tuple[Family, list[Measurement], set[float]]]:
    """The measurements on instances of the project's families but the samples, in the order of all tables.

    Behind them stand the sizes of the family's instances, over all tasks.
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
    return [(family, found[family], sizes[family[:2]]) for family in order]


def climbs(measurements: Iterable[Measurement]) -> list[Climb]:
    """What became of each model on families with several sizes, in the order of all tables."""
    found = []
    for family, members, sizes in by_family(measurements):
        if len(sizes) < LEAST_SIZES:
            continue
        models = grouped(members, lambda each: (rank(each.label), each.label, each.formulation))
        for (_, label, formulation), own in sorted(models.items()):
            steps = [_step(group) for _, group in sorted(grouped(own, attrgetter("size")).items())]
            found.append(Climb(family, label, formulation, steps, max(sizes), _fitted(steps)))
    return found


def _step(group: Sequence[Measurement]) -> Step:
    """What became of the instances of a size."""
    solved = [each for each in group if not each.inconclusive]
    return Step(
        size=group[0].size,
        time_limit_s=max(each.time_limit_s for each in group),
        tried=len(group),
        solved=len(solved),
        status=next((each.status for each in group if each.inconclusive), group[0].status),
        example=group[0].instance,
        total_s=_extent(each.total_s for each in solved),
        branches=_extent(each.figures.branches for each in solved),
        variables=_extent(each.figures.variables for each in solved),
        peak_mb=_extent(each.figures.peak_mb for each in solved),
    )


def _extent(values: Iterable[float | None]) -> Interval | None:
    """The median, the least and the most of the values that are known; None if there are none."""
    known = [value for value in values if value is not None]
    return Interval(median(known), min(known), max(known)) if known else None


def hardest(climbs: Sequence[Climb]) -> list[Climb]:
    """Without the family `size` of puzzles whose family `hard` is here with the same task."""
    hard = {each.family for each in climbs if each.family.name == _HARD}
    return [
        each for each in climbs if each.family.name != _SIZE or each.family._replace(name=_HARD) not in hard
    ]


def _fitted(steps: Sequence[Step]) -> Interval | None:
    """The rate at which the time of a model grows with size: least squares of log time on log size.

    Only sizes of which all instances are solved count, as a time limit cuts off the longest times of the
    others, and times that are not below timing resolution. None if there are fewer than _LEAST_POINTS.
    """
    # Importing scipy needs a quarter of a second.
    from scipy.stats import linregress, t

    points = [
        (step.size, step.total_s.median)
        for step in steps
        if step.solved == step.tried and step.total_s and step.total_s.median >= RESOLUTION_S
    ][-_MOST_POINTS:]
    if len(points) < _LEAST_POINTS:
        return None
    fit = linregress(*np.log(points).T)
    half = float(t.ppf(0.975, len(points) - 2) * fit.stderr)
    return Interval(float(fit.slope), float(fit.slope) - half, float(fit.slope) + half)


def givens(measurements: Iterable[Measurement]) -> dict[Family, list[tuple[int, Measurement]]]:
    """The measurements on families of one size whose instances have givens, behind the number of givens."""
    found: dict[Family, list[tuple[int, Measurement]]] = defaultdict(list)
    for family, members, sizes in by_family(measurements):
        paths = catalogue.families(family.puzzle)[family.name] if len(sizes) == 1 else {}
        counts = {}
        for name, path in paths.items():
            with suppress(RequestError):
                puzzle = catalogue.load(path, adds=False).puzzle
                if isinstance(puzzle, WithGivens):
                    counts[name] = len(puzzle.givens)
        for each in members:
            if each.instance in counts:
                found[family].append((counts[each.instance], each))
    return found
