"""How the share that the root decides falls over the sizes of a family, beside the time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from bench import catalogue
from bench.analysis.comparison import MOST_IN_ALL, evenly
from bench.analysis.growth import Family, by_family, extent
from bench.analysis.measurements import Measurement, Problem
from bench.analysis.tables import grouped
from bench.analysis.units import count, listed, seconds
from bench.campaign.selection import LEAST_SIZES
from bench.instruments.explain.mechanisms import BEFORE, Explained
from bench.instruments.explain.sentences import Sentence, is_solved, percentage, time
from bench.stats import Interval

KINDS = {
    "integral": "variables that are integral in the linear relaxation",
    "agreeing": "variables with one value in all points found of the relaxation",
    "propagation": "values removed by propagation",
    "probing": "values removed by probing",
    "shaving": "values removed by shaving",
    BEFORE: "values removed before the search",
}
"""The shares in words."""


@dataclass(frozen=True)
class Decline:
    """A model over the sizes of a family.

    Attributes:
        shares: by kind (KINDS), what the root decides at each size: median, least and most of its instances;
            of a size only what is known of all instances, which are those of the times.
        times: the total time at each size; None where an instance is unsolved.
        unsolved: what became of these, at each size that has any.
        limit_s: the time limit.
    """

    family: Family
    backend: str
    system: str
    formulation: str
    shares: Mapping[str, Mapping[float, Interval]]
    times: Mapping[float, Interval | None]
    unsolved: Mapping[float, str]
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
    times: dict[float, Interval | None] = {}
    unsolved = {}
    for size, models in by_size.items():
        decided = [shares_at_root(model) for model in models]
        for kind in KINDS:
            known = [of_instance[kind] for of_instance in decided if kind in of_instance]
            if len(known) == len(models) and (of_all := extent(known)):
                shares[kind][size] = of_all
        failed = [model.default for model in models if not is_solved(model.default)]
        times[size] = None if failed else extent(model.default.time_s for model in models)
        if failed:
            what = listed(dict.fromkeys(map(time, failed)))
            some = f" on {len(failed)} of {len(models)} instances" if len(failed) < len(models) else ""
            unsolved[size] = what + some
    return Decline(
        family,
        first.backend,
        first.system,
        first.default.formulation,
        {kind: of_kind for kind, of_kind in shares.items() if of_kind},
        times,
        unsolved,
        max(model.default.time_limit_s for model in group),
    )


def shares_at_root(model: Explained) -> dict[str, float]:
    """The shares of a model on one instance that the root decides, by kind."""
    relaxation = model.root("relaxation")
    shares = {} if model.integral is None else {"integral": model.integral}
    if relaxation.variables and relaxation.relaxation_feasible and relaxation.agreeing is not None:
        shares["agreeing"] = relaxation.agreeing / relaxation.variables
    return {**shares, **model.removed}


def on_decline(each: Decline) -> Iterator[Sentence]:
    """What becomes of each share from the smallest size to the largest, and of the time."""
    for kind, shares in each.shares.items():
        if len(shares) > 1:
            (first, before), *_, (last, after) = shares.items()
            was, now = (_time_at(each, size) for size in (first, last))
            ends = f"is {was} at both" if was == now else f"goes from {was} to {now}"
            yield Sentence(
                f"{each.family.puzzle}, family {each.family.name}, from {count(first)} to {count(last)} "
                f"unknowns: with `{each.formulation}` the share of {KINDS[kind]} goes from "
                f"{percentage(before.median)} to {percentage(after.median)}, while the time of {each.system} "
                f"{ends}."
            )


def _time_at(each: Decline, size: float) -> str:
    """The time at a size, or what became of what is unsolved."""
    known = each.times[size]
    return seconds(known.median) if known else each.unsolved.get(size, "unknown")


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
