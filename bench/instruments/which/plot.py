"""Backends on the samples of kinds of puzzles: slowdowns kind by kind, and what is solved within a time."""

from collections.abc import Sequence
from math import ceil

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from bench.analysis.plots.style import (
    BAND,
    INK,
    MUTED,
    PAPER,
    by_rank,
    draw_legend,
    ratio_axis,
    style,
    tag,
    time_axis,
)
from bench.analysis.tables import TASKS
from bench.analysis.units import factor
from bench.contract import Task
from bench.instruments.which.across import Conclusions, Loss
from bench.instruments.which.kinds import Sample, Standing, solved_over_time
from bench.instruments.which.wording import everywhere, slowdown

_DODGE = 0.7
"""The height over which the marks of the backends lie in a row, so that none hides another."""

PANELS = 4
"""So many panels stand in a row."""


def draw_which(found: Conclusions) -> Figure:
    """Draws each backend's slowdown on each kind of puzzle, and over all; a panel for each task."""
    tasks = [task for task in Task if any(sample.task == task for sample in found.samples)]
    kinds = sorted({sample.puzzle for sample in found.samples})
    labels = by_rank(standing.label for standing in found.standings)
    figure = Figure(figsize=(11, 1.6 + 0.52 * (len(kinds) + 1)), layout="constrained")
    grid = figure.subplots(1, len(tasks), squeeze=False, sharey=True)[0]
    for axes, task in zip(grid, tasks, strict=True):
        standings = [one for one in found.standings if one.task == task]
        losses = everywhere([loss for loss in found.losses if loss.task == task])
        draw_panel(axes, standings, losses, kinds, labels)
        axes.set_title(TASKS[task], loc="left")
    names = [kind.replace("_", " ") for kind in kinds]
    grid[0].set_yticks(range(len(kinds) + 1), [*names, "all kinds"])
    grid[0].get_yticklabels()[-1].set_fontweight("bold")
    draw_legend(figure, {label: style(label) for label in labels})
    limit_s = max(sample.limit_s for sample in found.samples)
    explained = (
        "Slowdown relative to the fastest solver of each problem (geometric mean over those of a kind)"
        f"\nopen marks: not all problems are solved within {limit_s:g} s, so it is more"
    )
    figure.supxlabel(explained, fontsize=9)
    return figure


def draw_panel(
    axes: Axes,
    standings: Sequence[Standing],
    losses: Sequence[Loss],
    kinds: Sequence[str],
    labels: Sequence[str],
) -> None:
    """Draws the kinds of a task from the top down, and below them all kinds."""
    values = [one.slowdown for one in standings if np.isfinite(one.slowdown)]
    ratio_axis(axes, 0.85 * min([1.0, *values]), 1.3 * max([10.0, *values]))
    heights = {label: _DODGE * ((place + 0.5) / len(labels) - 0.5) for place, label in enumerate(labels)}
    for one in standings:
        if np.isfinite(one.slowdown):
            looks = style(one.label)
            (mark,) = axes.plot(
                one.slowdown, kinds.index(one.puzzle) + heights[one.label], looks.marker,
                color=looks.colour, markersize=6, markerfacecolor=PAPER if one.bound else looks.colour,
            )  # fmt: skip
            tag(mark, _tooltip(one), backend=one.label)
    for loss in losses:
        looks = style(loss.label)
        (mark,) = axes.plot(
            loss.slowdown, len(kinds) + heights[loss.label], looks.marker, color=looks.colour, markersize=6,
            markerfacecolor=PAPER if loss.bound else looks.colour,
        )  # fmt: skip
        tag(mark, f"{loss.label}, all kinds: {slowdown(loss)} times", backend=loss.label)
    for place in range(1, len(kinds), 2):
        axes.axhspan(place - 0.5, place + 0.5, color=BAND, zorder=0)
    axes.axhline(len(kinds) - 0.5, color=INK, linewidth=1)
    axes.axvline(1, color=MUTED, linewidth=1)
    axes.set_ylim(len(kinds) + 0.6, -0.6)


def _tooltip(standing: Standing) -> str:
    more = " or more" if standing.bound else ""
    solved = f"{standing.solved} of {standing.problems} solved"
    return f"{standing.puzzle}, {standing.label}: {factor(standing.slowdown)} times{more}, {solved}"


def draw_solved(samples: Sequence[Sample]) -> Figure:
    """Draws for each kind of puzzle the share of its problems that each backend solves within a time."""
    labels = by_rank(str(label) for sample in samples for label in sample.times)
    rows = ceil(len(samples) / PANELS)
    columns = min(PANELS, len(samples))
    figure = Figure(figsize=(max(6.0, 2.9 * columns), 1.2 + 2.1 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharey=True).ravel()
    for axes, sample in zip(grid, samples, strict=False):
        _draw_curves(axes, sample)
        axes.set_title(sample.puzzle.replace("_", " "), loc="left")
    for axes in grid[len(samples) :]:
        axes.set_axis_off()
    draw_legend(figure, {label: style(label) for label in labels}, marks=0, lines=True)
    task = TASKS[samples[0].task]
    figure.supxlabel(
        f"Share of the problems solved within this time ({task}); the axis ends at the limit", fontsize=9
    )
    return figure


def _draw_curves(axes: Axes, sample: Sample) -> None:
    """Draws the curves of one kind, from the fastest time up to the time limit."""
    curves = solved_over_time(sample)
    every = np.concatenate([times for times, _ in curves.values()])
    left = every.min() / 1.5 if len(every) else sample.limit_s / 10
    time_axis(axes, [left, sample.limit_s])
    axes.set_xlim(left, sample.limit_s)
    for label, (times, shares) in curves.items():
        looks = style(label)
        xs, ys = [left, *times, sample.limit_s], [0.0, *shares, shares[-1] if len(shares) else 0.0]
        (line,) = axes.step(
            xs, ys, where="post", color=looks.colour, linestyle=looks.line, linewidth=looks.width
        )
        tag(line, label, backend=label)
    axes.set_ylim(0, 1.04)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
