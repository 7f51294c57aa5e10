"""Axes of times and counts, the text beside marks, and legends."""

from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation, Text
from matplotlib.ticker import EngFormatter, FuncFormatter, LogLocator, NullLocator, StrMethodFormatter

from bench.analysis.plots.style import INK, MUTED, Style
from bench.analysis.plots.svg import tag
from bench.analysis.units import seconds

LEFT = -9
"""Where an axis of counts begins."""

_MOST_DECADES = 6.5
"""The labels of so many decades fit beside each other on an axis of counts."""

_MOST_LABELS = 6
"""So many labels fit beside each other on an axis of times; of more decades every second or third has one."""

_MOST_COLUMNS, MARK_INCHES, _LETTER_INCHES = 8, 0.55, 0.07
"""A legend has at most so many columns; an entry needs so much room for its mark, and for each letter."""


def time_axis(axes: Axes, times: Iterable[float]) -> None:
    """Makes the x axis logarithmic, from below to above the times (seconds), with room for a label."""
    axes.set_xscale("log")
    known = [time for time in times if np.isfinite(time) and time > 0]
    if known:
        least, most = min(known), max(known)
        # A label needs a quarter of the axis, however many decades it has.
        axes.set_xlim(least / 2, max(most * 5, least * 20, most * (most / least) ** 0.3))
    axes.xaxis.set_major_locator(LogLocator(numticks=_MOST_LABELS))
    axes.xaxis.set_major_formatter(FuncFormatter(_decade))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(axis="x")


def _decade(value: float, _position: int = 0) -> str:
    """The label of a power of ten on an axis of times, which is no round number of minutes or hours."""
    return seconds(value) if value < 1000 else f"{value:,.0f} s"


def title_panel(axes: Axes, text: str) -> None:
    """Writes the title of a panel that has no ticks at its top, and no labels at its axes.

    To find places for titles and labels, matplotlib would measure all ticks again and again.
    """
    axes.set_title(text, loc="left", y=1)
    axes.xaxis.set_label_coords(0.5, 0)
    axes.yaxis.set_label_coords(0, 0.5)


def wrapped(text: str, width: int, lines: int) -> str:
    """The text in lines of this width, shortened to so many of them."""
    return "\n".join(wrap(text, width, max_lines=lines, placeholder=" ...", break_on_hyphens=False))


def ratio_axis(axes: Axes, left: float, right: float) -> None:
    """Makes the x axis logarithmic, for ratios between two ends."""
    axes.set_xscale("log")
    axes.set_xlim(left, right)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(axis="x")


def count_axis(axes: Axes, values: Iterable[float], right: float = 0) -> None:
    """Makes the x axis logarithmic, for counts from 0 to well beyond the largest, or up to `right`."""
    axes.set_xscale("symlog", linthresh=10)
    largest = max([10.0, *values])
    right = max(right, 12 * largest)
    axes.set_xlim(LEFT, right)
    powers = range(1, int(np.log10(largest)) + 2)
    # A label is as wide as a decade where there are MOST_DECADES.
    step = int(np.ceil((count_place(right) - count_place(LEFT)) / _MOST_DECADES))
    axes.set_xticks([0, *(10**power for power in powers[::-step][::-1])])
    axes.xaxis.set_major_formatter(EngFormatter(sep="", usetex=False))
    axes.xaxis.set_minor_locator(NullLocator())


def count_place(value: float) -> float:
    """Where a count is on its axis, in decades: linear up to 10, logarithmic beyond."""
    return value / 9 if value <= 10 else 1 / 9 + float(np.log10(value))


def count_from_place(place: float) -> float:
    """The count at a place of `count_place`."""
    return place * 9 if place <= 10 / 9 else float(10 ** (place - 1 / 9))


def annotate(
    axes: Axes, x: float, row: float, text: str, size: float = 8, room: int = 4, colour: str = INK
) -> Annotation:
    """Writes to the right of a mark, or with a negative room (in points) to its left."""
    return axes.annotate(
        text, (x, row), (room, 0), textcoords="offset points", fontsize=size, color=colour,
        va="center", ha="left" if room > 0 else "right",
    )  # fmt: skip


def write_at_left(axes: Axes, row: int, text: str, colour: str = MUTED, size: float = 7.5) -> Text:
    """Writes at the left edge of a row, in place of marks."""
    at_left = axes.get_yaxis_transform()
    return axes.text(0.02, row, text, transform=at_left, va="center", fontsize=size, color=colour)


def draw_legend(
    figure: Figure,
    looks: Mapping[str, Style],
    place: Literal["outside upper center", "outside lower center"] = "outside upper center",
    marks: float = 6,
    lines: bool = False,
) -> None:
    """Draws the one legend of a figure, by labels; the page can hide each entry with its backend.

    Args:
        marks: the size of the marks in points; 0 for none.
        lines: whether it has the lines too.
    """
    labels = list(looks)
    handles = [
        Line2D(
            [], [], color=look.colour, marker=look.marker if marks else "", markersize=marks,
            linestyle=look.line if lines else "none", linewidth=look.width,
        )
        for look in looks.values()
    ]  # fmt: skip
    columns = int(figure.get_figwidth() / (MARK_INCHES + _LETTER_INCHES * max(map(len, labels))))
    columns = max(1, min(len(labels), columns, _MOST_COLUMNS))
    legend = figure.legend(handles, labels, loc=place, ncols=columns, frameon=False)
    for label, *artists in zip(labels, legend.legend_handles, legend.get_texts(), strict=True):
        for artist in filter(None, artists):
            tag(artist, backend=label)
