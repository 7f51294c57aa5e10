"""The pictures of one puzzle: times, the comparison of its models, solutions."""

from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.ticker import FuncFormatter, MaxNLocator

from bench import catalogue
from bench.analysis.old_tables import MOST_COMPARED, evenly
from bench.analysis.plots.style import (
    BAD,
    BAND,
    INK,
    LEFT,
    MUTED,
    PAPER,
    count_axis,
    count_from_place,
    count_place,
    no_figure,
    style,
    tag,
    time_axis,
)
from bench.analysis.tables import PHASES, TASKS
from bench.analysis.units import count, seconds, span

PHASE_COLOURS = dict(zip(PHASES, ("#bdbdbd", "#80b1d3", "#fdb462", "#b35806"), strict=True))
SOURCE_COLOUR = MUTED
PANEL_POINTS, DIGIT_POINTS, OTHER_POINTS = 150, 5.1, 2.7
"""Widths in points: of a panel of counts beside long names, of a digit on it, of any other character."""

WIDER = 1.2
"""The panel of branches is so many times as wide as those of variables and constraints."""

MOST_TICKS = 20
"""Of more runs, so many evenly spaced order statistics are shown."""


def draw_times(table: pd.DataFrame, reported: pd.DataFrame, puzzle: str) -> Figure:
    """Median total times with their intervals: a row of panels an instance, a column a task.

    Of more than MOST_COMPARED instances, as many are shown, evenly chosen by size.

    Args:
        table: the puzzle's rows of `tables.cells`.
        reported: the puzzle's rows of `tables.reported_figures`, which stand below ours.
        puzzle: its name.
    """
    everything = table.sort_values("size", kind="stable")["instance"].drop_duplicates().tolist()
    instances = evenly(everything, MOST_COMPARED)
    panels = {
        (instance, task): times_rows(table, reported, instance, task)
        for instance in instances
        for task in TASKS
    }
    heights = [max(len(panels[instance, task]) for task in TASKS) for instance in instances]
    figure = Figure(figsize=(10, 0.9 + sum(0.27 * height + 0.75 for height in heights)), layout="constrained")
    grid = figure.subplots(
        len(instances), 2, squeeze=False, sharex="col", height_ratios=[h + 1 for h in heights]
    )
    for axes, (instance, task), height in zip(grid.flat, panels, np.repeat(heights, 2), strict=True):
        axes.set_title(f"{instance}: {TASKS[task]}", loc="left")
        draw_times_panel(axes, panels[instance, task], height)
    for column, task in enumerate(TASKS):
        rows = pd.concat([panels[instance, task] for instance in instances])
        for axes in grid[:, column]:
            time_axis(axes, [*rows["total_s"], *(time for times in rows["times"] for time in times)])
    figure.supxlabel(
        f"median total time (log scale), its 95% interval, a tick for every run (of more than {MOST_TICKS}, "
        "evenly chosen ones); ~: coarse, below 10 ms",
        fontsize=9,
    )
    left_out = len(everything) - len(instances)
    more = f" ({len(instances)} of {len(everything)} instances)" if left_out else ""
    figure.suptitle(f"{puzzle}: time to solve, build and translation included{more}", fontsize=12)
    return figure


def times_rows(table: pd.DataFrame, reported: pd.DataFrame, instance: str, task: str) -> pd.DataFrame:
    """What one panel shows, the fastest first; what sources reported at the end."""
    ours = table[(table["instance"] == instance) & (table["task"] == task)]
    ours = ours.assign(name=ours["label"] + " " + ours["formulation"], reported=False)
    ours = ours.sort_values("total_s", na_position="last")
    theirs = reported[(reported["instance"] == instance) & reported["total_s"].notna() & (task == "first")]
    if theirs.empty:
        return ours
    theirs = theirs.assign(name=theirs["system"] + " (reported)", times=[[]] * len(theirs), reported=True)
    return pd.concat([ours, theirs], ignore_index=True)


