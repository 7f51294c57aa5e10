"""Statistics of samples of times: medians, ratios of two samples and tests, with 95% confidence intervals.

scipy is imported where it is used: that needs a quarter of a second.

Source:
    Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3rd edition, chapters 3 and 4.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from math import exp, isnan, lgamma, log, nan, sqrt
from statistics import mean, median, stdev
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

TAIL = 0.025
"""The probability that a value lies beyond either end of an interval."""

SIGNIFICANT = 0.05
"""A difference is significant if its corrected p is at most this."""

_SLACK = 1e-9
"""Sums that differ by less are the same sum, added in another order."""

MOST = 200
"""In a ratio a larger sample is thinned to so many order statistics. No test is exact for more."""


class Interval(NamedTuple):
    """A median with the ends of an interval."""

    median: float
    low: float
    high: float


def median_interval(values: Iterable[float]) -> Interval:
    """The median and its distribution-free interval, of fewer than 6 values their range; NaN for none."""
    ordered = sorted(value for value in values if not isnan(value))
    if not ordered:
        return Interval(nan, nan, nan)
    rank = median_rank(len(ordered))
    low, high = (rank - 1, len(ordered) - rank) if rank >= 1 else (0, len(ordered) - 1)
    return Interval(float(median(ordered)), float(ordered[low]), float(ordered[high]))


@cache
def median_rank(size: int) -> int:
    """The rank, from either end of so many values, that bounds the interval of the median; 0 if none does."""
    # A quantile of the binomial distribution.
    below = 0.0
    for rank in range(size):
        below += exp(lgamma(size + 1) - lgamma(rank + 1) - lgamma(size - rank + 1) - size * log(2))
        if below >= TAIL:
            return rank
    return 0


class Ratio(NamedTuple):
    """The ratio of the times of one sample to those of another, with its 95% interval; NaN for unknown.

    An end of the interval that lies among the failures of the one sample is inf.
    """

    value: float
    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether the samples are large enough for an interval (4 values each are)."""
        return not np.isnan(self.low)


