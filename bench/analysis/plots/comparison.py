"""The models of a puzzle side by side, with published results: times, and of one instance all figures."""

from collections.abc import Sequence
from functools import partial
from itertools import product
from textwrap import fill

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text
from matplotlib.ticker import EngFormatter, MaxNLocator, NullLocator, PercentFormatter

from bench.analysis.compare import MOST_COMPARED, ComparedModel, evenly
from bench.analysis.measurements import Measurement
from bench.analysis.plots import style
from bench.analysis.tables import PHASES, RESOLUTION_S, TASKS
from bench.analysis.units import count, plural, seconds, span
from bench.campaign.selection import TEXTBOOK
from bench.contract import Status, Task
from models.shared.puzzle import Reported

_PHASE_COLOURS = dict(zip(PHASES, ("#e78ac3", "#bdbdbd", "#80b1d3", "#fdb462", "#b35806"), strict=True))

_WIDER = 1.2
"""The panel of branches is so many times as wide as those of variables and constraints."""

_MOST_TICKS = 20
"""Of more runs, so many evenly spaced order statistics are shown."""

_NO_DATA = "no data"

_wrapped = partial(fill, width=31, max_lines=2, placeholder=" ...", break_on_hyphens=False)


def draw_comparison(compared: Sequence[ComparedModel], puzzle: str, instance: str, task: Task) -> Figure:
    """Draws sizes before and after presolve, branches and failures, and the time of each phase."""
    names = [_wrapped(model.name) + ("\n(published)" if model.published else "") for model in compared]
    figure = Figure(figsize=(13, 1.85 + 0.5 * len(names)), layout="constrained")
    panels = figure.subplots(1, 4, sharey=True, width_ratios=[1, 1, _WIDER, 1.5])
    style.name_rows(panels[0], names)
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
                axes.axhspan(place - 0.5, place + 0.5, color=style.BAND, zorder=0)
    published = ", with published results" if any(model.published for model in compared) else ""
    name = instance if instance == puzzle else f"{puzzle} {instance}"
    title = f"the fastest model of each backend{published}"
    if any(model.formulation == TEXTBOOK and not model.published for model in compared):
        title = f"the textbook's IP and CP{published}, and the fastest model of each backend"
    figure.suptitle(f"{name}, {TASKS[task]}: {title}", fontsize=12)
    return figure


def _tag_model(artists: Sequence[Artist], model: ComparedModel, tooltip: str) -> None:
    """Tags what shows a model; published results have no backend that the page could hide."""
    backend = {} if model.published else {"backend": model.system}
    for artist in artists:
        style.tag(artist, tooltip, **backend)


def _colour(model: ComparedModel) -> str:
    return style.MUTED if model.published else style.style(model.system).colour


def _write_at_left(axes: Axes, row: int, text: str, colour: str = style.MUTED, size: float = 7.5) -> Text:
    """Writes at the left edge of a row, in place of marks."""
    at_left = axes.get_yaxis_transform()
    return axes.text(0.02, row, text, transform=at_left, va="center", fontsize=size, color=colour)


def _draw_sizes(axes: Axes, compared: Sequence[ComparedModel], what: str) -> None:
    """Draws sizes as built (open marks) and after presolve (filled marks), joined by a line."""
    for place, model in enumerate(compared):
        before, after = getattr(model.figures, what), getattr(model.figures, f"presolved_{what}")
        colour, both, artists = _colour(model), None not in (before, after), list[Artist]()
        if both:
            artists += axes.plot([before, after], [place] * 2, color=colour, linewidth=2, alpha=0.45)
        grows = both and after > before
        for value, face, to_right in ((before, style.PAPER, not grows), (after, colour, grows)):
            if value is not None:
                artists += axes.plot(
                    value, place, "o", markerfacecolor=face, markeredgecolor=colour, markersize=6
                )
                artists.append(style.annotate(axes, value, place, count(value), 7.5, 6 if to_right else -6))
        said = f"{count(before) or 'unknown'} as built, {count(after) or 'unknown'} after presolve"
        _tag_model(artists or [_write_at_left(axes, place, _NO_DATA)], model, f"{model.name}: {what} {said}")
    _count_axis(axes, 1)
    style.title_panel(axes, f"{what}\n○ as built  ● after presolve")


def _draw_branches(axes: Axes, compared: Sequence[ComparedModel]) -> None:
    """Draws branches as bars, and failures as ticks on them."""
    for place, model in enumerate(compared):
        branches, failures = model.figures.branches, model.figures.failures
        artists: list[Artist] = []
        if branches is not None:
            artists += axes.barh(place, branches, color=_colour(model), height=0.5, alpha=0.75)
        if failures is not None:
            artists += axes.plot(
                failures, place, "|", color=style.INK, markersize=13, markeredgewidth=2, clip_on=False
            )
        if artists:
            most = max(value for value in (branches, failures) if value is not None)
            text = f"{count(branches) or '–'} / {count(failures) or '–'}"
            artists.append(style.annotate(axes, most, place, text, room=6))
        said = f"branches {count(branches) or 'unknown'}, failures {count(failures) or 'unknown'}"
        _tag_model(artists or [_write_at_left(axes, place, _NO_DATA)], model, f"{model.name}: {said}")
    _count_axis(axes, _WIDER)
    style.title_panel(axes, "branches / failures\n▬ branches  | failures")


