"""What differs between two campaigns of the same code on one machine, learned from such campaigns (A/A).

With single campaigns the variation within one is the wrong error term: all runs of a campaign share what the
machine did meanwhile. Each logarithm of a ratio is the change itself, plus a drift that all measurements of
the two campaigns share, plus a drift of its own, plus the noise of its runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from bench.analysis.tables import MEASUREMENT, RESOLUTION_S, read_runs
from bench.campaign.results import CONTENTS
from bench.catalogue.errors import RequestError
from bench.instruments.regression.change import Times
from bench.instruments.regression.compare import machine, samples
from bench.stats import Floats, ratio

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

    With fewer than 3 campaigns, or without a time in common that can be judged, the assumed one.
    """
    if len(campaigns) < 3:
        return Drift()
    shared, own = [], []
    for base, new in combinations(campaigns, 2):
        both = samples(*_same_contents(base, new), paired=False).values()
        resolved = [times for times in both if times.new_s >= RESOLUTION_S]
        if not resolved:
            continue
        shifts, variances = shifts_of(resolved)
        middle = float(np.median(shifts))
        shared.append(middle**2)
        # Robust: a single measurement that changed must not make the machine look unsteady.
        own.append(max(0.0, spread(shifts - middle) ** 2 - float(np.median(variances))))
    if not shared:
        return Drift()
    return Drift(float(np.sqrt(np.mean(shared))), float(np.sqrt(np.mean(own))), len(campaigns))


def _same_contents(base: pd.DataFrame, new: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The runs of both campaigns whose instance, model and solver release are the same in both.

    The commit alone is not enough: it may have been measured with changes, or with other releases.
    """
    columns = [*MEASUREMENT, *CONTENTS]
    common = base[columns].drop_duplicates().merge(new[columns].drop_duplicates())
    return base.merge(common), new.merge(common)


def shifts_of(measured: Sequence[Times]) -> tuple[Floats, Floats]:
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


def spread(values: Floats) -> float:
    """The standard deviation about 0 of values of which a few may be far off: from their median size."""
    return float(1.4826 * np.median(np.abs(values)))
