"""Growth over the sizes of a family, or its givens, and the largest size that each model solves."""

from collections.abc import Sequence
from functools import partial

from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.typing import FillStyleType

from bench.analysis.growth import Climb, Family, hardest
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


def draw_growth(family: Family, climbs: Sequence[Climb], over_givens: bool = False) -> Figure:
    """Draws time, branches, variables and memory over the sizes, or the givens, of one family."""
    several = len(climbs) > len({climb.label for climb in climbs})
    figure = Figure(figsize=(9, 7), layout="constrained")
    title, below = f"growth over the family {family.name}", "size: unknowns of the puzzle"
    if over_givens:
        title, below = "hardness over givens, neighbouring ones together", "givens"
    figure.suptitle(f"{family.puzzle}: {title}, {TASKS[family.task]}")
    panels = dict(zip(_PANELS, figure.subplots(2, 2).flat, strict=True))
    for what, axes in panels.items():
        axes.set(yscale="log", title=_PANELS[what], xlabel=below)
        counts = ticker.EngFormatter(sep="", usetex=False)
        axes.yaxis.set_major_formatter(ticker.FuncFormatter(seconds) if what == "total_s" else counts)
        axes.yaxis.set_minor_formatter(ticker.NullFormatter())
        axes.grid()
        axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
        if not over_givens:
            _size_axis(axes, climbs, 0.14, 0.05, 0.05)
        for number, climb in enumerate(climbs):
            # A backend with several formulations has one colour.
            _draw_line(axes, climb, what, _FILLS[number % len(_FILLS)] if several else "full")
    # What changes little has no power of ten beside it.
    for what in ("figures.peak_mb", "figures.variables")[: 1 + over_givens]:
        panels[what].yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    times, limit_s = panels["total_s"], _limit_s(climbs)
    _draw_unsolved(times, climbs)
    times.axhline(limit_s, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)))
    times.text(
        0.01, 0.9 * limit_s, f"limit {seconds(limit_s)}", va="top",
        transform=times.get_yaxis_transform(), fontsize=7.5, color=MUTED,
    )  # fmt: skip
    mark = partial(Line2D, [], [], color=MUTED, linestyle="none", mew=1.8)
    handles = [
        *times.get_legend_handles_labels()[0],
        mark(marker="x", label="unsolved (above the limit, a row for each model)"),
        mark(marker="|", label="least to most of the solved instances there; lines: medians"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
    return figure


def _draw_line(axes: Axes, climb: Climb, what: str, filled: FillStyleType) -> None:
    """Draws the medians of one model over the sizes, with their ranges; the legend has its rate of growth."""
    looks = style(climb.label)
    rate = f": time ~ size to the power {climb.grows}" if climb.rate else ""
    intervals: dict[float, Interval | None] = {step.size: step.extent(what) for step in climb.steps}
    known = {size: interval for size, interval in intervals.items() if interval}
    # A count of 0 has no place on a logarithmic axis.
    least = 1 if what == "figures.branches" else 0
    middle, low, high = ([max(interval[end], least) for interval in known.values()] for end in range(3))
    (line,) = axes.plot(
        list(known), middle, color=looks.colour, marker=looks.marker, markersize=5, linestyle=looks.line,
        linewidth=1.3, fillstyle=filled, label=f"{climb.model}{rate}",
    )  # fmt: skip
    tag(line, f"{climb.model}: {what.removeprefix('figures.')}")
    axes.vlines(list(known), low, high, color=looks.colour, alpha=0.55, linewidth=2.4)


def _draw_unsolved(axes: Axes, climbs: Sequence[Climb]) -> None:
    """Draws a cross above the time limit for each size of which a model does not solve all instances."""
    for number, climb in enumerate(climbs):
        for step in climb.steps:
            tried = len(step.tried)
            if unsolved := tried - len(step.solved):
                # Above the limit, each model above the one before.
                at_s = 1.25 ** (number + 1) * max(each.time_limit_s for each in step.tried)
                (cross,) = axes.plot(step.size, at_s, "x", color=style(climb.label).colour, markersize=7)
                said = f"{unsolved} of {tried}: {step.status}"
                tag(cross, f"{climb.model} at {count(step.size)}, {said}")


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
