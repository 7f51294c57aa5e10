"""How the share that the root decides falls over the sizes of a family, beside the time."""

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullFormatter
from matplotlib.typing import LineStyleType

from bench.analysis.plots.growth import draw_limit, fill, size_axis
from bench.analysis.plots.style import MUTED, style
from bench.analysis.plots.svg import tag
from bench.analysis.tables import TASKS
from bench.analysis.units import seconds
from bench.analysis.why.decline import KINDS, Decline

DOTTED: LineStyleType = (0, (1.5, 1.2))
DASHED: LineStyleType = (0, (5, 1.5))
LONG_DASHED: LineStyleType = (0, (12, 3))
LINES: dict[str, LineStyleType] = dict(
    zip(KINDS, (LONG_DASHED, DOTTED, "solid", DASHED, DASHED, "dashdot"), strict=True)
)


def draw_decline(models: Sequence[Decline]) -> Figure:
    """Draws what the root decides over size, and the total time over size, of the models of one family."""
    family = models[0].family
    figure = Figure(figsize=(11, 4.6 + 0.17 * len(models)), layout="constrained")
    shares, times = figure.subplots(1, 2)
    sizes = sorted({size for each in models for size in each.times})
    limit_s = max(each.limit_s for each in models)
    handles = []
    for number, each in enumerate(models):
        looks, filled = style(each.backend), fill(number, True)
        name = f"{each.system} {each.formulation}"
        for kind, by_size in each.shares.items():
            middle, low, high = ([100 * interval[end] for interval in by_size.values()] for end in range(3))
            (line,) = shares.plot(
                list(by_size), middle, color=looks.colour, marker=looks.marker, markersize=5,
                linestyle=LINES[kind], linewidth=1.3, fillstyle=filled,
            )  # fmt: skip
            tag(line, f"{name}: {KINDS[kind]}", backend=each.backend)
            shares.vlines(list(by_size), low, high, color=looks.colour, alpha=0.4, linewidth=2.2)
        known = {size: time for size, time in each.times.items() if time}
        times.plot(
            list(known), [time.median for time in known.values()], color=looks.colour, marker=looks.marker,
            markersize=5, linewidth=1.3, fillstyle=filled,
        )  # fmt: skip
        unsolved = [size for size, time in each.times.items() if time is None]
        times.plot(
            unsolved, [limit_s * 1.25 ** (number + 1)] * len(unsolved), "x", color=looks.colour, markersize=6
        )
        handles.append(Line2D([], [], color=looks.colour, marker=looks.marker, fillstyle=filled, label=name))
    shown = {kind for each in models for kind in each.shares}
    handles += [
        Line2D([], [], color=MUTED, linestyle=LINES[kind], label=words)
        for kind, words in KINDS.items()
        if kind in shown
    ]
    handles.append(Line2D([], [], color=MUTED, marker="x", linestyle="none", label="unsolved"))
    shares.set_ylim(-3, 103)
    shares.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}%"))
    shares.set_title("decided at the root")
    times.set_yscale("log")
    times.set_title("total time")
    times.yaxis.set_major_formatter(FuncFormatter(seconds))
    times.yaxis.set_minor_formatter(NullFormatter())
    draw_limit(times, limit_s)
    for axes in (shares, times):
        size_axis(axes, sizes, 0.11, 0.05, 0.05)
        axes.grid()
        axes.set_xlabel("size: unknowns of the puzzle")
    words = f"what the root decides over the family {family.name}, {TASKS[family.task]}"
    figure.suptitle(f"{family.puzzle}: {words}")
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
    return figure
