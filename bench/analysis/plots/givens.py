"""Hardness over givens: the time and the branches of each model over the number of givens."""

from collections.abc import Callable, Sequence
from math import inf, isinf, nan
from operator import attrgetter
from statistics import median

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, FuncFormatter, MaxNLocator

from bench.analysis.growth import GivensPoint
from bench.analysis.measurements import Measurement
from bench.analysis.plots.growth import draw_limit, fill, unsolved_s
from bench.analysis.plots.style import style
from bench.analysis.tables import TASKS, grouped
from bench.analysis.units import seconds

_BINS = 8
"""So many groups of givens have a median each."""

MODEL = attrgetter("label", "formulation")
"""What a line of the picture is of."""

_LEAST_BRANCHES = 0.5
"""Fewer branches are drawn here, as 0 has no place on a logarithmic axis."""


def _total_s(measurement: Measurement) -> float | None:
    return measurement.total_s


def _branches(measurement: Measurement) -> float | None:
    found = measurement.figures.branches
    return None if found is None else max(found, _LEAST_BRANCHES)


def draw_givens(points: Sequence[GivensPoint]) -> Figure:
    """Draws a mark for each measurement of a family, and medians of groups with neighbouring givens."""
    family, size = points[0].family, points[0].measurement.size
    figure = Figure(figsize=(9, 4.6), layout="constrained")
    panels = dict(zip((_total_s, _branches), figure.subplots(1, 2), strict=True))
    figure.suptitle(
        f"{family.puzzle}, size {size:.0f}: hardness over givens, {TASKS[family.task]}\n"
        "small marks: instances; large marks: medians of neighbouring ones, if most are solved"
    )
    limit_s = max(point.measurement.time_limit_s for point in points)
    models = grouped(points, lambda point: MODEL(point.measurement))
    several = len(models) > len({label for label, _ in models})
    for number, ((label, formulation), of_model) in enumerate(models.items()):
        looks, filled = style(label), fill(number, several)
        for shown, axes in panels.items():
            known = np.array([shown(point.measurement) for point in of_model], dtype=float)
            axes.plot(
                [point.givens for point in of_model], known, looks.marker, color=looks.colour,
                fillstyle=filled, markersize=4, alpha=0.55,
            )  # fmt: skip
            axes.plot(
                *medians(of_model, shown), color=looks.colour, linestyle=looks.line, linewidth=1.8,
                marker=looks.marker, fillstyle=filled,
                label=f"{label} {formulation}".rstrip(),
            )  # fmt: skip
        unsolved = [point.givens for point in of_model if point.measurement.inconclusive]
        at_s = [unsolved_s(limit_s, number)] * len(unsolved)
        panels[_total_s].plot(unsolved, at_s, "x", color=looks.colour, markersize=6)
    for axes in panels.values():
        axes.set_yscale("log")
        axes.set_xlabel("givens")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid()
    draw_limit(panels[_total_s], limit_s, at="right")
    panels[_total_s].set_title("total time (×: unsolved, a row for each model)")
    panels[_total_s].yaxis.set_major_formatter(FuncFormatter(seconds))
    panels[_branches].set_title(f"branches (0 is drawn at {_LEAST_BRANCHES:g})")
    panels[_branches].yaxis.set_major_formatter(EngFormatter(sep="", usetex=False))
    handles, labels = panels[_total_s].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    return figure


def medians(
    points: Sequence[GivensPoint], shown: Callable[[Measurement], float | None]
) -> tuple[list[float], list[float]]:
    """The median givens and the median figure of each group; NaN where half of a group is unsolved."""
    ordered = sorted(points, key=lambda point: point.givens)
    xs, ys = [], []
    for group in np.array_split(np.arange(len(ordered)), min(_BINS, max(1, len(ordered) // 3))):
        part = [ordered[number] for number in group]
        # What is unsolved would have taken longer than anything that is solved.
        figures = [shown(point.measurement) if point.measurement.solved else inf for point in part]
        middle = float(np.median(np.array(figures, dtype=float)))
        xs.append(median(point.givens for point in part))
        ys.append(nan if isinf(middle) else middle)
    return xs, ys
