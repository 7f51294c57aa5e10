"""The slowdown of each backend relative to the fastest one, problem by problem."""

from collections.abc import Sequence
from math import inf, isfinite

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.analysis.comparison import evenly
from bench.analysis.plots.axes import annotate, draw_legend, ratio_axis, title_panel
from bench.analysis.plots.heat_table import draw_heat_table, failure, heat_cell
from bench.analysis.plots.overview import MOST_ROWS
from bench.analysis.plots.style import BAD, BAND, MANY, MUTED, PAPER, by_rank, style
from bench.analysis.plots.svg import tag
from bench.analysis.scores import Slowdown
from bench.analysis.tables import TASKS
from bench.analysis.units import factor, seconds
from bench.contract import Task

APART = "not compared"
"""The text where a backend and the fastest one have no block in common."""

MARK_INCHES = 0.13
"""Height of a mark with the text beside it."""


def draw_slowdowns(slowdowns: Sequence[Slowdown]) -> Figure:
    """Draws a row for each instance with the slowdowns and their intervals; a panel for each task.

    With more than MANY backends a coloured table.
    """
    labels = by_rank(each.measurement.label for each in slowdowns)
    if len(labels) > MANY:
        return _draw_slowdowns_table(slowdowns)
    panels = {
        task: of_task
        for task in Task
        if (of_task := [each for each in slowdowns if each.measurement.task == task])
    }
    most = max(len({each.problem for each in of_task}) for of_task in panels.values())
    rows = min(most, MOST_ROWS)
    height = 1.4 + rows * max(0.5, MARK_INCHES * len(labels))
    figure = Figure(figsize=(11, height), layout="constrained")
    grid = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, (task, of_task) in zip(grid, panels.items(), strict=True):
        draw_panel(axes, of_task, labels)
        title_panel(axes, TASKS[task] + (f" ({rows} of {most} instances)" if rows < most else ""))
    draw_legend(figure, {label: style(label) for label in labels})
    explained = "Slowdown relative to the fastest backend (log scale), 95% confidence intervals"
    if any(not _is_known(each) and not each.apart for each in slowdowns):
        explained += "\nopen marks at the right edge: unsolved"
    figure.supxlabel(explained, fontsize=9)
    return figure


def _is_known(slowdown: Slowdown) -> bool:
    """Whether there is a fastest backend, and the slowdown is finite."""
    return slowdown.fastest != "" and isfinite(slowdown.ratio.value)


def _draw_slowdowns_table(slowdowns: Sequence[Slowdown]) -> Figure:
    """Draws the slowdowns as a coloured table; of more than MOST_ROWS instances some, evenly spaced."""
    # What is unsolved has the colour of inf, and what is not compared that of 1.
    values = [1.0 if each.apart else each.ratio.value if _is_known(each) else inf for each in slowdowns]
    cells = [
        heat_cell(each.measurement, _slowdown_text(each), value)
        for each, value in zip(slowdowns, values, strict=True)
    ]
    shown = set(evenly(list(dict.fromkeys(cell.problem for cell in cells)), MOST_ROWS))
    title = (
        "Slowdown relative to the fastest backend, whose own cell shows its time. "
        "≈: the 95% confidence interval includes 1. Red: unsolved, and why"
    )
    return draw_heat_table([cell for cell in cells if cell.problem in shown], (1, 1000), title)


def _slowdown_text(slowdown: Slowdown) -> str:
    """The text of a cell of the table."""
    failed = failure(slowdown.measurement)
    if slowdown.is_fastest:
        return f"{seconds(slowdown.measurement.time_s)}\n{failed}".rstrip()
    if slowdown.apart:
        return f"{APART}\n{failed}".rstrip()
    if not _is_known(slowdown):
        return failed
    close = "≈ " if slowdown.ratio.low <= 1 else ""
    return f"{close}{factor(slowdown.ratio.value)}\n{failed}".rstrip()


def draw_panel(axes: Axes, slowdowns: Sequence[Slowdown], labels: Sequence[str]) -> None:
    """Draws the slowdowns of one task, one backend a little below the other; failures at the right edge."""
    problems = evenly(list(dict.fromkeys(each.problem for each in slowdowns)), MOST_ROWS)
    places = {problem: place for place, problem in enumerate(problems)}
    ends = [end for each in slowdowns for end in vars(each.ratio).values() if 0 < end < inf]
    least, most = min([0.85, *ends]) / 1.2, 1.6 * max([10, *ends])
    failed = any(each.measurement.inconclusive for each in slowdowns)
    ratio_axis(axes, least, most * (3 if failed else 1))
    several = len({problem.puzzle for problem in problems}) > 1
    names = ["\n".join(dict.fromkeys(problem[:2] if several else problem[1:2])) for problem in problems]
    for each in slowdowns:
        if each.problem not in places:
            continue
        measurement, place = each.measurement, places[each.problem]
        if each.is_fastest:
            names[place] += f"\n{measurement.label} {seconds(measurement.time_s)}"
        at = place + 0.85 * ((labels.index(measurement.label) + 0.5) / len(labels) - 0.5)
        for artist in _draw_slowdown(axes, each, at, least, most):
            tag(artist, _tooltip(each), backend=measurement.label)
    for place in range(1, len(names), 2):
        axes.axhspan(place - 0.5, place + 0.5, color=BAND, zorder=0)
    axes.axvline(1, color=MUTED, linewidth=1)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def _draw_slowdown(axes: Axes, slowdown: Slowdown, at: float, least: float, most: float) -> list[Artist]:
    """Draws a mark with its interval, open and at `most` if the slowdown is unknown; then the failures."""
    looks, known, ratio = style(slowdown.measurement.label), _is_known(slowdown), slowdown.ratio
    artists: list[Artist] = []
    if slowdown.fastest:
        ends = np.clip([ratio.low, ratio.high], least, most)
        artists += axes.plot(ends, [at, at], color=looks.colour, linewidth=2, alpha=0.55)
    artists += axes.plot(
        min(ratio.value, most) if slowdown.fastest else most, at, looks.marker,
        color=looks.colour, markersize=5, markerfacecolor=looks.colour if known else PAPER,
    )  # fmt: skip
    if slowdown.apart:
        artists.append(annotate(axes, 1, at, APART, 6.5, 6, MUTED))
    if failed := failure(slowdown.measurement):
        artists.append(annotate(axes, most, at, failed, 6.5, 6, BAD))
    return artists


def _tooltip(slowdown: Slowdown) -> str:
    measurement, ratio = slowdown.measurement, slowdown.ratio
    parts = [failed] if (failed := failure(measurement)) else []
    if _is_known(slowdown):
        interval = f" ({factor(ratio.low)} to {factor(ratio.high)})" if isfinite(ratio.high) else ""
        parts.append(f"{factor(ratio.value)} times {slowdown.fastest}{interval}")
    if slowdown.apart:
        parts.append(APART)
    return f"{measurement.instance}, {measurement.model}: {', '.join(parts)}"
