"""Figures and lists as people read them."""

import math
from collections.abc import Iterable, Sequence


def seconds(value: float, _position: int = 0) -> str:
    """A time with its unit, to three digits: from 1000 s on in minutes, from an hour on in hours."""
    if value >= 3600:
        return f"{value / 3600:.3g} h" if value < 999.5 * 3600 else f"{value / 3600:,.0f} h"
    if value >= 999.5:
        return f"{value / 60:.3g} min"
    if value < 0.9995e-3:
        return f"{value * 1e6:.3g} µs"
    return f"{value * 1e3:.3g} ms" if value < 0.9995 else f"{value:.3g} s"


def milliseconds(value: float | None) -> str:
    """A time in milliseconds; empty for None or NaN."""
    return "" if value is None or math.isnan(value) else f"{value * 1e3:,.1f}"


def span(median: float, low: float, high: float) -> str:
    """A median time with its interval; the median alone where the interval is a point."""
    return seconds(median) if low == high else f"{seconds(median)} ({seconds(low)} to {seconds(high)})"


def count(value: float | None) -> str:
    """A count; empty for None or NaN."""
    return "" if value is None or math.isnan(value) else f"{value:,.0f}"


def plural(number: float, noun: str) -> str:
    """A number with its noun."""
    ending = "es" if noun.endswith("ch") else "s"
    return f"{number:,.0f} {noun}{'' if number == 1 else ending}"


def factor(value: float) -> str:
    """A ratio to two digits, below 2 to two decimals, or one digit; empty for inf and NaN."""
    if not 0 < value < math.inf:
        return "0" if value == 0 else ""
    if value < 0.0095:
        return f"{value:.1g}"
    if value < 9.95:
        return f"{value:.2f}" if value < 1.995 else f"{value:.1f}"
    return f"{round(value, 1 - math.floor(math.log10(value))):,.0f}"


def ratio_interval(ratio: tuple[float, float, float] | None) -> str:
    """A ratio with its interval, unbounded for inf; alone where that is a point; empty for None and NaN."""
    if ratio is None or math.isnan(ratio[0]):
        return ""
    value, low, high = (factor(end) or "unbounded" for end in ratio)
    return value if low == high else f"{value} ({low} to {high})"


MOST_NAMED = 4
"""A sentence names at most so many instances, and counts the others."""


def listed(words: Iterable[str]) -> str:
    """a, b and c; empty for no words."""
    *first, last = (*words,) or ("",)
    return f"{', '.join(first)} and {last}" if first else last


def shortened(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """The names, or the first of them and how many more there are."""
    more = [f"{len(names) - most} more"] if len(names) > most else []
    return listed([*names[:most], *more])


def are(number: float) -> str:
    """The verb that agrees with a number."""
    return "is" if number == 1 else "are"
