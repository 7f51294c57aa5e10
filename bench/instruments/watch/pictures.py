"""Draws a watched search: search.gif, search.html, tree.svg and tree.png in one folder."""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import jinja2
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from bench import catalogue
from bench.analysis.plots.drawing import inline
from bench.campaign.results import Row
from bench.catalogue import Instance
from bench.instruments.watch.animation import COLOURS, LEGEND, Board, board_of, marks, paint, write_gif
from bench.instruments.watch.icicle import draw_tree
from bench.instruments.watch.tree import Frame, SearchTree, at_the_root, findings, frames_of
from models.shared.search import Unknown

_TEMPLATES = [Path(__file__).parent, Path(__file__).parents[2] / "report" / "page"]
"""The page's own files, and the look that it shares with the report."""


def write_pictures(folder: Path, tree: SearchTree, instance: Instance, row: Row, most: int) -> Iterator[Path]:
    """Yields each file when it is written; without scripts the page shows the last frame and the tree.

    Args:
        most: so many frames at most.

    Raises:
        PuzzleError: if the puzzle cannot draw the instance.
    """
    search = f"{row.backend}:{row.solver} {row.formulation}, {row.task}"
    title = f"{instance.title}: {search}"
    drawn, place = draw_tree(tree, "\n".join(filter(None, (title, at_the_root(row)))))
    for name, content in (("tree.svg", drawn.svg.encode()), ("tree.png", drawn.png)):
        (folder / name).write_bytes(content)
        yield folder / name
    frames, total = frames_of(tree, most), len(tree.nodes)
    views = [frame.view for frame in frames]
    board = catalogue.call(instance.puzzle_name, "draw", lambda: board_of(instance.puzzle, views))
    write_gif(folder / "search.gif", frames, board, total, title)
    yield folder / "search.gif"
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES), undefined=jinja2.StrictUndefined,
        autoescape=True, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    last = BytesIO()
    paint(frames[-1], board, total, search).quantize(64).save(last, "png")
    data = {"total": total, "tree": place, **_data_of(frames, board)}
    page = environment.get_template("search.html").render(
        title=instance.title,
        search=search,
        findings=findings(tree, row),
        board=Markup(board.svg),
        last=b64encode(last.getvalue()).decode(),
        tree=inline(drawn),
        colours=COLOURS,
        legend=LEGEND,
        frames=len(frames),
        data=htmlsafe_json_dumps(data, json.dumps, separators=(",", ":")),
    )
    (folder / "search.html").write_text(page, encoding="utf-8")
    yield folder / "search.html"


def _data_of(frames: Sequence[Frame], board: Board) -> Mapping[str, Any]:
    """What the script of the page draws: unknowns and what is written of one, by their numbers.

    Of each frame it has the unknowns that are written otherwise than in the frame before.
    """
    numbers = {unknown: k for k, unknown in enumerate(board.places)}
    looks: dict[tuple[int | str, ...], int] = {}
    before: dict[Unknown, tuple[int | str, ...]] = {}
    shown = []
    for frame in frames:
        left = frame.view.left.items()
        now = {u: tuple(values) for u, values in left if u in numbers and u not in board.givens}
        written = [(u, now.get(u)) for u in {**before, **now} if before.get(u) != now.get(u)]
        shown.append(
            {
                "number": frame.number,
                "depth": frame.depth,
                "decision": frame.decision,
                "refuted": frame.failures,
                "outcome": frame.outcome,
                "caption": frame.caption,
                "notes": list(frame.view.notes),
                "path": [numbers[u] for u in frame.view.path if u in numbers],
                "fields": [[numbers[u], field] for u, field in frame.fields.items() if u in numbers],
                "written": [
                    [numbers[u], -1 if values is None else looks.setdefault(values, len(looks))]
                    for u, values in written
                ],
            }
        )
        before = now
    return {
        "room": round(board.room, 2),
        "cells": board.cells,
        "places": [[round(x, 2), round(y, 2)] for x, y in board.places.values()],
        "looks": [
            [[round(x, 2), round(y, 2), round(size, 2), text, kind] for x, y, size, text, kind in written]
            for written in (marks(values, board) for values in looks)
        ],
        "frames": shown,
    }