def _count_axis(axes: Axes, wider: float) -> None:
    """Makes the x axis logarithmic, for counts from 0 to where the text beside each is within the panel."""
    axes.set_xscale("symlog", linthresh=10)
    texts = [(text.xy[0], text.get_text()) for text in axes.texts if isinstance(text, Annotation)]
    largest = max([10.0, *(value for value, _ in texts)])
    place = axes.xaxis.get_transform()
    left, right = place.transform([-9, 12 * largest])
    for value, text in texts:
        # Beside long names a panel is 150 points wide, a character on it 4.5.
        share = min(0.8, (10 + 4.5 * len(text)) / (wider * 150))
        right = max(right, (place.transform([value])[0] - left * share) / (1 - share))
    axes.set_xlim(*place.inverted().transform([left, right]))
    # The labels of six decades, each 10 wide in these places, fit beside each other.
    powers = np.arange(int(np.log10(largest)) + 1, 0, -int(np.ceil((right - left) / 65)))
    axes.set_xticks([0, *10.0 ** powers[::-1]])
    axes.xaxis.set_major_formatter(EngFormatter(sep="", usetex=False))
    axes.xaxis.set_minor_locator(NullLocator())


def _draw_phases(axes: Axes, compared: Sequence[ComparedModel]) -> None:
    """Draws until when each phase lasted, on a logarithmic axis; what was published as a mark."""
    totals = [model.total_s for model in compared if model.total_s is not None]
    style.time_axis(axes, [min(totals, default=1e-3) / 10, *totals])
    earliest = axes.get_xlim()[0]
    for place, model in enumerate(compared):
        phases, total_s = model.figures.phases, model.total_s
        if total_s is None:
            said = model.note or _NO_DATA
            mild = model.published or said.startswith(Status.FEASIBLE)
            ink = style.MUTED if mild else style.BAD
            label = _write_at_left(axes, place, _wrapped(said, width=44, max_lines=3), ink)
            _tag_model([label], model, f"{model.name}: {said}")
            continue
        artists: list[Artist] = []
        done = 0.0
        drawn = {} if model.published else phases
        for phase, time in drawn.items():
            left, done = max(done, earliest), done + time
            colour = _PHASE_COLOURS[phase]
            artists += axes.barh(place, max(0.0, done - left), left=left, color=colour, height=0.5)
        if drawn:
            whole = total_s - earliest
            artists += axes.barh(
                place, whole, left=earliest, color="none", edgecolor=style.INK, height=0.5, linewidth=0.8
            )
        else:
            artists += axes.plot(total_s, place, "D", color=style.INK, markersize=6)
        artists.append(style.annotate(axes, total_s, place, f"  {seconds(total_s)}"))
        parts = ", ".join(f"{phase.removesuffix('_s')} {seconds(time)}" for phase, time in phases.items())
        _tag_model(artists, model, f"{model.name}: {seconds(total_s)}{': ' if parts else ''}{parts}")
    for phase, colour in _PHASE_COLOURS.items():
        axes.barh(np.nan, np.nan, color=colour, label=phase.removesuffix("_s"))
    axes.legend(ncols=5, loc="lower left", bbox_to_anchor=(0, 1.0), frameon=False, borderpad=0, fontsize=7.5,
                handlelength=0.8, columnspacing=0.7)  # fmt: skip
    style.title_panel(axes, "time until each phase ended (log scale)\nwhite: other  ◆ published\n\n")


def draw_times(measured: Sequence[Measurement], published: Sequence[Reported], puzzle: str) -> Figure:
    """Draws median total times with their intervals; of more than MOST_COMPARED instances some, by size."""
    by_size = sorted(measured, key=lambda each: each.size)
    everything = list(dict.fromkeys(each.instance for each in by_size))
    instances = evenly(everything, MOST_COMPARED)
    tasks = [task for task in Task if any(each.task == task for each in measured)]
    panels = {panel: _panel_rows(measured, published, *panel) for panel in product(instances, tasks)}
    heights = [max(len(panels[instance, task]) for task in tasks) for instance in instances]
    figure = Figure(figsize=(10, 0.9 + sum(0.27 * height + 0.75 for height in heights)), layout="constrained")
    ratios = [height + 1 for height in heights]
    grid = figure.subplots(len(instances), len(tasks), squeeze=False, sharex="col", height_ratios=ratios)
    for axes, (instance, task), height in zip(grid.flat, panels, np.repeat(heights, len(tasks)), strict=True):
        _draw_rows(axes, panels[instance, task], height)
        if panels[instance, task]:
            style.title_panel(axes, f"{instance}: {TASKS[task]}")
    for column, task in zip(grid.T, tasks, strict=True):
        rows = [row for instance in instances for row in panels[instance, task]]
        shown = [(row.total_s, *(row.times if isinstance(row, Measurement) else ())) for row in rows]
        times = [time for of_row in shown for time in of_row if time is not None]
        for axes in column:
            style.time_axis(axes, times)
    figure.supxlabel(
        "Median total time (log scale) with its 95% confidence interval (fewer than 6 runs: the range);\n"
        f"a tick for each run (of more than {_MOST_TICKS}, evenly spaced ones). "
        f"~: below timing resolution ({seconds(RESOLUTION_S)})",
        fontsize=9,
    )
    more = f" ({len(instances)} of {len(everything)} instances)" if instances != everything else ""
    figure.suptitle(f"{puzzle}: total time, including building and translating the model{more}", fontsize=12)
    return figure


