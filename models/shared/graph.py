"""Graphs as dictionaries: neighbours, connected components, the variables of the arcs at each node.

networkx needs a fifth of a second to import, for which every process would wait.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Arc = TypeVar("Arc", bound=Hashable)
Variable = TypeVar("Variable")


def graph_of(edges: Iterable[tuple[Node, Node]], nodes: Iterable[Node] = ()) -> dict[Node, list[Node]]:
    """The nodes that share an edge with each node, in the order of the edges; `nodes` may have no edge."""
    graph: dict[Node, list[Node]] = {node: [] for node in nodes}
    for u, v in edges:
        graph.setdefault(u, []).append(v)
        graph.setdefault(v, []).append(u)
    return graph


def part_of(graph: Mapping[Node, Sequence[Node]], start: Node) -> set[Node]:
    """The nodes that a node is connected with, itself too, nearest first."""
    part, found = {start}, [start]
    for node in found:
        for other in graph[node]:
            if other not in part:
                part.add(other)
                found.append(other)
    return part


def parts_of(graph: Mapping[Node, Sequence[Node]]) -> list[set[Node]]:
    """The connected components of a graph."""
    parts: list[set[Node]] = []
    seen = set[Node]()
    for node in graph:
        if node not in seen:
            parts.append(part_of(graph, node))
            seen |= parts[-1]
    return parts


def grouped(arc: Mapping[Arc, Variable], key: Callable[[Arc], Node]) -> dict[Node, list[Variable]]:
    """The variables of the arcs by a property, such as the node that they leave; an empty list for none."""
    groups: dict[Node, list[Variable]] = defaultdict(list)
    for e, variable in arc.items():
        groups[key(e)].append(variable)
    return groups
