"""The picture of a search tree: depth downwards, and from left to right the order of the search.

A subtree is as wide as it has nodes, so the picture shows where a search spends them. Subtrees that are too
narrow to be seen are drawn together with those beside them.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator

from bench.analysis.plots.style import INK, LOOK, MUTED, tag
from bench.instruments.watch.tree import SearchTree

WIDTH = 9.0
"""Inches."""

_NARROW = 1 / 300
"""Subtrees narrower than this share of the picture are drawn together."""

SHADES = 6
"""So many colours tell apart which share of the nodes without a solution is refuted."""

_TO_FIRST, _TO_OTHER, OPEN = "#0072b2", "#a9cfe8", "#c9c9c9"
_LIGHT = "#fffffe"
"""White on dark blocks; not PAPER, which follows the reader's scheme."""
_WASTED = LinearSegmentedColormap.from_list("wasted", ["#fbe3c8", "#e9893f", "#8c1c00"])


@dataclass(frozen=True)
class Block:
    """Subtrees side by side at one depth, drawn as one; `node` if it is a single one."""

    depth: int
    start: int
    end: int
    colour: str
    node: int | None


def blocks(tree: SearchTree) -> Iterator[Block]:
    """Yields what is drawn of a tree."""
    goal = tree.first_solution
    first = set() if goal is None else set(tree.path_to(goal))
    unfinished = tree.left_open
    rows: dict[int, list[int]] = defaultdict(list)
    for i, node in enumerate(tree.nodes):
        rows[node.depth].append(i)

    def block(depth: int, row: list[int]) -> Block:
        nodes, refuted = sum(tree.sizes[i] for i in row), sum(tree.failures[i] for i in row)
        if not first.isdisjoint(row):
            colour = _TO_FIRST
        elif any(tree.solutions[i] for i in row):
            colour = _TO_OTHER
        elif not unfinished.isdisjoint(row):
            colour = OPEN
        else:
            colour = wasted(refuted / nodes)
        return Block(depth, row[0], row[-1] + tree.sizes[row[-1]], colour, row[0] if len(row) == 1 else None)

    narrow = _NARROW * len(tree.nodes)
    for depth, row in rows.items():
        together: list[int] = []
        for i in row:
            beside = together and i - (together[-1] + tree.sizes[together[-1]]) < narrow
            wide = tree.sizes[i] >= narrow
            if together and (wide or not beside or i - together[0] >= narrow):
                yield block(depth, together)
                together = []
            if wide:
                yield block(depth, [i])
            else:
                together.append(i)
        if together:
            yield block(depth, together)


def wasted(share: float) -> str:
    """Returns the colour of nodes without a solution, by the share of them that is refuted."""
    return to_hex(_WASTED(round(share * (SHADES - 1)) / (SHADES - 1)))


def draw_tree(tree: SearchTree, title: str, root: str) -> Figure:
    """Returns the picture.

    Args:
        title: the instance and the search.
        root: what propagation at the root achieves, in a sentence.
    """
    total, depths = len(tree.nodes), tree.deepest + 1
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, min(6.5, 1.7 + 0.3 * depths)), layout="constrained")
        axes = figure.subplots()
        axes.set(xlim=(0.5, total + 0.5), ylim=(depths - 0.5, -0.5))
        axes.set_xlabel("nodes, in the order of the search")
        axes.set_ylabel("depth")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=12, min_n_ticks=1))
        axes.set_title("\n".join(filter(None, (title, root))), loc="left")
        _draw_blocks(axes, tree)
        _draw_way(axes, tree)
        axes.tick_params(length=0)
        figure.legend(handles=legend(tree), loc="outside lower left", ncols=3, frameon=False, fontsize=8)
    return figure


def _draw_blocks(axes: Axes, tree: SearchTree) -> None:
    """Draws single subtrees with an edge, and a tooltip; all blocks of several of one colour as one shape."""
    shapes: dict[str, list[Path]] = defaultdict(list)
    point = WIDTH * 66 / len(tree.nodes)
    for each in blocks(tree):
        x, width = each.start + 0.5, each.end - each.start
        if each.node is None or width < 2 * _NARROW * len(tree.nodes):
            corners = [(x, each.depth - 0.5), (x + width, each.depth - 0.5), (x + width, each.depth + 0.5)]
            shapes[each.colour].append(Path([*corners, (x, each.depth + 0.5), (x, each.depth - 0.5)]))
            continue
        box = Rectangle((x, each.depth - 0.5), width, 1, facecolor=each.colour, edgecolor="white")
        box.set_linewidth(min(1.0, width * point / 12, 25 / (tree.deepest + 1)))
        tag(axes.add_patch(box), _words(tree, each.node))
        text = tree.nodes[each.node].decision or "root"
        if text and width * point > 5.0 * len(text) + 8 and tree.deepest < 20:
            light = each.colour in (_TO_OTHER, OPEN) or each.colour in map(wasted, (0, 0.2, 0.4))
            ink = "#111111" if light else _LIGHT
            axes.text(x + width / 2, each.depth, text, color=ink, fontsize=8, ha="center", va="center")
    for colour, paths in shapes.items():
        shape = Path.make_compound_path(*paths)
        axes.add_patch(PathPatch(shape, facecolor=colour, edgecolor=colour, linewidth=0.3))


def _draw_way(axes: Axes, tree: SearchTree) -> None:
    goal = tree.first_solution
    if goal is None:
        return
    way = tree.path_to(goal)
    axes.plot([i + 0.5 for i in way], [tree.nodes[i].depth for i in way], color=INK, linewidth=1.1)
    end = goal + 0.5, tree.nodes[goal].depth
    axes.plot(*end, "*", color=INK, markersize=13, markeredgecolor="white", clip_on=False)


def _words(tree: SearchTree, i: int) -> str:
    node = tree.nodes[i]
    facts = [f"node {i + 1:,}", f"{tree.sizes[i]:,} in its subtree", f"{tree.failures[i]:,} of them refuted"]
    return f"{node.decision or 'root'}: {', '.join(facts)}"


def legend(tree: SearchTree) -> list[Patch | Line2D]:
    """Returns what the colours mean, of those that the picture has."""
    goal = tree.first_solution
    found: list[Patch | Line2D] = []
    if goal is not None:
        label = f"way to the first solution, node {goal + 1:,}"
        found.append(Line2D([], [], color=INK, marker="*", markersize=9, linewidth=1.1, label=label))
        found.append(Patch(color=_TO_FIRST, label="subtree with the first solution"))
    if tree.solutions and sum(node.solution for node in tree.nodes) > 1:
        found.append(Patch(color=_TO_OTHER, label="subtree with another solution"))
    if goal is None and tree.left_open:
        found.append(Patch(color=OPEN, label="not finished"))
    if tree.failed:
        found.append(Patch(color=wasted(0.4), label="no solution; darker: more of its nodes are refuted"))
        found.append(Patch(color=wasted(1), label="refuted itself"))
    return found or [Patch(color=MUTED, label="nothing is refuted")]
