"""The picture of an instance: what each mechanism contributes to it."""

from collections.abc import Mapping, Sequence
from itertools import chain

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.typing import LineStyleType

from bench.analysis.measurements import Measurement, Problem
from bench.analysis.plots.style import BAD, BAND, INK, PAPER, style, tag, time_axis
from bench.analysis.tables import BARE, TASKS
from bench.instruments.explain.mechanisms import Explained
from bench.instruments.explain.sentences import effort, is_solved, span, time
from bench.instruments.explain.tables import VARIANTS

_ROW, _HEAD = 0.235, 1.25
"""The height of a row in inches, and how many rows the head of a model takes."""

_WITHOUT_AT, _ALONE_AT = 88, 176
"""Where the branches end beside the axis of times, in points from it."""

_DOTTED: LineStyleType = (0, (1.5, 1.2))

_MARKS = {
    "without": ("o", PAPER, "without the mechanism"),
    "alone": ("D", "", "with it alone"),
    "other": ("s", "", "other settings"),
}
"""The mark of each kind of variant, its inner colour if it has one, and its words in the legend."""


def draw_why(models: Sequence[Explained], problem: Problem) -> Figure:
    """Draws a block for each model: its times with all mechanisms and none, and a row for each variant."""
    blocks = [(model, _lines(model)) for model in models]
    heights = [_HEAD + max(1, len(lines)) for _, lines in blocks]
    figure = Figure(figsize=(10.5, 2.0 + _ROW * sum(heights)), layout="constrained")
    axes = figure.subplots()
    shown = [[model.default, *(each for *_, each in model.compared())] for model in models]
    time_axis(axes, map(_shown_s, chain(*shown)))
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
    handles = [
        Line2D([], [], color=INK, linewidth=1.8, label="by default: all mechanisms"),
        Line2D([], [], color=INK, linewidth=1.3, linestyle=_DOTTED, label="with none"),
        *(
            Line2D([], [], color=INK, linestyle="none", marker=mark, markerfacecolor=face or INK, label=said)
            for mark, face, said in _MARKS.values()
        ),
        Line2D([], [], color=BAD, marker=">", linestyle="none", label="not solved"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    name = problem.instance if problem.instance == problem.puzzle else f"{problem.puzzle} {problem.instance}"
    figure.suptitle(f"{name}: what each mechanism contributes, {TASKS[problem.task]}", fontsize=12)
    return figure


def _lines(model: Explained) -> dict[str, dict[str, Measurement]]:
    """The mechanisms of a model, its steps, other settings and the root node, by the marks (_MARKS)."""
    lines: dict[str, dict[str, Measurement]] = {}
    for kind, name, each in model.compared(*_MARKS):
        lines.setdefault(VARIANTS.get(name, name), {})[kind] = each
    return lines


def _shown_s(each: Measurement) -> float:
    """Where a time is drawn: what was not solved lies beyond the limit."""
    return each.time_s if is_solved(each) else 1.5 * each.time_limit_s


def _beside(each: Measurement) -> str:
    """What stands beside the axis: the branches, of what is not solved with every seed what became of it."""
    if each.inconclusive:
        return f"{each.conclusive} of {each.runs} solved" if each.conclusive else time(each)
    return span(*each.branches_range) if each.branches_range else "?"


def _draw_model(axes: Axes, model: Explained, place: float, height: float) -> None:
    """Writes the name of a model; draws its times with all mechanisms and none as lines through its rows."""
    default, bare, colour = model.default, model.variants.get(BARE), style(model.backend).colour
    with_none = f";  with none {effort(model, bare)}" if bare else ""
    said = f"{model.name}:  by default {effort(model, default)}{with_none}"
    left = axes.get_yaxis_transform()
    axes.text(0.005, place, said, transform=left, fontsize=8.5, color=colour, va="center")
    ends = [place + _HEAD - 0.45, place + height - 0.55]
    for each, words, ink, line, width in (
        (default, "all mechanisms", colour, "solid", 1.8),
        (bare, "none of them", INK, _DOTTED, 1.3),
    ):
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
        mark, face, words = _MARKS[kind]
        (drawn,) = axes.plot(
            at, high, marker=mark if is_solved(each) else ">", markersize=5.5, color=ink,
            markerfacecolor=face or ink, linestyle="none", zorder=4,
        )  # fmt: skip
        tag(drawn, f"{model.name}, {words}, {variant}: {effort(model, each)}")
        where = _ALONE_AT if kind == "alone" else _WITHOUT_AT
        axes.annotate(
            _beside(each), (1, place), xytext=(where, 0), xycoords=axes.get_yaxis_transform(),
            textcoords="offset points", fontsize=8, va="center", ha="right",
            color=BAD if each.inconclusive else INK,
        )  # fmt: skip
