"""Curves over all problems: the cactus plot and Dolan and More's performance profile."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from bench.analysis import scores
from bench.analysis.measurements import Measurement
from bench.analysis.plots.axes import draw_legend, ratio_axis, time_axis
from bench.analysis.plots.style import INK, MANY, Style, by_rank, style
from bench.analysis.plots.svg import tag
from bench.analysis.scores import VIRTUAL_BEST
from bench.analysis.tables import TASKS
from bench.analysis.units import plural
from bench.contract import Task

MOST_DOTS = 60
"""A curve of more problems than this has no marker for each."""


@dataclass(frozen=True)
class Panel:
    """The panel of a task.

    Attributes:
        times: of `scores.times`, of all backends, drawn or not.
    """

    axes: Axes
    task: Task
    times: pd.DataFrame


def draw_cactus(shared: Sequence[Measurement]) -> Figure:
    """Draws how many problems each backend solves within a time: the sorted times and their ranks.

    Args:
        shared: of `scores.shared`.
    """
    title = (
        "Number of problems solved within this time per problem. "
        f"{VIRTUAL_BEST.capitalize()}: the fastest backend for every problem"
    )
    figure, panels = task_panels(shared, title)
    for panel in panels:
        axes, times = panel.axes, panel.times
        time_axis(axes, times.to_numpy().ravel().tolist())
        curves = {label: times[label] for label in drawn(times)} | {VIRTUAL_BEST: times.min(axis=1)}
        for label, values in curves.items():
            ordered = sorted(time for time in values if np.isfinite(time))
            draw_curve(axes, label, ordered, range(1, len(ordered) + 1))
        axes.set_ylim(0, len(times) * 1.04)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        mark_frame(panel, "cactus")
    return finish(figure, panels)


def draw_profile(shared: Sequence[Measurement]) -> Figure:
    """Draws Dolan and More's performance profile of each task.

    Args:
        shared: of `scores.shared`.
    """
    title = "Share of problems solved with at most this slowdown relative to the fastest backend (log scale)"
    figure, panels = task_panels(shared, title)
    for panel in panels:
        axes, profile = panel.axes, scores.profile(panel.times)
        solvable = max(1, int(np.isfinite(panel.times).any(axis=1).sum()))
        ratio_axis(axes, 1, 1.5 * max([10.0, *(ratio for ratios in profile.values() for ratio in ratios)]))
        for label in drawn(panel.times):
            shares = [number / solvable for number in range(1, len(profile[label]) + 1)]
            draw_curve(axes, label, profile[label], shares)
        axes.set_ylim(0, 1.04)
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        mark_frame(panel, "profile")
    return finish(figure, panels)


def task_panels(shared: Sequence[Measurement], title: str) -> tuple[Figure, list[Panel]]:
    """A figure with a panel for each task."""
    tasks = [task for task in Task if any(each.task == task for each in shared)]
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    grid = figure.subplots(1, len(tasks), squeeze=False)[0]
    figure.suptitle(title, fontsize=10)
    panels = zip(grid, tasks, strict=True)
    return figure, [Panel(axes, task, scores.times(shared, task)) for axes, task in panels]


def drawn(times: pd.DataFrame) -> list[str]:
    """The backends that get a curve: of more than MANY those that solve most, then the fastest."""
    solved, mean = np.isfinite(times).sum(), np.log(times.clip(upper=1e9)).mean()
    return by_rank(sorted(times, key=lambda label: (-solved[label], mean[label]))[:MANY])


def draw_curve(axes: Axes, label: str, xs: Sequence[float], ys: Sequence[float]) -> None:
    """Draws a step curve that begins at 0 and continues to the right edge."""
    left, right = axes.get_xlim()
    looks = curve_style(label)
    steps = [0, *ys, ys[-1] if ys else 0]
    (line,) = axes.step(
        [left, *xs, right], steps, where="post", label=label,
        color=looks.colour, linestyle=looks.line, linewidth=line_width(label),
    )  # fmt: skip
    tag(line, label, backend=label, curve="1")
    if looks.marker and 0 < len(xs) <= MOST_DOTS:
        (dots,) = axes.plot(
            xs, ys, color=looks.colour, marker=looks.marker, linestyle="none", markersize=4, clip_on=False
        )
        tag(dots, label, backend=label, dots="1")


def curve_style(label: str) -> Style:
    """The style of a backend's curve, or of the virtual best."""
    return Style(INK, "", "dotted") if label == VIRTUAL_BEST else style(label)


def line_width(label: str) -> float:
    """The width of a curve in points."""
    return 1.2 if label == VIRTUAL_BEST else 1.8


def mark_frame(panel: Panel, kind: str) -> None:
    """Tags a panel with what the page needs to draw its curves again from the data."""
    (left, right), top = panel.axes.get_xlim(), panel.axes.get_ylim()[1]
    tag(panel.axes.patch, kind=kind, task=panel.task, left=str(left), right=str(right), top=str(top))


def finish(figure: Figure, panels: Sequence[Panel]) -> Figure:
    """Adds the titles of the panels and one legend."""
    for panel in panels:
        rows, backends = panel.times.shape
        few = f": the best {MANY} of {backends}" if backends > MANY else ""
        heading = f"{TASKS[panel.task]}, {plural(rows, 'problem')}{few}"
        tag(panel.axes.set_title(heading, loc="left"), heading=panel.task)
    labels = {label for panel in panels for label in panel.axes.get_legend_handles_labels()[1]}
    ordered = by_rank(labels - {VIRTUAL_BEST}) + [VIRTUAL_BEST] * (VIRTUAL_BEST in labels)
    handles = []
    for label in ordered:
        looks = curve_style(label)
        handles.append(
            Line2D(
                [], [], color=looks.colour, marker=looks.marker, linestyle=looks.line,
                linewidth=line_width(label), markersize=4,
            )
        )  # fmt: skip
    draw_legend(figure, handles, ordered, "outside lower center")
    return figure
