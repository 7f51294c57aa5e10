"""Which times are longer by more than noise and drift explain: two tests, for two kinds of comparison.

Each measurement is judged, and so are all measurements of a puzzle by a backend together, since a slowdown
usually hits them all. Both tests correct for the number of groups. docs/regressions.md has their error rates.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
import pandas as pd

from bench.instruments.regression.change import Change
from bench.instruments.regression.drift import Drift, shifts_of, spread
from bench.stats import Floats, holm, signed_ranks, walsh_median

_ALPHA = 0.02
"""The probability that a gate may call something slower although nothing is, over all that it judges."""

_SUSPECT = 0.1
"""In an interleaved comparison, measurements that look slower with a smaller p than this get more pairs."""

FEW = 8
"""With fewer measurements, a shift common to all cannot be told from a change of one."""


@dataclass(frozen=True)
class Group:
    """Measurements that are judged together."""

    name: str
    members: tuple[Change, ...]


@dataclass(frozen=True)
class Slower:
    """A group that takes longer: how many times as long, and the evidence."""

    group: Group
    ratio: float
    evidence: str


def groups(changes: Sequence[Change]) -> list[Group]:
    """Each measurement, and all measurements of a puzzle by a backend where there are several."""
    by_backend: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        by_backend[f"{change.puzzle} {change.label}"].append(change)
    return [
        *(Group(change.name, (change,)) for change in changes),
        *(Group(name, tuple(members)) for name, members in by_backend.items() if len(members) > 1),
    ]


def slower_in_pairs(changes: Sequence[Change], threshold: float, rounds: int) -> list[Slower]:
    """The groups whose paired ratios exceed 1 by Wilcoxon's test with Holm's correction, and the threshold.

    If some measurements have more pairs than the rounds, the rounds only selected those (`suspects`): then
    only groups with more pairs are judged, by the additional pairs alone, since they were selected for
    looking slow.

    All changes have times, in pairs.
    """
    logs = differences(changes)
    later = {change: change.times.repeats > rounds for change in changes if change.times and rounds}
    if any(chosen.any() for chosen in later.values()):
        logs = {change: pairs[later[change]] for change, pairs in logs.items()}
    judged = [group for group in groups(changes) if all(len(logs[change]) for change in group.members)]
    samples = [np.concatenate([logs[change] for change in group.members]) for group in judged]
    p = holm(pd.Series(signed_ranks(samples)))
    found = []
    for group, sample, chance in zip(judged, samples, p, strict=True):
        if chance < _ALPHA and (times := float(np.exp(walsh_median(sample)))) > threshold:
            found.append(Slower(group, times, f"{len(sample)} pairs, p = {chance:.2g} (of {len(p)} tests)"))
    return found


def too_few(sizes: Sequence[int], pairs: int, confirm: int) -> str:
    """A line if so few pairs can find nothing slower, whatever they show; else empty.

    Of n pairs p is at least 2 ** -n, and Holm's correction multiplies the least by the number of tests.

    Args:
        sizes: how many measurements each puzzle has by each backend.
    """
    tests = 1 if confirm else sum(sizes) + sum(size > 1 for size in sizes)
    deciding, most = confirm or pairs, max(sizes)
    together = (most + 1 if confirm else tests) * 0.5 ** (deciding * most)
    if min(tests * 0.5**deciding, together) < _ALPHA:
        return ""
    needed = next(number for number in count(1) if tests * 0.5**number < _ALPHA)
    option = "--confirm" if confirm else "--pairs"
    cannot = f"so few pairs cannot show that anything is slower (p below {_ALPHA:g})"
    return f"{option} {deciding}: {cannot}; use {option} {needed}"


def suspects(changes: Sequence[Change]) -> list[Change]:
    """The measurements that get more pairs: all members of every group that looks slower at all."""
    logs, judged = differences(changes), groups(changes)
    p = signed_ranks([np.concatenate([logs[change] for change in group.members]) for group in judged])
    slow = [group for group, chance in zip(judged, p, strict=True) if chance < _SUSPECT]
    chosen = {change for group in slow for change in group.members}
    return [change for change in changes if change in chosen]


def differences(changes: Sequence[Change]) -> dict[Change, Floats]:
    """For each measurement the logarithms of the ratios of its pairs."""
    return {change: change.times.new - change.times.base for change in changes if change.times}


def slower_between(
    changes: Sequence[Change], threshold: float, drift: Drift, slowdown: float | None
) -> list[Slower]:
    """The groups whose interval lies beyond the threshold, with the drift between campaigns in the error.

    The shift common to all measurements is judged as a group of its own and subtracted from the others: a
    machine that was slower for a while is no slower backend. On another machine, where no A/A data tell what
    is usual, only measurements are judged that differ from the reference load more than the others do.

    Args:
        changes: all with times.
        slowdown: how many times as long new's machine takes for the reference load; None on the same machine.
    """
    from scipy.stats import t

    shifts, variances = shifts_of([change.times for change in changes if change.times])
    if np.isnan(variances).all():
        return []
    own, common, middle = drift.own, drift.common, 0.0
    if slowdown is not None:
        shifts = shifts - np.log(slowdown)
        own, common = spread(shifts), 0.0
    elif len(changes) >= FEW:
        common, middle = 0.0, float(np.median(shifts))
    shift, variance = (dict(zip(changes, each, strict=True)) for each in (shifts, variances))
    judged, values, errors = groups(changes), [], []
    for group in judged:
        values.append(np.mean([shift[change] for change in group.members]) - middle)
        noise = np.mean([variance[change] for change in group.members]) / len(group.members)
        errors.append(own**2 + common**2 + noise)
    freedom = [np.inf] * len(judged)
    if slowdown is None and len(changes) >= FEW:
        judged.append(Group("everything together", tuple(changes)))
        values.append(middle)
        errors.append(drift.common**2 + np.pi / 2 * variances.mean() / len(changes))
        freedom.append(max(1, drift.campaigns - 1) if drift.campaigns else np.inf)
    # Times that never vary, as made-up ones may, leave no error at all.
    deviations = np.maximum(1e-9, np.sqrt(errors))
    p = holm(pd.Series(t.sf((np.array(values) - np.log(threshold)) / deviations, freedom)))
    return [
        Slower(group, float(np.exp(value)), f"beyond {threshold:g}: p = {chance:.2g} (of {len(p)} tests)")
        for group, value, chance in zip(judged, values, p, strict=True)
        if chance < _ALPHA
    ]
