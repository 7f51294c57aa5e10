"""The picture of two campaigns side by side: the ratio of each measurement with its interval."""

import math
from itertools import groupby
from operator import attrgetter

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from bench.analysis.plots.style import BAD, INK, MUTED, style, tag
from bench.analysis.tables import rank
from bench.instruments.regression.change import Change, Comparison
from bench.instruments.regression.wording import changed_counters

MOST = 100
"""Of more measurements the picture has those whose ratio is farthest from 1."""

_TICKS = [0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 5, 10]


def draw_changes(compared: Comparison) -> Figure:
    """A line for each measurement, by puzzle: its ratio and interval, and the counters that changed."""
    far = sorted(compared.changes, key=distance, reverse=True)[:MOST]
    shown = [change for change in compared.changes if change in far]
    by_puzzle = {puzzle: list(members) for puzzle, members in groupby(shown, attrgetter("puzzle"))}
    heights = [len(members) for members in by_puzzle.values()]
    figure = Figure(figsize=(9.5, 1.5 + 0.19 * sum(heights) + 0.35 * len(heights)), layout="constrained")
    panels = figure.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    ratios = [change.ratio for change in shown]
    known = [end for ratio in ratios for end in (ratio.value, ratio.low, ratio.high) if end > 0]
    reach = max([1.25, *known, *(1 / value for value in known)]) * 1.05
    for axes, (puzzle, members) in zip(panels, by_puzzle.items(), strict=True):
        axes.set_xscale("log")
        axes.axvline(1, color=MUTED, linewidth=1)
        axes.grid(axis="x")
        for place, change in enumerate(members):
            looks, ratio, said = style(change.backend), change.ratio, note(change)
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
    labels = sorted({change.backend for change in shown}, key=rank)
    handles = [
        Line2D([], [], color=style(label).colour, marker=style(label).marker, label=label, markersize=4.5)
        for label in labels
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    many = len(compared.changes)
    left_out = f", the {MOST} of {many} that changed most" if many > MOST else ""
    figure.suptitle(f"{'Interleaved' if compared.paired else 'Two campaigns'}{left_out}", fontsize=10)
    return figure


def distance(change: Change) -> float:
    """How far the ratio is from 1; inf where there is none."""
    return abs(math.log(change.ratio.value)) if change.times else math.inf


def note(change: Change) -> str:
    """What changed beside the time."""
    moved = changed_counters(change)
    more = f" and {len(moved) - 1} more" if len(moved) > 1 else ""
    return ", ".join(filter(None, [change.kind, *moved[:1]])) + more
