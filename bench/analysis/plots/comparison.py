"""The models of one instance side by side: sizes, branches and phases."""

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from bench.analysis.comparison import ComparedModel
from bench.analysis.plots.axes import (
    LEFT,
    annotate,
    count_axis,
    count_from_place,
    count_place,
    title_panel,
    wrapped,
    write_at_left,
)
from bench.analysis.plots.style import BAD, BAND, INK, MUTED, PAPER, style
from bench.analysis.plots.svg import tag
from bench.analysis.tables import PHASES, TASKS
from bench.analysis.units import count, seconds
from bench.contract import Task

_PHASE_COLOURS = dict(zip(PHASES, ("#bdbdbd", "#80b1d3", "#fdb462", "#b35806"), strict=True))

_PANEL_POINTS, _DIGIT_POINTS, _OTHER_POINTS = 150, 5.1, 2.7
"""Widths in points: of a panel of counts beside long names, of a digit on it, of any other character."""

_WIDER = 1.2
"""The panel of branches is so many times as wide as those of variables and constraints."""

NAME_WIDTH, _NOTE_WIDTH = 28, 44
"""In characters: of a line of a model's name, and of what is said in place of its time."""

_NO_DATA = "no data"


def draw_comparison(compared: Sequence[ComparedModel], puzzle: str, instance: str, task: Task) -> Figure:
    """Draws sizes before and after presolve, branches and failures, and the time of each phase."""
    names = [
        wrapped(model.name, NAME_WIDTH, 2) + ("\n(published)" if model.published else "")
        for model in compared
    ]
    figure = Figure(figsize=(13, 1.85 + 0.5 * len(names)), layout="constrained")
    panels = figure.subplots(1, 4, sharey=True, width_ratios=[1, 1, _WIDER, 1.5])
    panels[0].set_yticks(range(len(names)), names)
    panels[0].set_ylim(len(names) - 0.4, -0.6)
    _draw_sizes(panels[0], compared, "variables")
    _draw_sizes(panels[1], compared, "constraints")
    _draw_branches(panels[2], compared)
    _draw_phases(panels[3], compared)
    for label, model in zip(panels[0].get_yticklabels(), compared, strict=True):
        _tag_model([label], model, "")
    for axes in panels:
        axes.grid(axis="x")
        for place, model in enumerate(compared):
            if model.published:
                axes.axhspan(place - 0.5, place + 0.5, color=BAND, zorder=0)
    published = ", with published results" if any(model.published for model in compared) else ""
    name = instance if instance == puzzle else f"{puzzle} {instance}"
    title = f"{name}: comparison by backend, {TASKS[task]}{published}"
    figure.suptitle(title, fontsize=12)
    return figure


def _tag_model(artists: Sequence[Artist], model: ComparedModel, tooltip: str) -> None:
    """Tags what shows a model; published results have no backend that the page could hide."""
    backend = {} if model.published else {"backend": model.system}
    for artist in artists:
        tag(artist, tooltip, **backend)


def colour(model: ComparedModel) -> str:
    """The colour of a model's backend; grey for published results."""
    return MUTED if model.published else style(model.system).colour


def _draw_sizes(axes: Axes, compared: Sequence[ComparedModel], what: str) -> None:
    """Draws sizes as built (open marks) and after presolve (filled marks), joined by a line."""
    right = 0.0
    every: list[float] = []
    for place, model in enumerate(compared):
        before, after = getattr(model.figures, what), getattr(model.figures, f"presolved_{what}")
        artists: list[Artist] = []
        both = before is not None and after is not None
        if both:
            artists += axes.plot([before, after], [place] * 2, color=colour(model), linewidth=2, alpha=0.45)
        grows = both and after > before
        for value, face, to_right in ((before, PAPER, not grows), (after, colour(model), grows)):
            if value is not None:
                artists += axes.plot(
                    value, place, "o", markerfacecolor=face, markeredgecolor=colour(model), markersize=6
                )
                artists.append(annotate(axes, value, place, count(value), 7.5, 6 if to_right else -6))
                right = max(right, _right_edge(value, count(value)))
                every.append(value)
        said = f"{count(before) or 'unknown'} as built, {count(after) or 'unknown'} after presolve"
        _tag_model(artists or [write_at_left(axes, place, _NO_DATA)], model, f"{model.name}: {what} {said}")
    count_axis(axes, every, right)
    title_panel(axes, f"{what}\n○ as built  ● after presolve")


