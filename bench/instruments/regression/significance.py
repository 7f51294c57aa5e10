"""Which times are longer by more than noise and drift explain: two tests, for two kinds of comparison.

Each measurement is judged, and so are all measurements of a puzzle by a backend together, since a slowdown
usually hits them all. Both tests correct for the number of groups. docs/regressions.md has their error rates.

Within one interleaved campaign, pairs are compared. Between two campaigns the logarithm of a ratio is the
change itself, plus a drift that all measurements share, plus a drift of its own, plus the noise of its runs;
drift is learned from campaigns of the same code on one machine (A/A).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations, count
from pathlib import Path

import numpy as np
import pandas as pd

from bench.analysis.tables import MEASUREMENT, RESOLUTION_S, grouped, read_runs
from bench.campaign.results import CONTENTS
from bench.catalogue.errors import RequestError
from bench.instruments.regression.compare import machine, samples
from bench.stats import Floats, holm, ratio, walsh

_ALPHA = 0.02
"""The probability that a gate may call something slower although nothing is, over all that it judges."""

_FEW = 8
"""With fewer measurements, a shift common to all cannot be told from a change of one."""

RECORDED = Path("results") / "aa"
"""Where campaigns of one commit are looked for, each in a folder of its own."""

_ASSUMED = 0.15
"""The drift that is assumed without A/A data: a large public project found it between jobs of its CI."""


@dataclass(frozen=True)
class Drift:
    """Standard deviations of logarithms of ratios between campaigns: of what all measurements share, and own.

    `campaigns` is from how many it was learned; 0 if it is assumed.
    """

    common: float = _ASSUMED
    own: float = _ASSUMED
    campaigns: int = 0


def _groups(timed: pd.DataFrame) -> pd.DataFrame:
    """Each measurement, and all measurements of a puzzle by a backend where there are several.

    The columns are the `name` of each group and its `members`, by their positions in the table.
    """
    backends = (timed["puzzle"] + " " + timed["label"]).tolist()
    by_backend = grouped(range(len(timed)), backends.__getitem__)
    groups = [(name, [place]) for place, name in enumerate(timed["name"])]
    groups += [(name, members) for name, members in by_backend.items() if len(members) > 1]
    return pd.DataFrame(groups, columns=["name", "members"])


def slower_in_pairs(timed: pd.DataFrame, threshold: float, rounds: int) -> pd.DataFrame:
    """The groups whose paired ratios exceed 1 by Wilcoxon's test with Holm's correction, and the threshold.

    If some measurements have more pairs than the rounds, they got them for looking slow (`suspects`): then
    only groups of these are judged, by the additional pairs alone. Returns them with ratio and evidence.
    """
    logs = (timed["logs_new"] - timed["logs_base"]).tolist()
    later = [repeats > rounds for repeats in timed["repeats"]]
    if rounds and any(chosen.any() for chosen in later):
        logs = [pairs[chosen] for pairs, chosen in zip(logs, later, strict=True)]
    tests = _test_pairs(timed, logs)
    tests["p"] = holm(tests["p"])
    slow = tests[tests["p"] < _ALPHA]
    # Hodges and Lehmann's estimate of the centre of a symmetric sample.
    thinned = [np.sort(pairs)[:: 1 + len(pairs) // 1000] for pairs in slow["pairs"]]
    evidence = [
        f"{len(each.pairs)} pairs, p = {each.p:.2g} (of {len(tests)} tests)" for each in slow.itertuples()
    ]
    found = slow.assign(ratio=[np.exp(np.median(walsh(pairs))) for pairs in thinned], evidence=evidence)
    return found[found["ratio"] > threshold]


def suspects(timed: pd.DataFrame) -> list[int]:
    """The positions of those that get more pairs: all members of every group that is slower with p < 0.1."""
    tests = _test_pairs(timed, (timed["logs_new"] - timed["logs_base"]).tolist())
    return sorted({*chain(*tests.loc[tests["p"] < 0.1, "members"])})


def _test_pairs(timed: pd.DataFrame, logs: Sequence[Floats]) -> pd.DataFrame:
    """Tests whether ratios are above 1 (Wilcoxon): groups whose members all have pairs, with pairs and p."""
    from scipy.stats import wilcoxon

    groups = _groups(timed)
    groups = groups[[all(len(logs[each]) for each in members) for members in groups["members"]]]
    samples = [np.concatenate([logs[each] for each in members]) for members in groups["members"]]
    p = np.ones(len(samples))
    unequal = [place for place, sample in enumerate(samples) if sample.any()]
    for size, alike in grouped(unequal, lambda place: len(samples[place])).items():
        # By default scipy permutes small samples with ties, which is a thousand times slower.
        method = "exact" if size <= 50 else "asymptotic"
        stacked = np.stack([samples[place] for place in alike])
        p[alike] = wilcoxon(stacked, alternative="greater", method=method, axis=1).pvalue
    return groups.assign(pairs=samples, p=p)


def too_few(sizes: Sequence[int], pairs: int, confirm: int) -> str:
    """A line if so few pairs can find nothing slower, whatever they show; else empty.

    `sizes` says how many measurements each puzzle has by each backend.
    """
    # Of n pairs p is at least 2 ** -n, and Holm's correction multiplies the least by the number of tests.
    tests = 1 if confirm else sum(sizes) + sum(size > 1 for size in sizes)
    deciding, most = confirm or pairs, max(sizes)
    together = (most + 1 if confirm else tests) * 0.5 ** (deciding * most)
    if min(tests * 0.5**deciding, together) < _ALPHA:
        return ""
    needed = next(number for number in count(1) if tests * 0.5**number < _ALPHA)
    option = "--confirm" if confirm else "--pairs"
    cannot = f"so few pairs cannot show that anything is slower (p below {_ALPHA:g})"
    return f"{option} {deciding}: {cannot}; use {option} {needed}"


def slower_between(
    timed: pd.DataFrame, threshold: float, drift: Drift, slowdown: float | None
) -> pd.DataFrame:
    """The groups whose interval lies beyond the threshold, with the drift between campaigns in the error.

    The shift common to all measurements is judged as a group of its own and subtracted from the others: a
    machine that was slower for a while is no slower backend. On another machine no A/A data tell what is
    usual: there the spread of all measurements is the error. Returns the groups with ratio and evidence.

    Args:
        slowdown: how many times as long new's machine takes for the reference load; None on the same machine.
    """
    from scipy.stats import t

    shifts, variances = _shifts_of(timed)
    groups = _groups(timed)
    if np.isnan(variances).all():
        return groups[:0].assign(ratio=np.nan, evidence="")
    own, common, middle = drift.own, drift.common, 0.0
    if slowdown is not None:
        shifts = shifts - np.log(slowdown)
        own, common = _spread(shifts), 0.0
    elif len(timed) >= _FEW:
        common, middle = 0.0, float(np.median(shifts))
    values = [shifts[members].mean() - middle for members in groups["members"]]
    errors = [own**2 + common**2 + variances[members].mean() / len(members) for members in groups["members"]]
    freedom = [np.inf] * len(groups)
    if slowdown is None and len(timed) >= _FEW:
        groups.loc[len(groups)] = ["everything together", [*range(len(timed))]]
        values.append(middle)
        errors.append(drift.common**2 + np.pi / 2 * variances.mean() / len(timed))
        freedom.append(max(1, drift.campaigns - 1) if drift.campaigns else np.inf)
    # Times that never vary, as made-up ones may, leave no error at all.
    deviations = np.maximum(1e-9, np.sqrt(errors))
    p = holm(pd.Series(t.sf((np.array(values) - np.log(threshold)) / deviations, freedom)))
    evidence = [f"beyond {threshold:g}: p = {chance:.2g} (of {len(p)} tests)" for chance in p]
    return groups.assign(ratio=np.exp(values), evidence=evidence)[p < _ALPHA]


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
    """The drift between campaigns of one commit on one machine; of fewer than 3 the assumed one.

    Only runs count whose instance, model and solver release are the same in both: a commit may have been
    measured with changes, or with other releases.
    """
    if len(campaigns) < 3:
        return Drift()
    columns = [*MEASUREMENT, *CONTENTS]
    shared, own = [], []
    for base, new in combinations(campaigns, 2):
        common = base[columns].drop_duplicates().merge(new[columns].drop_duplicates())
        times = samples(base.merge(common), new.merge(common), paired=False)
        resolved = times[times["total_s_new"] >= RESOLUTION_S]
        if resolved.empty:
            continue
        shifts, variances = _shifts_of(resolved)
        middle = float(np.median(shifts))
        shared.append(middle**2)
        # Robust: a single measurement that changed must not make the machine look unsteady.
        own.append(max(0.0, _spread(shifts - middle) ** 2 - float(np.median(variances))))
    if not shared:
        return Drift()
    return Drift(float(np.sqrt(np.mean(shared))), float(np.sqrt(np.mean(own))), len(campaigns))


def _shifts_of(timed: pd.DataFrame) -> tuple[Floats, Floats]:
    """The logarithm of Hodges and Lehmann's ratio of each measurement, and the variance of that.

    A sample of few runs may look steadier than it is: a run has at least the median variance of all.
    """
    sides = [*zip(timed["logs_base"], timed["logs_new"], strict=True)]
    shifts = np.log([ratio(np.exp(new), np.exp(base)).value for base, new in sides])
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
