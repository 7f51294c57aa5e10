"""The comparison of two measurements of a problem: which is faster, by how much, and how sure that is."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, isinf, log

from bench.analysis.measurements import Measurement
from bench.stats import Ratio, median_log, paired_ratio, ratio

_FAR = 2.0
"""Runs that lasted so many times as long as any of another model need no interval: noise is less."""


@dataclass(frozen=True)
class Comparison:
    """One measurement compared with another.

    Attributes:
        ratio: the time of the one relative to the other; what is not conclusive is slower than what is.
        log: the logarithm of the ratio of the two medians, in which what was not solved counts as the limit
            (`capped_s`); of several hosts that of the median within blocks.
        sizes: how many values of each the ratio is of; none if runs of several hosts have no common block.
        paired: whether the values are pairs, from blocks that both have, as their runs are of several hosts.
        far: whether runs on one host are too few for an interval, but each of one lasted _FAR times as long
            as any of the other, disturbed or not. A single run each decides nothing.
        verdict: 1 if the one is faster, -1 if the other is, 0 if neither is significantly: one always solves
            what the other never does, or the interval excludes 1, or it is `far`.
    """

    ratio: Ratio
    log: float
    sizes: tuple[int, int]
    paired: bool
    far: bool
    verdict: int

    @property
    def apart(self) -> bool:
        """Whether there is nothing to compare: runs of several hosts without a common block."""
        return self.sizes == (0, 0)


def compare(one: Measurement, other: Measurement) -> Comparison:
    """How the one compares with the other; if their runs are of several hosts, only within blocks."""
    logs = _block_logs(one, other) if len(one.hosts | other.hosts) > 1 else None
    found = ratio(one.sample, other.sample) if logs is None else paired_ratio(logs)
    far = 0
    if logs is None and not found.known and len(one.sample) + len(other.sample) > 2:
        far = _is_far(other.sample, one.sample) - _is_far(one.sample, other.sample)
    if one.inconclusive == 0 and other.conclusive == 0:
        verdict = 1
    elif other.inconclusive == 0 and one.conclusive == 0:
        verdict = -1
    else:
        verdict = (found.high < 1) - (found.low > 1) if found.known else far
    middle = median_log(logs) if logs and one.solved and other.solved else inf
    return Comparison(
        ratio=found,
        log=middle if isfinite(middle) else log(capped_s(one) / capped_s(other)),
        sizes=(len(one.sample), len(other.sample)) if logs is None else (len(logs), len(logs)),
        paired=logs is not None,
        far=far != 0,
        verdict=verdict,
    )


def _block_logs(one: Measurement, other: Measurement) -> list[float]:
    """The logarithms of the ratios of the runs in each block that both have; of several seeds the median."""
    seeds: dict[int, list[float]] = defaultdict(list)
    for block, time_s in one.blocks.items():
        if (other_s := other.blocks.get(block)) is not None:
            # Two failures are a tie.
            both_failed = isinf(time_s) and isinf(other_s)
            seeds[block.seed].append(0.0 if both_failed else log(time_s) - log(other_s))
    return next(iter(seeds.values())) if len(seeds) == 1 else [median_log(logs) for logs in seeds.values()]


def _is_far(slow: Sequence[float], fast: Sequence[float]) -> bool:
    """Whether each run of the one lasted _FAR times as long as any of the other, of which none failed."""
    return isfinite(max(fast)) and min(slow) >= _FAR * max(fast)


def capped_s(measurement: Measurement) -> float:
    """The median time in seconds, in which what was not solved counts as the time limit."""
    return min(measurement.time_s, measurement.time_limit_s)
