"""How every picture looks: colours, the mark and line of each backend, axes, text beside marks, legends."""

import json
import math
import zlib
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

import numpy as np
from matplotlib import ticker
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, LogNorm, to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation
from matplotlib.typing import LineStyleType

from bench import catalogue
from bench.analysis.scores import VIRTUAL_BEST
from bench.analysis.tables import BACKENDS, Label, parts, rank
from bench.analysis.units import seconds
from bench.environment.index import by_version

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a5195", "#666666")
"""Okabe and Ito's colours, which people with colour-blindness can tell apart."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_DASHES: tuple[LineStyleType, ...] = ("solid", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))

MANY = 8
"""At most so many backends, each solver counted separately, can be told apart in one panel."""

INK, PAPER, GRID, BAND, MUTED, BAD = "#1a1a1a", "#ffffff", "#dddddd", "#f3f3f3", "#6b6b6b", "#a00000"

_HEAT = LinearSegmentedColormap.from_list("heat", ["#f7fbff", "#9ecae1", "#2b6ca8"])

FONT = "DejaVu Sans"

LOOK: dict[Any, Any] = {
    **dict.fromkeys(("axes.edgecolor", "axes.labelcolor", "text.color", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("axes.facecolor", "figure.facecolor"), PAPER),
    "axes.axisbelow": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    # Room for what text gains in width when the layout of one resolution is used for another.
    "figure.constrained_layout.h_pad": 0.06,
    "figure.constrained_layout.w_pad": 0.12,
    "font.family": FONT,
    "font.size": 9,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "svg.fonttype": "none",
    # Names come from files; a dollar in one is a dollar.
    "text.parse_math": False,
    # Whatever a matplotlibrc beside somebody's results says.
    "text.usetex": False,
}
"""matplotlib's settings for all pictures."""


class _Style(NamedTuple):
    """The colour, marker and line (width in points) of a backend or backend:solver, in every picture."""

    colour: str
    marker: str
    line: LineStyleType
    width: float = 1.8


def style(label: str) -> _Style:
    """The style of a label: the hue by backend; marker, shade and line by solver and number of threads."""
    if label == VIRTUAL_BEST:
        return _Style(INK, "", "dotted", width=1.2)
    backend, solver, release, threads = parts(label)
    if release or threads > 1:
        alone = style(Label(backend, solver, "", 0).option)
        further = max(threads - 1, 0) + sum(by_version(release)[1][1:2])
        marker = MARKERS[(MARKERS.index(alone.marker) + further) % len(MARKERS)]
        return alone._replace(marker=marker, line=_DASHES[(_DASHES.index(alone.line) + 1) % len(_DASHES)])
    names = sorted({*BACKENDS, *catalogue.backend_names()}, key=rank)
    # All backends from elsewhere share the number after the last.
    number = names.index(backend) if backend in names else len(names)
    colour = _COLOURS[number % len(_COLOURS)]
    if not solver:
        return _Style(colour, MARKERS[number % len(MARKERS)], _DASHES[number % len(_DASHES)])
    # With this number no two known solvers of a backend look alike.
    code = zlib.crc32(solver.encode(), 1089)
    if code // len(MARKERS) % 2:
        red, green, blue = (0.6 * part for part in to_rgb(colour))
        colour = to_hex((red, green, blue))
    return _Style(colour, MARKERS[code % len(MARKERS)], _DASHES[code // (2 * len(MARKERS)) % len(_DASHES)])


def by_rank(labels: Iterable[str]) -> list[str]:
    """The labels of backends, each once, in the order of every picture; the virtual best is last."""
    return sorted(set(labels), key=lambda label: (label == VIRTUAL_BEST, rank(label)))


def heat(times: Iterable[float]) -> Callable[[float], tuple[str, str]]:
    """The colours of a cell that shows one of these times, and of the text on it; inf is a failure."""
    finite = [time for time in times if math.isfinite(time)] or [1.0]
    scale = LogNorm(min(finite), max(*finite, 10 * min(finite)))

    def colours(time: float) -> tuple[str, str]:
        if not math.isfinite(time):
            return "#f4d6d2", BAD
        shade = float(scale(time))
        return to_hex(_HEAT(shade)), PAPER if shade > 0.75 else INK

    return colours


def tag(artist: Artist, tooltip: str = "", **data: str) -> None:
    """Gives an artist a tooltip, and data- attributes by which the page finds it (`drawing.render`)."""
    artist.set_gid(json.dumps({"title": tooltip, **data}))


def time_axis(axes: Axes, times: Iterable[float]) -> None:
    """Makes the x axis logarithmic, from below to above the times (seconds), with room for a label."""
    known = [time for time in times if np.isfinite(time) and time > 0] or [1.0]
    least, most = min(known), max(known)
    # A label needs a quarter of the axis, however many decades it has.
    log_axis(axes, least / 2, max(most * 5, least * 20, most * (most / least) ** 0.3))
    # Six labels fit beside each other; of more decades every second or third has one.
    axes.xaxis.set_major_locator(ticker.LogLocator(numticks=6))
    # A power of ten is no round number of minutes or hours.
    axes.xaxis.set_major_formatter(lambda value, _: seconds(value) if value < 1000 else f"{value:,.0f} s")


def log_axis(axes: Axes, left: float, right: float) -> None:
    """Makes the x axis logarithmic, between two ends."""
    axes.set_xscale("log")
    axes.set_xlim(left, right)
    axes.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,g}"))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.grid(True, axis="x")


def name_rows(axes: Axes, names: Iterable[str], height: int = 0) -> None:
    """Names the rows of a panel, the first at the top, with room for `height` rows if those are more."""
    names = list(names)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(height, len(names)) - 0.4, -0.6)


def title_panel(axes: Axes, text: str) -> None:
    """Writes the title of a panel at a fixed place: to find one, matplotlib would measure ticks for long."""
    axes.set_title(text, loc="left", y=1)
    axes.xaxis.set_label_coords(0.5, 0)
    axes.yaxis.set_label_coords(0, 0.5)


def annotate(
    axes: Axes, x: float, row: float, text: str, size: float = 8, room: int = 4, colour: str = INK
) -> Annotation:
    """Writes to the right of a mark, or with a negative room (in points) to its left."""
    return axes.annotate(
        text, (x, row), (room, 0), textcoords="offset points", fontsize=size, color=colour,
        va="center", ha="left" if room > 0 else "right",
    )  # fmt: skip


def draw_legend(
    figure: Figure,
    labels: Iterable[str],
    place: Literal["outside upper center", "outside lower center"] = "outside upper center",
    marks: float = 6,
    lines: bool = False,
) -> None:
    """Draws the one legend of a figure, with marks of this size in points; the page can hide each entry."""
    looks = {label: style(label) for label in labels}
    handles = [
        Line2D(
            [], [], color=look.colour, marker=look.marker if marks else "", markersize=marks,
            linestyle=look.line if lines else "none", linewidth=look.width,
        )
        for look in looks.values()
    ]  # fmt: skip
    # An entry needs so many inches for its mark, and for each letter.
    columns = int(
        np.clip(figure.get_figwidth() / (0.55 + 0.07 * max(map(len, looks))), 1, min(len(looks), 8))
    )
    legend = figure.legend(handles, list(looks), loc=place, ncols=columns, frameon=False)
    for label, *artists in zip(looks, legend.legend_handles, legend.get_texts(), strict=True):
        for artist in filter(None, artists):
            tag(artist, backend=label)
