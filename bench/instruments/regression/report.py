"""A comparison for the terminal, and as a comment on a pull request."""

import html
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console

from bench.analysis.tables import SPANS
from bench.analysis.units import plural, seconds
from bench.instruments.regression.compare import COUNTERS, Change, Comparison, counter_change
from bench.instruments.regression.gate import Finding, conclusion, several
from bench.report.table import Table


def changes_table(title: str, changes: pd.DataFrame) -> Table:
    """For each measurement the medians, their ratio with its interval, and what else changed."""
    columns = ["measurement", "base", "new", "new / base", "95% interval", "counters, results"]
    rows = []
    for row in changes.itertuples():
        figures = [row.status_base, row.status_new, ""]
        if row.ratio > 0:
            figures = [seconds(row.total_s_base), seconds(row.total_s_new), f"{row.ratio:.3f}"]
        interval = f"{row.ratio_low:.2f} to {row.ratio_high:.2f}" if row.ratio_low > 0 else ""
        what, *counters = _notes(row)
        if row.change == Change.INSTANCE_CHANGED:
            what = "another instance file, not compared"
        rows.append([row.name, *figures, interval, ", ".join(filter(None, [what, *counters]))])
    return Table(title, columns, rows, words=columns[-1:])


def _counted_table(counted: pd.DataFrame) -> Table:
    """For each measurement its instructions, their ratio, and those of its phases."""
    columns = ["measurement", "base", "new", "new / base", "building", "solving", "runs differ by"]
    rows = []
    for row in counted.sort_values("instructions_ratio", kind="stable").itertuples():
        sides = [f"{value / 1e6:,.2f}" for value in (row.instructions_base, row.instructions_new)]
        ratios = [row.instructions_ratio, row.building_ratio, row.solving_ratio]
        rows.append([row.name, *sides, *(f"{ratio:.4f}" for ratio in ratios), f"{row.spread - 1:.3%}"])
    return Table("Instructions, in millions", columns, rows)


def _notes(row: Any) -> list[str]:
    """What became of a measurement beside its time, "" for nothing; then the counters that changed."""
    counters = [
        counter_change(row, name)
        for name in COUNTERS
        if getattr(row, f"{name}_base") != getattr(row, f"{name}_new") and getattr(row, f"{name}_ratio") >= 0
    ]
    return [f"only in {row.only_in}" if row.only_in else row.change, *counters]


def _only_in(compared: Comparison) -> list[str]:
    """A line for each campaign that has measurements which the other lacks."""
    groups = compared.changes.groupby("only_in")
    return [f"only in {side}: {several(changes)}" for side, changes in groups if side]


def print_changes(console: Console, compared: Comparison) -> None:
    """What became of each measurement of two campaigns, the fastest first, and the spread of the ratios."""
    changes = compared.changes[compared.changes["only_in"] == ""].sort_values("ratio", kind="stable")
    if len(compared.counted):
        console.print(_counted_table(compared.counted).for_terminal())
        if compared.paired:  # In so few pairs that times cannot be compared.
            changes = changes.drop(compared.counted.index)
    elif changes.empty:
        console.print("No measurement is in both campaigns.")
    if len(changes):
        console.print(changes_table("Total time and counters", changes).for_terminal())
    for span, (least, most) in {**SPANS, "all": (0, math.inf)}.items():
        ratios = changes.loc[changes["total_s_base"].between(least, most, "left"), "ratio"]
        if len(ratios) >= 4:  # Of fewer the table says all.
            low, first, middle, third, high = np.quantile(ratios, [0, 0.25, 0.5, 0.75, 1])
            console.print(
                f"{span}: {plural(len(ratios), 'ratio')}, median {middle:.3f}, "
                f"half of them {first:.3f} to {third:.3f}, all {low:.3f} to {high:.3f}"
            )
    for line in _only_in(compared):
        console.print(line, soft_wrap=True, markup=False)
    console.print(compared.how, markup=False)


def comment(compared: Comparison, findings: Sequence[Finding] | None) -> str:
    """What regressed, a table of what changed, and folded away, all measurements, in Markdown."""
    counted = compared.counted
    changes = compared.changes.drop(counted.index) if compared.paired else compared.changes
    noted = np.array([any(_notes(row)) for row in changes.itertuples()], dtype=bool)
    # A status or a counter changed, or the interval of the ratio leaves out 1.
    moved = noted | (changes["ratio_low"] > 1) | (changes["ratio_high"] < 1)
    changed = changes[moved & (changes["only_in"] == "")]
    headline = "comparison" if findings is None else conclusion(compared, findings)
    parts = [
        f"### Benchmarks: {headline}\n",
        "".join(f"- **{found.what}** {_plain(found.text)}\n" for found in findings or ()),
        _plain_table(changes_table("", changed)) if len(changed) else "",
        *(f"{_plain(line)}\n" for line in _only_in(compared)),
        f"<details><summary>All {len(compared.changes)} measurements</summary>\n",
        _plain_table(_counted_table(counted)) if len(counted) else "",
        _plain_table(changes_table("", changes)) if len(changes) else "",
        "</details>\n",
        f"{_plain(compared.how)}\n\n",
    ]
    return "\n".join(filter(None, parts))


def _plain_table(table: Table) -> str:
    return replace(table, rows=[[*map(_plain, row)] for row in table.rows]).markdown()


def _plain(text: str) -> str:
    """Text that Markdown and HTML leave as it is: it may come from any runs.csv. `Table` escapes the |."""
    marked = "".join(f"\\{letter}" if letter in "\\`*_[]#~" else letter for letter in " ".join(text.split()))
    # Entities make neither tags nor mentions.
    return html.escape(marked, quote=False).replace("@", "&#64;")
