"""Curves over all problems: the cactus plot and Dolan and More's performance profile."""

from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from bench.analysis import scores
from bench.analysis.measurements import Measurement
from bench.analysis.plots import style
from bench.analysis.scores import VIRTUAL_BEST
from bench.analysis.tables import TASKS
from bench.analysis.units import plural
from bench.contract import Task


def draw_cactus(shared: Sequence[Measurement]) -> Figure:
    """Draws how many problems each backend solves within a time: the sorted times and their ranks."""

    def draw(axes: Axes, times: pd.DataFrame) -> None:
        style.time_axis(axes, times.to_numpy().ravel().tolist())
        curves = {label: times[label] for label in _drawn(times)} | {VIRTUAL_BEST: times.min(axis=1)}
        for label, values in curves.items():
            ordered = sorted(time for time in values if np.isfinite(time))
            _draw_curve(axes, label, ordered, range(1, len(ordered) + 1))
        axes.set_ylim(0, len(times) * 1.04)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))

    title = "Number of problems solved within this time per problem"
    best = f"{VIRTUAL_BEST.capitalize()}: the fastest backend for every problem"
    return _draw_panels(shared, f"{title}. {best}", "cactus", draw)


def draw_profile(shared: Sequence[Measurement]) -> Figure:
    """Draws Dolan and More's performance profile of each task."""

    def draw(axes: Axes, times: pd.DataFrame) -> None:
        ratios = scores.profile(times)
        solvable = max(1, int(np.isfinite(times).any(axis=1).sum()))
        style.ratio_axis(axes, 1, 1.5 * max([10.0, *chain(*ratios.values())]))
        for label in _drawn(times):
            shares = [number / solvable for number in range(1, len(ratios[label]) + 1)]
            _draw_curve(axes, label, ratios[label], shares)
        axes.set_ylim(0, 1.04)
        axes.yaxis.set_major_formatter(PercentFormatter(1))

    title = "Share of problems solved with at most this slowdown relative to the fastest backend (log scale)"
    return _draw_panels(shared, title, "profile", draw)


def _draw_panels(
    shared: Sequence[Measurement], title: str, kind: str, draw: Callable[[Axes, pd.DataFrame], None]
) -> Figure:
    """Draws a panel of curves for each task, and one legend.

    Args:
        kind: by which the page finds the panels that it draws again from the data.
        draw: draws a panel from `scores.times`.
    """
    tasks = [task for task in Task if any(each.task == task for each in shared)]
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    figure.suptitle(title, fontsize=10)
    labels = set()
    for axes, task in zip(figure.subplots(1, len(tasks), squeeze=False)[0], tasks, strict=True):
        times = scores.times(shared, task)
        draw(axes, times)
        labels |= set(axes.get_legend_handles_labels()[1])
        (left, right), top = axes.get_xlim(), axes.get_ylim()[1]
        style.tag(axes.patch, kind=kind, task=task, left=str(left), right=str(right), top=str(top))
        problems, backends = times.shape
        few = f": the best {style.MANY} of {backends}" if backends > style.MANY else ""
        heading = axes.set_title(f"{TASKS[task]}, {plural(problems, 'problem')}{few}", loc="left")
        style.tag(heading, heading=task)
    ordered = style.by_rank(labels - {VIRTUAL_BEST}) + [VIRTUAL_BEST] * (VIRTUAL_BEST in labels)
    looks = {label: _curve_style(label) for label in ordered}
    style.draw_legend(figure, looks, "outside lower center", marks=4, lines=True)
    return figure


def _drawn(times: pd.DataFrame) -> list[str]:
    """The backends that get a curve: of more than MANY those that solve most, then the fastest."""
    solved, mean = np.isfinite(times).sum(), np.log(times.clip(upper=1e9)).mean()
    return style.by_rank(sorted(times, key=lambda label: (-solved[label], mean[label]))[: style.MANY])


def _draw_curve(axes: Axes, label: str, xs: Sequence[float], ys: Sequence[float]) -> None:
    """Draws a step curve that begins at 0 and continues to the right edge."""
    left, right = axes.get_xlim()
    looks = _curve_style(label)
    steps = [0, *ys, ys[-1] if ys else 0]
    (line,) = axes.step(
        [left, *xs, right], steps, where="post", label=label,
        color=looks.colour, linestyle=looks.line, linewidth=looks.width,
    )  # fmt: skip
    style.tag(line, label, backend=label, curve="1")
    # Of many problems the markers would hide the curve.
    if looks.marker and 0 < len(xs) <= 60:
        (dots,) = axes.plot(xs, ys, looks.marker, color=looks.colour, markersize=4, clip_on=False)
        style.tag(dots, label, backend=label, dots="1")


def _curve_style(label: str) -> style.Style:
    if label == VIRTUAL_BEST:
        return style.Style(style.INK, "", "dotted", width=1.2)
    return style.style(label)
