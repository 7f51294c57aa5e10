"""Ratios of times that a limit cuts off, exact tests for pairs and for few values, and their power."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

import numpy as np

from bench.stats import SLACK, TAIL, Floats, median_log, signed_critical_rank, walsh

_MOST_FLIPPED: Final = 14
"""Of so many values all flips of signs are tried, and all subsets are averaged; of more 2**14 random ones."""


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


def censored_ratio(times: Sequence[float], others: Sequence[float], limit_s: float) -> CensoredRatio:
    """The ratio of `times` to `others`, pair by pair: Hodges and Lehmann's estimate, Wilcoxon's interval.

    A time beyond the limit may be any larger one. The estimate and both ends of the interval grow with each
    time, so they are computed for the extremes: that the times were the limit, or that they were infinite.
    Of a pair of which both are beyond the limit nothing is known; only `value` takes it for a tie.

    Args:
        times, others: in seconds, at most the limit, or inf for what was stopped there.

    Source:
        Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3rd edition, sections 3.2 to 3.6.
    """
    left, right = np.log(np.asarray(times, dtype=float)), np.log(np.asarray(others, dtype=float))
    limit = np.log(limit_s)
    left_capped, right_capped = np.minimum(left, limit), np.minimum(right, limit)
    least, most, capped = left_capped - right, left - right_capped, left_capped - right_capped
    bounds = [walsh(values) for values in (least, most)]
    rank = signed_critical_rank(len(left))
    low, high = (bounds[0][rank - 1], bounds[1][-rank]) if rank else (np.nan, np.nan)
    middle = (median_log(averages) for averages in (walsh(capped), *bounds))
    value, *extremes = (float(np.exp(log)) for log in middle)
    return CensoredRatio(value, float(np.exp(low)), float(np.exp(high)), *extremes)


def sign_flip(values: Sequence[float] | Floats) -> float:
    """The two-sided p of the test that values are symmetric about 0, by flips of their signs (`signs`).

    It is the share of the flips whose sum is at least as far from 0 as that of the values.

    Source:
        Fisher: The Design of Experiments (1935), section 21.
    """
    sums = np.abs(signs(len(values)) @ np.asarray(values, dtype=float))
    return float(np.mean(sums >= sums[-1] - SLACK))


def flip_interval(values: Sequence[float], intervals: int = 1) -> tuple[float, float]:
    """The interval of the centres that `sign_flip` does not reject: quantiles of the means of subsets.

    NaN for too few values: for one interval fewer than 6, for more intervals more.

    Args:
        values: infinite ones of one sign at most.
        intervals: how many such intervals are to hold together with 95% (Bonferroni).

    Source:
        Hartigan: Using subsample values as typical values (1969), Journal of the American Statistical
        Association 64, 1303-1317.
    """
    members = signs(len(values))[:-1] < 0
    known = np.asarray(values, dtype=float)
    unbounded = np.isinf(known)
    means = members @ np.where(unbounded, 0.0, known) / members.sum(axis=1)
    means[members @ unbounded] = known[unbounded].sum()
    means.sort()
    rank = int(TAIL / intervals * (len(means) + 1))
    return (float(means[rank - 1]), float(means[-rank])) if rank else (np.nan, np.nan)


@cache
def signs(size: int) -> Floats:
    """Rows of so many signs, 1 or -1: all there are, or random ones. The row of ones is the last."""
    if size <= _MOST_FLIPPED:
        return np.array(list(product((-1.0, 1.0), repeat=size)))
    rows = np.random.default_rng(0).choice([-1.0, 1.0], (2**_MOST_FLIPPED, size))
    rows[-1] = 1.0
    # A subset needs a member.
    rows[:-1][(rows[:-1] > 0).all(axis=1), 0] = -1.0
    return rows


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
    steps = _detectable_steps(size, level, power)
    return np.inf if steps is None else spread * steps / 100


@cache
def _detectable_steps(size: int, level: float, power: float) -> int | None:
    """The same in hundredths of the spread, whatever that is; None if the test can never find anything."""
    if 2.0 ** (1 - size) > level:
        return None
    noise = np.random.default_rng(0).standard_normal((size, SIMULATED)).T

    def found(shift: float) -> float:
        # One by one: a product of matrices would be divided between threads, which a busy machine holds up.
        return float(np.mean([sign_flip(values + shift) <= level for values in noise]))

    return smallest(lambda step: found(step / 100) >= power)


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
