"""The median times of one puzzle: a panel for each instance and task."""

from collections.abc import Sequence
from itertools import chain, product

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.analysis.comparison import MOST_COMPARED, evenly
from bench.analysis.measurements import Measurement
from bench.analysis.plots.axes import annotate, time_axis, title_panel, wrapped, write_at_left
from bench.analysis.plots.style import BAD, BAND, MUTED, PAPER, style
from bench.analysis.plots.svg import tag
from bench.analysis.tables import RESOLUTION_S, TASKS
from bench.analysis.units import plural, seconds, span
from bench.contract import Task
from models.shared.puzzle import Reported

NAME_WIDTH, _SMALLER = 34, 7
"""A longer name, in characters, is written in two lines, which fit into a row with letters of this size."""

_MOST_TICKS = 20
"""Of more runs, so many evenly spaced order statistics are shown."""


def draw_times(measured: Sequence[Measurement], published: Sequence[Reported], puzzle: str) -> Figure:
    """Draws median total times with their intervals; of more than MOST_COMPARED instances some, by size.

    Args:
        measured: all measurements of the puzzle.
        published: what sources published about it.
    """
    by_size = sorted(measured, key=lambda each: each.size)
    everything = list(dict.fromkeys(each.instance for each in by_size))
    instances = evenly(everything, MOST_COMPARED)
    tasks = [task for task in Task if any(each.task == task for each in measured)]
    panels = {panel: _panel_rows(measured, published, *panel) for panel in product(instances, tasks)}
    heights = [max(len(panels[instance, task]) for task in tasks) for instance in instances]
    figure = Figure(figsize=(10, 0.9 + sum(0.27 * height + 0.75 for height in heights)), layout="constrained")
    ratios = [height + 1 for height in heights]
    grid = figure.subplots(len(instances), len(tasks), squeeze=False, sharex="col", height_ratios=ratios)
    for axes, (instance, task), height in zip(grid.flat, panels, np.repeat(heights, len(tasks)), strict=True):
        draw_panel(axes, panels[instance, task], height)
        if panels[instance, task]:
            title_panel(axes, f"{instance}: {TASKS[task]}")
    for column, task in enumerate(tasks):
        rows = chain(*(panels[instance, task] for instance in instances))
        shown = [(row.total_s, *(row.times if isinstance(row, Measurement) else ())) for row in rows]
        times = [time for of_row in shown for time in of_row if time is not None]
        for axes in grid[:, column]:
            time_axis(axes, times)
    figure.supxlabel(
        "Median total time (log scale) with its 95% confidence interval (fewer than 6 runs: the range);\n"
        f"a tick for each run (of more than {_MOST_TICKS}, evenly spaced ones). "
        f"~: below timing resolution ({seconds(RESOLUTION_S)})",
        fontsize=9,
    )
    few, known = len(instances), len(everything)
    more = f" ({few} of {known} instances)" if few < known else ""
    figure.suptitle(f"{puzzle}: total time, including building and translating the model{more}", fontsize=12)
    return figure


Row = Measurement | Reported


def _panel_rows(
    measured: Sequence[Measurement], published: Sequence[Reported], instance: str, task: Task
) -> list[Row]:
    """The rows of a panel: the fastest first, then the unsolved, then published results."""
    ours = [each for each in measured if each.instance == instance and each.task == task]
    ours.sort(key=lambda each: np.inf if each.total_s is None else each.total_s)
    theirs = published if task == Task.FIRST else ()
    return ours + [each for each in theirs if each.instance == instance and each.total_s is not None]


def draw_panel(axes: Axes, rows: Sequence[Row], height: int) -> None:
    """Draws a row for each measurement, in a panel with room for `height` rows."""
    if not rows:
        axes.axis("off")
        return
    names = [row.model if isinstance(row, Measurement) else f"{row.system} (published)" for row in rows]
    axes.set_yticks(range(len(rows)), [wrapped(name, NAME_WIDTH, 2) for name in names])
    axes.set_ylim(height - 0.4, -0.6)
    for place, (label, row) in enumerate(zip(axes.get_yticklabels(), rows, strict=True)):
        if "\n" in label.get_text():
            label.set_fontsize(_SMALLER)
        if isinstance(row, Measurement):
            for artist in (label, *_draw_measurement(axes, place, row)):
                tag(artist, f"{row.model}: {_tooltip(row)}", backend=row.label)
        elif row.total_s is not None:
            axes.axhspan(place - 0.5, place + 0.5, color=BAND, zorder=0)
            axes.plot(row.total_s, place, "o", color=MUTED, markerfacecolor=PAPER, markersize=6)
            annotate(axes, row.total_s, place, f"  {seconds(row.total_s)}")


def _draw_measurement(axes: Axes, place: int, measurement: Measurement) -> list[Artist]:
    """Draws the median, its interval and a tick for each run; the status if no run was conclusive."""
    if measurement.total is None:
        return [write_at_left(axes, place, measurement.status, BAD, 9)]
    looks, total = style(measurement.label), measurement.total
    times = np.asarray(measurement.times)
    if len(times) > _MOST_TICKS:
        times = np.quantile(times, np.linspace(0, 1, _MOST_TICKS))
    text = f"  {'~' if measurement.below_resolution else ''}{seconds(total.median)}"
    if measurement.inconclusive:
        text += f"  ({measurement.inconclusive} of {measurement.runs} {measurement.status})"
    return [
        *axes.plot([total.low, total.high], [place] * 2, color=looks.colour, linewidth=2.5, alpha=0.5),
        *axes.plot(times, np.full(len(times), place), "|", color=looks.colour, markersize=8, alpha=0.6),
        *axes.plot(total.median, place, looks.marker, color=looks.colour, markersize=6),
        annotate(axes, times.max(), place, text),
    ]


def _tooltip(measurement: Measurement) -> str:
    said = span(*measurement.total) if measurement.total else measurement.status.value
    return f"{said}, {plural(measurement.runs, 'run')}"
