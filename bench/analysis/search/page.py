"""search.html: a search on one page that needs nothing else, to be played and stepped through."""

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import jinja2
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from bench.analysis.plots.drawing import Drawn
from bench.analysis.plots.inline import inline
from bench.analysis.search.animation import COLOURS, LEGEND, fields_of, note_lines, paint
from bench.analysis.search.board import Board, marks
from bench.analysis.search.frames import Frame
from models.shared.search import Unknown

TEMPLATES = Path(__file__).parents[1] / "page"


@dataclass(frozen=True)
class TreePlace:
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


def make_page(
    words: Words, frames: Sequence[Frame], board: Board, tree: Drawn, place: TreePlace, total: int
) -> str:
    """Returns the page; without scripts it shows the last frame and the tree."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), undefined=jinja2.StrictUndefined,
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


def data_of(frames: Sequence[Frame], board: Board, place: TreePlace, total: int) -> dict[str, Any]:
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
