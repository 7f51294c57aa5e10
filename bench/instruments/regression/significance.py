"""Which times are longer by more than noise and drift explain: two tests, for two kinds of comparison.

Each measurement is judged, and so are all measurements of a puzzle by a backend together, since a slowdown
usually hits them all. Both tests correct for the number of groups. docs/regressions.md has their error rates.

Within one interleaved campaign, pairs are compared. Between two campaigns the variation within one is the
wrong error term: all runs of a campaign share what the machine did meanwhile. There each logarithm of a ratio
is the change itself, plus a drift that all measurements of the two campaigns share, plus a drift of its own,
plus the noise of its runs; drift is learned from campaigns of the same code on one machine (A/A).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, count
from pathlib import Path

import numpy as np
import pandas as pd

from bench.analysis.tables import MEASUREMENT, RESOLUTION_S, read_runs
from bench.campaign.results import CONTENTS
from bench.catalogue.errors import RequestError
from bench.instruments.regression.compare import Change, Times, machine, samples
from bench.stats import Floats, holm, ratio, signed_ranks, walsh_median

_ALPHA = 0.02
"""The probability that a gate may call something slower although nothing is, over all that it judges."""

_SUSPECT = 0.1
"""In an interleaved comparison, measurements that look slower with a smaller p than this get more pairs."""

_FEW = 8
"""With fewer measurements, a shift common to all cannot be told from a change of one."""

RECORDED = Path("results") / "aa"
"""Where campaigns of one commit are looked for, from the current folder, each in a folder of its own."""

_ASSUMED = 0.15
"""The drift that is assumed of a machine without A/A data.

