"""How every picture looks: colours for backends, markers for solvers, axes, and what is under a mark."""

import json
import zlib
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.text import Text
from matplotlib.ticker import EngFormatter, FuncFormatter, NullLocator

from bench import catalogue
from bench.analysis.plots import svg
from bench.analysis.tables import CORE, rank
from bench.analysis.units import seconds

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a5195", "#666666")
"""Okabe and Ito's colours, which people with colour-blindness can tell apart."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("solid", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))
DARKER = 0.6

SALT = 1089
"""With it no two of the solvers that are known today look alike in their backend's curves."""

LEFT = -9
"""Where an axis of counts begins."""

MOST_DECADES = 6.5
"""The labels of so many decades stand side by side on an axis of counts."""

MANY = 8
"""More backends, solvers counted apart, than can be told apart in one panel by their marks."""

INK, PAPER, GRID, BAND, MUTED, BAD = "#1a1a1a", "#ffffff", "#dddddd", "#f3f3f3", "#6b6b6b", "#a00000"
"""Text and axes, background, grid lines, a row that is set apart, what matters less, what went wrong."""

LOOK: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.facecolor": PAPER,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    # Room for what text gains in width when the layout of one resolution is used for another.
    "figure.constrained_layout.h_pad": 0.06,
    "figure.constrained_layout.w_pad": 0.12,
    "figure.facecolor": PAPER,
    "font.family": svg.FONT,
    "font.size": 9,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "svg.fonttype": "none",
    "svg.hashsalt": "bench",
    "text.color": INK,
    # Names come from files; a dollar in one is a dollar.
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
}
"""matplotlib's settings for all pictures."""


def style(backend: str) -> tuple[str, str]:
    """The colour and the marker of a backend or backend:solver, the same in every picture.

    The hue is the backend's; the marker, and whether it is darker, are the solver's.
    """
    name, _, solver = backend.partition(":")
    number, code = place(name), zlib.crc32(solver.encode(), SALT)
    colour, marker = COLOURS[number % len(COLOURS)], MARKERS[(code if solver else number) % len(MARKERS)]
    if solver and code // len(MARKERS) % 2:
        red, green, blue = to_rgb(colour)
        colour = to_hex((red * DARKER, green * DARKER, blue * DARKER))
    return colour, marker


def dashes(backend: str) -> Any:
    """The line style of a backend or backend:solver, for curves."""
    name, _, solver = backend.partition(":")
    code = zlib.crc32(solver.encode(), SALT) // (2 * len(MARKERS)) if solver else place(name)
    return DASHES[code % len(DASHES)]


def place(backend: str) -> int:
    """The number of a backend among all that the project has; those that it has no longer share the last."""
    names = sorted({*CORE, *catalogue.backend_names()}, key=rank)
    return names.index(backend) if backend in names else len(names)


def tag(artist: Artist, tooltip: str = "", **data: str) -> None:
    """Says what is under a mark: a tooltip, and data- attributes that a page can find it by."""
    artist.set_gid(json.dumps({"title": tooltip, **data}))


def time_axis(axes: Axes, times: "pd.Series[float] | list[float]") -> None:
    """A logarithmic axis that holds the times (in seconds), with room for a label on the right."""
    axes.set_xscale("log")
    known = [time for time in times if np.isfinite(time) and time > 0]
    if known:
        axes.set_xlim(min(known) / 2, max(max(known) * 5, min(known) * 20))
    axes.xaxis.set_major_formatter(FuncFormatter(seconds))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(axis="x")


def count_place(value: float) -> float:
    """Where a count is on its axis, in decades: linear up to 10, logarithmic beyond."""
    return value / 9 if value <= 10 else 1 / 9 + float(np.log10(value))


def count_from_place(place: float) -> float:
    """The count at a place of `count_place`."""
    return place * 9 if place <= 10 / 9 else float(10 ** (place - 1 / 9))


def count_axis(
    axes: Axes, values: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]", right: float = 0
) -> None:
    """A logarithmic axis of counts that begins with zero and ends well beyond the largest, or at `right`."""
    axes.set_xscale("symlog", linthresh=10)
    largest = np.nanmax(values, initial=10.0)
    right = max(right, 12 * largest)
    axes.set_xlim(LEFT, right)
    powers = range(1, int(np.log10(largest)) + 2)
    # A label has the width of a decade where there are MOST_DECADES.
    step = int(np.ceil((count_place(right) - count_place(LEFT)) / MOST_DECADES))
    axes.set_xticks([0, *(10**power for power in powers[::-step][::-1])])
    axes.xaxis.set_major_formatter(EngFormatter(sep="", usetex=False))
    axes.xaxis.set_minor_locator(NullLocator())


def no_figure(axes: Axes, position: int) -> Text:
    """Says that there is no figure."""
    return axes.text(
        0.02,
        position,
        "no figure",
        transform=axes.get_yaxis_transform(),
        va="center",
        fontsize=7.5,
        color=MUTED,
    )
