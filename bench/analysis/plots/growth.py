"""Growth over the sizes of a family, the largest size that each model solves, hardness over givens."""

from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Literal

import numpy as np
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.typing import FillStyleType
from numpy.typing import NDArray

from bench.analysis.growth import Climb, Family, hardest
from bench.analysis.measurements import Measurement
from bench.analysis.plots.style import BAD, MUTED, annotate, log_axis, name_rows, style, tag
from bench.analysis.tables import TASKS, grouped
from bench.analysis.units import count, seconds
from bench.stats import Interval

_PANELS = {
    "total_s": "total time",
    "figures.branches": "branches (0 is drawn at 1)",
    "figures.variables": "variables of the model",
    "figures.peak_mb": "peak memory (MB)",
}

_FILLS: tuple[FillStyleType, ...] = ("full", "none", "left", "right")

_LEAST_BRANCHES = 0.5
"""Where 0 branches are drawn over givens, on a logarithmic axis."""


def draw_growth(family: Family, climbs: Sequence[Climb]) -> Figure:
    """Draws time, branches, variables and memory over the sizes of one family, with their ranges."""
    several = len(climbs) > len({climb.label for climb in climbs})
    figure = Figure(figsize=(9, 7), layout="constrained")
    figure.suptitle(f"{family.puzzle}: growth over the family {family.name}, {TASKS[family.task]}")
    panels = dict(zip(_PANELS, figure.subplots(2, 2).flat, strict=True))
    for what, axes in panels.items():
        _scale(axes, _PANELS[what], "size: unknowns of the puzzle", of_times=what == "total_s")
        axes.yaxis.set_minor_formatter(ticker.NullFormatter())
        _size_axis(axes, climbs, 0.14, 0.05, 0.05)
        for number, climb in enumerate(climbs):
            _draw_line(axes, climb, what, _fill(number, several))
    panels["figures.peak_mb"].yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    _draw_unsolved(panels["total_s"], climbs)
    _draw_limit(panels["total_s"], _limit_s(climbs))
    mark = partial(Line2D, [], [], color=MUTED, linestyle="none", mew=1.8)
    handles = [
        *panels["total_s"].get_legend_handles_labels()[0],
        mark(marker="x", label="unsolved (above the limit, a row for each model)"),
        mark(marker="|", label="least to most over the instances of a size; lines: medians"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
    return figure


def _scale(axes: Axes, title: str, below: str, of_times: bool) -> None:
    """Makes the y axis logarithmic, for times or for counts, and names panel and x axis."""
    axes.set(yscale="log", title=title, xlabel=below)
    counts = ticker.EngFormatter(sep="", usetex=False)
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(seconds) if of_times else counts)
    axes.grid()


def _fill(number: int, several: bool) -> FillStyleType:
    """How the markers of a model are filled; `several`: whether a backend has several formulations."""
    return _FILLS[number % len(_FILLS)] if several else "full"


def _draw_line(axes: Axes, climb: Climb, what: str, filled: FillStyleType) -> None:
    """Draws the medians of one model over the sizes, with their ranges; the legend has its rate of growth."""
    looks = style(climb.label)
    rate = f"time ~ size to the power {climb.grows}" if climb.rate else "too few sizes for a rate"
    intervals: dict[float, Interval | None] = {step.size: step.extent(what) for step in climb.steps}
    known = {size: interval for size, interval in intervals.items() if interval}
    # A count of 0 has no place on a logarithmic axis.
    least = 1 if what == "figures.branches" else 0
    middle, low, high = ([max(interval[end], least) for interval in known.values()] for end in range(3))
    (line,) = axes.plot(
        list(known), middle, color=looks.colour, marker=looks.marker, markersize=5, linestyle=looks.line,
        linewidth=1.3, fillstyle=filled, label=f"{climb.model}: {rate}",
    )  # fmt: skip
    tag(line, f"{climb.model}: {what.removeprefix('figures.')}")
    axes.vlines(list(known), low, high, color=looks.colour, alpha=0.55, linewidth=2.4)


def _draw_unsolved(axes: Axes, climbs: Sequence[Climb]) -> None:
    """Draws a cross above the time limit for each size of which a model does not solve all instances."""
    for number, climb in enumerate(climbs):
        for step in climb.steps:
            tried = len(step.tried)
            if unsolved := tried - len(step.solved):
                at = step.size, _unsolved_s(max(each.time_limit_s for each in step.tried), number)
                (cross,) = axes.plot(*at, "x", color=style(climb.label).colour, markersize=7)
                said = f"{unsolved} of {tried}: {step.status}"
                tag(cross, f"{climb.model}, size {count(step.size)}, {said}")


def _unsolved_s(limit_s: float, number: int) -> float:
    """Where the crosses of a model are: above the limit, each model above the one before."""
    return float(limit_s * 1.25 ** (number + 1))


def _draw_limit(axes: Axes, limit_s: float, at: Literal["left", "right"] = "left") -> None:
    """Draws the time limit as a line, named at the side where the fewest marks are."""
    axes.axhline(limit_s, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.text(
        0.01 if at == "left" else 0.99, 0.9 * limit_s, f"limit {seconds(limit_s)}", ha=at, va="top",
        transform=axes.get_yaxis_transform(), fontsize=7.5, color=MUTED,
    )  # fmt: skip


def _limit_s(climbs: Sequence[Climb]) -> float:
    """The largest time limit in seconds."""
    return max(each.time_limit_s for climb in climbs for step in climb.steps for each in step.tried)


def draw_frontier(climbs: Sequence[Climb]) -> Figure:
    """Draws a panel for each family: a dot for each size that a model solves, a cross for each other one."""
    panels = grouped(hardest(climbs), lambda each: each.family)
    heights = [len(rows) + 1.6 for rows in panels.values()]
    figure = Figure(figsize=(9, 0.7 + 0.3 * sum(heights)), layout="constrained")
    grid = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
    figure.suptitle(f"The largest size at which most instances are solved within {seconds(_limit_s(climbs))}")
    for axes, (family, rows) in zip(grid, panels.items(), strict=True):
        several = len({row.label for row in rows}) < len(rows)
        axes.set_title(f"{family.puzzle}, family {family.name}, {TASKS[family.task]}", loc="left")
        for place, row in enumerate(rows):
            _draw_climb(axes, row, place)
        name_rows(axes, [row.model if several else row.label for row in rows])
        _size_axis(axes, rows, 0.1, 0.03, 0.42)
    grid[-1].set_xlabel("size: unknowns of the puzzle.  ● solved   × most instances unsolved")
    return figure


def _size_axis(axes: Axes, climbs: Sequence[Climb], room: float, left: float, right: float) -> None:
    """Makes the x axis logarithmic, from the first size to the last, which both have a tick.

    The room between ticks and the margins are shares of the length from the first size to the last.
    """
    sizes = sorted({step.size for climb in climbs for step in climb.steps})
    length = sizes[-1] / sizes[0]
    kept = {sizes[0], sizes[-1]}
    for size in sizes:
        if all(max(size / other, other / size) > length**room for other in kept):
            kept.add(size)
    log_axis(axes, sizes[0] / length**left, sizes[-1] * length**right)
    axes.set_xticks(sorted(kept), [f"{size:,.0f}" for size in sorted(kept)])


def _draw_climb(axes: Axes, climb: Climb, place: int) -> None:
    """Draws the sizes that one model was tried on, and writes the largest that it solves."""
    looks, top = style(climb.label), climb.top
    solved = [step.size for step in climb.steps if step.reached]
    unsolved = [step.size for step in climb.steps if not step.reached]
    axes.plot(
        solved, [place] * len(solved), color=looks.colour, marker=looks.marker, markersize=5, linewidth=2.5
    )
    axes.plot(unsolved, [place] * len(unsolved), "x", color=BAD, markersize=6)
    words = "none"
    if top:
        largest = ", the largest tried" if top.size == climb.largest else ""
        words = f"{count(top.size)} in {seconds(top.time_s)}{largest}"
    label = annotate(axes, climb.steps[-1].size, place, words, room=9)
    tag(label, f"{climb.model}: {top.tried[0].instance if top else ''}")


def draw_givens(family: Family, points: Sequence[tuple[int, Measurement]]) -> Figure:
    """Draws a mark for each measurement of a family (`growth.givens`), and medians of neighbouring givens."""
    size, limit_s = points[0][1].size, max(each.time_limit_s for _, each in points)
    figure = Figure(figsize=(9, 4.6), layout="constrained")
    times, branches = figure.subplots(1, 2)
    figure.suptitle(
        f"{family.puzzle}, size {size:.0f}: hardness over givens, {TASKS[family.task]}\n"
        "small marks: instances; large marks: medians of neighbouring ones, if most are solved"
    )
    _scale(times, "total time (×: unsolved, a row for each model)", "givens", of_times=True)
    _scale(branches, f"branches (0 is drawn at {_LEAST_BRANCHES:g})", "givens", of_times=False)
    models = grouped(points, lambda point: (point[1].label, point[1].model))
    several = len(models) > len({label for label, _ in models})
    for number, ((label, model), of_model) in enumerate(models.items()):
        looks: dict[str, Any] = {
            "color": style(label).colour, "marker": style(label).marker, "fillstyle": _fill(number, several)
        }  # fmt: skip
        of_model.sort(key=itemgetter(0))
        measured = [each for _, each in of_model]
        givens = np.array([given for given, _ in of_model])
        total_s = np.array([each.total_s for each in measured], dtype=float)
        counted = np.array([each.figures.branches for each in measured], dtype=float)
        for axes, known in ((times, total_s), (branches, np.maximum(counted, _LEAST_BRANCHES))):
            axes.plot(givens, known, linestyle="none", markersize=4, alpha=0.55, **looks)
            # What is unsolved would have taken longer than anything that is solved.
            medians = _medians(givens, np.where([each.solved for each in measured], known, np.inf))
            axes.plot(*medians, linestyle=style(label).line, linewidth=1.8, label=model, **looks)
        unsolved = [given for given, each in of_model if each.inconclusive]
        at_s = [_unsolved_s(limit_s, number)] * len(unsolved)
        times.plot(unsolved, at_s, "x", color=looks["color"], markersize=6)
    for axes in (times, branches):
        axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
    _draw_limit(times, limit_s, at="right")
    handles, labels = times.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    return figure


def _medians(givens: NDArray[Any], figures: NDArray[Any]) -> NDArray[Any]:
    """The median givens (ascending) and figure of at most 8 groups; NaN where half of a group is unsolved."""
    groups = np.array_split(np.arange(len(givens)), min(8, max(1, len(givens) // 3)))
    middles = np.array([[np.median(values[group]) for group in groups] for values in (givens, figures)])
    return np.where(np.isinf(middles), np.nan, middles)
