"""Pictures of growth: a family over its sizes, the frontier of all puzzles, and hardness over givens."""

from collections.abc import Iterable
from typing import Any, Literal

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import EngFormatter, FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

from bench.analysis.old_growth import FAMILY, MODEL, Rate
from bench.analysis.plots.style import BAD, INK, MUTED, dashes, style, tag
from bench.analysis.tables import TASKS
from bench.analysis.units import count, seconds

PANELS = (
    ("total_s", "total time"),
    ("branches", "branches (0 stands at 1)"),
    ("variables", "variables of the model"),
    ("peak_mb", "peak memory (MB)"),
)

BINS = 8
"""So many groups of givens have a median each."""


def draw_growth(table: pd.DataFrame, frontier: pd.DataFrame) -> Figure:
    """Time, branches, variables and memory over size, with the range over the instances of a size.

    Args:
        table: of `growth.steps`, of one puzzle, family and task.
        frontier: of `growth.frontier`, of the same.
    """
    first = table.iloc[0]
    figure, axes = plt.subplots(2, 2, figsize=(9, 7), layout="constrained")
    figure.suptitle(f"{first['puzzle']}: growth over the family `{first['family']}`, {TASKS[first['task']]}")
    ticks = sorted(set(table["size"]))
    models = list(table.groupby(["label", "formulation"], sort=False))
    several = len(models) > table["label"].nunique()
    for axis, (figure_name, title) in zip(axes.flat, PANELS, strict=True):
        for number, ((label, formulation), sizes) in enumerate(models):
            name = f"{label} {formulation}" if several else label
            draw_line(axis, sizes, figure_name, name, number, several)
        axis.set_title(title)
        axis.set_xscale("log")
        size_ticks(axis, ticks, 0.11)
        axis.yaxis.set_minor_formatter(NullFormatter())
        axis.grid()
        axis.set_xlabel("size: unknowns of the puzzle")
    draw_limit(axes.flat[0], table)
    axes.flat[0].yaxis.set_major_formatter(FuncFormatter(seconds))
    for axis in axes.flat[1:]:
        axis.yaxis.set_major_formatter(EngFormatter(sep="", usetex=False))
    axes.flat[-1].yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    rates = {(row["label"], row["formulation"]): row["rate"] for row in frontier.to_dict("records")}
    handles = [
        Line2D(
            [], [],
            color=style(label)[0], marker=style(label)[1], linestyle=dashes(label),
            fillstyle=fill(number, several),
            label=f"{label} {formulation}: {said(rates[label, formulation])}",
        )
        for number, ((label, formulation), _) in enumerate(models)
    ]  # fmt: skip
    handles.append(Line2D([], [], color=MUTED, marker="x", linestyle="none", label="not solved"))
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
    return figure


def fill(number: int, several: bool) -> Any:
    """How a marker is filled, where a backend has several formulations."""
    return ("full", "none", "left", "right")[number % 4] if several else "full"


def said(rate: Rate) -> str:
    """The rate of growth in words."""
    return f"time grows as size to the {rate}" if str(rate) else "too few sizes for a rate"


def draw_line(axes: Axes, sizes: pd.DataFrame, figure: str, name: str, number: int, several: bool) -> None:
    """One model's medians over sizes with their ranges; a cross where it did not solve all."""
    label = sizes["label"].iloc[0]
    colour, marker = style(label)
    known = sizes[sizes[figure].notna()]
    # A count of 0 has no place on a logarithmic axis: it stands at the bottom as 1 would.
    middle, low, high = (
        known[column].clip(lower=1 if figure == "branches" else 0)
        for column in (figure, f"{figure}_low", f"{figure}_high")
    )
    axes.set_yscale("log")
    (line,) = axes.plot(
        known["size"], middle, color=colour, marker=marker, markersize=5, linestyle=dashes(label),
        linewidth=1.3, fillstyle=fill(number, several),
    )  # fmt: skip
    tag(line, f"{name}: {figure}")
    axes.vlines(known["size"], low, high, color=colour, alpha=0.55, linewidth=2.4)
    if figure == "total_s":
        lost = sizes[sizes["solved"] < sizes["tried"]]
        axes.plot(
            lost["size"], lost["time_limit_s"], color=colour, marker="x", markersize=7, linestyle="none"
        )
        for row in lost.to_dict("records"):
            unsolved = f"{row['tried'] - row['solved']} of {row['tried']}: {row['status']}"
            (mark,) = axes.plot(row["size"], row["time_limit_s"], marker="o", markersize=9, alpha=0)
            tag(mark, f"{name}, size {row['size']:.0f}, {unsolved}")


