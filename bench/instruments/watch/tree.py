"""The tree of a watched search: its nodes, what it shows in sentences, and which nodes are frames."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from bench.analysis.units import are, plural
from bench.campaign.results import Row
from bench.contract import Task
from bench.trace import MOST_NODES, Node
from models.shared.search import Unknown, View


@dataclass(frozen=True)
class SearchTree:
    """The nodes of a search in its order, with facts of each; node i has the number i + 1."""

    nodes: Sequence[Node]
    parents: Sequence[int | None]  # The node above each; None for a root.
    sizes: Sequence[int]  # The number of nodes of its subtree, itself included.
    failures: Sequence[int]  # How many of these propagation refuted,
    solutions: Sequence[int]  # and how many are solutions.
    finished: bool  # Whether the search came to its end.

    @property
    def failed(self) -> int:
        """How many nodes were refuted."""
        return sum(not node.consistent for node in self.nodes)

    @property
    def deepest(self) -> int:
        """The greatest depth."""
        return max(node.depth for node in self.nodes)

    @property
    def first_solution(self) -> int | None:
        """The node of the first solution."""
        return next((i for i, node in enumerate(self.nodes) if node.solution), None)

    @property
    def left_open(self) -> set[int]:
        """The nodes whose subtrees are not complete, as the search ended there."""
        return set() if self.finished else set(self.path_to(len(self.nodes) - 1))

    @property
    def widest_wasted(self) -> int | None:
        """The root of the largest proper subtree that is complete and has no solution."""
        unknown = self.left_open
        nodes = (i for i, parent in enumerate(self.parents) if parent is not None and i not in unknown)
        return max((i for i in nodes if not self.solutions[i]), key=self.sizes.__getitem__, default=None)

    def path_to(self, i: int) -> list[int]:
        """The nodes from the root to a node."""
        path = [i]
        while (above := self.parents[path[-1]]) is not None:
            path.append(above)
        return path[::-1]


def tree_of(trace: Iterable[Node], finished: bool) -> SearchTree:
    """The tree of the nodes of a trace: the node above one is the last that is less deep."""
    nodes = list(trace)
    parents: list[int | None] = []
    path: list[int] = []
    for i, node in enumerate(nodes):
        while path and nodes[path[-1]].depth >= node.depth:
            path.pop()
        parents.append(path[-1] if path else None)
        path.append(i)
    sizes = [1] * len(nodes)
    failures = [int(not node.consistent) for node in nodes]
    solutions = [int(node.solution) for node in nodes]
    for i in reversed(range(len(nodes))):
        if (above := parents[i]) is not None:
            for each in (sizes, failures, solutions):
                each[above] += each[i]
    return SearchTree(nodes, parents, sizes, failures, solutions, finished)


def at_the_root(row: Row) -> str:
    """What is left before the search, in a sentence; empty if the search does not say."""
    said = []
    if row.values and row.values_left is not None:
        said.append(f"{row.values_left:,} of {row.values:,} values are left")
    if row.variables and row.presolved_variables is not None:
        decided = row.variables - row.presolved_variables
        said.append(f"{decided:,} of {plural(row.variables, 'variable')} {are(decided)} decided")
    return f"Before the search, {' and '.join(said)}." if said else ""


def findings(tree: SearchTree, row: Row) -> Iterator[str]:
    """The sentences: what is left before the search, how large the tree is, where it is wasted."""
    total, goal, wasted = len(tree.nodes), tree.first_solution, tree.widest_wasted
    yield from filter(None, [at_the_root(row)])
    if total > 1:
        refuted = f"{tree.failed:,} of them refuted"
        yield f"{plural(total, 'node')}, {refuted}; the deepest at depth {tree.deepest:,}."
    elif tree.finished:
        consistent = tree.nodes[0].consistent
        decides = "everything is decided" if consistent else "it is known that there is no solution"
        yield f"No search: {decides} at the root."
    if total == MOST_NODES:
        yield f"These are the first {total:,} nodes: the trace of a search has no more."
    if total > 1 and goal is not None:
        yield f"The first solution is node {goal + 1:,}, at depth {tree.nodes[goal].depth:,}."
    if wasted is not None and tree.sizes[wasted] > 1:
        node, size = tree.nodes[wasted], tree.sizes[wasted]
        decision = f"“{node.decision}”" + (f" at depth {node.depth:,}" if node.depth > 1 else "")
        what = "better solution" if row.task == Task.BEST else "solution"
        yield f"{size:,} of {total:,} nodes follow the decision {decision}, which leads to no {what}."
    if not tree.finished and row.status.conclusive:
        yield "The search went on."
    elif not tree.finished:
        yield f"The search did not end: {row.status}, with a limit of {row.time_limit_s:g} s."


@dataclass(frozen=True)
class Frame:
    """A node as it is shown."""

    number: int  # From 1.
    depth: int
    place: str
    decision: str
    outcome: str  # `solution` or `refuted`; empty if the search goes on below it.
    caption: str  # Which nodes are left out before it; empty if there are none.
    view: View
    # Marks of unknowns: `about` if the decision names them, `refuted`, or `changed` since the frame before.
    fields: Mapping[Unknown, str]


def frames_of(tree: SearchTree, most: int, trajectory: str = "") -> list[Frame]:
    """At most so many frames of a search; with the column `trajectory` they say the best value so far."""
    refuted = list(accumulate(int(not node.consistent) for node in tree.nodes))
    found = list(accumulate(int(node.solution) for node in tree.nodes))
    steps = json.loads(trajectory or "[]")
    values = list(dict.fromkeys(value for _, value, _ in steps if value is not None))
    frames = []
    before: Mapping[Unknown, Sequence[int | str]] = {}
    for last, i in pairwise([-1, *_chosen_nodes(tree, most)]):
        node = tree.nodes[i]
        view = node.view or View()
        decision = node.decision or "propagation at the root"
        outcome = "solution" if node.solution else "" if node.consistent else "refuted"
        marked = {u: "changed" for u, left in view.left.items() if before.get(u, left) != left}
        marked |= {u: "refuted" for u, left in view.left.items() if not left}
        about = "refuted" if outcome == "refuted" else "about"
        marked |= dict.fromkeys(_named_in(node.decision, unknowns_of(view)), about)
        skipped = f"node {i:,}" if i == last + 2 else f"nodes {last + 2:,} to {i:,}"
        caption = f"{skipped} skipped" if i > last + 1 else ""
        place = f"depth {node.depth:,}, node {i + 1:,} of {len(tree.nodes):,}, refuted so far: {refuted[i]:,}"
        if 0 < found[i] <= len(values) >= found[-1]:  # Each solution is better than those before.
            place += f", best so far: {values[found[i] - 1]}"
        frames.append(Frame(i + 1, node.depth, place, decision, outcome, caption, view, marked))
        before = view.left
    return frames


def unknowns_of(view: View) -> dict[Unknown, None]:
    """The unknowns that a view names, in order."""
    return dict.fromkeys([*view.left, *view.path])


def _chosen_nodes(tree: SearchTree, most: int) -> list[int]:
    """The nodes that are shown: all if they are few, else the first ones, then the way to the first solution
    with what the search tries beside it; without a solution the last nodes.
    """
    seen = [i for i, node in enumerate(tree.nodes) if node.view]
    if len(seen) <= most:
        return seen
    goal = tree.first_solution
    if goal is None or tree.nodes[goal].view is None:
        return [*seen[: most - most // 3], *seen[len(seen) - most // 3 :]]
    if goal < most:
        return seen[:most]
    chosen = set([i for i in tree.path_to(goal) if tree.nodes[i].view][-most:])
    beside = [i for i in seen if tree.parents[i] in chosen and i < goal]
    # The beginning gets half of the room, what is tried beside the way the rest, its end first.
    for i in [*seen[: most // 2], *reversed(beside), *seen]:
        if len(chosen) == most:
            break
        chosen.add(i)
    return sorted(chosen)


def _named_in(decision: str, unknowns: Iterable[Unknown]) -> list[Unknown]:
    """The unknowns that a decision names: a cell, all cells of a row, an edge (`edge A-B: 7`), a number."""
    if found := re.search(r"\brow (\d+)(?:, column (\d+))?", decision):
        row, column = int(found[1]) - 1, found[2] and int(found[2]) - 1
        return [cell for cell in unknowns if cell[0] == row and column in (None, cell[1])]
    name = decision.partition(":")[0].removeprefix("edge ")
    words = {i: "-".join(map(str, i)) if isinstance(i, tuple) else str(i) for i in unknowns}
    return [unknown for unknown, word in words.items() if name and name == word]
