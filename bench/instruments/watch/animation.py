"""The animated picture of a search (GIF): the board with what is known at each node, painted in pixels."""

import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from matplotlib.font_manager import FontProperties, findfont
from PIL import Image, ImageChops, ImageDraw, ImageFont

from bench.analysis.plots.style import BAD, FONT, INK, MUTED
from bench.instruments.watch.board import Board, marks
from bench.instruments.watch.frames import Frame
from models.shared.search import Unknown

COLOURS = {
    "found": "#1f4e9c", "left": "#4a4a4a", "many": "#8a8a8a", "none": BAD,
    "about": "#ffc83d", "changed": "#e69f00", "refuted": "#ff9a8d", "path": "#d55e00",
}  # fmt: skip
"""Of marks by their kind, and of fields: `changed` is an outline, the others are filled."""

_OUTCOMES = {"refuted": BAD, "solution": "#1c7a33"}
"""Of what became of a node."""

LEGEND = {
    "about": "decision",
    "changed": "other values than before",
    "refuted": "refuted",
}
"""What the colours of fields mean."""

_LONGEST_MS, _SHORTEST_MS, _ALL_MS, _LAST_MS = 900, 200, 30_000, 5_000
"""How long a frame is shown: all together about _ALL_MS, and the last one for itself _LAST_MS."""

HEAD, LINE, _MARGIN = 70, 18, 10
"""In pixels: the height of what stands above the board, of a line below it, and the space at the sides."""

_NOTE_CHARACTER = 8
"""About the width of a character of a note in pixels."""

PALETTE = 128


@cache
def _font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    weight = "bold" if bold else "normal"
    return ImageFont.truetype(findfont(FontProperties(family=FONT, weight=weight)), max(6, size))


