"""How the share that the root decides falls over the sizes of a family, beside the time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from bench import catalogue
from bench.analysis.comparison import MOST_IN_ALL, evenly
from bench.analysis.growth import Family, by_family, extent
from bench.analysis.measurements import Measurement, Problem
from bench.analysis.tables import grouped
from bench.analysis.units import count, seconds
from bench.analysis.why.mechanisms import Explained
from bench.analysis.why.sentences import Sentence, percentage
from bench.campaign.selection import LEAST_SIZES
from bench.stats import Interval

KINDS = {
    "integral": "variables that are integral in the linear relaxation",
    "agreeing": "variables with one value in all points found of the relaxation",
    "propagation": "values removed by propagation",
    "probing": "values removed by probing",
}
"""The shares in words."""


@dataclass(frozen=True)
class Decline:
    """A model over the sizes of a family.

    Attributes:
        shares: by kind (KINDS), what the root decides at each size: median, least and most of its instances.
        times: the total time at each size; None where an instance is unsolved.
        limit_s: the time limit.
    """

    family: Family
    backend: str
    system: str
    formulation: str
    shares: Mapping[str, Mapping[float, Interval]]
    times: Mapping[float, Interval | None]
    limit_s: float


def declines(measured: Sequence[Measurement], found: Mapping[Problem, Sequence[Explained]]) -> list[Decline]:
    """The models of each family with several sizes whose root was measured at several of them."""
    declining = []
    for family, members, sizes in by_family(measured):
        if sizes < LEAST_SIZES:
            continue
        problems = dict.fromkeys(each.problem for each in members)
        models = [model for problem in problems for model in found.get(problem, ())]
        for group in grouped(models, lambda model: (model.backend, model.default.formulation)).values():
            one = decline(family, sorted(group, key=lambda model: model.default.size))
            if any(len(shares) > 1 for shares in one.shares.values()):
                declining.append(one)
    return declining


def decline(family: Family, group: Sequence[Explained]) -> Decline:
    """One model, by what is known of it on each instance, the smallest first."""
    first = group[0]
    by_size = grouped(group, attrgetter("default.size"))
    shares: dict[str, dict[float, Interval]] = {kind: {} for kind in KINDS}
    times = {}
    for size, models in by_size.items():
        for kind, by_instance in grouped(
            (pair for model in models for pair in decided(model)), lambda pair: pair[0]
        ).items():
            if known := extent(share for _, share in by_instance):
                shares[kind][size] = known
        solved = all(model.default.solved for model in models)
        times[size] = extent(model.default.total_s for model in models) if solved else None
    return Decline(
        family,
        first.backend,
        first.system,
        first.default.formulation,
        {kind: of_kind for kind, of_kind in shares.items() if of_kind},
        times,
        max(model.default.time_limit_s for model in group),
    )


def decided(model: Explained) -> Iterator[tuple[str, float]]:
    """The shares of a model on one instance that the root decides, by kind."""
    relaxation = model.root("relaxation")
    if relaxation.variables and relaxation.relaxation_feasible:
        if relaxation.fractional_max is not None:
            yield "integral", 1 - relaxation.fractional_max / relaxation.variables
        if relaxation.agreeing is not None:
            yield "agreeing", relaxation.agreeing / relaxation.variables
    propagation = model.root("propagation" if "propagation" in model.roots else "")
    for kind, root in (("propagation", propagation), ("probing", model.root("probing"))):
        if root.removed is not None:
            yield kind, root.removed


def on_decline(each: Decline) -> Iterator[Sentence]:
    """What becomes of each share from the smallest size to the largest, and of the time."""
    for kind, shares in each.shares.items():
        if len(shares) > 1:
            (first, before), *_, (last, after) = shares.items()
            yield Sentence(
                f"{each.family.puzzle}, family {each.family.name}, from {count(first)} to {count(last)} "
                f"unknowns: with `{each.formulation}` the share of {KINDS[kind]} goes from "
                f"{percentage(before.median)} to {percentage(after.median)}, while the time of {each.system} "
                f"{on_time(each.times[first], each.times[last], each.limit_s)}."
            )


def on_time(before: Interval | None, after: Interval | None, limit_s: float) -> str:
    """How a time changes."""
    known = [seconds(time.median) if time else f"more than {seconds(limit_s)}" for time in (before, after)]
    return f"goes from {known[0]} to {known[1]}" if before or after else f"is {known[0]} at both"


def in_detail(found: Iterable[Problem], declining: Iterable[Family]) -> list[Problem]:
    """The problems that are explained one by one: of no family, and evenly spaced if many."""
    return evenly(of_no_family(found, declining), MOST_IN_ALL)


def of_no_family(found: Iterable[Problem], declining: Iterable[Family]) -> list[Problem]:
    """The problems whose instances are not of a family that is explained as a whole."""
    names = {
        (family.puzzle, instance, family.task)
        for family in declining
        for instance in catalogue.families(family.puzzle)[family.name]
    }
    return [problem for problem in found if problem not in names]
