"""What the sums at nodes leave of the labels, and of the simple paths for a listed number."""

from collections import deque
from collections.abc import Collection, Iterator
from itertools import accumulate, combinations, islice

from models.bug_byte.puzzle import BugByte, Edge, Listed
from models.bug_byte.routes import Route, steps

Interval = tuple[int, int]
"""The least and the most that a label, or a sum of labels, can be."""

FEW = 100
"""A lazy model adds the rule of a number with more routes than this only where a solution breaks it."""


def all_routes(puzzle: BugByte) -> tuple["Bounds", dict[Listed, list[Route]]]:
    """The bounds, and the routes that they leave for each listed number."""
    bounds = Bounds(puzzle)
    return bounds, {number: list(bounds.routes(*number)) for number in puzzle.listed}


def few_routes(puzzle: BugByte) -> tuple["Bounds", dict[Listed, list[Route]]]:
    """The same without the numbers that have many routes."""
    bounds = Bounds(puzzle)
    some = {number: list(islice(bounds.routes(*number), FEW + 1)) for number in puzzle.listed}
    return bounds, {number: routes for number, routes in some.items() if len(routes) <= FEW}


class Bounds:
    """Bounds of the labels, and of sums of two labels.

    Attributes:
        labels: the bounds of the label of each edge.
        pairs: those of the sum of the labels of two edges that meet in a node with a sum, in both orders.
    """

    def __init__(self, puzzle: BugByte):
        self.puzzle = puzzle
        self.labels = {
            e: (puzzle.givens.get(e, 1), puzzle.givens.get(e, len(puzzle.edges))) for e in puzzle.edges
        }
        sums = [(total, puzzle.edges_at(node)) for node, total in puzzle.sums.items()]
        before: dict[Edge, Interval] = {}
        while before != self.labels:
            changed = {e for e in puzzle.edges if before.get(e) != self.labels[e]}
            before = self.labels.copy()
            self.fixed = {low for low, high in self.labels.values() if low == high}
            for total, edges in sums:
                if not changed.isdisjoint(edges):
                    for e in edges:
                        self.narrow(e, *self.rest(total, edges, [e]))
            self.leave_hall_intervals()
        self.pairs: dict[tuple[Edge, Edge], Interval] = {}
        for total, edges in sums:
            for e, f in combinations(edges, 2):
                self.pairs[e, f] = self.pairs[f, e] = self.rest(total, edges, [e, f])

    def narrow(self, e: Edge, low: int, high: int) -> None:
        """Restricts a label, unless nothing would be left: then the solver finds no solution."""
        least, most = self.labels[e]
        if (least < low or high < most) and max(least, low) <= min(most, high):
            self.labels[e] = max(least, low), min(most, high)

    def rest(self, total: int, edges: Collection[Edge], some: Collection[Edge]) -> Interval:
        """The bounds of the sum of some labels, if those of all edges are to add up to the total.

        The labels of the other edges add up to at least the least sum of different labels within their bounds
        that are not fixed elsewhere, and to at most the largest.
        """
        others = [self.labels[e] for e in edges if e not in some]
        least = most = sum(low for low, high in others if low == high)
        last = 0
        for low in sorted([low for low, high in others if low < high]):
            last = max(low, last + 1)
            while last in self.fixed:
                last += 1
            least += last
        last = len(self.puzzle.edges) + 1
        for high in sorted([high for low, high in others if low < high], reverse=True):
            last = min(high, last - 1)
            while last in self.fixed:
                last -= 1
            most += last
        return total - most, total - least

    def leave_hall_intervals(self) -> None:
        """Narrows by each range of labels that has as many edges as labels: other edges have none of them."""
        by_high = sorted(self.labels.items(), key=lambda item: item[1][1])
        for a in {low for low, _ in self.labels.values()}:
            count = 0
            for _, (low, b) in by_high:
                if low >= a:
                    count += 1
                    if count == b - a + 1:
                        for e, (least, most) in self.labels.items():
                            if a <= least <= b < most:
                                self.labels[e] = b + 1, most
                            elif least < a <= most <= b:
                                self.labels[e] = least, a - 1

    def possible(self, e: Edge) -> Collection[int]:
        """The labels that an edge can have."""
        low, high = self.labels[e]
        return [v for v in range(low, high + 1) if low == high or v not in self.fixed]

    def routes(self, node: str, target: int) -> Iterator[Route]:
        """The simple paths from a node whose labels can add up to the target, those with few edges first.

        Naively: of all simple paths from the node those with low <= target <= high. For an empty path both
        are 0. For a path of k edges low is the most, high the least of three: what it is for the first k - 1
        edges and the last label; for the first k - 2 edges and the last pair; the labels that are fixed and
        as many others as there are, the smallest or the largest that are not fixed for any edge.
        """
        free = [v for v in self.puzzle.labels if v not in self.fixed]
        smallest, largest = [0, *accumulate(free)], [0, *accumulate(reversed(free))]
        beside = steps(self.puzzle)

        # Each path with its nodes, the sum of its fixed labels, the number of its others, the bounds of the
        # sum without its last edge, and those of the sum.
        paths: deque[tuple[Route, tuple[str, ...], int, int, Interval, Interval]]
        paths = deque([((), (node,), 0, 0, (0, 0), (0, 0))])
        while paths:
            path, nodes, fixed, others, shorter, whole = paths.popleft()
            for after, e in beside[nodes[-1]]:
                if after in nodes:
                    continue
                least, most = self.labels[e]
                low, high = whole[0] + least, whole[1] + most
                if path and (path[-1], e) in self.pairs:
                    a, b = self.pairs[path[-1], e]
                    low, high = max(low, shorter[0] + a), min(high, shorter[1] + b)
                sure, count = (fixed + least, others) if least == most else (fixed, others + 1)
                low, high = max(low, sure + smallest[count]), min(high, sure + largest[count])
                if low <= target:
                    if high >= target:
                        yield (*path, e)
                    paths.append(((*path, e), (*nodes, after), sure, count, whole, (low, high)))