def draw_times_panel(axes: Axes, rows: pd.DataFrame, height: int) -> None:
    """One dot a row with its interval and a tick a run; what is not solved stands as its status, in words.

    The panel has room for `height` rows.
    """
    if rows.empty:
        axes.axis("off")
        return
    axes.set_yticks(range(len(rows)), rows["name"])
    axes.set_ylim(height - 0.4, -0.6)
    for position, (label, row) in enumerate(
        zip(axes.get_yticklabels(), rows.to_dict("records"), strict=True)
    ):
        if row["reported"]:
            axes.axhspan(position - 0.5, position + 0.5, color=BAND, zorder=0)
            axes.plot(row["total_s"], position, "o", color=SOURCE_COLOUR, markerfacecolor=PAPER, markersize=6)
            annotate(axes, row["total_s"], position, f"  {seconds(row['total_s'])}")
            continue
        colour, marker = style(row["label"])
        artists: list[Artist] = [label]
        if row["done"]:
            times = np.asarray(row["times"])
            if len(times) > MOST_TICKS:
                times = np.quantile(times, np.linspace(0, 1, MOST_TICKS))
            at = np.full(len(times), position)
            interval = [row["total_low"], row["total_high"]]
            artists += axes.plot(interval, [position] * 2, color=colour, linewidth=2.5, alpha=0.5)
            artists += axes.plot(times, at, "|", color=colour, markersize=8, alpha=0.6)
            artists += axes.plot(row["total_s"], position, marker, color=colour, markersize=6)
            text = f"  {'~' if row['coarse'] else ''}{seconds(row['total_s'])}"
            if row["done"] < row["runs"]:
                text += f"  ({row['runs'] - row['done']:.0f} of {row['runs']:.0f} {row['status']})"
            artists.append(annotate(axes, times.max(), position, text))
        else:
            artists.append(
                axes.text(
                    0.02,
                    position,
                    row["status"],
                    color=BAD,
                    va="center",
                    transform=axes.get_yaxis_transform(),
                )
            )
        for artist in artists:
            tag(artist, f"{row['name']}: {described(row)}", backend=row["label"])


def described(row: dict[str, Any]) -> str:
    """A cell in words, for a tooltip."""
    if not row["done"]:
        return f"{row['status']}, {count(row['runs'])} runs"
    return f"{span(row['total_s'], row['total_low'], row['total_high'])}, {count(row['runs'])} runs"


def annotate(axes: Axes, x: float, position: int, text: str, size: float = 8, room: int = 4) -> Annotation:
    """A label to the right of a mark, or with less than no room to its left."""
    return axes.annotate(
        text, (x, position), (room, 0), textcoords="offset points", fontsize=size,
        va="center", ha="left" if room > 0 else "right",
    )  # fmt: skip


def draw_comparison(compared: pd.DataFrame, instance: str, task: str) -> Figure:
    """The models of an instance: sizes before and after presolve, branches and failures, where the time goes.

    Args:
        compared: of `tables.comparison`.
        instance: its name.
        task: of `tables.compared_task`.
    """
    rows = compared.to_dict("records")
    names = [
        f"{row['system']} {row['formulation']}".strip() + ("\n(reported)" if row["reported"] else "")
        for row in rows
    ]
    figure = Figure(figsize=(13, 1.7 + 0.5 * len(rows)), layout="constrained")
    panels = figure.subplots(1, 4, sharey=True, width_ratios=[1, 1, WIDER, 1.5])
    panels[0].set_yticks(range(len(names)), names)
    panels[0].set_ylim(len(names) - 0.4, -0.6)
    draw_dumbbells(panels[0], compared, "variables")
    draw_dumbbells(panels[1], compared, "constraints")
    draw_branches(panels[2], compared)
    draw_phases(panels[3], compared)
    for label, row in zip(panels[0].get_yticklabels(), rows, strict=True):
        tag(label, **whose(row))
    for axes in panels:
        axes.grid(axis="x")
        for position, row in enumerate(rows):
            if row["reported"]:
                axes.axhspan(position - 0.5, position + 0.5, color=BAND, zorder=0)
    beside = ", beside what the sources reported" if compared["reported"].any() else ""
    figure.suptitle(f"{instance}: comparison by backend, {TASKS[task]}{beside}", fontsize=12)
    return figure


def whose(row: dict[str, Any]) -> dict[str, str]:
    """What `tag` is to say of a row's backend; nothing for what sources reported."""
    return {} if row["reported"] else {"backend": row["system"]}


def row_colour(row: dict[str, Any]) -> str:
    """The colour of a row's backend; one grey for what sources reported."""
    return SOURCE_COLOUR if row["reported"] else style(row["system"])[0]


def draw_dumbbells(axes: Axes, compared: pd.DataFrame, what: str) -> None:
    """Sizes as built (open) and after presolve (filled), joined."""
    end = 0.0
    for position, row in enumerate(compared.to_dict("records")):
        colour = row_colour(row)
        before, after = row[what], row[f"presolved_{what}"]
        artists: list[Artist] = []
        both = pd.notna(before) and pd.notna(after)
        if both:
            artists += axes.plot([before, after], [position] * 2, color=colour, linewidth=2, alpha=0.45)
        grows = both and after > before
        for value, face, right in ((before, PAPER, not grows), (after, colour, grows)):
            if pd.notna(value):
                artists += axes.plot(
                    value, position, "o", markerfacecolor=face, markeredgecolor=colour, markersize=6
                )
                artists.append(annotate(axes, value, position, count(value), 7.5, 6 if right else -6))
                end = max(end, right_edge(value, count(value)))
        if not artists:
            artists.append(no_figure(axes, position))
        said = f"{count(before) or 'unknown'} as built, {count(after) or 'unknown'} after presolve"
        for artist in artists:
            tag(artist, f"{row['system']} {row['formulation']}: {what} {said}", **whose(row))
    count_axis(axes, compared[[what, f"presolved_{what}"]].to_numpy(dtype=float), end)
    axes.set_title(f"{what}\n○ as built  ● after presolve", loc="left")


