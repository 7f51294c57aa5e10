"""Growth of the models over the sizes of a family, and the largest size that each of them solves."""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import EngFormatter, FuncFormatter, LogLocator, NullFormatter, NullLocator
from matplotlib.typing import FillStyleType

from bench.analysis.growth import Frontier, Step, by_model
from bench.analysis.plots.axes import annotate
from bench.analysis.plots.style import BAD, MUTED, style
from bench.analysis.plots.svg import tag
from bench.analysis.tables import TASKS, grouped
from bench.analysis.units import count, seconds
from bench.stats import Interval

PANELS = (
    ("total_s", "total time"),
    ("branches", "branches (0 is drawn at 1)"),
    ("variables", "variables of the model"),
    ("peak_mb", "peak memory (MB)"),
)

_FILLS: tuple[FillStyleType, ...] = ("full", "none", "left", "right")
"""How the markers of a backend's formulations are filled."""


def draw_growth(steps: Sequence[Step], frontier: Sequence[Frontier]) -> Figure:
    """Draws time, branches, variables and memory over size, with the range over the instances of a size.

    Args:
        steps, frontier: of one family.
    """
    family, models = steps[0].family, by_model(steps)
    several = len(models) > len({step.label for step in steps})
    figure = Figure(figsize=(9, 7), layout="constrained")
    panels = figure.subplots(2, 2).flat
    title = f"{family.puzzle}: growth over the family {family.name}, {TASKS[family.task]}"
    figure.suptitle(title)
    sizes = sorted({step.size for step in steps})
    for axes, (what, title) in zip(panels, PANELS, strict=True):
        axes.set_yscale("log")
        for number, of_model in enumerate(models):
            draw_line(axes, of_model, what, fill(number, several))
        axes.set_title(title)
        size_axis(axes, sizes, 0.11, 0.05, 0.05)
        axes.yaxis.set_major_formatter(EngFormatter(sep="", usetex=False))
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.grid()
        axes.set_xlabel("size: unknowns of the puzzle")
    times, memory = figure.axes[0], figure.axes[-1]
    _draw_unsolved(times, models)
    draw_limit(times, max(step.time_limit_s for step in steps))
    times.yaxis.set_major_formatter(FuncFormatter(seconds))
    memory.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    rates = {_model_name(each): each.rate for each in frontier}
    handles: list[Line2D] = []
    for number, (first, *_) in enumerate(models):
        looks = style(first.label)
        rate = rates[_model_name(first)]
        words = f"time ~ size to the power {rate}" if rate else "too few sizes for a rate"
        handles.append(
            Line2D(
                [], [], color=looks.colour, marker=looks.marker, linestyle=looks.line,
                fillstyle=fill(number, several), label=f"{_model_name(first)}: {words}",
            )
        )  # fmt: skip
    unsolved = "unsolved (above the limit, a row for each model)"
    extent = "least to most over the instances of a size; lines: medians"
    grey = partial(Line2D, [], [], color=MUTED, linestyle="none")
    handles.append(grey(marker="x", label=unsolved))
    handles.append(grey(marker="|", markersize=9, markeredgewidth=2.4, label=extent))
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
    return figure


def fill(number: int, several: bool) -> FillStyleType:
    """How the markers of a model are filled, where backends have several formulations."""
    return _FILLS[number % len(_FILLS)] if several else "full"


def draw_line(axes: Axes, steps: Sequence[Step], what: str, filled: FillStyleType) -> None:
    """Draws the medians of one model over the sizes, with their ranges."""
    looks = style(steps[0].label)
    intervals: dict[float, Interval | None] = {step.size: getattr(step, what) for step in steps}
    known = {size: interval for size, interval in intervals.items() if interval}
    sizes = list(known)
    # A count of 0 has no place on a logarithmic axis.
    least = 1 if what == "branches" else 0
    middle, low, high = ([max(interval[end], least) for interval in known.values()] for end in range(3))
    (line,) = axes.plot(
        sizes, middle, color=looks.colour, marker=looks.marker, markersize=5, linestyle=looks.line,
        linewidth=1.3, fillstyle=filled,
    )  # fmt: skip
    tag(line, f"{_model_name(steps[0])}: {what}")
    axes.vlines(sizes, low, high, color=looks.colour, alpha=0.55, linewidth=2.4)


def _model_name(model: Step | Frontier) -> str:
    return f"{model.label} {model.formulation}".rstrip()


