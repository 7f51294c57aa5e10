"""What is decided before any search, and how that share falls over the sizes of a family, beside the time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from bench import catalogue
from bench.analysis.growth import Family, by_family, extent
from bench.analysis.measurements import Measurement, Problem
from bench.analysis.tables import grouped
from bench.analysis.units import listed, seconds
from bench.campaign.selection import LEAST_SIZES
from bench.instruments.explain.mechanisms import BEFORE, Explained
from bench.instruments.explain.sentences import is_solved, percentage, time
from bench.stats import Interval

MEANS = {
    "milp": ("relaxation", "presolve", "root node"),
    "cpsat": ("propagation", "probing", "presolve"),
    "asp": ("propagation", "probing"),
    "csp": (BEFORE,),
    "backtrack": (BEFORE, "propagation", "shaving"),
}
"""What may decide a model of each backend without search, the simplest means first."""


class _Share(NamedTuple):
    """What a means decides of a model, as text; whether that leaves nothing to search."""

    text: str
    decides: bool


def decided(model: Explained) -> dict[str, _Share]:
    """What each means that was measured decides of a model, the simplest first."""
    every = {means: _share(model, means) for means in MEANS.get(model.backend, ())}
    return {means: share for means, share in every.items() if share}


def _share(model: Explained, means: str) -> _Share | None:
    root = model.root()
    if means == "relaxation" and model.integral is not None:
        point = model.root("relaxation").is_integral_point
        return _Share("one point" if point else percentage(model.integral), point)
    if means == "presolve" and root.presolved_variables is not None and root.variables:
        # Presolve may add variables.
        share = max(0.0, 1 - root.presolved_variables / root.variables)
        return _Share(percentage(share), model.solved_by_presolve)
    if means == "root node" and (each := model.others.get("root")) and not each.status.faulty:
        texts = {0: "unsolved", each.runs: "solved"}
        return _Share(texts.get(each.conclusive, f"{each.conclusive} of {each.runs}"), not each.inconclusive)
    removed = model.removed.get(means)
    return None if removed is None else _Share(percentage(removed), removed == 1)


def deciding(model: Explained) -> str:
    """What decides a model before any search, the simplest means that does; empty if nothing does."""
    return next((means for means, share in decided(model).items() if share.decides), "")


KINDS = {
    "integral": "variables that are integral in the linear relaxation",
    "agreeing": "variables with one value in all points found of the relaxation",
    "propagation": "values removed by propagation",
    "probing": "values removed by probing",
    "shaving": "values removed by shaving",
    BEFORE: "values removed before the search",
}
"""The shares whose decline over size is shown, in words."""


@dataclass(frozen=True)
class Decline:
    """A model over the sizes of a family.

    Attributes:
        name: the solver and the formulation.
        shares: by kind (KINDS), what the root decides at each size: median, least and most of its instances;
            of a size only what is known of all instances, which are those of the times.
        times: the total time at each size; None where an instance is unsolved.
        outcomes: the median time at each size, or what became of the instances that are unsolved.
        limit_s: the time limit.
    """

    backend: str
    name: str
    shares: Mapping[str, Mapping[float, Interval]]
    times: Mapping[float, Interval | None]
    outcomes: Mapping[float, str]
    limit_s: float


def declines(
    measured: Sequence[Measurement], found: Mapping[Problem, Sequence[Explained]]
) -> dict[Family, list[Decline]]:
    """The models of each family with several sizes whose root was measured at several of them."""
    declining: dict[Family, list[Decline]] = {}
    for family, members, sizes in by_family(measured):
        if sizes < LEAST_SIZES:
            continue
        problems = dict.fromkeys(each.problem for each in members)
        models = [model for problem in problems for model in found.get(problem, ())]
        for group in grouped(models, lambda model: (model.backend, model.default.formulation)).values():
            one = _decline(sorted(group, key=lambda model: model.default.size))
            if any(len(shares) > 1 for shares in one.shares.values()):
                declining.setdefault(family, []).append(one)
    return declining


def _decline(group: Sequence[Explained]) -> Decline:
    """One model, by what is known of it on each instance, the smallest first."""
    shares: dict[str, dict[float, Interval]] = {kind: {} for kind in KINDS}
    times: dict[float, Interval | None] = {}
    outcomes = {}
    for size, models in grouped(group, attrgetter("default.size")).items():
        at_root = [shares_at_root(model) for model in models]
        for kind in KINDS:
            known = [of_instance[kind] for of_instance in at_root if kind in of_instance]
            if len(known) == len(models) and (of_all := extent(known)):
                shares[kind][size] = of_all
        failed = [model.default for model in models if not is_solved(model.default)]
        times[size] = middle = None if failed else extent(model.default.time_s for model in models)
        if middle:
            outcomes[size] = seconds(middle.median)
        else:
            some = f" on {len(failed)} of {len(models)} instances" if len(failed) < len(models) else ""
            outcomes[size] = listed(dict.fromkeys(map(time, failed))) + some
    limit_s = max(model.default.time_limit_s for model in group)
    known_shares = {kind: of_kind for kind, of_kind in shares.items() if of_kind}
    return Decline(group[0].backend, group[0].name, known_shares, times, outcomes, limit_s)


def shares_at_root(model: Explained) -> dict[str, float]:
    """The shares of a model on one instance that the root decides, by kind."""
    relaxation = model.root("relaxation")
    shares = {} if model.integral is None else {"integral": model.integral}
    if relaxation.variables and relaxation.relaxation_feasible and relaxation.agreeing is not None:
        shares["agreeing"] = relaxation.agreeing / relaxation.variables
    return {**shares, **model.removed}


def of_no_family(found: Iterable[Problem], declining: Iterable[Family]) -> list[Problem]:
    """The problems whose instances are not of a family that is explained as a whole."""
    names = {
        (family.puzzle, instance, family.task)
        for family in declining
        for instance in catalogue.families(family.puzzle)[family.name]
    }
    return [problem for problem in found if problem not in names]
