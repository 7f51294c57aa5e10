"""The board that a search fills in: the instance as its puzzle draws it, and where its unknowns are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import ceil, dist

import matplotlib as mpl
from matplotlib.figure import Figure
from PIL import Image

from bench.analysis.plots.drawing import render
from bench.analysis.plots.style import LOOK
from models.shared.puzzle import Placed, Puzzle, WithGivens
from models.shared.search import Unknown, View

WIDTH = 6.0
"""Inches; the fonts of `Puzzle.draw` are meant for it."""

LARGEST = 60.0
"""No unknown gets more room, in points."""

_MOST_VALUES = 9
"""As many values left are written in a cell as pencil marks; of more only their number."""


@dataclass(frozen=True)
class Board:
    """The instance without a solution; lengths are in points, from the top left corner.

    Attributes:
        svg: the picture, as an element of a page.
        image: the picture in pixels, `scale` to the point.
        places: where the middle of each unknown is.
        room: how wide and high what is written of an unknown may be.
        cells: whether unknowns are square cells.
        digits: whether all values are digits from 1 to 9.
        givens: the unknowns that are filled in from the start.
    """

    width: float
    height: float
    svg: str
    image: Image.Image
    scale: float
    places: Mapping[Unknown, tuple[float, float]]
    room: float
    cells: bool
    digits: bool
    givens: frozenset[Unknown]


def board_of(puzzle: Puzzle, views: Sequence[View]) -> Board:
    """Draws the instance, and finds out where on it the unknowns of these views are."""
    unknowns = dict.fromkeys(unknown for view in views for unknown in (*view.left, *view.path))
    values = {value for view in views for left in view.left.values() for value in left}
    cells = not isinstance(puzzle, Placed)
    where = {unknown: position(puzzle, unknown) for unknown in unknowns}
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, WIDTH), layout="constrained")
        axes = figure.subplots()
        puzzle.draw(axes, None)
        axes.set_autoscale_on(False)
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        figure.set_size_inches(WIDTH, WIDTH * min(1.6, max(0.3, abs((top - bottom) / (right - left)))))
        figure.set_dpi(72)
        picture = render(figure, "board")
        # The layout is found; all else has to keep to it.
        figure.set_layout_engine("none")
        width, height = (float(inches) * 72 for inches in figure.get_size_inches())
        places = {}
        for unknown, at in where.items():
            x, y = axes.transData.transform(at)
            places[unknown] = (float(x), height - float(y))
        unit = abs(axes.transData.transform((1, 0))[0] - axes.transData.transform((0, 0))[0])
        room = float(unit) if cells else _spacing(list(places.values()))
        scale = min(1.7, max(1.3, 44 / room))
        buffer = BytesIO()
        figure.savefig(buffer, format="png", dpi=72 * scale)
    digits = all(isinstance(value, int) and 1 <= value <= _MOST_VALUES for value in values)
    givens = frozenset(puzzle.givens) if isinstance(puzzle, WithGivens) else frozenset()
    image = Image.open(buffer).convert("RGB")
    return Board(width, height, picture, image, scale, places, room, cells, digits, givens)


def position(puzzle: Puzzle, unknown: Unknown) -> tuple[float, float]:
    """Returns where an unknown is on the axes: in the middle of its cell, unless the puzzle says where."""
    if isinstance(puzzle, Placed):
        return puzzle.position(unknown)
    row, column = unknown
    return column + 0.5, row + 0.5


def _spacing(places: Sequence[tuple[float, float]]) -> float:
    """Returns how far three of four places are at least from the nearest other one, at most LARGEST."""
    distances = sorted(min(dist(a, b) for b in places if b != a) for a in places if len(set(places)) > 1)
    return min(LARGEST, distances[len(distances) // 4]) if distances else LARGEST


@dataclass(frozen=True)
class _Mark:
    """A text at an unknown: how far from its middle, and how high, in points.

    Attributes:
        kind: `found` for the value of a decided unknown, `left` for one of several, `many` for how many there
            are, `none` if there is no value left.
    """

    x: float
    y: float
    size: float
    text: str
    kind: str


def marks(values: Sequence[int | str], board: Board) -> list[_Mark]:
    """Returns what is written of an unknown that has these values left.

    Pencil marks are in rows, in order; where all values are digits, each has its place of nine.
    """
    room, texts = board.room, [str(value) for value in values]
    if not values:
        return [_Mark(0, 0, 0.5 * room, "×", "none")]
    if len(values) == 1:
        return [_Mark(0, 0, room * min(0.46, 1.2 / len(texts[0])), texts[0], "found")]
    if len(values) > _MOST_VALUES:
        return [_Mark(0, 0, 0.26 * room, f"({len(values)})", "many")]
    columns = 3 if board.digits or len(values) > 4 else 2
    slots = [int(value) - 1 for value in values] if board.digits else list(range(len(values)))
    rows = columns if board.digits else ceil(len(values) / columns)
    step = 0.84 * room / columns
    size = min(0.8 * step, 1.35 * step / max(map(len, texts)))
    return [
        _Mark(
            (slot % columns - (columns - 1) / 2) * step,
            (slot // columns - (rows - 1) / 2) * step,
            size,
            text,
            "left",
        )
        for slot, text in zip(slots, texts, strict=True)
    ]
