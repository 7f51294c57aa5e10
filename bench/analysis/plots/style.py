"""How every picture looks: colours, and the mark and line of each backend and solver."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from matplotlib.colors import to_hex, to_rgb
from matplotlib.typing import LineStyleType

from bench import catalogue
from bench.analysis.plots import svg
from bench.analysis.tables import BACKENDS, Label, parts, rank

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a5195", "#666666")
"""Okabe and Ito's colours, which people with colour-blindness can tell apart."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_DASHES: tuple[LineStyleType, ...] = ("solid", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))
_DARKER = 0.6

_SALT = 1089
"""With it no two of the solvers that are known today look alike among the curves of their backend."""

MANY = 8
"""At most so many backends, each solver counted separately, can be told apart in one panel by their marks."""

INK, PAPER, GRID, BAND, MUTED, BAD = "#1a1a1a", "#ffffff", "#dddddd", "#f3f3f3", "#6b6b6b", "#a00000"
"""Text and axes, background, grid lines, rows of published results, secondary text, failures."""

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
    # Whatever a matplotlibrc beside somebody's results says.
    "text.usetex": False,
    "xtick.color": INK,
    "ytick.color": INK,
}
"""matplotlib's settings for all pictures."""


@dataclass(frozen=True)
class Style:
    """The colour, marker and line (width in points) of a backend or backend:solver, in every picture."""

    colour: str
    marker: str
    line: LineStyleType
    width: float = 1.8


def style(label: str) -> Style:
    """The style of a label.

    The hue depends on the backend; marker, shade and line on the solver, if it is named; with several threads
    the marker and the line are others than with one.
    """
    backend, solver, threads = parts(label)
    if threads > 1:
        alone = style(Label(backend, solver, 0).option)
        marker = MARKERS[(MARKERS.index(alone.marker) + threads - 1) % len(MARKERS)]
        return replace(alone, marker=marker, line=_DASHES[(_DASHES.index(alone.line) + 1) % len(_DASHES)])
    names = sorted({*BACKENDS, *catalogue.backend_names()}, key=rank)
    # All backends from elsewhere share the number after the last.
    number = names.index(backend) if backend in names else len(names)
    colour = COLOURS[number % len(COLOURS)]
    if not solver:
        return Style(colour, MARKERS[number % len(MARKERS)], _DASHES[number % len(_DASHES)])
    code = zlib.crc32(solver.encode(), _SALT)
    if code // len(MARKERS) % 2:
        red, green, blue = to_rgb(colour)
        colour = to_hex((red * _DARKER, green * _DARKER, blue * _DARKER))
    return Style(colour, MARKERS[code % len(MARKERS)], _DASHES[code // (2 * len(MARKERS)) % len(_DASHES)])


def by_rank(labels: Iterable[str]) -> list[str]:
    """The labels of backends, each once, in the order of every picture."""
    return sorted(set(labels), key=rank)
