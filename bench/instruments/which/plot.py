"""Backends on the samples of kinds of puzzles: slowdowns kind by kind, and what is solved within a time."""

from collections.abc import Sequence
from functools import partial
from math import ceil, isfinite
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from bench.analysis.plots.drawing import save
from bench.analysis.plots.style import BAND, INK, MUTED, PAPER, draw_legend, ratio_axis, style, time_axis
from bench.analysis.tables import TASKS
from bench.catalogue.errors import writing
from bench.instruments.which.samples import Conclusions, Sample

_DODGE = 0.7
"""The height over which the marks of the backends lie in a row, so that none hides another."""

_PANELS = 4
"""So many panels stand in a row."""


def write_pictures(found: Conclusions, folder: Path) -> None:
    """Draws which.png, and solved-TASK.png for each task, to a folder.

    Raises:
        RequestError: if a file cannot be written.
    """
    with writing(folder, "make it writable"):
        folder.mkdir(exist_ok=True)
    pictures = {"which": partial(_draw_which, found)}
    for task in found.tasks:
        of_task = [sample for sample in found.samples if sample.task == task]
        pictures[f"solved-{task}"] = partial(_draw_solved, of_task, found.labels)
    for name, draw in pictures.items():
        save(folder / f"{name}.png", draw)


def _draw_which(found: Conclusions) -> Figure:
    """Each backend's slowdown on each kind of puzzle, from the top down, and over all; a panel per task."""
    kinds = sorted(set(found.standings["puzzle"]))
    places = {label: (number + 0.5) / len(found.labels) - 0.5 for number, label in enumerate(found.labels)}
    # Over all there is no kind, whose number is then that behind the last.
    standings = pd.concat([found.standings, found.overall]).dropna(subset="slowdown")
    figure = Figure(figsize=(11, 1.6 + 0.52 * (len(kinds) + 1)), layout="constrained")
    grid = figure.subplots(1, len(found.tasks), squeeze=False, sharey=True)[0]
    for axes, task in zip(grid, found.tasks, strict=True):
        of_task = standings[standings["task"] == task]
        ratio_axis(axes, 0.85 * min([1.0, *of_task["slowdown"]]), 1.3 * max([10.0, *of_task["slowdown"]]))
        for one in of_task.itertuples():
            row = kinds.index(one.puzzle) if one.puzzle in kinds else len(kinds)
            looks = style(one.label)
            axes.plot(
                one.slowdown, row + _DODGE * places[one.label], looks.marker, color=looks.colour,
                markersize=6, markerfacecolor=PAPER if one.solved < one.problems else looks.colour,
            )  # fmt: skip
        for row in range(1, len(kinds), 2):
            axes.axhspan(row - 0.5, row + 0.5, color=BAND, zorder=0)
        axes.axhline(len(kinds) - 0.5, color=INK, linewidth=1)
        axes.axvline(1, color=MUTED, linewidth=1)
        axes.set_ylim(len(kinds) + 0.6, -0.6)
        axes.set_title(TASKS[task], loc="left")
    names = [kind.replace("_", " ") for kind in kinds]
    grid[0].set_yticks(range(len(kinds) + 1), [*names, "all kinds"])
    grid[0].get_yticklabels()[-1].set_fontweight("bold")
    draw_legend(figure, {label: style(label) for label in found.labels})
    limit_s = max(sample.limit_s for sample in found.samples)
    figure.supxlabel(
        "Slowdown relative to the fastest solver of each problem (geometric mean over those of a kind)"
        f"\nopen marks: not all problems are solved within {limit_s:g} s, so it is more",
        fontsize=9,
    )
    return figure


def _draw_solved(samples: Sequence[Sample], labels: Sequence[str]) -> Figure:
    """For each kind of puzzle the share of its problems that each backend solves within a time.

    What is not solved counts as stopped at the limit, so a curve is 1 minus the Kaplan-Meier estimate.
    """
    rows, columns = ceil(len(samples) / _PANELS), min(_PANELS, len(samples))
    figure = Figure(figsize=(max(6.0, 2.9 * columns), 1.2 + 2.1 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharey=True).ravel()
    for axes, sample in zip(grid, samples, strict=False):
        fastest = sample.times.min().min()
        left = fastest / 1.5 if isfinite(fastest) else sample.limit_s / 10
        time_axis(axes, [left, sample.limit_s])
        axes.set_xlim(left, sample.limit_s)
        for label in sample.times:
            looks = style(label)
            times = np.sort(sample.times[label][np.isfinite(sample.times[label])])
            shares = np.arange(len(times) + 1) / len(sample.times)
            axes.step(
                [left, *times, sample.limit_s], [*shares, shares[-1]], where="post", color=looks.colour,
                linestyle=looks.line, linewidth=looks.width,
            )  # fmt: skip
        axes.set_ylim(0, 1.04)
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_title(sample.puzzle.replace("_", " "), loc="left")
    for axes in grid[len(samples) :]:
        axes.set_axis_off()
    draw_legend(figure, {label: style(label) for label in labels}, marks=0, lines=True)
    words = f"Share of the problems solved within this time ({TASKS[samples[0].task]})"
    figure.supxlabel(f"{words}; the axis ends at the limit", fontsize=9)
    return figure
