"""A comparison for the terminal, as a comment on a pull request, and as a picture."""

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator
from rich.console import Console

from bench.analysis.plots.style import BAD, INK, MUTED, style, tag
from bench.analysis.tables import SPANS, rank
from bench.analysis.units import plural, seconds
from bench.instruments.regression.compare import Change, Comparison, Kind
from bench.instruments.regression.gate import Finding, conclusion, several
from bench.report.table import Table

_MOST = 100
"""Of more measurements the picture has those whose ratio is farthest from 1."""

_TICKS = [0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 5, 10]


def changes_table(title: str, changes: Iterable[Change]) -> Table:
    """For each measurement the medians, their ratio with its interval, and what else changed."""
    columns = ["measurement", "base", "new", "new / base", "95% interval", "counters, results"]
    return Table(title, columns, [*map(_cells, changes)], words=columns[-1:])


def _cells(change: Change) -> list[str]:
    ratio, times = change.ratio, change.times
    if times:
        figures = [seconds(times.base_s), seconds(times.new_s), f"{ratio.value:.3f}"]
    else:
        figures = [change.base.status or "", change.new.status or "", ""]
    interval = f"{ratio.low:.2f} to {ratio.high:.2f}" if ratio.known else ""
    what = "another instance file, not compared" if change.kind == Kind.INSTANCE_CHANGED else _what(change)
    return [change.name, *figures, interval, ", ".join(filter(None, [what, *change.changed_counters]))]


def _what(change: Change) -> str:
    """What became of a measurement, in a few words."""
    return f"only in {change.only_in}" if change.only_in else str(change.kind)


def _only_in(compared: Comparison) -> list[str]:
    """A line for each campaign that has measurements which the other lacks."""
    sides = {side: [each for each in compared.changes if each.only_in == side] for side in ("BASE", "NEW")}
    return [f"only in {side}: {several(changes)}" for side, changes in sides.items() if changes]


def print_changes(console: Console, compared: Comparison) -> None:
    """What became of each measurement of two campaigns, the fastest first, and the spread of the ratios."""
    timed = sorted(compared.timed, key=lambda change: change.ratio.value)
    others = [change for change in compared.changes if not (change.times or change.only_in)]
    console.print(changes_table("Total time and counters", [*timed, *others]).for_terminal())
    for span, (least, most) in {**SPANS, "all": (0, math.inf)}.items():
        within = [each for each in timed if each.times and least <= each.times.base_s < most]
        if len(within) >= 4:  # Of fewer the table says all.
            ratios = [change.ratio.value for change in within]
            low, first, middle, third, high = np.quantile(ratios, [0, 0.25, 0.5, 0.75, 1])
            console.print(
                f"{span}: {plural(len(ratios), 'ratio')}, median {middle:.3f}, "
                f"half of them {first:.3f} to {third:.3f}, all {low:.3f} to {high:.3f}"
            )
    for line in _only_in(compared):
        console.print(line, soft_wrap=True, markup=False)
    console.print(compared.how, markup=False)


def comment(compared: Comparison, findings: Sequence[Finding] | None) -> str:
    """What regressed, a table of what changed, and folded away, all measurements, in Markdown.

    Args:
        findings: of `gate.judge`; None if nothing was judged.
    """
    # A status or a counter changed, or the interval of the ratio leaves out 1.
    changed = [
        each
        for each in compared.changes
        if not each.only_in and (each.kind or each.changed_counters or each.ratio.differs)
    ]
    headline = "comparison" if findings is None else conclusion(compared, findings)
    parts = [
        f"### Benchmarks: {headline}\n",
        "".join(f"- **{found.what}** {_plain(found.text)}\n" for found in findings or ()),
        _plain_table(changed) if changed else "",
        *(f"{_plain(line)}\n" for line in _only_in(compared)),
        f"<details><summary>All {len(compared.changes)} measurements</summary>\n",
        _plain_table(compared.changes),
        "</details>\n",
        f"{_plain(compared.how)}\n\n",
    ]
    return "\n".join(filter(None, parts))


