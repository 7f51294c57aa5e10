"""What each mechanism of a solver contributes on an instance, and what is left to search."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.typing import LineStyleType

from bench.analysis.measurements import Measurement, Problem
from bench.analysis.plots.style import BAD, BAND, GRID, INK, PAPER, style, tag, time_axis
from bench.analysis.tables import TASKS
from bench.analysis.units import count, seconds
from bench.analysis.variants import STEPS
from bench.contract import Status
from bench.instruments.explain.mechanisms import BEFORE, Explained
from bench.instruments.explain.sentences import (
    capitalised,
    effort,
    is_solved,
    percentage,
    presolved_size,
    span,
)
from bench.instruments.explain.table import VARIANTS, fractions

ROW, HEAD = 0.235, 1.25
"""The height of a row in inches, and how many rows the head of a model takes."""

BEYOND = 1.5
"""What was not solved is drawn at so many times the time limit."""


@dataclass(frozen=True)
class _Bar:
    """A share of the model that is left to search, from `low` to `high`, with its words and figures."""

    words: str
    low: float
    high: float
    text: str


@dataclass(frozen=True)
class Line:
    """A mechanism, or a variant of none: what was measured, by the mark that shows it."""

    words: str
    marks: dict[str, Measurement] = field(default_factory=dict)


RELAXATIONS = {
    "relaxation": "fractional in the relaxation",
    "presolved_relaxation": "the same after presolve",
}

_WITHOUT_AT, _ALONE_AT = 88, 176
"""Where the branches end beside the axis of times, in points from it."""

DOTTED: LineStyleType = (0, (1.5, 1.5))
_MARKS = {"without": "o", "alone": "D", "variant": "s"}
LEGEND = {
    "without": "without the mechanism", "alone": "with it alone", "variant": "other settings",
}  # fmt: skip


def draw_why(models: Sequence[Explained], problem: Problem) -> Figure:
    """Draws a block for each model: at the left what is left to search, at the right its mechanisms."""
    blocks = [(model, _bars(model), lines(model)) for model in models]
    rows = sum(max(1, len(left), len(right)) + HEAD for _, left, right in blocks)
    figure = Figure(figsize=(15, 2.0 + ROW * rows), layout="constrained")
    shares, times = figure.subplots(1, 2, width_ratios=[1, 1.3])
    time_axis(times, [_shown_s(each) for model in models for each in _measured(model)])
    place = 0.0
    words: tuple[dict[float, str], dict[float, str]] = ({}, {})
    for number, (model, left, right) in enumerate(blocks):
        height = HEAD + max(1, len(left), len(right))
        if number % 2 == 0:
            for axes in (shares, times):
                axes.axhspan(place - 0.5, place + height - 0.5, color=BAND, zorder=0, linewidth=0)
        _draw_head(shares, times, model, place)
        first = place + HEAD
        _draw_ends(times, model, first - 0.45, first + max(1, len(right)) - 0.55)
        for row, bar in enumerate(left):
            _draw_bar(shares, bar, model, first + row)
            words[0][first + row] = bar.words
        for row, line in enumerate(right):
            draw_line(times, line, model, first + row)
            words[1][first + row] = line.words
        place += height
    for axes, labels in zip((shares, times), words, strict=True):
        axes.set_yticks(list(labels), list(labels.values()), fontsize=8)
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(place - 0.5, -0.5)
    shares.set_xlim(0, 1.62)
    shares.set_xticks([0, 0.5, 1], ["0", "50%", "100%"])
    shares.set_title("what is left to search", loc="left")
    times.set_title("median total time, with intervals", loc="left")
    for at, title in ((_WITHOUT_AT, "branches\nwithout"), (_ALONE_AT, "\nalone")):
        times.annotate(
            title, (1, 1), xytext=(at, 0), xycoords="axes fraction", textcoords="offset points", fontsize=8,
            va="bottom", ha="right",
        )  # fmt: skip
    handles = legend_handles()
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    name = problem.instance if problem.instance == problem.puzzle else f"{problem.puzzle} {problem.instance}"
    figure.suptitle(f"{name}: what each mechanism contributes, {TASKS[problem.task]}", fontsize=12)
    return figure


def legend_handles() -> list[Line2D]:
    """The lines and marks of the right panel, in words."""
    mark = partial(Line2D, [], [], color=INK, linestyle="none")
    return [
        Line2D([], [], color=INK, linewidth=1.8, label="by default: all mechanisms"),
        Line2D([], [], color=INK, linewidth=1.3, linestyle=DOTTED, label="with none"),
        *(
            mark(marker=shape, markerfacecolor=_face(kind, INK), label=LEGEND[kind])
            for kind, shape in _MARKS.items()
        ),
        Line2D([], [], color=BAD, marker=">", linestyle="none", label="not solved"),
    ]


def _bars(model: Explained) -> list[_Bar]:
    return [*_model_bars(model), *_relaxation_bars(model), *_value_bars(model)]


def _model_bars(model: Explained) -> Iterator[_Bar]:
    root = model.root()
    if root.variables and root.presolved_variables is not None and not model.steps:
        left = root.presolved_variables
        least = left if root.presolved_least is None else root.presolved_least
        size = count(root.variables)
        text = (
            f"{span(least, left)}, {size} built"
            if left > root.variables
            else f"{span(least, left)} of {size}"
        )
        yield _Bar("variables after presolve", least / root.variables, left / root.variables, text)


def _relaxation_bars(model: Explained) -> Iterator[_Bar]:
    """The fractional variables of the linear relaxation as built, and after presolve, of the variables."""
    built = model.root("relaxation").variables or model.root().variables
    for name, words in RELAXATIONS.items():
        root = model.root(name)
        if root.relaxation_feasible == 0:
            yield _Bar(words, 0, 0, "infeasible")
        elif name != "relaxation" and root.presolved_variables == 0:
            continue
        elif built and root.fractional_max is not None:
            point = ": a single point" if root.single_point == 1 else ""
            size = count(root.variables) if name == "relaxation" else presolved_size(root)
            text = f"{fractions(root)} of {size}{point}"
            yield _Bar(words, (root.fractional_min or 0) / built, root.fractional_max / built, text)


def _value_bars(model: Explained) -> Iterator[_Bar]:
    """The values that propagation and probing leave, or each step of a search."""
    shares = {STEPS[name]: model.root(name).removed for name in model.steps} or model.removed
    for means, removed in shares.items():
        if removed is not None:
            words = f"values left {means}" if means == BEFORE else f"values after {means}"
            yield _Bar(words, 1 - removed, 1 - removed, percentage(1 - removed))


def lines(model: Explained) -> list[Line]:
    """The mechanisms of a model; then its steps, configurations and the root node."""
    found = [
        Line(
            each.name,
            {kind: one for kind, one in (("without", each.without), ("alone", each.alone)) if one},
        )
        for each in model.mechanisms
    ]
    others = model.searching.items()
    return found + [Line(VARIANTS.get(name, name), {"variant": each}) for name, each in others]


def _measured(model: Explained) -> list[Measurement]:
    marks = [each for line in lines(model) for each in line.marks.values()]
    return [model.default, *([model.bare] if model.bare else []), *marks]


def _shown_s(each: Measurement) -> float:
    return each.time_s if is_solved(each) else BEYOND * each.time_limit_s


def beside(each: Measurement) -> str:
    """What stands beside the axis: the branches, of what is not solved with every seed what became of it."""
    if each.conclusive and each.inconclusive:
        return f"{each.conclusive} of {each.runs} solved"
    if each.inconclusive:
        return f"> {seconds(each.time_limit_s)}" if each.status == Status.TIMEOUT else str(each.status)
    return span(*each.branches_range) if each.branches_range else "?"


def _face(kind: str, colour: str) -> str:
    return PAPER if kind == "without" else colour


def _draw_head(shares: Axes, times: Axes, model: Explained, place: float) -> None:
    """Writes the name of a model, and at the right its time and branches with all mechanisms and none."""
    colour = style(model.backend).colour
    shares.text(0, place, capitalised(model.name), fontsize=9.5, fontweight="bold", color=colour, va="center")
    said = f"by default {effort(model, model.default)}"
    if model.bare:
        said += f";  with none {effort(model, model.bare)}"
    # Behind the left end, which is logarithmic.
    times.text(0.005, place, said, transform=times.get_yaxis_transform(), fontsize=8, va="center")


def _draw_ends(times: Axes, model: Explained, top: float, bottom: float) -> None:
    """Draws the times with all mechanisms, and with none, as lines through the rows of a model."""
    default, colour = model.default, style(model.backend).colour
    ends: list[tuple[Measurement, str, str, LineStyleType, float]] = [
        (default, "all mechanisms", colour, "solid", 1.8)
    ]
    if model.bare:
        ends.append((model.bare, "none of them", INK, DOTTED, 1.3))
    for each, words, ink, line, width in ends:
        at, ink = _shown_s(each), ink if is_solved(each) else BAD
        (drawn,) = times.plot([at, at], [top, bottom], color=ink, linestyle=line, linewidth=width, zorder=2)
        tag(drawn, f"{model.name}, with {words}: {effort(model, each)}")
    if is_solved(default) and default.total:
        _, low, high = default.total
        times.fill_betweenx([top, bottom], low, high, color=colour, alpha=0.15, linewidth=0, zorder=1)


def _draw_bar(axes: Axes, bar: _Bar, model: Explained, place: float) -> None:
    """Draws a share, and lighter what may be left beyond it, with the figures beside."""
    colour = style(model.backend).colour
    low, high = min(bar.low, 1.0), min(bar.high, 1.0)
    axes.barh(place, 1, color=PAPER, edgecolor=GRID, height=0.62, linewidth=0.8, zorder=1)
    axes.barh(place, high, color=colour, alpha=0.35, height=0.62, zorder=2)
    (drawn,) = axes.barh(place, low, color=colour, alpha=0.75, height=0.62, zorder=3)
    tag(drawn, f"{model.name}, {bar.words}: {bar.text}")
    axes.text(1.02, place, bar.text, fontsize=8, va="center")


def draw_line(axes: Axes, line: Line, model: Explained, place: float) -> None:
    """Draws the marks of a mechanism, each joined to the time with all; the branches beside the axis."""
    colour = style(model.backend).colour
    for number, (kind, each) in enumerate(line.marks.items()):
        at, ink = _shown_s(each), colour if is_solved(each) else BAD
        high = place + (0.13 if number else -0.13) * (len(line.marks) > 1)
        if kind == "without":
            axes.plot(
                [_shown_s(model.default), at], [high, high], color=colour, linewidth=1, alpha=0.6, zorder=2
            )
        if is_solved(each) and each.total:
            axes.plot(
                [each.total.low, each.total.high], [high, high], color=ink, linewidth=3, alpha=0.35, zorder=3
            )
        mark = _MARKS[kind] if is_solved(each) else ">"
        (drawn,) = axes.plot(
            at, high, marker=mark, markersize=5.5, color=ink, markerfacecolor=_face(kind, ink),
            linestyle="none", zorder=4,
        )  # fmt: skip
        tag(drawn, f"{model.name}, {LEGEND[kind]}, {line.words}: {effort(model, each)}")
        where = _ALONE_AT if kind == "alone" else _WITHOUT_AT
        axes.annotate(
            beside(each), (1, place), xytext=(where, 0), xycoords=axes.get_yaxis_transform(),
            textcoords="offset points", fontsize=8, va="center", ha="right",
            color=BAD if each.inconclusive else INK,
        )  # fmt: skip
