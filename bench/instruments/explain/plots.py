"""The pictures: what mechanisms contribute to an instance, and what the root decides over sizes."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullFormatter
from matplotlib.typing import LineStyleType

from bench.analysis.growth import Family
from bench.analysis.measurements import Measurement, Problem
from bench.analysis.plots.drawing import Picture
from bench.analysis.plots.growth import draw_limit, fill, size_axis
from bench.analysis.plots.style import BAD, BAND, INK, MUTED, PAPER, style, tag, time_axis
from bench.analysis.tables import TASKS
from bench.analysis.units import seconds
from bench.contract import Status
from bench.instruments.explain.decided import KINDS, Decline
from bench.instruments.explain.mechanisms import Explained
from bench.instruments.explain.sentences import effort, is_solved, span
from bench.instruments.explain.tables import VARIANTS, Found


def pictures(
    found: Found, problems: Iterable[Problem], declining: Mapping[Family, Sequence[Decline]]
) -> list[Picture]:
    """Those of the problems that are explained one by one, and of families."""
    return [
        *(Picture(f"why-{'-'.join(each)}", partial(_draw_why, found[each], each)) for each in problems),
        *(
            Picture(f"decline-{'-'.join(family)}", partial(_draw_decline, family, models))
            for family, models in declining.items()
        ),
    ]


_ROW, _HEAD = 0.235, 1.25
"""The height of a row in inches, and how many rows the head of a model takes."""

_BEYOND = 1.5
"""What was not solved is drawn at so many times the time limit."""

_WITHOUT_AT, _ALONE_AT = 88, 176
"""Where the branches end beside the axis of times, in points from it."""

_DOTTED: LineStyleType = (0, (1.5, 1.2))
_LINES: dict[str, LineStyleType] = dict(
    zip(KINDS, ((0, (12, 3)), _DOTTED, "solid", (0, (5, 1.5)), (0, (5, 1.5)), "dashdot"), strict=True)
)
"""The line of each share over size."""

_MARKS = {
    "without": ("o", "without the mechanism"),
    "alone": ("D", "with it alone"),
    "variant": ("s", "other settings"),
}
"""The mark of each kind of variant, and its words in the legend."""


def _draw_why(models: Sequence[Explained], problem: Problem) -> Figure:
    """Draws a block for each model: its times with all mechanisms and none, and a row for each variant."""
    blocks = [(model, _lines(model)) for model in models]
    heights = [_HEAD + max(1, len(lines)) for _, lines in blocks]
    figure = Figure(figsize=(10.5, 2.0 + _ROW * sum(heights)), layout="constrained")
    axes = figure.subplots()
    measured = [each for model, lines in blocks for marks in lines.values() for each in marks.values()]
    measured += [each for model in models for each in (model.default, model.bare) if each]
    time_axis(axes, map(_shown_s, measured))
    labels = {}
    place = 0.0
    for number, ((model, lines), height) in enumerate(zip(blocks, heights, strict=True)):
        if number % 2 == 0:
            axes.axhspan(place - 0.5, place + height - 0.5, color=BAND, zorder=0, linewidth=0)
        _draw_model(axes, model, place, height)
        for row, (variant, marks) in enumerate(lines.items()):
            _draw_line(axes, variant, marks, model, place + _HEAD + row)
            labels[place + _HEAD + row] = variant
        place += height
    axes.set_yticks(list(labels), list(labels.values()), fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(place - 0.5, -0.5)
    axes.set_title("median total time, with intervals", loc="left")
    for at, title in ((_WITHOUT_AT, "branches\nwithout"), (_ALONE_AT, "\nalone")):
        axes.annotate(
            title, (1, 1), xytext=(at, 0), xycoords="axes fraction", textcoords="offset points", fontsize=8,
            va="bottom", ha="right",
        )  # fmt: skip
    mark = partial(Line2D, [], [], color=INK, linestyle="none")
    handles = [
        Line2D([], [], color=INK, linewidth=1.8, label="by default: all mechanisms"),
        Line2D([], [], color=INK, linewidth=1.3, linestyle=_DOTTED, label="with none"),
        *(
            mark(marker=shape, markerfacecolor=_face(kind, INK), label=label)
            for kind, (shape, label) in _MARKS.items()
        ),
        Line2D([], [], color=BAD, marker=">", linestyle="none", label="not solved"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    name = problem.instance if problem.instance == problem.puzzle else f"{problem.puzzle} {problem.instance}"
    figure.suptitle(f"{name}: what each mechanism contributes, {TASKS[problem.task]}", fontsize=12)
    return figure


def _lines(model: Explained) -> dict[str, Mapping[str, Measurement]]:
    """The mechanisms of a model, its steps, other settings and the root node, by the marks (_MARKS)."""
    others = {VARIANTS.get(name, name): {"variant": each} for name, each in model.searching.items()}
    return {**model.mechanisms, **others}


def _shown_s(each: Measurement) -> float:
    return each.time_s if is_solved(each) else _BEYOND * each.time_limit_s


def _beside(each: Measurement) -> str:
    """What stands beside the axis: the branches, of what is not solved with every seed what became of it."""
    if each.conclusive and each.inconclusive:
        return f"{each.conclusive} of {each.runs} solved"
    if each.inconclusive:
        return f"> {seconds(each.time_limit_s)}" if each.status == Status.TIMEOUT else str(each.status)
    return span(*each.branches_range) if each.branches_range else "?"


def _face(kind: str, colour: str) -> str:
    return PAPER if kind == "without" else colour


def _draw_model(axes: Axes, model: Explained, place: float, height: float) -> None:
    """Writes the name of a model; draws its times with all mechanisms and none as lines through its rows."""
    default, colour = model.default, style(model.backend).colour
    bare = f";  with none {effort(model, model.bare)}" if model.bare else ""
    said = f"{model.name}:  by default {effort(model, default)}{bare}"
    # The axis is logarithmic.
    left = axes.get_yaxis_transform()
    axes.text(0.005, place, said, transform=left, fontsize=8.5, color=colour, va="center")
    ends = [place + _HEAD - 0.45, place + height - 0.55]
    lines: list[tuple[Measurement | None, str, str, LineStyleType, float]] = [
        (default, "all mechanisms", colour, "solid", 1.8),
        (model.bare, "none of them", INK, _DOTTED, 1.3),
    ]
    for each, words, ink, line, width in lines:
        if each:
            ink = ink if is_solved(each) else BAD
            (drawn,) = axes.plot(
                [_shown_s(each)] * 2, ends, color=ink, linestyle=line, linewidth=width, zorder=2
            )
            tag(drawn, f"{model.name}, with {words}: {effort(model, each)}")
    if is_solved(default) and default.total:
        _, low, high = default.total
        axes.fill_betweenx(ends, low, high, color=colour, alpha=0.15, linewidth=0, zorder=1)


def _draw_line(
    axes: Axes, variant: str, marks: Mapping[str, Measurement], model: Explained, place: float
) -> None:
    """Draws the marks of a mechanism, each joined to the time with all; the branches beside the axis."""
    colour = style(model.backend).colour
    for number, (kind, each) in enumerate(marks.items()):
        at, ink = _shown_s(each), colour if is_solved(each) else BAD
        high = place + (0.13 if number else -0.13) * (len(marks) > 1)
        if kind == "without":
            axes.plot(
                [_shown_s(model.default), at], [high, high], color=colour, linewidth=1, alpha=0.6, zorder=2
            )
        if is_solved(each) and each.total:
            axes.plot(
                [each.total.low, each.total.high], [high, high], color=ink, linewidth=3, alpha=0.35, zorder=3
            )
        mark = _MARKS[kind][0] if is_solved(each) else ">"
        (drawn,) = axes.plot(
            at, high, marker=mark, markersize=5.5, color=ink, markerfacecolor=_face(kind, ink),
            linestyle="none", zorder=4,
        )  # fmt: skip
        tag(drawn, f"{model.name}, {_MARKS[kind][1]}, {variant}: {effort(model, each)}")
        where = _ALONE_AT if kind == "alone" else _WITHOUT_AT
        axes.annotate(
            _beside(each), (1, place), xytext=(where, 0), xycoords=axes.get_yaxis_transform(),
            textcoords="offset points", fontsize=8, va="center", ha="right",
            color=BAD if each.inconclusive else INK,
        )  # fmt: skip


def _draw_decline(family: Family, models: Sequence[Decline]) -> Figure:
    """Draws what the root decides over size, and the total time over size, of the models of one family."""
    figure = Figure(figsize=(11, 4.6 + 0.17 * len(models)), layout="constrained")
    shares, times = figure.subplots(1, 2)
    sizes = sorted({size for each in models for size in each.times})
    limit_s = max(each.limit_s for each in models)
    handles = []
    for number, each in enumerate(models):
        looks, filled = style(each.backend), fill(number, True)
        for kind, by_size in each.shares.items():
            middle, low, high = ([100 * interval[end] for interval in by_size.values()] for end in range(3))
            (line,) = shares.plot(
                list(by_size), middle, color=looks.colour, marker=looks.marker, markersize=5,
                linestyle=_LINES[kind], linewidth=1.3, fillstyle=filled,
            )  # fmt: skip
            tag(line, f"{each.name}: {KINDS[kind]}", backend=each.backend)
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
        handles.append(
            Line2D([], [], color=looks.colour, marker=looks.marker, fillstyle=filled, label=each.name)
        )
    shown = {kind for each in models for kind in each.shares}
    handles += [
        Line2D([], [], color=MUTED, linestyle=_LINES[kind], label=words)
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
