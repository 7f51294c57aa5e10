"""Draws a watched search: search.gif, search.html, tree.svg and tree.png in one folder."""

import json
import textwrap
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import pairwise
from math import ceil, dist
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont
from PIL import Image, ImageChops, ImageDraw, ImageFont

from bench import catalogue
from bench.analysis.plots.drawing import inline, png_of, render
from bench.analysis.plots.style import BAD, FONT, INK, LOOK, MUTED
from bench.campaign.results import Row
from bench.catalogue import Instance
from bench.instruments.watch.icicle import draw_tree
from bench.instruments.watch.tree import Frame, SearchTree, at_the_root, findings, frames_of, unknowns_of
from bench.report.page import templates
from models.shared.puzzle import Placed, Puzzle, WithGivens
from models.shared.search import Unknown, View

_WIDTH = 6.0  # Of the board in inches; the fonts of `Puzzle.draw` are meant for it.
_LARGEST = 60.0  # The most room for an unknown, in points.
_MOST_VALUES = 9  # Of more values left only the number is written.
# Of marks by their kind, and of fields: `changed` is an outline, the others are filled.
_COLOURS = {
    "found": "#1f4e9c", "left": "#4a4a4a", "many": "#8a8a8a", "none": BAD,
    "about": "#ffc83d", "changed": "#e69f00", "refuted": "#ff9a8d", "path": "#d55e00",
}  # fmt: skip
_LEGEND = {"about": "decision", "changed": "other values than before", "refuted": "refuted"}
# In pixels: the height of what stands above the board, of a line below it, and the space at the sides.
_HEAD, _LINE, _MARGIN = 70, 18, 10


@dataclass(frozen=True)
class _Board:
    """The instance without a solution; lengths are in points, from the top left corner."""

    svg: str
    image: Image.Image
    scale: float  # Pixels of the image to the point.
    places: Mapping[Unknown, tuple[float, float]]  # The middles of the unknowns.
    room: float  # How wide and high what is written of an unknown may be.
    cells: bool  # Whether unknowns are square cells.
    digits: bool  # Whether all values are digits from 1 to 9.
    givens: frozenset[Unknown]


def write_pictures(folder: Path, tree: SearchTree, instance: Instance, row: Row, most: int) -> None:
    """Writes the files, with at most so many frames; without scripts the page shows the last one.

    Raises PuzzleError if the puzzle cannot draw the instance.
    """
    search = f"{row.backend}:{row.solver} {row.formulation}, {row.task}"
    title = f"{instance.title}: {search}"
    drawn, place = draw_tree(tree, "\n".join(filter(None, (title, at_the_root(row)))))
    (folder / "tree.svg").write_text(drawn.svg, encoding="utf-8")
    (folder / "tree.png").write_bytes(drawn.png)
    frames = frames_of(tree, most, row.trajectory)
    views = [frame.view for frame in frames]
    board = catalogue.call(instance.puzzle_name, "draw", lambda: _board_of(instance.puzzle, views))
    _write_gif(folder / "search.gif", frames, board, title)
    last = BytesIO()
    _paint(frames[-1], board, search).quantize(64).save(last, "png")
    data = {"tree": place, **_data_of(frames, board)}
    page = templates(Path(__file__).parent).get_template("search.html")
    text = page.render(
        title=instance.title,
        search=search,
        findings=findings(tree, row),
        board=Markup(board.svg),
        last=b64encode(last.getvalue()).decode(),
        tree=inline(drawn),
        colours=_COLOURS,
        legend=_LEGEND,
        frames=len(frames),
        data=htmlsafe_json_dumps(data, json.dumps, separators=(",", ":")),
    )
    (folder / "search.html").write_text(text, encoding="utf-8")


