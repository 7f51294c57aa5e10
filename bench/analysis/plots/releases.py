"""Solvers over the releases of their packages: the time relative to the newest, and wrong answers."""

from collections.abc import Sequence

import numpy as np
from matplotlib import ticker
from matplotlib.figure import Figure

from bench.analysis.plots.style import BAD, INK, MUTED, style
from bench.analysis.releases import SolverHistory


def draw_releases(histories: Sequence[SolverHistory]) -> Figure:
    """Draws a panel for each solver and package, red where answers are wrong."""
    figure = Figure(figsize=(9.5, 0.9 + 2.7 * len(histories)), layout="constrained")
    for axes, history in zip(figure.subplots(len(histories), squeeze=False)[:, 0], histories, strict=True):
        looks, releases = style(history.solver.partition(",")[0]), history.releases
        value, low, high = np.array([each.time for each in releases]).T
        axes.set(yscale="log", ylim=(np.nanmin([0.6, *low]) / 1.2, np.nanmax([1.8, *high]) * 1.4))
        axes.set_xlim(-0.5, len(releases) - 0.5)
        axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter("{x:,g}")
        axes.yaxis.set_minor_locator(ticker.NullLocator())
        axes.grid(axis="y")
        axes.axhline(1, color=MUTED, linewidth=1)
        axes.errorbar(
            range(len(releases)), value, [value - low, high - value], color=looks.colour, marker=looks.marker,
            markersize=7, linewidth=1, elinewidth=3,
        )  # fmt: skip
        names = [f"{each.version}\n{each.solved} of {each.tried}" for each in releases]
        ticks = axes.set_xticks(range(len(names)), names, rotation=90 if len(names) > 12 else 0)
        for at, each in enumerate(releases):
            ticks[at].label1.set_color(BAD if each.wrong or each.known_wrong else INK)
            if each.wrong:  # Without a time there is no line to stand on.
                mark, top = np.nan_to_num([value[at], high[at]], nan=1.0)
                axes.plot(at, mark, "o", color=BAD, markersize=10, zorder=3)
                axes.text(at, top * 1.12, f"{each.wrong} wrong", color=BAD, ha="center")
        axes.set_title(f"{history.solver}, releases of {history.package}", loc="left")
    figure.suptitle(
        "Time to solve, without building the model, relative to the newest release: up is slower", fontsize=10
    )
    figure.supxlabel(
        "bars: 95% intervals, of fewer than 6 problems the range; below: what it solves; red: wrong answers",
        fontsize=9,
    )
    return figure
