"""Which times are longer by more than noise and drift explain: two tests, for two kinds of comparison.

Each measurement is judged, and so are all measurements of a puzzle by a backend together, since a slowdown
usually hits them all. Both tests correct for the number of groups. docs/regressions.md has their error rates.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pandas as pd

from bench.regression.change import Change
from bench.regression.drift import Drift, shifts_of, spread
from bench.stats import Floats, holm, signed_rank, walsh_median

ALPHA = 0.02
"""The probability that a gate may call something slower although nothing is, over all that it judges."""

SUSPECT = 0.1
"""In an interleaved comparison, measurements that look slower with a smaller p than this get more pairs."""

FEW = 8
"""With fewer measurements, a shift common to all cannot be told from a change of one."""


@dataclass(frozen=True)
class Group:
    """Measurements that are judged together, by their places in a list of changes."""

    name: str
    members: tuple[int, ...]


@dataclass(frozen=True)
class Slower:
    """A group that takes longer: how many times as long, and the evidence."""

    group: Group
    ratio: float
    evidence: str


def groups(changes: Sequence[Change]) -> list[Group]:
    """Each measurement, and all measurements of a puzzle by a backend where there are several."""
    by_backend: dict[str, list[int]] = defaultdict(list)
    for place, change in enumerate(changes):
        by_backend[f"{change.puzzle} {change.label}"].append(place)
    return [
        *(Group(change.name, (place,)) for place, change in enumerate(changes)),
        *(Group(name, tuple(places)) for name, places in by_backend.items() if len(places) > 1),
    ]


def slower_in_pairs(changes: Sequence[Change], threshold: float, rounds: int) -> list[Slower]:
    """The groups whose paired ratios exceed 1 by Wilcoxon's test with Holm's correction, and the threshold.

    If some measurements have more pairs than the rounds, the rounds only selected those (`suspects`): then
    only groups with more pairs are judged, by the additional pairs alone, since they were selected for
    looking slow.

    Args:
        changes: with times, all of them paired.
    """
    logs = differences(changes)
    later = [change.times.repeats > rounds for change in changes if change.times] if rounds else []
    if any(chosen.any() for chosen in later):
        logs = [pairs[more] for pairs, more in zip(logs, later, strict=True)]
    samples = {
        group: np.concatenate([logs[place] for place in group.members])
        for group in groups(changes)
        if all(len(logs[place]) for place in group.members)
    }
    p = holm(pd.Series(signed_rank(list(samples.values())), index=range(len(samples))))
    found = []
    for (group, sample), chance in zip(samples.items(), p, strict=True):
        if chance < ALPHA and (times := float(np.exp(walsh_median(sample)))) > threshold:
            found.append(Slower(group, times, f"{len(sample)} pairs, p = {chance:.2g} (of {len(p)} tests)"))
    return found


def suspects(changes: Sequence[Change]) -> list[Change]:
    """The measurements that get more pairs: all members of every group that looks slower at all.

    Args:
        changes: with times, all of them paired.
    """
    logs, judged = differences(changes), groups(changes)
    p = signed_rank([np.concatenate([logs[place] for place in group.members]) for group in judged])
    chosen = chain.from_iterable(
        group.members for group, chance in zip(judged, p, strict=True) if chance < SUSPECT
    )
    return [changes[place] for place in sorted(set(chosen))]


def differences(changes: Sequence[Change]) -> list[Floats]:
    """For each measurement the logarithms of the ratios of its pairs."""
    return [change.times.differences for change in changes if change.times]


def slower_between(
    changes: Sequence[Change], threshold: float, drift: Drift, slowdown: float | None
) -> list[Slower]:
    """The groups whose interval lies beyond the threshold, with the drift between campaigns in the error.

    The shift common to all measurements is judged as a group of its own and subtracted from the others: a
    machine that was slower for a while is no slower backend. On another machine, where no A/A data tell what
    is usual, only measurements are judged that differ from the reference load more than the others do.

    Args:
        changes: with times.
        slowdown: how many times as long new's machine takes for the reference load; None on the same machine.
    """
    from scipy.stats import t

    shifts, variances = shifts_of([change.times for change in changes if change.times])
    if np.isnan(variances).all():
        return []
    judged = groups(changes)
    freedom = {}
    if slowdown is not None:
        shifts = shifts - np.log(slowdown)
        middle, own, common = 0.0, spread(shifts), 0.0
    elif len(changes) < FEW:
        middle, own, common = 0.0, drift.own, drift.common
    else:
        middle, own, common = float(np.median(shifts)), drift.own, 0.0
    errors = {
        group: own**2 + common**2 + variances[list(group.members)].mean() / len(group.members)
        for group in judged
    }
    values = {group: shifts[list(group.members)].mean() - middle for group in judged}
    if slowdown is None and len(changes) >= FEW:
        everything = Group("everything together", tuple(range(len(changes))))
        values[everything] = middle
        errors[everything] = drift.common**2 + np.pi / 2 * variances.mean() / len(changes)
        freedom[everything] = max(1, drift.campaigns - 1) if drift.campaigns else np.inf
    # Times that never vary, as made-up ones may, leave no error at all.
    deviations = {group: max(1e-9, float(np.sqrt(error))) for group, error in errors.items()}
    p = holm(
        pd.Series(
            {
                group: t.sf((value - np.log(threshold)) / deviations[group], freedom.get(group, np.inf))
                for group, value in values.items()
            },
            dtype=float,
        )
    )
    return [
        Slower(group, float(np.exp(value)), f"beyond {threshold:g}: p = {p[group]:.2g} (of {len(p)} tests)")
        for group, value in values.items()
        if p[group] < ALPHA
    ]