def _board_of(puzzle: Puzzle, views: Sequence[View]) -> _Board:
    """Draws the instance, and finds where on it the unknowns of these views are."""
    unknowns = dict.fromkeys(unknown for view in views for unknown in unknowns_of(view))
    values = {value for view in views for left in view.left.values() for value in left}
    cells = not isinstance(puzzle, Placed)
    position = puzzle.position if isinstance(puzzle, Placed) else lambda cell: (cell[1] + 0.5, cell[0] + 0.5)
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(_WIDTH, _WIDTH), layout="constrained")
        axes = figure.subplots()
        puzzle.draw(axes, None)
        axes.set_autoscale_on(False)
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        figure.set_size_inches(_WIDTH, _WIDTH * min(1.6, max(0.3, abs((top - bottom) / (right - left)))))
        figure.set_dpi(72)
        picture = render(figure, "board")
        # The layout is found; all else has to keep to it.
        figure.set_layout_engine("none")
        height = figure.get_size_inches()[1] * 72
        points = [axes.transData.transform(position(unknown)) for unknown in unknowns]
        places = {each: (float(x), float(height - y)) for each, (x, y) in zip(unknowns, points, strict=True)}
        unit = abs(axes.transData.transform((1, 0))[0] - axes.transData.transform((0, 0))[0])
        room = float(unit) if cells else _spacing(list(places.values()))
        scale = min(1.7, max(1.3, 44 / room))
        image = Image.open(BytesIO(png_of(figure, 72 * scale))).convert("RGB")
    digits = all(isinstance(value, int) and 1 <= value <= _MOST_VALUES for value in values)
    givens = frozenset(puzzle.givens) if isinstance(puzzle, WithGivens) else frozenset()
    return _Board(picture, image, scale, places, room, cells, digits, givens)


