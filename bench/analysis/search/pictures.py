"""Draws a watched search: search.gif, search.html, tree.svg and tree.png in one folder."""

from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl

from bench import catalogue
from bench.analysis.plots import svg
from bench.analysis.plots.drawing import Drawn, png_of
from bench.analysis.plots.style import LOOK
from bench.analysis.search.animation import write_gif
from bench.analysis.search.board import board_of
from bench.analysis.search.findings import at_the_root, findings
from bench.analysis.search.frames import frames_of
from bench.analysis.search.icicle import draw_tree
from bench.analysis.search.page import TreePlace, Words, make_page
from bench.analysis.search.tree import SearchTree
from bench.campaign.results import Row
from bench.catalogue import Instance
from bench.catalogue.errors import PuzzleError


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
    drawn, place = drawn_tree(tree, title, root)
    for name, content in (("tree.svg", drawn.svg.encode()), ("tree.png", drawn.png)):
        (folder / name).write_bytes(content)
        yield folder / name
    frames = frames_of(tree, most)
    total = len(tree.nodes)
    try:
        board = board_of(instance.puzzle, [frame.view for frame in frames])
    except Exception as error:
        blamed = catalogue.blamed(error, instance.puzzle_name, "puzzle")
        raise PuzzleError(instance.puzzle_name, f"no picture: {blamed}") from error
    write_gif(folder / "search.gif", frames, board, total, title)
    yield folder / "search.gif"
    words = Words(instance.title, search, [line for line in (root, *findings(tree, row)) if line])
    page = make_page(words, frames, board, drawn, place, total)
    (folder / "search.html").write_text(page, encoding="utf-8")
    yield folder / "search.html"


def drawn_tree(tree: SearchTree, title: str, root: str) -> tuple[Drawn, TreePlace]:
    """Returns the picture of the tree, and where nodes are in it."""
    with mpl.rc_context(LOOK):
        figure = draw_tree(tree, title, root)
        figure.set_dpi(72)
        text = svg.render(figure, "tree")
        figure.set_layout_engine("none")
        (axes,) = figure.axes
        (x0, y0), (x1, y1) = axes.transData.transform([(0, 0), (1, 1)])
        height = 72 * figure.get_size_inches()[1]
        place = TreePlace(float(x0), float(x1 - x0), float(height - y0), float(y0 - y1))
        return Drawn("tree", text, png_of(figure)), place
