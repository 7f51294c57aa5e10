"""The simple paths that can have a listed sum; for the models only, the checker walks its own.

A number t listed at a node says that the labels of some simple path from the node add up to t. A route for t
is a simple path from the node that the bounds on its sum do not rule out.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from models.bug_byte.puzzle import BugByte, Edge

Route = tuple[Edge, ...]
"""The edges of a simple path, from its first node on."""


def steps(puzzle: BugByte) -> dict[str, list[tuple[str, Edge]]]:
    """From each node: the nodes beside it, each with the edge between."""
    at: dict[str, list[tuple[str, Edge]]] = {node: [] for node in puzzle.graph}
    for u, v in puzzle.edges:
        at[u].append((v, (u, v)))
        at[v].append((u, (u, v)))
    return at


def routes(puzzle: BugByte, node: str, target: int) -> list[Route]:
    """The simple paths from a node whose labels may add up to the target.

    Naively: of all simple paths from the node those with low <= target <= high. If k labels of the path are
    not given, low is the sum of its given labels and the k smallest that are not given anywhere, high the
    same with the k largest.
    """
    free = sorted(set(puzzle.labels) - set(puzzle.givens.values()))
    smallest, largest = [0, *accumulate(free)], [0, *accumulate(reversed(free))]
    beside = steps(puzzle)

    def extend(nodes: list[str], path: Route, given: int, others: int) -> Iterator[Route]:
        """The routes that extend a path: its given labels add up to `given`, `others` are not given."""
        for after, edge in beside[nodes[-1]]:
            if after in nodes:
                continue
            label = puzzle.givens.get(edge)
            total, count = (given, others + 1) if label is None else (given + label, others)
            if total + smallest[count] <= target:
                longer = (*path, edge)
                if total + largest[count] >= target:
                    yield longer
                yield from extend([*nodes, after], longer, total, count)

    return list(extend([node], (), 0, 0))


def all_routes(puzzle: BugByte) -> list[tuple[int, list[Route]]]:
    """Each number that is listed at a node, with its routes."""
    return [
        (target, routes(puzzle, node, target)) for node, targets in puzzle.paths.items() for target in targets
    ]


class WatchedRoutes:
    """Finds two routes that can still have the sum, looking first at those that could at the last call.

    As with watched literals, a search that backs up has nothing to undo: a route that could, still can.
    """

    def __init__(self, target: int, routes: Sequence[Route]):
        self.target, self.routes = target, list(routes)

    def possible(self, low: Mapping[Edge, int], high: Mapping[Edge, int]) -> list[Route]:
        """Two routes whose labels can add up to the target within these bounds, or as many as there are.

        Naively: the first two routes with (sum of low) <= target <= (sum of high), in any order.
        """
        found: list[Route] = []
        for position, route in enumerate(self.routes):
            if sum(map(low.__getitem__, route)) <= self.target <= sum(map(high.__getitem__, route)):
                self.routes[position], self.routes[len(found)] = self.routes[len(found)], route
                found.append(route)
                if len(found) == 2:
                    break
        return found
