"""What can be said of a median from a sample."""

from collections.abc import Iterable

import numpy as np
from scipy.special import bdtr


def median_interval(values: Iterable[float], confidence: float = 0.95) -> tuple[float, float, float]:
    """The median and a distribution-free confidence interval for it, from order statistics.

    With fewer than 6 values no such interval reaches 95%; then it is the range of the values.
    """
    ordered = np.sort(np.asarray([value for value in values if not np.isnan(value)]))
    if not len(ordered):
        return np.nan, np.nan, np.nan
    # The binomial quantile; scipy.stats has it too, and takes a second to import.
    rank = int(np.count_nonzero(bdtr(np.arange(len(ordered)), len(ordered), 0.5) < (1 - confidence) / 2))
    low, high = (rank - 1, len(ordered) - rank) if rank >= 1 else (0, len(ordered) - 1)
    return float(np.median(ordered)), float(ordered[low]), float(ordered[high])
