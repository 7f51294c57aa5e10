"""The picture of a search tree: depth downwards, and from left to right the order of the search.

A subtree is as wide as it has nodes; those that are too narrow to be seen are drawn together.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator

from bench.analysis.plots.drawing import Drawn, png_of, render
from bench.analysis.plots.style import INK, LOOK, MUTED, tag
from bench.instruments.watch.tree import SearchTree

_WIDTH = 9.0  # Inches.
_NARROW = 1 / 300  # Subtrees narrower than this share of the picture are drawn together.
_SHADES = 6  # The number of colours for shares of nodes that are refuted.
_TO_FIRST, _TO_OTHER, _OPEN = "#0072b2", "#a9cfe8", "#c9c9c9"
# Text on dark blocks and on light ones; not PAPER, which follows the reader's scheme.
_LIGHT, _DARK = "#fffffe", "#111111"
_WASTED = LinearSegmentedColormap.from_list("wasted", ["#fbe3c8", "#e9893f", "#8c1c00"])


class _Block(NamedTuple):
    """A subtree, or narrow ones side by side at one depth: the nodes from `start` to before `end`."""

    depth: int
    start: int
    end: int
    colour: str


def blocks(tree: SearchTree) -> Iterator[_Block]:
    """What is drawn of a tree."""
    goal = tree.first_solution
    first = set() if goal is None else set(tree.path_to(goal))
    unfinished = tree.left_open
    rows: dict[int, list[int]] = defaultdict(list)
    for i, node in enumerate(tree.nodes):
        rows[node.depth].append(i)

    def block(depth: int, row: list[int]) -> _Block:
        nodes, refuted = sum(tree.sizes[i] for i in row), sum(tree.failures[i] for i in row)
        if not first.isdisjoint(row):
            colour = _TO_FIRST
        elif any(tree.solutions[i] for i in row):
            colour = _TO_OTHER
        elif not unfinished.isdisjoint(row):
            colour = _OPEN
        else:
            colour = _wasted(refuted / nodes)
        return _Block(depth, row[0], row[-1] + tree.sizes[row[-1]], colour)

    narrow = _NARROW * len(tree.nodes)
    for depth, (first_of_row, *others) in rows.items():
        together = [first_of_row]
        for i in others:
            if tree.sizes[i] >= narrow or i - together[0] >= narrow:
                yield block(depth, together)
                together = []
            together.append(i)
        yield block(depth, together)


def _wasted(share: float) -> str:
    """The colour of nodes without a solution, by the share of them that is refuted."""
    return to_hex(_WASTED(round(share * (_SHADES - 1)) / (_SHADES - 1)))


def draw_tree(tree: SearchTree, title: str) -> tuple[Drawn, Mapping[str, float]]:
    """The picture, and where nodes are in it, in points.

    Node n lies x + n * across from the left, and depth d lies y + d * down from the top.
    """
    total, depths = len(tree.nodes), tree.deepest + 1
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(_WIDTH, min(6.5, 1.7 + 0.3 * depths)), layout="constrained")
        axes = figure.subplots()
        axes.set(xlim=(0.5, total + 0.5), ylim=(depths - 0.5, -0.5))
        axes.set(xlabel="nodes, in the order of the search", ylabel="depth")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=12, min_n_ticks=1))
        axes.set_title(title, loc="left")
        _draw_blocks(axes, tree)
        if (goal := tree.first_solution) is not None:
            way = tree.path_to(goal)
            axes.plot([i + 0.5 for i in way], [tree.nodes[i].depth for i in way], color=INK, linewidth=1.1)
            end = goal + 0.5, tree.nodes[goal].depth
            axes.plot(*end, "*", color=INK, markersize=13, markeredgecolor="white", clip_on=False)
        axes.tick_params(length=0)
        figure.legend(handles=_legend(tree), loc="outside lower left", ncols=3, frameon=False, fontsize=8)
        figure.set_dpi(72)
        text = render(figure, "tree")
        figure.set_layout_engine("none")
        (x0, y0), (x1, y1) = axes.transData.transform([(0, 0), (1, 1)])
        y = float(72 * figure.get_size_inches()[1] - y0)
        place = {"x": float(x0), "across": float(x1 - x0), "y": y, "down": float(y0 - y1)}
        return Drawn("tree", text, png_of(figure)), place


def _draw_blocks(axes: Axes, tree: SearchTree) -> None:
    """Draws wide subtrees with an edge and a tooltip; all narrow blocks of one colour as one shape."""
    shapes: dict[str, list[Path]] = defaultdict(list)
    point = _WIDTH * 66 / len(tree.nodes)
    for each in blocks(tree):
        i, x, width = each.start, each.start + 0.5, each.end - each.start
        box = Rectangle((x, each.depth - 0.5), width, 1, facecolor=each.colour, edgecolor="white")
        # Blocks of several subtrees are no wider.
        if width < 2 * _NARROW * len(tree.nodes):
            shapes[each.colour].append(box.get_path().transformed(box.get_patch_transform()))
            continue
        text = tree.nodes[i].decision or "root"
        box.set_linewidth(min(1.0, width * point / 12, 25 / (tree.deepest + 1)))
        below = f"{tree.sizes[i]:,} in its subtree, {tree.failures[i]:,} of them refuted"
        tag(axes.add_patch(box), f"{text}: node {i + 1:,}, {below}")
        if width * point > 5.0 * len(text) + 8 and tree.deepest < 20:
            light = each.colour in (_TO_OTHER, _OPEN, *map(_wasted, (0, 0.2, 0.4)))
            ink = _DARK if light else _LIGHT
            axes.text(x + width / 2, each.depth, text, color=ink, fontsize=8, ha="center", va="center")
    for colour, paths in shapes.items():
        shape = Path.make_compound_path(*paths)
        axes.add_patch(PathPatch(shape, facecolor=colour, edgecolor=colour, linewidth=0.3))


def _legend(tree: SearchTree) -> list[Patch | Line2D]:
    """What the colours mean that the picture has."""
    goal = tree.first_solution
    found: list[Patch | Line2D] = []
    if goal is not None:
        label = f"way to the first solution, node {goal + 1:,}"
        found.append(Line2D([], [], color=INK, marker="*", markersize=9, linewidth=1.1, label=label))
        found.append(Patch(color=_TO_FIRST, label="subtree with the first solution"))
    if sum(node.solution for node in tree.nodes) > 1:
        found.append(Patch(color=_TO_OTHER, label="subtree with another solution"))
    if goal is None and tree.left_open:
        found.append(Patch(color=_OPEN, label="not finished"))
    if tree.failed:
        found.append(Patch(color=_wasted(0.4), label="no solution; darker: more of its nodes are refuted"))
        found.append(Patch(color=_wasted(1), label="refuted itself"))
    return found or [Patch(color=MUTED, label="nothing is refuted")]
