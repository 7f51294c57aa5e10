"""A comparison for the terminal, as a comment on a pull request, and as a picture."""

import html
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from rich.console import Console

from bench.analysis.plots.style import BAD, MUTED, annotate, draw_legend, log_axis, name_rows, style, tag
from bench.analysis.tables import SPANS, rank
from bench.analysis.units import plural, seconds
from bench.instruments.regression.compare import COUNTERS, Change, Comparison, counter_change
from bench.instruments.regression.gate import Finding, conclusion, several
from bench.report.table import Table

_MOST = 100
"""Of more measurements the picture has those whose ratio is farthest from 1."""


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


def draw_changes(compared: Comparison) -> Figure:
    """A line for each measurement, by puzzle: its ratio and interval, and the counters that changed."""
    what, extent, least = "total time", ", with 95% interval (right of 1: slower)", 1.25
    common = compared.changes[compared.changes["only_in"] == ""]
    if len(counted := compared.counted):
        what, extent, least = "instructions", " (right of 1: more)", 1.02
        common = counted.assign(ratio=counted["instructions_ratio"], ratio_low=math.nan, ratio_high=math.nan)
    changes = compared.changes if common.empty else common
    nearness = -np.log(changes["ratio"]).abs().fillna(math.inf)
    shown = changes.loc[nearness.sort_values(kind="stable").index[:_MOST]].sort_index()
    heights = shown["puzzle"].value_counts(sort=False)
    figure = Figure(figsize=(9.5, 1.5 + 0.19 * sum(heights) + 0.35 * len(heights)), layout="constrained")
    panels = figure.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    farthest = np.log(shown[["ratio", "ratio_low", "ratio_high"]]).abs().max(axis=None)
    reach = max(least, np.exp(farthest)) * 1.05
    ticks = [0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 5, 10]
    ticks = [0.9, 0.95, 0.98, 0.99, 1, 1.01, 1.02, 1.05, 1.1] if reach < 1.2 else ticks
    for axes, (puzzle, members) in zip(panels, shown.groupby("puzzle"), strict=True):
        log_axis(axes, 1 / reach, reach)
        axes.set_xticks([tick for tick in ticks if 1 / reach <= tick <= reach])
        axes.axvline(1, color=MUTED, linewidth=1)
        for place, row in enumerate(members.itertuples()):
            looks, (became, *counters) = style(row.backend), _notes(row)
            more = f" and {len(counters) - 1} more" if len(counters) > 1 else ""
            said = ", ".join(filter(None, [became, *counters[:1]])) + more
            ends = [value if value > 0 else row.ratio for value in (row.ratio_low, row.ratio_high)]
            line = axes.plot(ends, [place, place], color=looks.colour, linewidth=1.4)
            dot = axes.plot(row.ratio, place, looks.marker, color=looks.colour, markersize=4.5)
            tooltip = f"{row.label} {row.formulation}".rstrip() + f": {row.ratio:.3f} {said}"
            for artist in (*line, *dot):
                tag(artist, tooltip, backend=row.label)
            annotate(axes, reach, place, said, size=7, colour=BAD)
        name_rows(axes, members["name"])
        axes.tick_params(axis="y", length=0, labelsize=7)
        axes.set_title(puzzle, loc="left")
    panels[-1].set_xlabel(f"{what}, new / base{extent}")
    draw_legend(
        figure, sorted(set(shown["backend"]), key=rank), "outside lower center", marks=4.5, lines=True
    )
    many = len(changes)
    left_out = f", the {_MOST} of {many} that changed most" if many > _MOST else ""
    figure.suptitle(f"{'Interleaved' if compared.paired else 'Two campaigns'}{left_out}", fontsize=10)
    return figure