def draw_limit(axes: Axes, table: pd.DataFrame, at: Literal["left", "right"] = "left") -> None:
    """The time limit as a line, named where the fewest marks are."""
    limit = table["time_limit_s"].max()
    axes.axhline(limit, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.annotate(
        f"limit {seconds(limit)}", (0.01 if at == "left" else 0.99, limit), ha=at,
        xycoords=("axes fraction", "data"), xytext=(0, 3),
        textcoords="offset points", fontsize=7.5, color=MUTED,
    )  # fmt: skip


def draw_frontier(table: pd.DataFrame, frontier: pd.DataFrame) -> Figure:
    """How far each model gets, a panel a puzzle: a dot for each size solved, a cross for each that was not.

    Args:
        table: of `growth.steps`.
        frontier: of `growth.frontier`.
    """
    panels = list(frontier.groupby(FAMILY, sort=False))
    heights = [len(rows) + 1.6 for _, rows in panels]
    figure, axes = plt.subplots(
        len(panels), 1, figsize=(9, 0.7 + 0.3 * sum(heights)), squeeze=False, layout="constrained",
        height_ratios=heights,
    )  # fmt: skip
    limit = seconds(table["time_limit_s"].max())
    figure.suptitle(f"The largest size of which most instances are solved within {limit}")
    for axis, (keys, rows) in zip(axes.flat, panels, strict=True):
        puzzle, family, task = keys
        several = rows["label"].duplicated().any()
        names = [
            f"{row['label']} {row['formulation']}" if several else row["label"]
            for row in rows.to_dict("records")
        ]
        axis.set_title(f"{puzzle}, family `{family}`, {TASKS[task]}", loc="left")
        axis.set_xscale("log")
        for place, row in enumerate(rows.to_dict("records")):
            draw_reach(axis, steps_of(table, row), row, place)
        axis.set_yticks(range(len(rows)), names)
        axis.set_ylim(len(rows) - 0.4, -0.6)
        climbed = table[(table[FAMILY] == list(keys)).all(axis="columns")]
        ticks = sorted(set(climbed["size"]))
        size_ticks(axis, ticks, 0.07)
        length = ticks[-1] / ticks[0]
        axis.set_xlim(ticks[0] / length**0.03, ticks[-1] * length**0.42)
        axis.grid(axis="x")
    axes.flat[-1].set_xlabel("size: unknowns of the puzzle.  ● solved   × most instances not solved")
    return figure


def size_ticks(axes: Axes, sizes: list[float], room: float) -> None:
    """Ticks at sizes on a logarithmic axis, at least `room` of its length apart."""
    kept = sizes[:1]
    for size in sizes:
        if size > kept[-1] * (sizes[-1] / sizes[0]) ** room:
            kept.append(size)
    axes.set_xticks(kept, [f"{size:,.0f}" for size in kept])
    axes.xaxis.set_minor_locator(NullLocator())


def steps_of(table: pd.DataFrame, model: dict[str, Any]) -> pd.DataFrame:
    """The sizes that a model of the frontier was tried on."""
    return table[np.logical_and.reduce([table[column] == model[column] for column in MODEL])]


def draw_reach(axes: Axes, sizes: pd.DataFrame, row: dict[str, Any], place: int) -> None:
    """One model's sizes, and what became of the largest in words."""
    colour, marker = style(row["label"])
    won, lost = sizes[sizes["reached"]], sizes[~sizes["reached"]]
    axes.plot(won["size"], [place] * len(won), color=colour, marker=marker, markersize=5, linewidth=2.5)
    axes.plot(lost["size"], [place] * len(lost), color=BAD, marker="x", linestyle="none", markersize=6)
    words = "none" if np.isnan(row["size"]) else f"{count(row['size'])} in {seconds(row['total_s'])}"
    if row["size"] == row["largest"]:
        words += ", the largest tried"
    text = axes.annotate(
        words,
        (sizes["size"].max(), place),
        xytext=(9, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
        color=INK,
    )
    tag(text, f"{row['label']} {row['formulation']}: {row['example']}")


def draw_givens(runs: pd.DataFrame) -> Figure:
    """Time and branches over the number of givens: a mark an instance, and medians.

    Args:
        runs: of `growth.givens`, of one puzzle, family and task.
    """
    first = runs.iloc[0]
    figure, (times, branches) = plt.subplots(1, 2, figsize=(9, 4.4), layout="constrained")
    figure.suptitle(
        f"{first['puzzle']}, size {first['size']:.0f}: hardness over givens, {TASKS[first['task']]}"
    )
    limit = runs["time_limit_s"].max()
    models = list(runs.groupby(["label", "formulation"], sort=False))
    several = len(models) > runs["label"].nunique()
    for number, ((label, formulation), rows) in enumerate(models):
        colour, marker = style(label)
        solved, lost = rows[rows["done"]], rows[~rows["done"]]
        for axis, column in ((times, "total_s"), (branches, "branches")):
            axis.plot(
                solved["givens"], solved[column].clip(lower=0.5 if column == "branches" else 0), color=colour,
                marker=marker, fillstyle=fill(number, several), linestyle="none", markersize=4, alpha=0.55,
            )  # fmt: skip
            axis.plot(
                *medians(rows, column),
                color=colour,
                linestyle=dashes(label),
                linewidth=1.8,
                marker=marker,
                fillstyle=fill(number, several),
                label=f"{label} {formulation}",
            )
        times.plot(
            lost["givens"], [limit] * len(lost), color=colour, marker="x", linestyle="none", markersize=6
        )
    for axis, title in ((times, "total time (×: not solved)"), (branches, "branches (0 stands at 0.5)")):
        axis.set_yscale("log")
        axis.set_title(title)
        axis.set_xlabel("givens")
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis.grid()
    draw_limit(times, runs, at="right")
    times.yaxis.set_major_formatter(FuncFormatter(seconds))
    branches.yaxis.set_major_formatter(EngFormatter(sep="", usetex=False))
    handles, labels = times.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    return figure


def medians(rows: pd.DataFrame, column: str) -> tuple[Iterable[float], Iterable[float]]:
    """The median givens and the median figure of groups of neighbouring givens; NaN where few were solved."""
    rows = rows.sort_values("givens")
    groups = np.array_split(rows.index.to_numpy(), min(BINS, max(1, len(rows) // 3)))
    found = []
    for group in groups:
        part = rows.loc[group]
        # What was not solved would have taken longer than anything that was.
        value = float(np.median(part[column].where(part["done"], np.inf)))
        if np.isinf(value):
            value = np.nan
        elif column == "branches":
            value = max(value, 0.5)
        found.append((float(part["givens"].median()), value))
    return [x for x, _ in found], [y for _, y in found]