def _plain_table(changes: Sequence[Change]) -> str:
    table = changes_table("", changes)
    return replace(table, rows=[[*map(_plain, row)] for row in table.rows]).markdown()


def _plain(text: str) -> str:
    """Text that Markdown and HTML leave as it is: it may come from any runs.csv. `Table` escapes the |."""
    marked = "".join(f"\\{letter}" if letter in "\\`*_[]#~" else letter for letter in " ".join(text.split()))
    # Entities make neither tags nor mentions.
    return html.escape(marked, quote=False).replace("@", "&#64;")


def draw_changes(compared: Comparison) -> Figure:
    """A line for each measurement, by puzzle: its ratio and interval, and the counters that changed."""

    def distance(change: Change) -> float:
        """How far the ratio is from 1; inf where there is none."""
        return abs(math.log(change.ratio.value)) if change.times else math.inf

    far = sorted(compared.changes, key=distance, reverse=True)[:_MOST]
    shown = [change for change in compared.changes if change in far]
    by_puzzle = {puzzle: list(members) for puzzle, members in groupby(shown, attrgetter("puzzle"))}
    heights = [len(members) for members in by_puzzle.values()]
    figure = Figure(figsize=(9.5, 1.5 + 0.19 * sum(heights) + 0.35 * len(heights)), layout="constrained")
    panels = figure.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    known = [end for change in shown for end in vars(change.ratio).values() if end > 0]
    reach = max([1.25, *known, *(1 / value for value in known)]) * 1.05
    for axes, (puzzle, members) in zip(panels, by_puzzle.items(), strict=True):
        axes.set_xscale("log")
        axes.axvline(1, color=MUTED, linewidth=1)
        axes.grid(axis="x")
        for place, change in enumerate(members):
            looks, ratio, said = style(change.backend), change.ratio, _note(change)
            ends = [value if value > 0 else ratio.value for value in (ratio.low, ratio.high)]
            line = axes.plot(ends, [place, place], color=looks.colour, linewidth=1.4)
            dot = axes.plot(ratio.value, place, looks.marker, color=looks.colour, markersize=4.5)
            tooltip = f"{change.label} {change.formulation}".rstrip() + f": {ratio.value:.3f} {said}"
            for artist in (*line, *dot):
                tag(artist, tooltip, backend=change.label)
            beside = {"transform": axes.get_yaxis_transform(), "va": "center"}
            axes.text(1.01, place, f" {said}" if said else "", fontsize=7, color=BAD, **beside)
        axes.set_yticks(range(len(members)), [change.name for change in members], fontsize=7)
        axes.set_ylim(len(members) - 0.4, -0.6)
        axes.set_xlim(1 / reach, reach)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xticks([tick for tick in _TICKS if 1 / reach <= tick <= reach])
        axes.tick_params(axis="y", length=0)
        axes.set_title(puzzle, loc="left")
        axes.set_facecolor("none")
    panels[-1].set_xlabel("total time, new / base, with 95% interval (right of 1: slower)", color=INK)
    looks_of = {label: style(label) for label in sorted({change.backend for change in shown}, key=rank)}
    handles = [
        Line2D([], [], color=looks.colour, marker=looks.marker, label=label, markersize=4.5)
        for label, looks in looks_of.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    many = len(compared.changes)
    left_out = f", the {_MOST} of {many} that changed most" if many > _MOST else ""
    figure.suptitle(f"{'Interleaved' if compared.paired else 'Two campaigns'}{left_out}", fontsize=10)
    return figure


def _note(change: Change) -> str:
    """What changed beside the time, in a few words."""
    moved = change.changed_counters
    more = f" and {len(moved) - 1} more" if len(moved) > 1 else ""
    return ", ".join(filter(None, [_what(change), *moved[:1]])) + more
