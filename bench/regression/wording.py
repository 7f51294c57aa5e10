"""A comparison in words, for the terminal, a comment, and a picture."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from bench.analysis.units import count, factor, seconds
from bench.regression.compare import COUNTERS, Comparison

Row = Mapping[str, Any]
"""A row of a comparison's table."""


ANOTHER = "instance changed"
"""The change of a measurement whose instance is another file in new than in base."""


def name(row: Row) -> str:
    """A measurement in a few words."""
    return f"{row['instance']} {row['label']} {row['formulation']} {row['task']}"


def in_words(row: Row) -> tuple[str, ...]:
    """A row as a person reads it: name, median of base and of new, ratio, interval, and what else changed."""
    known = pd.notna(row["ratio"])
    times = [
        seconds(row[f"total_s_{which}"]) if known else row[f"status_{which}"] for which in ("base", "new")
    ]
    ratio = f"{row['ratio']:.3f}" if known else ""
    interval = f"{row['ratio_low']:.2f} to {row['ratio_high']:.2f}" if pd.notna(row["ratio_low"]) else ""
    moved = [counter for counter in COUNTERS if pd.notna(row[f"{counter}_ratio"]) and moves(row, counter)]
    change = "another instance file, not compared" if row["change"] == ANOTHER else str(row["change"])
    what = [change, *(moved_in_words(row, counter) for counter in moved)]
    return name(row), *times, ratio, interval, ", ".join(text for text in what if text)


def moves(row: Row, counter: str) -> bool:
    """Whether a counter changed at all."""
    return bool(row[f"{counter}_base"] != row[f"{counter}_new"])


def moved_in_words(row: Row, counter: str) -> str:
    """A counter before and after."""
    base, new = row[f"{counter}_base"], row[f"{counter}_new"]
    shown = (count(value) if value == int(value) else f"{value:.4g}" for value in (base, new))
    by = f" ({new / base - 1:+.1%})" if base else ""
    return f"{counter} {' to '.join(shown)}{by}"


def how(compared: Comparison) -> str:
    """How the times were compared, and what that is worth."""
    if compared.paired:
        return "Run in turns: the ratio is the median of the ratios of pairs."
    if not compared.same_machine:
        load = f"; the reference load takes {factor(compared.slowdown)} times as long"
        known = load if compared.slowdown > 0 else ""
        machines = " became ".join(compared.machines)
        return f"Other machines ({machines}){known}: counters compare, times not as they are."
    return (
        "Two campaigns: the intervals hold for the noise within each, not for what the machine does "
        "differently from one to the next; for that see `ab`."
    )
