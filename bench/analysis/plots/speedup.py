"""The speed-up by several threads, and the CPU time that it costs."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import inf, log2

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator
from matplotlib.typing import LineStyleType

from bench.analysis.plots.style import INK, MUTED, PAPER, by_rank, style
from bench.analysis.plots.svg import tag
from bench.analysis.scores import Speedup
from bench.analysis.tables import TASKS
from bench.analysis.units import plural, ratio_interval
from bench.contract import Task
from bench.stats import Interval

_SPEEDUP, CPU = "Speed-up of the total time", "CPU time relative to one thread"

_IDEAL: LineStyleType = (0, (9, 5))
"""The line of what is ideal: a speed-up by the number of threads, and no more CPU time."""

_ASIDE = 2.0**-0.05
"""The marks of puzzles are so far at the left of the interval of all problems, which would hide them."""

WIDTH = 0.62
"""How far the marks of the backends lie apart, as a share of the least distance of two numbers of threads."""


def draw_speedup(rows: Sequence[Speedup]) -> Figure:
    """Draws for each task the speed-up over the threads at the left, the CPU time at the right.

    Args:
        rows: of `speedups`, at least one.
    """
    tasks = [task for task in Task if any(row.task == task for row in rows)]
    labels = by_rank(row.label for row in rows)
    numbers = [1, *sorted({row.threads for row in rows})]
    width = WIDTH * min(log2(more / fewer) for fewer, more in pairwise(numbers))
    shifts = {label: 2 ** (width * ((place + 0.5) / len(labels) - 0.5)) for place, label in enumerate(labels)}
    figure = Figure(figsize=(10, 1.1 + 3.4 * len(tasks)), layout="constrained")
    grid = figure.subplots(len(tasks), 2, squeeze=False)
    for (left, right), task in zip(grid, tasks, strict=True):
        of_task = [row for row in rows if row.task == task]
        for axes, title in ((left, _SPEEDUP), (right, CPU)):
            draw_panel(axes, of_task, title, shifts)
            _thread_axis(axes, numbers, width)
            axes.set_title(f"{title}, {TASKS[task]}")
    for axes in grid[-1]:
        axes.set_xlabel("threads")
    looks = list(map(style, labels))
    handles = [
        Line2D([], [], color=look.colour, marker=look.marker, linestyle=look.line, label=label)
        for label, look in zip(labels, looks, strict=True)
    ]
    handles.append(Line2D([], [], color=MUTED, linestyle=_IDEAL, label="ideal"))
    figure.legend(handles=handles, loc="outside upper center", ncols=min(len(handles), 8), frameon=False)
    several = any(row.puzzle for row in rows)
    marks = (
        "Small marks: the median over the problems of a puzzle; large marks: the median over the puzzles"
        if several
        else "Marks: the median over the problems"
    )
    figure.supxlabel(f"{marks},\nwith its 95% interval (of fewer than 6 the range). Log scales", fontsize=9)
    return figure


def draw_panel(axes: Axes, rows: Sequence[Speedup], title: str, shifts: Mapping[str, float]) -> None:
    """Draws one figure of a task: for each backend a line of medians, and the medians of each puzzle.

    Args:
        shifts: by which the marks of each backend stand aside, by its label.
    """
    known = [(row, value) for row in rows if (value := row.speedup if title == _SPEEDUP else row.cpu)]
    ends = [end for _, value in known for end in value if 0 < end < inf]
    most = max(row.threads for row in rows)
    axes.set_yscale("log", base=2)
    axes.set_ylim(min([0.8, *ends]) / 1.15, max([float(most), *ends]) * 1.15)
    axes.yaxis.set_major_locator(LogLocator(base=2, numticks=8))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.grid(axis="y")
    axes.plot([1, most], [1, most if title == _SPEEDUP else 1], color=MUTED, linestyle=_IDEAL, zorder=1)
    for label, shift in shifts.items():
        ours = [(row, value) for row, value in known if row.label == label]
        for row, value in ours:
            _draw_mark(axes, row, value, shift, title)
        path = [(row.threads * shift, _clipped(axes, value.median)) for row, value in ours if not row.puzzle]
        if path:
            x, y = zip((1, 1), *path, strict=True)
            looks = style(label)
            axes.plot(x, y, color=looks.colour, linestyle=looks.line, linewidth=1.3, alpha=0.8)
    axes.plot(1, 1, "o", color=INK, markersize=5, zorder=3)


def _draw_mark(axes: Axes, row: Speedup, value: Interval, shift: float, title: str) -> None:
    """Draws a median: of a puzzle as a small mark, of all problems as a large one with its interval."""
    looks, x, y = style(row.label), row.threads * shift, _clipped(axes, value.median)
    if row.puzzle:
        (mark,) = axes.plot(
            x * _ASIDE, y, looks.marker, color=looks.colour, alpha=0.45, markersize=4, markeredgewidth=0
        )
    else:
        ends = [_clipped(axes, value.low), _clipped(axes, value.high)]
        axes.plot([x, x], ends, color=looks.colour, linewidth=2.6, alpha=0.6)
        (mark,) = axes.plot(
            x, y, looks.marker, color=looks.colour, markersize=8, markeredgecolor=PAPER, zorder=3
        )
    tag(mark, _tooltip(row, value, title))


def _clipped(axes: Axes, value: float) -> float:
    """A ratio within the panel: what only one side solves is at its edge."""
    low, high = axes.get_ylim()
    return min(max(value, low), high)


def _thread_axis(axes: Axes, numbers: Sequence[int], width: float) -> None:
    """Makes the x axis logarithmic, with a tick at each number of threads."""
    axes.set_xscale("log", base=2)
    axes.set_xlim(0.85, numbers[-1] * 2 ** (width / 2 + 0.1))
    axes.set_xticks(numbers, list(map(str, numbers)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())


def _tooltip(row: Speedup, value: Interval, title: str) -> str:
    where = f"{row.puzzle}, " if row.puzzle else ""
    what = f"{title[0].lower() if title == _SPEEDUP else title[0]}{title[1:]} {ratio_interval(value)}"
    over = f"of {plural(row.problems, 'problem')}"
    return f"{where}{row.label}, {plural(row.threads, 'thread')}: {what}, {over}"
