"""The frames of an animated search: which nodes are shown, and what is new at each of them."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from bench.instruments.watch.tree import SearchTree
from bench.trace import Node
from models.shared.search import Unknown, View

_PLACE = re.compile(r"\brow (\d+)(?:, column (\d+))?")
"""A cell, or a row, in the words of a decision."""


@dataclass(frozen=True)
class Frame:
    """A node as it is shown.

    Attributes:
        number: of the node, from 1.
        failures: how many nodes were refuted up to this one.
        skipped: the numbers of the first and the last node that are left out before it.
        about: the unknowns that its decision names.
        changed: the unknowns that have other values than in the frame before.
    """

    number: int
    node: Node
    view: View
    failures: int
    skipped: tuple[int, int] | None
    about: Set[Unknown]
    changed: Set[Unknown]

    @property
    def decision(self) -> str:
        """What was assumed there, in words."""
        return self.node.decision or "propagation at the root"

    @property
    def outcome(self) -> str:
        """What became of the node; empty if the search goes on below it."""
        if self.node.solution:
            return "solution"
        return "" if self.node.consistent else "refuted"

    @property
    def caption(self) -> str:
        """The line that says which nodes are left out; empty if there are none."""
        if not self.skipped:
            return ""
        first, last = self.skipped
        return f"node {first:,} skipped" if first == last else f"nodes {first:,} to {last:,} skipped"


def frames_of(tree: SearchTree, most: int) -> list[Frame]:
    """Returns at most so many frames of a search."""
    chosen = _chosen_nodes(tree, most)
    failures = [0]
    for node in tree.nodes:
        failures.append(failures[-1] + (not node.consistent))
    frames = []
    before: Mapping[Unknown, Sequence[int | str]] = {}
    for last, i in pairwise([-1, *chosen]):
        node = tree.nodes[i]
        view = node.view or View()
        changed = {unknown for unknown, values in view.left.items() if before.get(unknown, values) != values}
        skipped = (last + 2, i) if i > last + 1 else None
        about = _named_in(node.decision, {*view.left, *view.path})
        frames.append(Frame(i + 1, node, view, failures[i + 1], skipped, about, changed))
        before = view.left
    return frames


def _chosen_nodes(tree: SearchTree, most: int) -> list[int]:
    """Returns the nodes that are shown, in order.

    All if they are few. Else the first ones, then the way to the first solution with what the search tries
    beside it, as far as there is room; without a solution the last nodes.
    """
    seen = [i for i, node in enumerate(tree.nodes) if node.view]
    if len(seen) <= most:
        return seen
    goal = tree.first_solution
    if goal is None or tree.nodes[goal].view is None:
        chosen = {*seen[: most - most // 3], *seen[len(seen) - most // 3 :]}
        return sorted(chosen)
    way = [i for i in tree.path_to(goal) if tree.nodes[i].view]
    if goal < most:
        return seen[:most]
    chosen = set(way[-most:])
    beside = [i for i in seen if tree.parents[i] in chosen and i < goal]
    # The beginning gets half of the room, what is tried beside the way the rest, its end first.
    for i in [*seen[: most // 2], *reversed(beside), *seen]:
        if len(chosen) == most:
            break
        chosen.add(i)
    return sorted(chosen)


def _named_in(decision: str, unknowns: Set[Unknown]) -> set[Unknown]:
    """Returns the unknowns that a decision names: a cell, all cells of a row, or an edge (`edge A-B: 7`)."""
    if found := _PLACE.search(decision):
        row, column = int(found[1]) - 1, found[2] and int(found[2]) - 1
        return {cell for cell in unknowns if cell[0] == row and column in (None, cell[1])}
    name = decision.partition(":")[0].removeprefix("edge ")
    return {unknown for unknown in unknowns if name and name == "-".join(map(str, unknown))}
