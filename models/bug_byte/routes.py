"""The simple paths from a node, and why none of them has a listed sum."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from models.bug_byte.puzzle import BugByte, Edge, Listed

Route = tuple[Edge, ...]
"""The edges of a simple path, from its first node on."""


def steps(puzzle: BugByte) -> dict[str, list[tuple[str, Edge]]]:
    """From each node: the nodes beside it, each with the edge between."""
    at: dict[str, list[tuple[str, Edge]]] = {node: [] for node in puzzle.graph}
    for u, v in puzzle.edges:
        at[u].append((v, (u, v)))
        at[v].append((u, (u, v)))
    return at


def simple_paths(puzzle: BugByte, node: str) -> list[Route]:
    """All simple paths from a node."""
    beside = steps(puzzle)

    def extend(nodes: tuple[str, ...], path: Route) -> Iterator[Route]:
        for after, edge in beside[nodes[-1]]:
            if after not in nodes:
                yield (*path, edge)
                yield from extend((*nodes, after), (*path, edge))

    return list(extend((node,), ()))


def other_labels(
    puzzle: BugByte, label: Mapping[Edge, int], node: str, target: int
) -> dict[Edge, set[int]] | None:
    """The labels of which some edge must get one before a path from the node adds up to the target.

    None if a path does. Naively: the other labels of each edge, {v: v != label[e]}. But only those of edges
    on a path whose sum is below the target matter; and of an edge that is too large behind each such path
    only {1..r}, where r is the most that any of these paths leaves of the target.
    """
    beside = steps(puzzle)
    walked: set[Edge] = set()
    left_to: dict[Edge, int] = {}
    paths: list[tuple[tuple[str, ...], int]] = [((node,), target)]
    while paths:
        nodes, left = paths.pop()
        for after, e in beside[nodes[-1]]:
            if after not in nodes:
                if label[e] == left:
                    return None
                if label[e] < left:
                    walked.add(e)
                    paths.append(((*nodes, after), left - label[e]))
                else:
                    left_to[e] = max(left, left_to.get(e, 0))
    return {e: set(range(1, left + 1)) for e, left in left_to.items()} | {
        e: set(puzzle.labels) - {label[e]} for e in walked
    }


def missed(
    puzzle: BugByte,
    numbers: Iterable[Listed],
    value_of: Callable[[Edge], int],
    holds: Mapping[Edge, Mapping[int, Any]],
) -> Iterator[list[Any]]:
    """For each of the numbers that no path has: the literals of which one must hold before a path has it."""
    label = {e: value_of(e) for e in puzzle.edges}
    for node, number in numbers:
        others = other_labels(puzzle, label, node, number)
        if others is not None:
            yield [holds[e][v] for e in others for v in others[e] if v in holds[e]]
