"""The tree of a search: which nodes lie below which, and how many of them fail."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.trace import Node


@dataclass(frozen=True)
class SearchTree:
    """The nodes of a search in its order; node i has the number i + 1.

    Attributes:
        parents: by node, the node above it; None for a root.
        sizes: by node, how many nodes its subtree has, itself included.
        failures: by node, how many nodes of its subtree propagation refuted.
        solutions: by node, how many nodes of its subtree are solutions.
        finished: whether the search came to its end; else nothing is known of what it left open.
    """

    nodes: Sequence[Node]
    parents: Sequence[int | None]
    sizes: Sequence[int]
    failures: Sequence[int]
    solutions: Sequence[int]
    finished: bool

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
        wasted = [i for i in nodes if not self.solutions[i]]
        return max(wasted, key=lambda i: self.sizes[i], default=None)

    def path_to(self, i: int) -> list[int]:
        """Returns the nodes from the root to a node."""
        path = []
        above: int | None = i
        while above is not None:
            path.append(above)
            above = self.parents[above]
        return path[::-1]


def tree_of(trace: Iterable[Node], finished: bool) -> SearchTree:
    """Returns the tree of the nodes of a trace: the node above one is the last that is less deep."""
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
        above = parents[i]
        if above is not None:
            for each in (sizes, failures, solutions):
                each[above] += each[i]
    return SearchTree(nodes, parents, sizes, failures, solutions, finished)