def ratio(times: Sequence[float] | Floats, others: Sequence[float] | Floats) -> Ratio:
    """The ratio of `times` to `others`: Hodges and Lehmann's estimate, Mann and Whitney's interval.

    The estimate is the median over all pairs of one time from each side. The interval only assumes that one
    distribution is a multiple of the other, and is valid for small samples. Times are greater than 0; inf is
    a run that failed, which is as long as any other that failed.
    """
    if not len(times) or not len(others):
        return Ratio(nan, nan, nan)
    left, right = np.log(_thinned(times)), np.log(_thinned(others))
    both_failed = np.logical_and.outer(np.isinf(left), np.isinf(right))
    with np.errstate(invalid="ignore"):
        pairs = np.exp(np.sort(np.where(both_failed, 0.0, np.subtract.outer(left, right)), axis=None))
    rank = critical_rank(len(left), len(right))
    low, high = (pairs[rank - 1], pairs[-rank]) if rank >= 1 else (np.nan, np.nan)
    middle = (pairs[(len(pairs) - 1) // 2] + pairs[len(pairs) // 2]) / 2
    return Ratio(float(middle), float(low), float(high))


def paired_ratio(logs: Sequence[float] | Floats) -> Ratio:
    """The ratio of the times of pairs: Hodges and Lehmann's estimate, Wilcoxon's signed-rank interval.

    The estimate is the median of the Walsh averages. The interval assumes that the logarithms are symmetric
    about that of the ratio; fewer than 6 pairs have none. A failure ends the symmetry: then it is the median
    of the pairs with its interval from order statistics, which assumes nothing. `logs` are the logarithms of
    the ratios of the pairs: inf or -inf if one of the two failed, 0 if both did.
    """
    values = np.sort(_thinned(logs))
    if not len(values):
        return Ratio(nan, nan, nan)
    rank = median_rank(len(values))
    if np.isfinite(values).all():
        rank = signed_critical_rank(len(values))
        values = _walsh(values)
    low, high = (values[rank - 1], values[-rank]) if rank >= 1 else (np.nan, np.nan)
    return Ratio(*(float(np.exp(log)) for log in (median_log(values), low, high)))


def mean_ratio(logs: Sequence[float]) -> Ratio:
    """The geometric mean of ratios, by their logarithms; Student's interval, of fewer than 6 the range."""
    if not logs:
        return Ratio(nan, nan, nan)
    center, low, high = mean(logs), min(logs), max(logs)
    if len(logs) >= 6:
        from scipy.special import stdtrit

        half = float(stdtrit(len(logs) - 1, 1 - TAIL)) * stdev(logs) / sqrt(len(logs))
        low, high = center - half, center + half
    return Ratio(exp(center), exp(low), exp(high))


def _walsh(values: Floats) -> Floats:
    """The means of every two values and of each with itself, in order; infinite values have one sign."""
    values = np.asarray(_thinned(values))
    return np.sort(np.add.outer(values, values)[np.triu_indices(len(values))] / 2)


def median_log(logs: Sequence[float] | Floats) -> float:
    """The median of logarithms of ratios; between -inf and inf, where each side failed once, it is 0."""
    ordered = sorted(logs)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return 0.0 if low == -np.inf and high == np.inf else float((low + high) / 2)


def _thinned(values: Sequence[float] | Floats) -> Sequence[float] | Floats:
    """The values; of more than MOST, so many evenly spaced order statistics."""
    if len(values) <= MOST:
        return values
    ordered = sorted(values)
    return [ordered[int((number + 0.5) / MOST * len(values))] for number in range(MOST)]


@cache
def critical_rank(first: int, second: int) -> int:
    """The rank, from either end of the ordered pairs, that bounds the 95% interval; 0 if none does."""
    if max(first, second) > 25:
        # Mann and Whitney's U is nearly normal.
        spread = np.sqrt(first * second * (first + second + 1) / 12)
        return max(0, int(first * second / 2 - 1.959964 * spread))
    # The number of orders of all values that give each U: the coefficients of a Gaussian binomial.
    orders = np.zeros(first * second + 1)
    orders[0] = 1.0
    for step in range(1, min(first, second) + 1):
        larger = max(first, second) + step
        orders[larger:] -= orders[:-larger].copy()
        for u in range(step, len(orders)):
            orders[u] += orders[u - step]
    return int(np.count_nonzero(np.cumsum(orders) / orders.sum() <= TAIL))


@cache
def signed_critical_rank(size: int) -> int:
    """As `critical_rank` (0 if none does), for the ordered Walsh averages of at most MOST values."""
    return int(np.count_nonzero(np.cumsum(_chances(np.arange(1, size + 1))) <= TAIL))


def _chances(ranks: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
    """The probability of each sum of the ranks of positive values, if half of all values are positive."""
    chances = np.zeros(ranks.sum() + 1)
    chances[0] = 1.0
    for rank in ranks:
        chances[rank:] += chances[:-rank].copy()
        chances /= 2
    return chances


def variation(times: Sequence[float]) -> float:
    """The coefficient of variation: standard deviation divided by mean; 0 for fewer than two times."""
    return stdev(times) / mean(times) if len(times) > 1 else 0.0


def signed_rank(values: Sequence[float]) -> tuple[float, int]:
    """Wilcoxon's test that values are symmetric about 0: two-sided p, and the sign with the larger ranks.

    Zeros are left out; if nothing is left, p is 1 and the sign 0. p is exact, with ties too; for more than
    MOST values it is that of the normal distribution.
    """
    kept = np.array([value for value in values if abs(value) > _SLACK])
    if not len(kept):
        return 1.0, 0
    size = np.abs(kept)
    # Twice the rank: how many are smaller, and how many are not larger.
    below = (size[:, None] > size + _SLACK).sum(axis=1)
    ranks = below + (size[:, None] >= size - _SLACK).sum(axis=1) + 1
    positive = int(ranks[kept > 0].sum())
    sign = int(np.sign(2 * positive - int(ranks.sum())))
    if len(kept) > MOST:
        from scipy.stats import wilcoxon

        return float(wilcoxon(kept, method="asymptotic").pvalue), sign
    chances = _chances(ranks)
    tail = min(chances[: positive + 1].sum(), chances[positive:].sum())
    return float(min(1.0, 2 * tail)), sign


def holm(p: "pd.Series[float]") -> "pd.Series[float]":
    """The p values of several tests, corrected by Holm's step-down method."""
    ordered = p.sort_values()
    corrected = (ordered * np.arange(len(ordered), 0, -1)).cummax().clip(upper=1.0)
    return corrected.reindex(p.index)
