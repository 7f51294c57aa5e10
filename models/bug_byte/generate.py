"""Generates Bug Bytes: a random connected graph with random labels, about three edges for two nodes.

The label of each edge may be told, the sum at each node, and the total of a path from about every third node.
"""

from collections.abc import Collection, Mapping, Sequence
from random import Random

from models.bug_byte.puzzle import Edge
from models.shared.generator import Clue, Planted, Table
from models.shared.graph import graph_of

SIZE = "edges"
PATHS = 0.3  # The share of nodes with a path: with more, the proofs need longer.
LONGEST = 5
"""The largest number of edges of a path whose total is listed."""


def plant(size: int, rng: Random) -> Planted:
    """A graph with labels, which are left out before the sums and the totals of paths."""
    if size < 1:
        raise ValueError("a graph needs an edge")
    edges = random_edges(size, rng)
    graph, labels = graph_of(edges), rng.sample(range(1, size + 1), size)
    label = dict(zip(edges, labels, strict=True))
    both_ways = label | {(v, u): number for (u, v), number in label.items()}
    endpoints = rng.sample(list(graph), 2)
    sums = [(("sums", u), sum(both_ways[u, v] for v in graph[u])) for u in graph]
    paths = [(("paths", u), random_path(u, graph, both_ways, rng)) for u in graph if rng.random() < PATHS]

    def table(clues: Collection[Clue]) -> Table:
        told = dict(clues)
        return {
            "edges": [[*edge, told[edge]] if edge in told else [*edge] for edge in edges],
            "endpoints": endpoints,
            "sums": {u: told["sums", u] for u in graph if ("sums", u) in told},
            "paths": {u: [told["paths", u]] for u in graph if ("paths", u) in told},
        }

    return Planted([[*edge, label[edge]] for edge in edges], [[*label.items()], sums + paths], table)


def random_edges(size: int, rng: Random) -> list[Edge]:
    """The edges of a connected graph: a random tree, and random edges between its nodes."""
    nodes = (2 * size + 1) // 3 + 1
    while nodes * (nodes - 1) // 2 < size:
        nodes += 1
    edges = [(rng.randrange(node), node) for node in range(1, nodes)]
    while len(edges) < size:
        u, v = sorted(rng.sample(range(nodes), 2))
        if (u, v) not in edges:
            edges.append((u, v))
    return [(f"N{u + 1}", f"N{v + 1}") for u, v in sorted(edges)]


def random_path(
    start: str, graph: Mapping[str, Sequence[str]], label: Mapping[Edge, int], rng: Random
) -> int:
    """What the labels of a random simple path from a node add up to."""
    path, total = [start], 0
    for _ in range(rng.randint(2, LONGEST)):
        steps = [near for near in graph[path[-1]] if near not in path]
        if steps:
            path.append(rng.choice(steps))
            total += label[path[-2], path[-1]]
    return total


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """The sum at a node is wrong by one; None if there is no sum."""
    places = [place for place, _ in clues if place[0] == "sums"]
    if not places:
        return None
    wrong, error = rng.choice(places), rng.choice([-1, 1])
    return [(place, number + error * (place == wrong)) for place, number in clues]