def write_gif(path: Path, frames: Sequence[Frame], board: Board, total: int, title: str) -> None:
    """Writes the animated picture.

    Args:
        total: how many nodes the search has.
        title: the instance and the search, in a line.
    """
    lines = max(len(note_lines(frame, board)) for frame in frames)
    images = [paint(frame, board, total, title, lines) for frame in frames]
    # One palette for all, made of some: what does not change costs nothing.
    some = images[:: max(1, len(images) // 6)] + images[-1:]
    sample = Image.new("RGB", (images[0].width, images[0].height * len(some)))
    for k, image in enumerate(some):
        sample.paste(image, (0, k * image.height))
    palette = sample.quantize(PALETTE, Image.Quantize.MAXCOVERAGE)
    flat = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    each = min(_LONGEST_MS, max(_SHORTEST_MS, _ALL_MS // len(flat)))
    times = [each * (2 if frame.skipped else 1) for frame in frames[:-1]] + [_LAST_MS]
    flat[0].save(path, save_all=True, append_images=flat[1:], duration=times, loop=0, optimize=False)


def paint(frame: Frame, board: Board, total: int, title: str, lines: int = 0) -> Image.Image:
    """Returns a frame as a picture: the node's facts, the board with what is known there, notes."""
    width, height = board.image.size
    image = Image.new("RGB", (width + 2 * _MARGIN, HEAD + height + LINE * (lines + 2) + _MARGIN), "white")
    image.paste(board.image, (_MARGIN, HEAD))
    _paint_fields(image, frame, board)
    draw = ImageDraw.Draw(image)
    walk = [pixels(board.places[unknown], board) for unknown in frame.view.path if unknown in board.places]
    _paint_walk(draw, walk, board)
    _paint_values(draw, frame, board)
    _paint_head(draw, frame, total)
    for k, text in enumerate(note_lines(frame, board)):
        draw.text((_MARGIN, HEAD + height + LINE * k), text, INK, _font(13))
    foot = HEAD + height + LINE * lines
    _paint_legend(draw, _MARGIN, foot + 2)
    draw.text((_MARGIN, foot + LINE + 2), title, MUTED, _font(11))
    return image


def note_lines(frame: Frame, board: Board) -> list[str]:
    """Returns the notes in lines as wide as the board."""
    most = board.image.width // _NOTE_CHARACTER
    return [line for note in frame.view.notes for line in textwrap.wrap(note, most) or [""]]


def _paint_values(draw: ImageDraw.ImageDraw, frame: Frame, board: Board) -> None:
    """Writes the values left; with a halo where an edge of a graph may lie below them."""
    halo = 0 if board.cells else 2
    for unknown, values in frame.view.left.items():
        if unknown in board.places and unknown not in board.givens:
            x, y = pixels(board.places[unknown], board)
            for mark in marks(values, board):
                at = x + mark.x * board.scale, y + mark.y * board.scale
                of_size = _font(round(mark.size * board.scale))
                draw.text(
                    at, mark.text, COLOURS[mark.kind], of_size, "mm", stroke_width=halo, stroke_fill="white"
                )


def _paint_head(draw: ImageDraw.ImageDraw, frame: Frame, total: int) -> None:
    """Writes what stands above the board: where the node is, its decision, which nodes are skipped."""
    place = f"depth {frame.node.depth:,}, node {frame.number:,} of {total:,}"
    draw.text((_MARGIN, 8), f"{place}, refuted so far: {frame.failures:,}", INK, _font(14))
    draw.text((_MARGIN, 28), frame.decision, INK, _font(15, True))
    after = _MARGIN + _font(15, True).getlength(f"{frame.decision}  ")
    draw.text((after, 28), frame.outcome, _OUTCOMES.get(frame.outcome, INK), _font(15, True))
    draw.text((_MARGIN, 50), frame.caption, MUTED, _font(12))


def _paint_legend(draw: ImageDraw.ImageDraw, x: float, y: float) -> None:
    """Draws what the colours of fields mean, in a line."""
    for field, text in LEGEND.items():
        fill = "white" if field == "changed" else COLOURS[field]
        draw.rectangle((x, y, x + 12, y + 12), fill, COLOURS[field], 2)
        draw.text((x + 18, y), text, INK, _font(11))
        x += 34 + _font(11).getlength(text)


def _field_of(frame: Frame, unknown: Unknown) -> str:
    """Returns how the field of an unknown is marked in a frame; empty if it is not."""
    if unknown in frame.about:
        return "refuted" if frame.outcome == "refuted" else "about"
    if unknown in frame.view.left and not frame.view.left[unknown]:
        return "refuted"
    return "changed" if unknown in frame.changed else ""


def fields_of(frame: Frame) -> Mapping[Unknown, str]:
    """Returns how fields are marked in a frame, of those that are."""
    unknowns = dict.fromkeys([*frame.view.left, *frame.view.path])
    return {unknown: field for unknown in unknowns if (field := _field_of(frame, unknown))}


def _paint_fields(image: Image.Image, frame: Frame, board: Board) -> None:
    """Marks the fields that are new, or that the decision names: cells as squares, others as circles."""
    radius = 0.5 * board.room * board.scale * (0.92 if board.cells else 0.9)
    side = round(2 * radius)
    for unknown, field in fields_of(frame).items():
        if unknown not in board.places:
            continue
        x, y = pixels(board.places[unknown], board)
        left, top = round(x - radius), round(y - radius)
        mask = Image.new("L", (side, side))
        shape = ImageDraw.Draw(mask)
        paint_field = shape.rectangle if board.cells else shape.ellipse
        fill, outline = (0, 255) if field == "changed" else (255, 255)
        paint_field((0, 0, side - 1, side - 1), fill, outline, width=2)
        # Colours are multiplied, so that what is printed there stays readable.
        below = image.crop((left, top, left + side, top + side))
        tinted = ImageChops.multiply(below, Image.new("RGB", below.size, COLOURS[field]))
        image.paste(tinted, (left, top), mask)


def _paint_walk(draw: ImageDraw.ImageDraw, walk: Sequence[tuple[float, float]], board: Board) -> None:
    """Draws a walk as a line, with a circle where it is now."""
    colour, radius = COLOURS["path"], 0.14 * board.room * board.scale
    for a, b in pairwise(walk):
        draw.line((*a, *b), colour, 2)
    for x, y in walk[-1:]:
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=colour, width=3)


def pixels(place: tuple[float, float], board: Board) -> tuple[float, float]:
    """Returns where a place on the board is in a painted frame."""
    return _MARGIN + place[0] * board.scale, HEAD + place[1] * board.scale
