"""Bug Byte: a random connected graph with random labels, and some of its node and path sums as clues.

There are about three edges for two nodes. `hardness` is the share of nodes that have no clue at first.
"""

from random import Random

import networkx

from models.shared.generator import Draft
from models.shared.puzzle import Solution

SIZE = "edges"
LONGEST = 5
"""The largest number of edges of a path whose sum is listed."""


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """A graph with labels, and clues at some of its nodes."""
    if size < 1:
        raise ValueError("a graph needs an edge")
    graph = random_graph(size, rng)
    names = {node: f"N{number}" for number, node in enumerate(graph, 1)}
    graph = networkx.relabel_nodes(graph, names)
    labels = rng.sample(range(1, size + 1), size)
    edges = [[u, v] for u, v in graph.edges]
    for (u, v), label in zip(edges, labels, strict=True):
        graph[u][v]["label"] = label
    nodes = list(graph)
    with_clue = [node for node in nodes if rng.random() >= hardness]
    paths = {}
    for node in with_clue:
        if rng.random() < 0.3:
            paths[node] = [random_path(graph, node, rng)]
    table = {
        "edges": edges,
        "endpoints": rng.sample(nodes, 2),
        "sums": {node: graph.degree(node, weight="label") for node in with_clue},
        "paths": paths,
    }
    return Draft(table, [[u, v, graph[u][v]["label"]] for u, v in edges])


def random_graph(edges: int, rng: Random) -> networkx.Graph:
    """A connected graph: a random tree, and random edges between its nodes."""
    nodes = max(2, round(2 / 3 * edges) + 1)
    while nodes * (nodes - 1) // 2 < edges:
        nodes += 1
    graph = networkx.Graph((rng.randrange(node), node) for node in range(1, nodes))
    while graph.number_of_edges() < edges:
        graph.add_edge(*rng.sample(range(nodes), 2))
    return graph


def random_path(graph: networkx.Graph, node: str, rng: Random) -> int:
    """What the labels of a random simple path from a node add up to."""
    path, total = [node], 0
    for _ in range(rng.randint(2, LONGEST)):
        steps = [near for near in graph[path[-1]] if near not in path]
        if steps:
            path.append(rng.choice(steps))
            total += graph[path[-2]][path[-1]]["label"]
    return total


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """Adds a sum at a node that the other labels do not have, or if there is none, the label of an edge."""
    ours, theirs = sums(draft.solution), sums(other)
    missed = [node for node in ours if ours[node] != theirs[node] and node not in draft.table["sums"]]
    if missed:
        node = rng.choice(missed)
        return Draft(draft.table | {"sums": draft.table["sums"] | {node: ours[node]}}, draft.solution)
    pairs = zip(draft.solution, other, strict=True)
    number = rng.choice([number for number, (mine, yours) in enumerate(pairs) if mine != yours])
    edges = [*draft.table["edges"]]
    edges[number] = draft.solution[number]
    return Draft(draft.table | {"edges": edges}, draft.solution)


def sums(solution: Solution) -> dict[str, int]:
    """What the labels at each node add up to."""
    found: dict[str, int] = {}
    for u, v, label in solution:
        found[u] = found.get(u, 0) + label
        found[v] = found.get(v, 0) + label
    return found


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """Makes the sum at a node wrong by one; None if there is no sum."""
    given = draft.table["sums"]
    if not given:
        return None
    node = rng.choice(list(given))
    return Draft(draft.table | {"sums": given | {node: given[node] + rng.choice([-1, 1])}}, draft.solution)