A large public project found a standard deviation of 15% between jobs of its CI without any change.
"""


@dataclass(frozen=True)
class Drift:
    """Standard deviations between campaigns, of logarithms of ratios of times.

    Attributes:
        common: of what all measurements share.
        own: of what each measurement has beside that.
        campaigns: from how many it was learned; 0 if it is assumed.
    """

    common: float = _ASSUMED
    own: float = _ASSUMED
    campaigns: int = 0


@dataclass(frozen=True)
class Slower:
    """Measurements, judged together, that take longer: how many times as long, and the evidence."""

    name: str
    members: Sequence[Change]
    ratio: float
    evidence: str


def _groups(changes: Sequence[Change]) -> list[tuple[str, list[Change]]]:
    """Each measurement, and all measurements of a puzzle by a backend where there are several, with names."""
    by_backend: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        by_backend[f"{change.puzzle} {change.label}"].append(change)
    return [
        *((change.name, [change]) for change in changes),
        *((name, members) for name, members in by_backend.items() if len(members) > 1),
    ]


def slower_in_pairs(changes: Sequence[Change], threshold: float, rounds: int) -> list[Slower]:
    """The groups whose paired ratios exceed 1 by Wilcoxon's test with Holm's correction, and the threshold.

    If some measurements have more pairs than the rounds, the rounds only selected those (`suspects`): then
    only groups with more pairs are judged, by the additional pairs alone, since they were selected for
    looking slow.

    All changes have times, in pairs.
    """
    logs = _differences(changes)
    later = {change: change.times.repeats > rounds for change in changes if change.times and rounds}
    if any(chosen.any() for chosen in later.values()):
        logs = {change: pairs[later[change]] for change, pairs in logs.items()}
    judged = [(name, group) for name, group in _groups(changes) if all(len(logs[each]) for each in group)]
    pairs = [np.concatenate([logs[change] for change in group]) for _, group in judged]
    p = holm(pd.Series(signed_ranks(pairs)))
    found = []
    for (name, group), sample, chance in zip(judged, pairs, p, strict=True):
        if chance < _ALPHA and (times := float(np.exp(walsh_median(sample)))) > threshold:
            evidence = f"{len(sample)} pairs, p = {chance:.2g} (of {len(p)} tests)"
            found.append(Slower(name, group, times, evidence))
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
    logs, judged = _differences(changes), _groups(changes)
    p = signed_ranks([np.concatenate([logs[change] for change in group]) for _, group in judged])
    slow = [group for (_, group), chance in zip(judged, p, strict=True) if chance < _SUSPECT]
    chosen = {change for group in slow for change in group}
    return [change for change in changes if change in chosen]


def _differences(changes: Sequence[Change]) -> dict[Change, Floats]:
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

    shifts, variances = _shifts_of([change.times for change in changes if change.times])
    if np.isnan(variances).all():
        return []
    own, common, middle = drift.own, drift.common, 0.0
    if slowdown is not None:
        shifts = shifts - np.log(slowdown)
        own, common = _spread(shifts), 0.0
    elif len(changes) >= _FEW:
        common, middle = 0.0, float(np.median(shifts))
    shift, variance = (dict(zip(changes, each, strict=True)) for each in (shifts, variances))
    judged, values, errors = _groups(changes), [], []
    for _, group in judged:
        values.append(np.mean([shift[change] for change in group]) - middle)
        noise = np.mean([variance[change] for change in group]) / len(group)
        errors.append(own**2 + common**2 + noise)
    freedom = [np.inf] * len(judged)
    if slowdown is None and len(changes) >= _FEW:
        judged.append(("everything together", [*changes]))
        values.append(middle)
        errors.append(drift.common**2 + np.pi / 2 * variances.mean() / len(changes))
        freedom.append(max(1, drift.campaigns - 1) if drift.campaigns else np.inf)
    # Times that never vary, as made-up ones may, leave no error at all.
    deviations = np.maximum(1e-9, np.sqrt(errors))
    p = holm(pd.Series(t.sf((np.array(values) - np.log(threshold)) / deviations, freedom)))
    return [
        Slower(
            name, group, float(np.exp(value)), f"beyond {threshold:g}: p = {chance:.2g} (of {len(p)} tests)"
        )
        for (name, group), value, chance in zip(judged, values, p, strict=True)
        if chance < _ALPHA
    ]


def recorded(where: str, folder: Path = RECORDED) -> list[pd.DataFrame]:
    """The A/A campaigns of a machine (as `compare.machine` names it), those of its commit that has most."""
    by_commit: dict[str, list[pd.DataFrame]] = {}
    for campaign in sorted(folder.glob("*/")):
        try:
            runs = read_runs(campaign)
        except RequestError:
            continue
        if machine(runs) == where and runs["commit"].nunique() == 1:
            by_commit.setdefault(runs["commit"].iloc[0], []).append(runs)
    return max(by_commit.values(), key=len, default=[])


def learn(campaigns: Sequence[pd.DataFrame]) -> Drift:
    """The drift between campaigns of the same code on the same machine.

    With fewer than 3 campaigns, or without a time in common that can be judged, the assumed one. Only runs
    count whose instance, model and solver release are the same in both: the commit alone is not enough, as it
    may have been measured with changes, or with other releases.
    """
    if len(campaigns) < 3:
        return Drift()
    columns = [*MEASUREMENT, *CONTENTS]
    shared, own = [], []
    for base, new in combinations(campaigns, 2):
        common = base[columns].drop_duplicates().merge(new[columns].drop_duplicates())
        both = samples(base.merge(common), new.merge(common), paired=False).values()
        resolved = [times for times in both if times.new_s >= RESOLUTION_S]
        if not resolved:
            continue
        shifts, variances = _shifts_of(resolved)
        middle = float(np.median(shifts))
        shared.append(middle**2)
        # Robust: a single measurement that changed must not make the machine look unsteady.
        own.append(max(0.0, _spread(shifts - middle) ** 2 - float(np.median(variances))))
    if not shared:
        return Drift()
    return Drift(float(np.sqrt(np.mean(shared))), float(np.sqrt(np.mean(own))), len(campaigns))


def _shifts_of(measured: Sequence[Times]) -> tuple[Floats, Floats]:
    """Returns for each measurement the logarithm of the ratio, and the variance that its runs leave in it.

    The ratio is Hodges and Lehmann's. A sample of few runs may look steadier than it is, so the variance of a
    run is at least that of the middle one of all measurements.
    """
    shifts = np.log([ratio(np.exp(times.new), np.exp(times.base)).value for times in measured])
    sides = [(times.base, times.new) for times in measured]
    squares = [(np.concatenate([side - side.mean() for side in both]) ** 2).sum() for both in sides]
    freedom = np.array([len(base) + len(new) - 2 for base, new in sides])
    variances = np.array(squares) / np.maximum(freedom, 1)
    usual = np.median(variances[freedom > 0]) if (freedom > 0).any() else np.nan
    # Where there is one run a side, its own variance is not known at all.
    variances = np.where(freedom > 0, np.maximum(variances, usual), usual)
    return shifts, variances * np.array([1 / len(base) + 1 / len(new) for base, new in sides])


def _spread(values: Floats) -> float:
    """The standard deviation about 0 of values of which a few may be far off: from their median size."""
    return float(1.4826 * np.median(np.abs(values)))
