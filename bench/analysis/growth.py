"""Growth of each model over the sizes of a family, the largest size it solves, hardness by givens."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import inf
from operator import attrgetter
from statistics import median
from typing import NamedTuple

import numpy as np

from bench import catalogue
from bench.analysis.measurements import Measurement
from bench.analysis.tables import RESOLUTION_S, grouped, rank
from bench.campaign.selection import LEAST_SIZES, SAMPLES
from bench.contract import Status, Task
from bench.stats import Interval
from models.shared.puzzle import WithGivens


class Family(NamedTuple):
    """A family of generated instances with a task."""

    puzzle: str
    name: str
    task: Task


class Step(NamedTuple):
    """A model on the instances of one size of a family, in unknowns of the puzzle."""

    size: float
    tried: Sequence[Measurement]

    @property
    def solved(self) -> list[Measurement]:
        """The measurements on the instances that were solved in every run."""
        return [each for each in self.tried if not each.inconclusive]

    @property
    def reached(self) -> bool:
        """Whether most instances of the size are solved."""
        return 2 * len(self.solved) > len(self.tried)

    @property
    def status(self) -> Status:
        """Of the first instance that was not solved, if there is one."""
        return next((each.status for each in self.tried if each.inconclusive), self.tried[0].status)

    @property
    def time_s(self) -> float:
        """The median total time over the instances that were solved; inf if there are none."""
        return median([each.time_s for each in self.solved] or [inf])

    def extent(self, figure: str) -> Interval | None:
        """The median, least and most of a figure, such as `figures.branches`, over the solved instances."""
        known = [value for each in self.solved if (value := attrgetter(figure)(each)) is not None]
        return Interval(median(known), min(known), max(known)) if known else None


class Climb(NamedTuple):
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
        if family not in SAMPLES
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
            steps = [Step(*group) for group in sorted(grouped(own, attrgetter("size")).items())]
            found.append(Climb(family, label, formulation, steps, max(sizes), _fitted(steps)))
    return found


def hardest(climbs: Sequence[Climb]) -> list[Climb]:
    """Leaves out the family `size` of a puzzle that was measured on `hard` too, on the same task."""
    hard = {each.family for each in climbs if each.family.name == "hard"}
    easier = {family._replace(name="size") for family in hard}
    return [each for each in climbs if each.family not in easier]


def _fitted(steps: Sequence[Step]) -> Interval | None:
    """The rate at which the time of a model grows with size: least squares of log time on log size.

    Only sizes of which all instances are solved count, as a time limit cuts off the longest times of the
    others, and times that are not below timing resolution; of more than 6 sizes the largest, where search
    dominates. None for fewer than 4.
    """
    # Importing scipy needs a quarter of a second.
    from scipy.stats import linregress, t

    whole = [step for step in steps if len(step.solved) == len(step.tried) and step.time_s >= RESOLUTION_S]
    points = [(step.size, step.time_s) for step in whole[-6:]]
    if len(points) < 4:
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
            with suppress(catalogue.RequestError):
                puzzle = catalogue.load(path, adds=False).puzzle
                if isinstance(puzzle, WithGivens):
                    counts[name] = len(puzzle.givens)
        for each in members:
            if each.instance in counts:
                found[family].append((counts[each.instance], each))
    return found