def _panel_rows(
    measured: Sequence[Measurement], published: Sequence[Reported], instance: str, task: Task
) -> list[Measurement | Reported]:
    """The rows of a panel: the fastest first, then the unsolved, then published results."""
    ours = [each for each in measured if each.instance == instance and each.task == task]
    ours.sort(key=lambda each: np.inf if each.total_s is None else each.total_s)
    theirs = published if task != Task.COUNT else ()
    return [*ours, *(each for each in theirs if each.instance == instance and each.total_s is not None)]


def _draw_rows(axes: Axes, rows: Sequence[Measurement | Reported], height: int) -> None:
    """Draws a row for each measurement, in a panel with room for `height` rows."""
    if not rows:
        axes.axis("off")
        return
    names = [row.model if isinstance(row, Measurement) else f"{row.system} (published)" for row in rows]
    style.name_rows(axes, map(_wrapped, names), height)
    for place, (label, row) in enumerate(zip(axes.get_yticklabels(), rows, strict=True)):
        if "\n" in label.get_text():
            # Two lines fit into a row only if they are smaller.
            label.set_fontsize(7)
        if isinstance(row, Measurement):
            said = span(*row.total) if row.total else row.result
            for artist in (label, *_draw_measurement(axes, place, row)):
                style.tag(artist, f"{row.model}: {said}, {plural(row.runs, 'run')}", backend=row.label)
        elif row.total_s is not None:
            axes.axhspan(place - 0.5, place + 0.5, color=style.BAND, zorder=0)
            axes.plot(row.total_s, place, "o", color=style.MUTED, markerfacecolor=style.PAPER, markersize=6)
            style.annotate(axes, row.total_s, place, f"  {seconds(row.total_s)}")


def _draw_measurement(axes: Axes, place: int, measurement: Measurement) -> list[Artist]:
    """Draws the median, its interval and a tick for each run; the status if no run was conclusive."""
    if measurement.total is None:
        ink = style.BAD if measurement.status.failed else style.INK
        return [_write_at_left(axes, place, measurement.result, ink, 9)]
    looks, total = style.style(measurement.label), measurement.total
    times = np.asarray(measurement.times)
    if len(times) > _MOST_TICKS:
        times = np.quantile(times, np.linspace(0, 1, _MOST_TICKS))
    text = f"  {'~' if measurement.below_resolution else ''}{seconds(total.median)}"
    if measurement.inconclusive:
        text += f"  ({measurement.failure})"
    return [
        *axes.plot([total.low, total.high], [place] * 2, color=looks.colour, linewidth=2.5, alpha=0.5),
        *axes.plot(times, np.full(len(times), place), "|", color=looks.colour, markersize=8, alpha=0.6),
        *axes.plot(total.median, place, looks.marker, color=looks.colour, markersize=6),
        style.annotate(axes, times.max(), place, text),
    ]


def draw_trajectories(problem: Sequence[Measurement]) -> Figure:
    """Draws the best value of each backend's median run over time, and below its gap to the bound."""
    runs = {each.label: each.typical for each in problem if each.typical and each.typical.steps}
    figure = Figure(figsize=(10, 5.5), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[2, 1])
    style.time_axis(above, [time for run in runs.values() for time in (run.steps[0][0], run.end_s)])
    for label, run in runs.items():
        looks = style.style(label)
        last_s, *last = run.steps[-1]
        times, found, bounds = np.array([*run.steps, (max(run.end_s, last_s), *last)], dtype=float).T
        gaps = abs(found - bounds) / np.maximum(np.maximum(abs(found), abs(bounds)), 1)
        for axes, values in ((above, found), (below, gaps)):
            (line,) = axes.step(
                times, values, where="post", color=looks.colour, linestyle=looks.line,
                marker=looks.marker, markersize=4, markevery=range(len(times) - 1),
            )  # fmt: skip
            style.tag(line, label, backend=label)
    above.axhline(run.best, color=style.INK, linestyle="dashed", linewidth=1)
    style.title_panel(above, f"{problem[0].instance}: best value over time (dashed: the best known)")
    style.title_panel(below, "gap to the bound, by the larger of the two (0%: proved to be the best)")
    above.yaxis.set_major_locator(MaxNLocator(integer=True))
    below.yaxis.set_major_formatter(PercentFormatter(1))
    style.draw_legend(figure, runs, "outside lower center", marks=4, lines=True)
    return figure
