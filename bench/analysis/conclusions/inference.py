"""Ratios of times that a limit cuts off, exact tests for pairs and for few values, and their power."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

import numpy as np

from bench.stats import TAIL, Floats, median_log, signed_critical_rank

SLACK: Final = 1e-9
"""Sums that differ by less are the same sum, added in another order."""

MOST_FLIPPED: Final = 16
"""Of so many values all flips of signs are tried, and all subsets are averaged."""


@dataclass(frozen=True)
class CensoredRatio:
    """The ratio of the times of pairs, some of which are only known to exceed a limit.

    Attributes:
        value: the estimate, if what was stopped had ended at the limit.
        low, high: the 95% interval, whatever the times of what was stopped; 0 and inf where nothing bounds
            it. NaN for fewer than 6 pairs.
        least: the estimate, if what was stopped of the numerator had ended at the limit, and of the
            denominator never.
        most: the estimate the other way round.
    """

    value: float
    low: float
    high: float
    least: float
    most: float

    @property
    def exact(self) -> bool:
        """Whether the estimate does not depend on what was stopped."""
        return self.least == self.most

    @property
    def differs(self) -> bool:
        """Whether the interval excludes 1."""
        return self.low > 1 or self.high < 1


def censored_ratio(times: Sequence[float], others: Sequence[float], limit_s: float) -> CensoredRatio:
    """The ratio of `times` to `others`, pair by pair: Hodges and Lehmann's estimate, Wilcoxon's interval.

    A time beyond the limit may be any larger one. The estimate and both ends of the interval grow with each
    time, so they are computed for the extremes: that the times were the limit, or that they were infinite.
    Two times beyond the limit are a tie.

    Args:
        times, others: in seconds, at most the limit, or inf for what was stopped there.

    Source:
        Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3rd edition, sections 3.2 to 3.6.
    """
    left, right = np.log(np.asarray(times, dtype=float)), np.log(np.asarray(others, dtype=float))
    tie = np.isinf(left) & np.isinf(right)
    limit = np.log(limit_s)
    with np.errstate(invalid="ignore"):
        least, most, capped = (
            np.where(tie, 0.0, one - two)
            for one, two in (
                (np.minimum(left, limit), right),
                (left, np.minimum(right, limit)),
                (np.minimum(left, limit), np.minimum(right, limit)),
            )
        )
    bounds = [walsh(values) for values in (least, most)]
    rank = signed_critical_rank(len(left))
    low, high = (bounds[0][rank - 1], bounds[1][-rank]) if rank else (np.nan, np.nan)
    middle = (median_log(averages) for averages in (walsh(capped), *bounds))
    value, *extremes = (float(np.exp(log)) for log in middle)
    return CensoredRatio(value, float(np.exp(low)), float(np.exp(high)), *extremes)


def walsh(values: Floats) -> Floats:
    """The means of every two values, and the values themselves, in order; not inf and -inf at once."""
    return np.sort(np.add.outer(values, values)[np.triu_indices(len(values))] / 2)


def signed_rank(values: Sequence[float]) -> float:
    """The two-sided p of Wilcoxon's signed-rank test that values are symmetric about 0; exact, with ties too.

    Zeros are left out, and equal values share their ranks. 1 if nothing is left.
    """
    kept = np.array([value for value in values if abs(value) > SLACK])
    if not len(kept):
        return 1.0
    size = np.abs(kept)
    # Twice the rank: how many are smaller, and how many are not larger.
    below = (size[:, None] > size + SLACK).sum(axis=1)
    ranks = below + (size[:, None] >= size - SLACK).sum(axis=1) + 1
    ways = np.zeros(ranks.sum() + 1)
    ways[0] = 1.0
    for rank in ranks:
        ways[rank:] += ways[:-rank].copy()
    positive = int(ranks[kept > 0].sum())
    tail = min(ways[: positive + 1].sum(), ways[positive:].sum())
    return float(min(1.0, 2 * tail / ways.sum()))


def sign_flip(values: Sequence[float]) -> float:
    """The two-sided p of the test that values are symmetric about 0, by all flips of their signs.

    It is the share of the 2**n flips whose sum is as far from 0 as that of the values.

    Raises:
        ValueError: for more than MOST_FLIPPED values.

    Source:
        Fisher: The Design of Experiments (1935), section 21.
    """
    observed = abs(sum(values))
    sums = np.abs(signs(len(values)) @ np.asarray(values, dtype=float))
    return float(np.mean(sums >= observed - SLACK))


def flip_interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95% interval of the centre that `sign_flip` leaves: quantiles of the means of all subsets.

    NaN for fewer than 6 values, for which no interval reaches 95%.

    Raises:
        ValueError: for more than MOST_FLIPPED values.

    Source:
        Hartigan: Using subsample values as typical values (1969), Journal of the American Statistical
        Association 64, 1303-1317.
    """
    members = signs(len(values))[:-1] < 0
    means = np.sort(members @ np.asarray(values, dtype=float) / members.sum(axis=1))
    rank = int(TAIL * 2 ** len(values))
    return (float(means[rank - 1]), float(means[-rank])) if rank else (np.nan, np.nan)


@cache
def signs(size: int) -> Floats:
    """All rows of so many signs, 1 or -1; the row of ones is the last."""
    if size > MOST_FLIPPED:
        raise ValueError(f"{size} values have too many flips; at most {MOST_FLIPPED}")
    return np.array(list(product((-1.0, 1.0), repeat=size)))


SIMULATED = 1000
"""How many samples the power is estimated from."""


def detectable(size: int, spread: float, level: float, power: float = 0.95) -> float:
    """The least mean that `sign_flip` finds in normal samples with this power, in steps of 1% of the spread.

    Args:
        size: of the samples.
        spread: the standard deviation of the values.
        level: the largest p that counts as found.

    Returns:
        The mean; inf if the test can never find anything at this level.
    """
    if 2.0 ** (1 - size) > level:
        return np.inf
    noise = np.random.default_rng(0).standard_normal((size, SIMULATED))
    flips = signs(size)

    def found(shift: float) -> float:
        sums = flips @ (noise + shift)
        p = np.mean(np.abs(sums) >= np.abs(sums[-1]) - SLACK, axis=0)
        return float(np.mean(p <= level))

    return spread * smallest(lambda step: found(step / 100) >= power) / 100


def smallest(holds: Callable[[int], bool]) -> int:
    """The smallest positive number for which something holds that holds for all larger ones."""
    high = 1
    while not holds(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