def _draw_branches(axes: Axes, compared: Sequence[ComparedModel]) -> None:
    """Draws branches as bars, and failures as ticks on them."""
    right = 0.0
    every: list[float] = []
    for place, model in enumerate(compared):
        branches, failures = model.figures.branches, model.figures.failures
        known = [value for value in (branches, failures) if value is not None]
        artists: list[Artist] = []
        if branches is not None:
            artists += axes.barh(place, branches, color=colour(model), height=0.5, alpha=0.75)
        if failures is not None:
            artists += axes.plot(
                failures, place, "|", color=INK, markersize=13, markeredgewidth=2, clip_on=False
            )
        if known:
            text = f"{count(branches) or '–'} / {count(failures) or '–'}"
            artists.append(annotate(axes, max(known), place, text, room=6))
            right = max(right, _right_edge(max(known), text, _WIDER))
        every += known
        said = f"branches {count(branches) or 'unknown'}, failures {count(failures) or 'unknown'}"
        _tag_model(artists or [write_at_left(axes, place, _NO_DATA)], model, f"{model.name}: {said}")
    count_axis(axes, every, right)
    title_panel(axes, "branches / failures\n▬ branches  | failures")


def _right_edge(value: float, text: str, wider: float = 1) -> float:
    """Where a panel of counts ends so that a text beside a value is within it."""
    width = sum(_DIGIT_POINTS if character.isdigit() else _OTHER_POINTS for character in text)
    share = min(0.8, (10 + width) / (wider * _PANEL_POINTS))
    return count_from_place((count_place(value) - count_place(LEFT) * share) / (1 - share))


def _draw_phases(axes: Axes, compared: Sequence[ComparedModel]) -> None:
    """Draws the time of each phase, stacked; bars far beyond the others are cut off, with an arrow."""
    totals = [model.total_s for model in compared if model.total_s is not None]
    longest = min(max([1e-3, *totals]), 3 * float(np.percentile([1e-3, *totals], 75)))
    for place, model in enumerate(compared):
        phases, total_s = model.figures.phases, model.total_s
        if total_s is None:
            said = model.note or _NO_DATA
            ink = MUTED if model.published else BAD
            label = annotate(axes, 0, place, wrapped(said, _NOTE_WIDTH, 3), 7.5, colour=ink)
            _tag_model([label], model, f"{model.name}: {said}")
            continue
        artists: list[Artist] = []
        left = 0.0
        for phase, time in phases.items():
            shown = max(0.0, min(time, longest - left))
            artists += axes.barh(place, shown, left=left, color=_PHASE_COLOURS[phase], height=0.5)
            left += time
        end = min(total_s, longest)
        artists += axes.barh(place, end, color="none", edgecolor=INK, height=0.5, linewidth=0.8)
        artists.append(annotate(axes, end, place, seconds(total_s) + (" →" if total_s > longest else "")))
        parts = ", ".join(f"{phase.removesuffix('_s')} {seconds(time)}" for phase, time in phases.items())
        _tag_model(artists, model, f"{model.name}: {seconds(total_s)}{': ' if parts else ''}{parts}")
    for phase in PHASES:
        axes.barh(np.nan, np.nan, color=_PHASE_COLOURS[phase], label=phase.removesuffix("_s"))
    axes.set_xlim(0, longest * 1.25)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: seconds(value) if value else "0"))
    axes.legend(ncols=4, loc="lower left", bbox_to_anchor=(0, 1.0), frameon=False, borderpad=0, fontsize=8,
                handlelength=1, columnspacing=1)  # fmt: skip
    cut = "→: bar cut off, longer than the axis\n" if max([0.0, *totals]) > longest else ""
    title_panel(axes, f"median of each phase\nframe: total; white: other\n{cut}\n")
