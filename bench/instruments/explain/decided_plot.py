"""What is decided before any search: of many instances as a table, of a family over its sizes."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullFormatter
from matplotlib.typing import LineStyleType

from bench.analysis.measurements import Problem
from bench.analysis.plots.growth import draw_limit, fill, size_axis
from bench.analysis.plots.style import HEAT, MUTED, style, tag
from bench.analysis.tables import TASKS
from bench.analysis.units import seconds
from bench.instruments.explain.decided import MEANS, Share, heading
from bench.instruments.explain.decline import KINDS, Decline

_DARK = 0.75
"""From this share on the text is white."""


def draw_decided(shares: Mapping[Problem, Mapping[tuple[str, str], Share]]) -> Figure:
    """Draws a row for each problem and a column for each means that any of them has."""
    problems = list(shares)
    columns = [means for means in MEANS if any(means in of for of in shares.values())]
    several = len({problem.task for problem in problems}) > 1
    figure = Figure(figsize=(3 + 0.98 * len(columns), 1.7 + 0.29 * len(problems)), layout="constrained")
    axes = figure.subplots()
    for y, problem in enumerate(problems):
        for x, means in enumerate(columns):
            if share := shares[problem].get(means):
                ink = "#ffffff" if share.value >= _DARK else "#1a1a1a"
                colour = HEAT(share.value)
                patches = axes.bar(x, 0.92, bottom=y - 0.46, width=0.95, color=colour)
                text = axes.text(x, y, share.text, ha="center", va="center", color=ink, fontsize=8.5)
                for artist in (*patches, text):
                    said = " ".join(heading(*means).split())
                    tag(artist, f"{said} {share.formulation}: {share.text}", backend=means[0])
    tasks = [f", {TASKS[each.task]}" if several else "" for each in problems]
    names = [f"{each.puzzle}  {each.instance}{task}" for each, task in zip(problems, tasks, strict=True)]
    axes.set_yticks(range(len(problems)), names)
    axes.set_xticks(range(len(columns)), [heading(*means) for means in columns], fontsize=8.5)
    axes.set(xlim=(-0.55, len(columns) - 0.45), ylim=(len(problems) - 0.45, -0.55))
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    figure.suptitle(
        "What is decided before any search, with each backend's best formulation\n"
        "relaxation: integral variables; presolve: variables removed; root node: runs that it solves; "
        "all others: values removed",
        fontsize=10,
    )
    return figure


DOTTED: LineStyleType = (0, (1.5, 1.2))
_DASHED: LineStyleType = (0, (5, 1.5))
_LONG_DASHED: LineStyleType = (0, (12, 3))
LINES: dict[str, LineStyleType] = dict(
    zip(KINDS, (_LONG_DASHED, DOTTED, "solid", _DASHED, _DASHED, "dashdot"), strict=True)
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