def draw_branches(axes: Axes, compared: pd.DataFrame) -> None:
    """Branches of the search as bars, failures as ticks on them."""
    right = 0.0
    for position, row in enumerate(compared.to_dict("records")):
        known = [row[what] for what in ("branches", "failures") if pd.notna(row[what])]
        artists: list[Artist] = []
        if pd.notna(row["branches"]):
            artists += axes.barh(position, row["branches"], color=row_colour(row), height=0.5, alpha=0.75)
        if pd.notna(row["failures"]):
            artists += axes.plot(
                row["failures"], position, "|", color=INK, markersize=13, markeredgewidth=2, clip_on=False
            )
        if known:
            text = f"{count(row['branches']) or '–'} / {count(row['failures']) or '–'}"
            artists.append(annotate(axes, max(known), position, text, room=6))
            right = max(right, right_edge(max(known), text, WIDER))
        else:
            artists.append(no_figure(axes, position))
        said = ", ".join(f"{count(row[what]) or 'no figure of'} {what}" for what in ("branches", "failures"))
        for artist in artists:
            tag(artist, f"{row['system']} {row['formulation']}: {said}", **whose(row))
    count_axis(axes, compared[["branches", "failures"]].to_numpy(dtype=float), right)
    axes.set_title("branches / failures\n▬ branches  | failures", loc="left")


def right_edge(value: float, text: str, wider: float = 1) -> float:
    """Where a panel of counts ends so that a text beside a value is within it."""
    width = sum(DIGIT_POINTS if character.isdigit() else OTHER_POINTS for character in text)
    share = min(0.8, (10 + width) / (wider * PANEL_POINTS))
    return count_from_place((count_place(value) - count_place(LEFT) * share) / (1 - share))


def draw_phases(axes: Axes, compared: pd.DataFrame) -> None:
    """The time of each phase, stacked; bars far beyond the others are cut, with an arrow."""
    totals = compared["total_s"].to_numpy(dtype=float)
    widest = min(np.nanmax(totals, initial=1e-3), 3 * np.nanpercentile([1e-3, *totals], 75))
    for position, row in enumerate(compared.to_dict("records")):
        artists: list[Artist] = []
        said = str(row["note"]) or "no figure"
        if pd.isna(row["total_s"]):
            label = annotate(axes, 0, position, shorten(said, 46, placeholder=" ..."))
            label.set_color(MUTED if row["reported"] else BAD)
            artists.append(label)
        else:
            left = 0.0
            parts = {phase: row[phase] for phase in PHASES if pd.notna(row[phase])}
            for phase, time in parts.items():
                shown = max(0.0, min(time, widest - left))
                artists += axes.barh(position, shown, left=left, color=PHASE_COLOURS[phase], height=0.5)
                left += time
            cut = row["total_s"] > widest
            artists += axes.barh(
                position, min(row["total_s"], widest), color="none", edgecolor=INK, height=0.5, linewidth=0.8
            )
            text = seconds(row["total_s"]) + (" →" if cut else "")
            artists.append(annotate(axes, min(row["total_s"], widest), position, text))
            said = ", ".join(f"{phase.removesuffix('_s')} {seconds(time)}" for phase, time in parts.items())
            said = f"{seconds(row['total_s'])}{': ' if said else ''}{said}"
        for artist in artists:
            tag(artist, f"{row['system']} {row['formulation']}: {said}", **whose(row))
    for phase in PHASES:
        axes.barh(np.nan, np.nan, color=PHASE_COLOURS[phase], label=phase.removesuffix("_s"))
    axes.set_xlim(0, widest * 1.25)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: seconds(value) if value else "0"))
    axes.legend(ncols=4, loc="lower left", bbox_to_anchor=(0, 1.0), frameon=False, borderpad=0, fontsize=8,
                handlelength=1, columnspacing=1)  # fmt: skip
    axes.set_title("median time of the phases; frame: total\n\n", loc="left")


def draw_solution(path: Path, solution: Any, answer: str) -> Figure:
    """A solved instance with its answer.

    Args:
        path: the instance's file; a puzzle's own object may not go from one process to another.
    """
    loaded = catalogue.load(path)
    figure = Figure(figsize=(6, 6.3), layout="constrained")
    axes = figure.subplots()
    loaded.puzzle.draw(axes, solution)
    axes.set_title(f"{loaded.title}\nanswer {answer}", fontsize=11)
    return figure
