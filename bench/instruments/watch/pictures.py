"""Draws a watched search: search.gif, search.html, tree.svg and tree.png in one folder."""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import jinja2
import matplotlib as mpl
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from bench import catalogue
from bench.analysis.plots import svg
from bench.analysis.plots.drawing import Drawn, png_of
from bench.analysis.plots.inline import inline
from bench.analysis.plots.style import LOOK
from bench.campaign.results import Row
from bench.catalogue import Instance
from bench.instruments.watch.animation import COLOURS, LEGEND, fields_of, note_lines, paint, write_gif
from bench.instruments.watch.board import Board, board_of, marks
from bench.instruments.watch.findings import at_the_root, findings
from bench.instruments.watch.frames import Frame, frames_of
from bench.instruments.watch.icicle import draw_tree
from bench.instruments.watch.tree import SearchTree
from models.shared.search import Unknown

_TEMPLATES = [Path(__file__).parent, Path(__file__).parents[2] / "report" / "page"]
"""The page's own files, and the look that it shares with the report."""


@dataclass(frozen=True)
class _TreePlace:
    """Where nodes are in the picture of the tree, in points.

    Node n lies x + n * across from the left, and depth d lies y + d * down from the top.
    """

    x: float
    across: float
    y: float
    down: float


@dataclass(frozen=True)
class Words:
    """What the page says beside the pictures."""

    title: str
    subtitle: str
    findings: Sequence[str]


def _make_page(
    words: Words, frames: Sequence[Frame], board: Board, tree: Drawn, place: _TreePlace, total: int
) -> str:
    """Returns the page; without scripts it shows the last frame and the tree."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES), undefined=jinja2.StrictUndefined,
        autoescape=True, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    buffer = BytesIO()
    paint(frames[-1], board, total, words.subtitle, len(note_lines(frames[-1], board))).quantize(64).save(
        buffer, "png"
    )
    return environment.get_template("search.html").render(
        words=words,
        board=Markup(board.svg),
        last=b64encode(buffer.getvalue()).decode(),
        tree=inline(tree),
        colours=COLOURS,
        legend=LEGEND,
        total=total,
        frames=len(frames),
        data=htmlsafe_json_dumps(data_of(frames, board, place, total), json.dumps, separators=(",", ":")),
    )


def data_of(frames: Sequence[Frame], board: Board, place: _TreePlace, total: int) -> dict[str, Any]:
    """Returns what the script of the page draws: unknowns and what is written of one, by their numbers.

    Of each frame it has the unknowns that are written otherwise than in the frame before.
    """
    numbers = {unknown: k for k, unknown in enumerate(board.places)}
    looks: dict[tuple[int | str, ...], int] = {}
    before: dict[Unknown, tuple[int | str, ...]] = {}
    shown = []
    for frame in frames:
        now = {
            u: tuple(values)
            for u, values in frame.view.left.items()
            if u in numbers and u not in board.givens
        }
        written = [(u, now.get(u)) for u in {**before, **now} if before.get(u) != now.get(u)]
        shown.append(
            {
                "number": frame.number,
                "depth": frame.node.depth,
                "decision": frame.decision,
                "refuted": frame.failures,
                "outcome": frame.outcome,
                "caption": frame.caption,
                "notes": list(frame.view.notes),
                "path": [numbers[u] for u in frame.view.path if u in numbers],
                "fields": [[numbers[u], field] for u, field in fields_of(frame).items() if u in numbers],
                "written": [
                    [numbers[u], -1 if values is None else looks.setdefault(values, len(looks))]
                    for u, values in written
                ],
            }
        )
        before = now
    return {
        "total": total,
        "room": round(board.room, 2),
        "cells": board.cells,
        "places": [[round(x, 2), round(y, 2)] for x, y in board.places.values()],
        "looks": [
            [[round(m.x, 2), round(m.y, 2), round(m.size, 2), m.text, m.kind] for m in marks(values, board)]
            for values in looks
        ],
        "tree": vars(place),
        "frames": shown,
    }


def write_pictures(folder: Path, tree: SearchTree, instance: Instance, row: Row, most: int) -> Iterator[Path]:
    """Yields each file when it is written.

    Args:
        most: so many frames at most.

    Raises:
        PuzzleError: if the puzzle cannot draw the instance.
    """
    search = f"{row.backend}:{row.solver} {row.formulation}, {row.task}"
    title = f"{instance.title}: {search}"
    root = at_the_root(row)
    drawn, place = _drawn_tree(tree, title, root)
    for name, content in (("tree.svg", drawn.svg.encode()), ("tree.png", drawn.png)):
        (folder / name).write_bytes(content)
        yield folder / name
    frames = frames_of(tree, most)
    total = len(tree.nodes)
    views = [frame.view for frame in frames]
    board = catalogue.call(instance.puzzle_name, "draw", lambda: board_of(instance.puzzle, views))
    write_gif(folder / "search.gif", frames, board, total, title)
    yield folder / "search.gif"
    words = Words(instance.title, search, [line for line in (root, *findings(tree, row)) if line])
    page = _make_page(words, frames, board, drawn, place, total)
    (folder / "search.html").write_text(page, encoding="utf-8")
    yield folder / "search.html"


def _drawn_tree(tree: SearchTree, title: str, root: str) -> tuple[Drawn, _TreePlace]:
    """Returns the picture of the tree, and where nodes are in it."""
    with mpl.rc_context(LOOK):
        figure = draw_tree(tree, title, root)
        figure.set_dpi(72)
        text = svg.render(figure, "tree")
        figure.set_layout_engine("none")
        (axes,) = figure.axes
        (x0, y0), (x1, y1) = axes.transData.transform([(0, 0), (1, 1)])
        height = 72 * figure.get_size_inches()[1]
        place = _TreePlace(float(x0), float(x1 - x0), float(height - y0), float(y0 - y1))
        return Drawn("tree", text, png_of(figure)), place
