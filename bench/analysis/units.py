"""Figures as a person reads them."""

import math

import pandas as pd


def seconds(value: float, _position: int = 0) -> str:
    """A time as a person reads it."""
    if value < 0.9995e-3:
        return f"{value * 1e6:.3g} µs"
    return f"{value * 1e3:.3g} ms" if value < 0.9995 else f"{value:.3g} s"


def milliseconds(value: float) -> str:
    """A time in milliseconds, or nothing if there is none."""
    return "" if pd.isna(value) else f"{value * 1e3:,.1f}"


def span(median: float, low: float, high: float) -> str:
    """A median time with its interval; the median alone where that is no wider."""
    return seconds(median) if low == high else f"{seconds(median)} ({seconds(low)} to {seconds(high)})"


def count(value: float) -> str:
    """A count, or nothing if there is none."""
    return "" if pd.isna(value) else f"{value:,.0f}"


def plural(number: float, noun: str) -> str:
    """So many of them."""
    ending = "es" if noun.endswith("ch") else "s"
    return f"{number:,.0f} {noun}{'' if number == 1 else ending}"


def factor(value: float) -> str:
    """A ratio, to two digits; below 2 to two decimals, which tell a little more from a little less."""
    if not 0 < value < math.inf:
        return "0" if value == 0 else ""
    if value < 9.95:
        return f"{value:.2f}" if value < 1.995 else f"{value:.1f}"
    return f"{round(value, 1 - math.floor(math.log10(value))):,.0f}"