def _spacing(places: Sequence[tuple[float, float]]) -> float:
    """How far three of four places are at least from the nearest other one, at most _LARGEST."""
    distances = sorted(min(dist(a, b) for b in places if b != a) for a in places if len(set(places)) > 1)
    return min(_LARGEST, distances[len(distances) // 4]) if distances else _LARGEST


def _marks(values: Sequence[int | str], board: _Board) -> list[tuple[float, float, float, str, str]]:
    """What is written of an unknown that has these values left; each of nine digits has its own place.

    Returns:
        Of each text its distance from the middle of the unknown, to the right and down, its height (in
        points), the text, and its kind: `found` for the value of a decided unknown, `left` for one of
        several, `many` for their number, `none` if there is no value left.
    """
    room, texts = board.room, [str(value) for value in values]
    if not values:
        return [(0, 0, 0.5 * room, "×", "none")]
    if len(values) == 1:
        return [(0, 0, room * min(0.46, 1.2 / len(texts[0])), texts[0], "found")]
    if len(values) > _MOST_VALUES:
        return [(0, 0, 0.26 * room, f"({len(values)})", "many")]
    columns = 3 if board.digits or len(values) > 4 else 2
    slots = [int(value) - 1 for value in values] if board.digits else range(len(values))
    rows = columns if board.digits else ceil(len(values) / columns)
    step = 0.84 * room / columns
    size = min(0.8 * step, 1.35 * step / max(map(len, texts)))
    middles = [(slot % columns - (columns - 1) / 2, slot // columns - (rows - 1) / 2) for slot in slots]
    return [(x * step, y * step, size, text, "left") for (x, y), text in zip(middles, texts, strict=True)]


def _write_gif(path: Path, frames: Sequence[Frame], board: _Board, title: str) -> None:
    lines = max(len(_note_lines(frame, board)) for frame in frames)
    images = [_paint(frame, board, title, lines) for frame in frames]
    # One palette for all, made of some: what does not change costs nothing.
    some = images[:: max(1, len(images) // 6)] + images[-1:]
    sample = Image.fromarray(np.vstack([np.asarray(image) for image in some]))
    palette = sample.quantize(128, Image.Quantize.MAXCOVERAGE)
    flat = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    # In milliseconds: all together about half a minute, and the last one for itself 5 s.
    each = min(900, max(200, 30_000 // len(flat)))
    times = [each * (2 if frame.caption else 1) for frame in frames[:-1]] + [5_000]
    flat[0].save(path, save_all=True, append_images=flat[1:], duration=times, loop=0, optimize=False)


def _paint(frame: Frame, board: _Board, title: str, lines: int = 0) -> Image.Image:
    """A frame as a picture: the node's facts, the board with what is known there, room for lines of notes."""
    notes = _note_lines(frame, board)
    lines = max(lines, len(notes))
    width, height = board.image.size
    image = Image.new("RGB", (width + 2 * _MARGIN, _HEAD + height + _LINE * (lines + 2) + _MARGIN), "white")
    image.paste(board.image, (_MARGIN, _HEAD))
    # Colours are multiplied, so that what is printed there stays readable.
    image = ImageChops.multiply(image, _paint_fields(image.size, frame, board))
    draw = ImageDraw.Draw(image)
    _paint_known(draw, frame, board)
    draw.text((_MARGIN, 8), frame.place, INK, _font(14))
    draw.text((_MARGIN, 28), frame.decision, INK, _font(15, True))
    after = _MARGIN + _font(15, True).getlength(f"{frame.decision}  ")
    draw.text((after, 28), frame.outcome, BAD if frame.outcome == "refuted" else "#1c7a33", _font(15, True))
    draw.text((_MARGIN, 50), frame.caption, MUTED, _font(12))
    for k, text in enumerate(notes):
        draw.text((_MARGIN, _HEAD + height + _LINE * k), text, INK, _font(13))
    x, foot = float(_MARGIN), _HEAD + height + _LINE * lines + 2
    for field, text in _LEGEND.items():
        fill = None if field == "changed" else _COLOURS[field]
        draw.rectangle((x, foot, x + 12, foot + 12), fill, _COLOURS[field], 2)
        draw.text((x + 18, foot), text, INK, _font(11))
        x += 34 + _font(11).getlength(text)
    draw.text((_MARGIN, foot + _LINE), title, MUTED, _font(11))
    return image


@cache
def _font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    weight = "bold" if bold else "normal"
    return ImageFont.truetype(findfont(FontProperties(family=FONT, weight=weight)), max(6, size))


def _note_lines(frame: Frame, board: _Board) -> list[str]:
    """The notes in lines as wide as the board; a character has about 8 pixels."""
    most = board.image.width // 8
    return [line for note in frame.view.notes for line in textwrap.wrap(note, most) or [""]]


def _paint_fields(size: tuple[int, int], frame: Frame, board: _Board) -> Image.Image:
    """The fields that are new, or that the decision names, on white: cells as squares, others as circles."""
    radius = 0.5 * board.room * board.scale * (0.92 if board.cells else 0.9)
    side = round(2 * radius) - 1
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    paint_field = draw.rectangle if board.cells else draw.ellipse
    for unknown, field in frame.fields.items():
        x, y = _pixels(unknown, board)
        left, top = round(x - radius), round(y - radius)
        fill = None if field == "changed" else _COLOURS[field]
        paint_field((left, top, left + side, top + side), fill, _COLOURS[field], 2)
    return image


def _paint_known(draw: ImageDraw.ImageDraw, frame: Frame, board: _Board) -> None:
    """Draws a walk as a line, with a circle where it is now, and writes the values left."""
    walk = [_pixels(unknown, board) for unknown in frame.view.path]
    for a, b in pairwise(walk):
        draw.line((*a, *b), _COLOURS["path"], 2)
    radius = 0.14 * board.room * board.scale
    for x, y in walk[-1:]:
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=_COLOURS["path"], width=3)
    # With a halo where an edge of a graph may lie below.
    halo = 0 if board.cells else 2
    for unknown, values in frame.view.left.items():
        if unknown not in board.givens:
            x, y = _pixels(unknown, board)
            for right, down, size, text, kind in _marks(values, board):
                at, font = (x + right * board.scale, y + down * board.scale), _font(round(size * board.scale))
                draw.text(at, text, _COLOURS[kind], font, "mm", stroke_width=halo, stroke_fill="white")


def _pixels(unknown: Unknown, board: _Board) -> tuple[float, float]:
    """Where an unknown is in a painted frame."""
    x, y = board.places[unknown]
    return _MARGIN + x * board.scale, _HEAD + y * board.scale


def _data_of(frames: Sequence[Frame], board: _Board) -> Mapping[str, Any]:
    """What the script of the page draws: unknowns and what is written of each, by their numbers."""
    numbers = {unknown: k for k, unknown in enumerate(board.places)}
    looks: dict[tuple[int | str, ...], int] = {}
    shown = []
    for frame in frames:
        left = {u: tuple(values) for u, values in frame.view.left.items() if u not in board.givens}
        drawn = {
            "notes": list(frame.view.notes),
            "path": [numbers[u] for u in frame.view.path],
            "fields": [[numbers[u], field] for u, field in frame.fields.items()],
            "written": [looks.setdefault(left[u], len(looks)) if u in left else -1 for u in numbers],
        }
        facts = ("number", "depth", "place", "decision", "outcome", "caption")
        shown.append(drawn | {name: getattr(frame, name) for name in facts})
    return {
        "room": round(board.room, 2),
        "cells": board.cells,
        "places": [[round(x, 2), round(y, 2)] for x, y in board.places.values()],
        "looks": [
            [[round(x, 2), round(y, 2), round(size, 2), text, kind] for x, y, size, text, kind in written]
            for written in (_marks(values, board) for values in looks)
        ],
        "frames": shown,
    }
