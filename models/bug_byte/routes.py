"""The simple paths that a model has to consider, for the models; the checker walks its own.

A path from a node with k edges whose labels must add up to t has a chance only if the given labels on it
and the smallest labels that are left come to at most t, and those with the largest to at least t.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from models.bug_byte.puzzle import BugByte, Edge


def routes(puzzle: BugByte, node: str, target: int) -> list[tuple[Edge, ...]]:
    """The edges of each simple path from the node whose labels may add up to the target."""
    free = sorted(set(puzzle.labels) - set(puzzle.givens.values()))
    least, most = [0, *accumulate(free)], [0, *accumulate(reversed(free))]
    return list(_extend(puzzle, [node], (), target, 0, 0, least, most))


def _extend(
    puzzle: BugByte,
    nodes: list[str],
    path: tuple[Edge, ...],
    target: int,
    known: int,
    unknown: int,
    least: Sequence[int],
    most: Sequence[int],
) -> Iterator[tuple[Edge, ...]]:
    """The paths that go on; `known` is the sum of the givens, `unknown` the number of the others."""
    for other in puzzle.graph[nodes[-1]]:
        if other in nodes:
            continue
        edge = (nodes[-1], other) if (nodes[-1], other) in puzzle.edges else (other, nodes[-1])
        given = puzzle.givens.get(edge)
        sum_known, count = (known, unknown + 1) if given is None else (known + given, unknown)
        if sum_known + least[count] > target:
            continue
        grown = (*path, edge)
        if sum_known + most[count] >= target:
            yield grown
        yield from _extend(puzzle, [*nodes, other], grown, target, sum_known, count, least, most)


def all_routes(puzzle: BugByte) -> list[tuple[int, list[tuple[Edge, ...]]]]:
    """For each number listed at a node, the number and its routes."""
    return [
        (target, routes(puzzle, node, target)) for node, targets in puzzle.paths.items() for target in targets
    ]


class Watched:
    """Routes of which two are asked for that can have a sum; those that could when last asked come first.

    As with watched literals, nothing is taken back when a search backs up: a route that could, still can.
    """

    def __init__(self, routes: Sequence[tuple[Edge, ...]]):
        self.routes = list(routes)

    def possible(
        self, target: int, low: Mapping[Edge, int], high: Mapping[Edge, int]
    ) -> list[tuple[Edge, ...]]:
        """Two routes, if there are as many, whose labels can add up to the target within these bounds."""
        found: list[tuple[Edge, ...]] = []
        for position, route in enumerate(self.routes):
            if sum(map(low.__getitem__, route)) <= target <= sum(map(high.__getitem__, route)):
                self.routes[position], self.routes[len(found)] = self.routes[len(found)], route
                found.append(route)
                if len(found) == 2:
                    break
        return found


def stars(puzzle: BugByte) -> list[tuple[int, list[Edge]]]:
    """For each node with a sum, the sum and its edges."""
    return [(total, [edge for edge in puzzle.edges if node in edge]) for node, total in puzzle.sums.items()]
