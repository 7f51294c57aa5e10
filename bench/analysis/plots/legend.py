"""The one legend of a figure."""

from collections.abc import Sequence
from typing import Literal

from matplotlib.artist import Artist
from matplotlib.figure import Figure

from bench.analysis.plots.svg import tag

MOST_COLUMNS = 8


def draw_legend(
    figure: Figure,
    handles: Sequence[Artist],
    labels: Sequence[str],
    place: Literal["outside upper center", "outside lower center"],
) -> None:
    """Draws the legend; the page can hide each entry with its backend."""
    columns = min(len(labels), MOST_COLUMNS)
    legend = figure.legend(handles, labels, loc=place, ncols=columns, frameon=False)
    for label, handle, text in zip(labels, legend.legend_handles, legend.get_texts(), strict=True):
        for artist in (handle, text):
            if artist is not None:
                tag(artist, backend=label)
