"""Hardness over givens: the time and the branches of each model over the number of givens."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isinf, nan
from statistics import median

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, FuncFormatter, MaxNLocator

from bench.analysis.growth import GivensRun
from bench.analysis.plots.growth import draw_limit, fill
from bench.analysis.plots.style import style
from bench.analysis.tables import TASKS
from bench.analysis.units import seconds

BINS = 8
"""So many groups of givens have a median each."""


@dataclass(frozen=True)
class Panel:
    """A panel of the picture.

    Attributes:
        figure: the field of `GivensRun` that it shows.
        least: where smaller figures are drawn, as 0 has no place on a logarithmic axis.
    """

    figure: str
    title: str
    least: float


PANELS = (
    Panel("total_s", "total time (×: unsolved)", 0),
    Panel("branches", "branches (0 is drawn at 0.5)", 0.5),
)


def draw_givens(runs: Sequence[GivensRun]) -> Figure:
    """Draws a mark for each run, and medians of groups with neighbouring numbers of givens.

    Args:
        runs: of `growth.givens`, of one family.
    """
    family = runs[0].family
    figure = Figure(figsize=(9, 4.4), layout="constrained")
    times, branches = figure.subplots(1, 2)
    figure.suptitle(
        f"{family.puzzle}, size {runs[0].size:.0f}: hardness over givens, {TASKS[family.task]}\n"
        "small marks: runs; lines: medians of groups, where most of a group are solved",
        fontsize=10,
    )
    limit_s = max(run.time_limit_s for run in runs)
    models: dict[tuple[str, str], list[GivensRun]] = {}
    for run in runs:
        models.setdefault((run.label, run.formulation), []).append(run)
    several = len(models) > len({run.label for run in runs})
    for number, ((label, formulation), of_model) in enumerate(models.items()):
        looks, filled = style(label), fill(number, several)
        for axes, panel in zip((times, branches), PANELS, strict=True):
            solved = [
                (run.givens, max(value, panel.least))
                for run in of_model
                if run.conclusive and (value := getattr(run, panel.figure)) is not None
            ]
            axes.plot(
                [givens for givens, _ in solved], [value for _, value in solved], color=looks.colour,
                marker=looks.marker, fillstyle=filled, linestyle="none", markersize=4, alpha=0.55,
            )  # fmt: skip
            axes.plot(
                *medians(of_model, panel), color=looks.colour, linestyle=looks.line, linewidth=1.8,
                marker=looks.marker, fillstyle=filled, label=f"{label} {formulation}",
            )  # fmt: skip
        unsolved = [run.givens for run in of_model if not run.conclusive]
        times.plot(
            unsolved, [limit_s] * len(unsolved), color=looks.colour, marker="x", linestyle="none", markersize=6
        )
    for axes, panel in zip((times, branches), PANELS, strict=True):
        axes.set_yscale("log")
        axes.set_title(panel.title)
        axes.set_xlabel("givens")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid()
    draw_limit(times, limit_s, at="right")
    times.yaxis.set_major_formatter(FuncFormatter(seconds))
    branches.yaxis.set_major_formatter(EngFormatter(sep="", usetex=False))
    handles, labels = times.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    return figure


def medians(runs: Sequence[GivensRun], panel: Panel) -> tuple[list[float], list[float]]:
    """The median givens and the median figure of each group; NaN where half of a group is unsolved."""
    ordered = sorted(runs, key=lambda run: run.givens)
    xs, ys = [], []
    for group in np.array_split(np.arange(len(runs)), min(BINS, max(1, len(runs) // 3))):
        part = [ordered[number] for number in group]
        # What is unsolved would have taken longer than anything that is solved.
        figures = [getattr(run, panel.figure) if run.conclusive else inf for run in part]
        middle = float(np.median([nan if figure is None else figure for figure in figures]))
        xs.append(median(run.givens for run in part))
        ys.append(nan if isinf(middle) else max(middle, panel.least))
    return xs, ys
