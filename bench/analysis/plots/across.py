"""All problems together: slowdowns, the cactus plot, Dolan and More's performance profile, targets."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from math import ceil, inf, isfinite

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from bench.analysis import scores
from bench.analysis.compare import compare, evenly, textbook_pairs, undecided
from bench.analysis.measurements import Measurement
from bench.analysis.plots import style
from bench.analysis.scores import VIRTUAL_BEST, Slowdown
from bench.analysis.tables import TASKS, grouped
from bench.analysis.units import factor, plural, seconds
from bench.contract import Task

_MOST_ROWS = 30
"""With more instances the picture shows so many, evenly spaced."""


def draw_slowdowns(slowdowns: Sequence[Slowdown]) -> Figure:
    """Draws a row for each instance, a panel for each task.

    Of more than MANY backends those that solve most, then those with the least median slowdown.
    """
    by_label = grouped(slowdowns, lambda each: each.measurement.label)

    def merit(label: str) -> tuple[int, float]:
        group = by_label[label]
        ratios = [each.ratio.value for each in group if not each.apart]
        return -sum(each.measurement.solved for each in group), float(np.median(ratios or [inf]))

    labels = style.by_rank(sorted(by_label, key=merit)[: style.MANY])
    by_task = grouped(slowdowns, lambda each: each.problem.task)
    most = max(len({each.problem for each in of_task}) for of_task in by_task.values())
    rows = min(most, _MOST_ROWS)
    # A mark with the text beside it is 0.13 inches high.
    height = 1.4 + rows * max(0.5, 0.13 * len(labels))
    figure = Figure(figsize=(11, height), layout="constrained")
    grid = figure.subplots(1, len(by_task), squeeze=False)[0]
    for axes, task in zip(grid, [task for task in Task if task in by_task], strict=True):
        _draw_panel(axes, by_task[task], labels)
        style.title_panel(axes, TASKS[task] + (f" ({rows} of {most} instances)" if rows < most else ""))
    style.draw_legend(figure, labels)
    explained = "Slowdown relative to the fastest backend (log scale), 95% confidence intervals"
    if len(labels) < len(by_label):
        explained += f": the best {len(labels)} of {len(by_label)} backends"
    shown = [each for each in slowdowns if each.measurement.label in labels]
    if any(not _is_known(each) and not each.apart for each in shown):
        explained += "\nopen marks at the right edge: unsolved"
    figure.supxlabel(explained, fontsize=9)
    return figure


def _is_known(slowdown: Slowdown) -> bool:
    """Whether there is a fastest backend, and the slowdown is finite."""
    return slowdown.fastest != "" and isfinite(slowdown.ratio.value)


def _draw_panel(axes: Axes, slowdowns: Sequence[Slowdown], labels: Sequence[str]) -> None:
    """Draws the slowdowns of one task, one backend a little below the other; failures at the right edge."""
    problems = evenly(list(dict.fromkeys(each.problem for each in slowdowns)), _MOST_ROWS)
    several = len({problem.puzzle for problem in problems}) > 1
    names = ["\n".join(dict.fromkeys(problem[:2] if several else problem[1:2])) for problem in problems]
    for each in slowdowns:
        if each.is_fastest and each.problem in problems:
            time = seconds(each.measurement.time_s)
            names[problems.index(each.problem)] += f"\n{each.fastest} {time}"
    shown = [each for each in slowdowns if each.measurement.label in labels]
    ends = [end for each in shown for end in each.ratio if 0 < end < inf]
    least, most = min([0.85, *ends]) / 1.2, 1.6 * max([10, *ends])
    failed = any(each.measurement.inconclusive for each in shown)
    style.log_axis(axes, least, most * (3 if failed else 1))
    for each in shown:
        if each.problem in problems:
            step = (labels.index(each.measurement.label) + 0.5) / len(labels) - 0.5
            _draw_slowdown(axes, each, problems.index(each.problem) + 0.85 * step, least, most)
    for place in range(1, len(names), 2):
        axes.axhspan(place - 0.5, place + 0.5, color=style.BAND, zorder=0)
    axes.axvline(1, color=style.MUTED, linewidth=1)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def _draw_slowdown(axes: Axes, slowdown: Slowdown, at: float, least: float, most: float) -> None:
    """Draws a mark with its interval, open and at `most` if the slowdown is unknown; then the failures."""
    measurement, ratio, known = slowdown.measurement, slowdown.ratio, _is_known(slowdown)
    looks = style.style(measurement.label)
    artists: list[Artist] = []
    said = []
    if slowdown.fastest:
        ends = np.clip([ratio.low, ratio.high], least, most)
        artists += axes.plot(ends, [at, at], color=looks.colour, linewidth=2, alpha=0.55)
    artists += axes.plot(
        min(ratio.value, most) if slowdown.fastest else most, at, looks.marker,
        color=looks.colour, markersize=5, markerfacecolor=looks.colour if known else style.PAPER,
    )  # fmt: skip
    if failed := measurement.failure:
        ink = style.BAD if measurement.status.failed else style.INK
        artists.append(style.annotate(axes, most, at, failed, 6.5, 6, ink))
        said.append(failed)
    if known:
        interval = f" ({factor(ratio.low)} to {factor(ratio.high)})" if isfinite(ratio.high) else ""
        said.append(f"{factor(ratio.value)} times {slowdown.fastest}{interval}")
    if slowdown.apart:
        said.append("not compared")
        artists.append(style.annotate(axes, 1, at, said[-1], 6.5, 6, style.MUTED))
    for artist in artists:
        tooltip = f"{measurement.instance}, {measurement.model}: {', '.join(said)}"
        style.tag(artist, tooltip, backend=measurement.label)


def draw_pairs(measured: Sequence[Measurement]) -> Figure:
    """Draws integer against constraint programming, by the textbook models of `textbook_pairs`.

    A panel for each puzzle has a row for each instance, or for evenly spaced ones of many, first those that
    presolve does not decide, by name.
    """
    named = {*undecided(measured)}
    by_puzzle = grouped(textbook_pairs(measured), lambda pair: pair[0].puzzle)
    columns = 4  # Also for fewer puzzles: the words need as much room.
    lines = ceil(len(by_puzzle) / columns)
    rows = min(max(map(len, by_puzzle.values())), _MOST_ROWS)
    size = (3 * columns, 0.9 + lines * (0.55 + 0.14 * rows))
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False, sharex=True, sharey=True).ravel()
    for axes, (puzzle, pairs) in zip(grid, by_puzzle.items(), strict=False):
        style.log_axis(axes, 1 / _EDGE / 2, _EDGE * 2)
        axes.set_xticks([0.01, 0.1, 1, 10, 100], ["100", "10", "1", "10", "100"])
        axes.set_yticks([])
        axes.set_ylim(rows - 0.4, -0.6)
        axes.axvline(1, color=style.MUTED, linewidth=1)
        compared = [(ip, cp, compare(ip, cp)) for ip, cp in pairs]
        compared.sort(key=lambda pair: ((pair[0].puzzle, pair[0].instance) not in named, pair[2].log))
        for place, (ip, cp, found) in enumerate(evenly(compared, _MOST_ROWS)):
            faster = {1: ip.label, -1: cp.label, 0: ""}[found.verdict]
            colour = style.style(faster).colour if faster else style.MUTED
            at = float(np.clip(np.exp(found.log), 1 / _EDGE, _EDGE)) if ip.solved or cp.solved else 1.0
            solved = ip.solved and cp.solved
            artists = axes.plot(
                at, place, "o", color=colour, markersize=5, markerfacecolor=colour if solved else style.PAPER
            )
            times = [seconds(each.time_s) if each.solved else each.status for each in (ip, cp)]
            for artist in [*artists, *axes.plot([1, at], [place] * 2, color=colour, linewidth=1.5)]:
                style.tag(artist, f"{ip.instance}: {ip.label} {times[0]}, {cp.label} {times[1]}")
            if (puzzle, ip.instance) in named:
                beside = {"x": 1 / _EDGE, "ha": "left"} if at > 1 else {"x": _EDGE, "ha": "right"}
                axes.text(y=place, s=ip.instance, va="center", fontsize=6.5, **beside)
        wins = [sum(found.verdict == verdict for _, _, found in compared) for verdict in (1, -1)]
        style.title_panel(axes, f"{puzzle}: IP {wins[0]}, CP {wins[1]} of {len(compared)}")
    for axes in grid[len(by_puzzle) :]:
        axes.axis("off")
    # Those above an empty place, too.
    for axes in grid[: len(by_puzzle)][-columns:]:
        axes.tick_params(labelbottom=True)
    looks = {ip.label: "← how many times faster the integer program (HiGHS) is"}
    looks |= {cp.label: "how many times faster the constraint program (CP-SAT) is →"}
    for label, words in looks.items():
        axes.plot([], [], "o", color=style.style(label).colour, label=words)
    figure.legend(
        *axes.get_legend_handles_labels(), loc="outside upper center", ncols=2, frameon=False, fontsize=9,
        title="Integer or constraint programming, by the models of a textbook", title_fontsize=12,
    )  # fmt: skip
    figure.supxlabel(
        "a mark for each instance, grey if the difference is not significant; open: only one solves it, or,"
        " in the middle, neither;\nwith a name: not decided by presolve alone, as far as is known",
        fontsize=9,
    )
    return figure


_EDGE = 200.0
"""Larger ratios are drawn at the edge, as are those of what one does not solve."""


def draw_cactus(shared: Sequence[Measurement]) -> Figure:
    """Draws how many problems each backend solves within a time: the sorted times and their ranks."""

    def draw(axes: Axes, times: pd.DataFrame) -> None:
        style.time_axis(axes, times.to_numpy().ravel().tolist())
        curves = {label: times[label] for label in _drawn(times)} | {VIRTUAL_BEST: times.min(axis=1)}
        for label, values in curves.items():
            _draw_curve(axes, label, values, 1)
        axes.set_ylim(0, len(times) * 1.04)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))

    title = "Number of problems solved within this time per problem"
    best = f"{VIRTUAL_BEST.capitalize()}: the fastest backend for every problem"
    return _draw_panels(shared, f"{title}. {best}", "cactus", draw)


def draw_profile(shared: Sequence[Measurement]) -> Figure:
    """Draws Dolan and More's performance profile of each task."""

    def draw(axes: Axes, times: pd.DataFrame) -> None:
        ratios = scores.profile(times)
        solvable = max(1, int(np.isfinite(times).any(axis=1).sum()))
        style.log_axis(axes, 1, 1.5 * max([10.0, *chain(*ratios.values())]))
        for label in _drawn(times):
            _draw_curve(axes, label, ratios[label], solvable)
        axes.set_ylim(0, 1.04)
        axes.yaxis.set_major_formatter(PercentFormatter(1))

    title = "Share of problems solved with at most this slowdown relative to the fastest backend (log scale)"
    return _draw_panels(shared, title, "profile", draw)