def _draw_unsolved(axes: Axes, models: Sequence[Sequence[Step]]) -> None:
    """Draws a cross above the time limit for each size of which a model does not solve all instances."""
    for number, steps in enumerate(models):
        for step in steps:
            if step.solved < step.tried:
                at = step.size, unsolved_s(step.time_limit_s, number)
                axes.plot(*at, color=style(step.label).colour, marker="x", markersize=7, linestyle="none")
                # A cross is too thin to point at.
                (disc,) = axes.plot(*at, marker="o", markersize=9, alpha=0)
                unsolved = f"{step.tried - step.solved} of {step.tried}: {step.status}"
                tag(disc, f"{_model_name(step)}, size {count(step.size)}, {unsolved}")


def unsolved_s(limit_s: float, number: int) -> float:
    """Where the crosses of a model are on an axis of times: above the limit, each model above the other."""
    return float(limit_s * 1.25 ** (number + 1))


def draw_limit(axes: Axes, limit_s: float, at: Literal["left", "right"] = "left") -> None:
    """Draws the time limit as a line, named at the side where the fewest marks are."""
    axes.axhline(limit_s, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.annotate(
        f"limit {seconds(limit_s)}", (0.01 if at == "left" else 0.99, limit_s), ha=at,
        xycoords=("axes fraction", "data"), xytext=(0, -3), va="top",
        textcoords="offset points", fontsize=7.5, color=MUTED,
    )  # fmt: skip


def draw_frontier(steps: Sequence[Step], frontier: Sequence[Frontier]) -> Figure:
    """Draws a panel for each family: a dot for each size that a model solves, a cross for each other one."""
    panels = grouped(frontier, lambda each: each.family)
    climbs = {(each[0].family, _model_name(each[0])): each for each in by_model(steps)}
    heights = [len(rows) + 1.6 for rows in panels.values()]
    figure = Figure(figsize=(9, 0.7 + 0.3 * sum(heights)), layout="constrained")
    grid = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
    limit = seconds(max(step.time_limit_s for step in steps))
    figure.suptitle(f"The largest size at which most instances are solved within {limit}")
    for axes, (family, rows) in zip(grid, panels.items(), strict=True):
        several = len({row.label for row in rows}) < len(rows)
        axes.set_title(f"{family.puzzle}, family {family.name}, {TASKS[family.task]}", loc="left")
        for place, row in enumerate(rows):
            _draw_climb(axes, climbs[family, _model_name(row)], row, place)
        names = [_model_name(row) if several else row.label for row in rows]
        axes.set_yticks(range(len(rows)), names)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        sizes = sorted({step.size for step in steps if step.family == family})
        size_axis(axes, sizes, 0.1, 0.03, 0.42)
        axes.grid(axis="x")
    grid[-1].set_xlabel("size: unknowns of the puzzle.  ● solved   × most instances unsolved")
    return figure


def size_axis(axes: Axes, sizes: Sequence[float], room: float, left: float, right: float) -> None:
    """Makes the x axis logarithmic, from the first size to the last.

    Args:
        room: between two ticks at least, as a share of the length from the first size to the last.
        left, right: margins, as shares of the same length.
    """
    length = sizes[-1] / sizes[0]
    kept = [sizes[0]]
    for size in sizes:
        if size > kept[-1] * length**room:
            kept.append(size)
    axes.set_xscale("log")
    axes.set_xlim(sizes[0] / length**left, sizes[-1] * length**right)
    axes.set_xticks(kept, [f"{size:,.0f}" for size in kept])
    axes.xaxis.set_minor_locator(NullLocator())


def _draw_climb(axes: Axes, steps: Sequence[Step], reached: Frontier, place: int) -> None:
    """Draws the sizes that one model was tried on, and writes the largest that it solves."""
    looks = style(reached.label)
    solved = [step.size for step in steps if step.reached]
    unsolved = [step.size for step in steps if not step.reached]
    axes.plot(
        solved, [place] * len(solved), color=looks.colour, marker=looks.marker, markersize=5, linewidth=2.5
    )
    axes.plot(unsolved, [place] * len(unsolved), "x", color=BAD, markersize=6)
    words = "none"
    if reached.size is not None:
        time = "" if reached.total_s is None else f" in {seconds(reached.total_s)}"
        largest = ", the largest tried" if reached.size == reached.largest else ""
        words = f"{count(reached.size)}{time}{largest}"
    tag(annotate(axes, steps[-1].size, place, words, room=9), f"{_model_name(reached)}: {reached.example}")