def draw_targets(optimised: Sequence[Measurement]) -> Figure:
    """Draws the share of targets that each backend reaches within a time, a panel for each puzzle.

    The targets are of each instance a value within 10%, within 1%, the best known, and its proof. Of more
    than MANY backends those that reach most of them.
    """
    by_puzzle = grouped(optimised, lambda each: each.puzzle)
    lines, columns = ceil(len(by_puzzle) / 3), min(3, len(by_puzzle))
    figure = Figure(figsize=(11, 1.4 + 2.3 * lines), layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False, sharex=True, sharey=True).ravel()
    targets = 0.1, 0.01, 0.0, -1.0  # Primal gaps; below 0 the proof.
    runs = [(each, each.typical) for each in optimised if each.typical]
    reached = [(each.puzzle, each.label, run.reached_s(target)) for each, run in runs for target in targets]
    style.time_axis(grid[0], [time for _, _, time in reached])
    met = Counter(label for _, label, time in reached if time < inf)
    most = sorted(dict.fromkeys(label for _, label, _ in reached), key=lambda label: -met[label])
    labels = style.by_rank(most[: style.MANY])
    for axes, (puzzle, own) in zip(grid, by_puzzle.items(), strict=False):
        instances = len({each.instance for each in own})
        for label in labels:
            times = [time for of, by, time in reached if (of, by) == (puzzle, label)]
            _draw_curve(axes, label, times, instances * len(targets))
        axes.grid(True, axis="x")
        style.title_panel(axes, f"{puzzle}, {plural(instances, 'instance')}")
    for axes in grid[len(by_puzzle) :]:
        axes.axis("off")
    grid[0].set_ylim(0, 1.04)
    grid[0].yaxis.set_major_formatter(PercentFormatter(1))
    title = "Share of targets reached within this time: of each instance a value within 10%, within 1%, "
    figure.suptitle(title + "the best known, and its proof", fontsize=10)
    style.draw_legend(figure, labels, "outside lower center", marks=4, lines=True)
    return figure


def _draw_panels(
    shared: Sequence[Measurement], title: str, kind: str, draw: Callable[[Axes, pd.DataFrame], None]
) -> Figure:
    """Draws a panel of curves for each task, which the page finds by `kind` to redraw it, and a legend."""
    tasks = [task for task in Task if any(each.task == task for each in shared)]
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    figure.suptitle(title, fontsize=10)
    labels = set()
    for axes, task in zip(figure.subplots(1, len(tasks), squeeze=False)[0], tasks, strict=True):
        times = scores.times(shared, task)
        draw(axes, times)
        labels |= set(axes.get_legend_handles_labels()[1])
        (left, right), top = axes.get_xlim(), axes.get_ylim()[1]
        style.tag(axes.patch, kind=kind, task=task, left=str(left), right=str(right), top=str(top))
        problems, backends = times.shape
        few = f": the best {style.MANY} of {backends}" if backends > style.MANY else ""
        heading = axes.set_title(f"{TASKS[task]}, {plural(problems, 'problem')}{few}", loc="left")
        style.tag(heading, heading=task)
    style.draw_legend(figure, style.by_rank(labels), "outside lower center", marks=4, lines=True)
    return figure


def _drawn(times: pd.DataFrame) -> list[str]:
    """The backends that get a curve: of more than MANY those that solve most, then the fastest."""
    solved, mean = np.isfinite(times).sum(), np.log(times.clip(upper=1e9)).mean()
    return style.by_rank(sorted(times, key=lambda label: (-solved[label], mean[label]))[: style.MANY])


def _draw_curve(axes: Axes, label: str, values: Iterable[float], whole: int) -> None:
    """Draws how many values are at most x, divided by the `whole`, as steps up to the right edge."""
    left, right = axes.get_xlim()
    looks = style.style(label)
    xs = sorted(value for value in values if isfinite(value))
    ys = [number / whole for number in range(1, len(xs) + 1)]
    steps = [0, *ys, ys[-1] if ys else 0]
    (line,) = axes.step(
        [left, *xs, right], steps, where="post", label=label,
        color=looks.colour, linestyle=looks.line, linewidth=looks.width,
    )  # fmt: skip
    style.tag(line, label, backend=label, curve="1")
    # Of many problems the markers would hide the curve.
    if looks.marker and 0 < len(xs) <= 60:
        (dots,) = axes.plot(xs, ys, looks.marker, color=looks.colour, markersize=4, clip_on=False)
        style.tag(dots, label, backend=label, dots="1")
