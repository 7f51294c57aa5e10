"""Bug Byte: the rules.

Label the edges of a graph with 1..(number of edges), each once; some labels are given. At some nodes the
incident labels add up to a given sum. From some nodes, for each listed number, there is a simple path that
starts at the node and whose labels add up to the number (different paths may overlap). The answer reads
the labels along the shortest weighted path between the two endpoints as letters (1 = A).

## Data
- `edges`: [node, node] for each edge, or [node, node, label] where its label is given
- `endpoints`: the two nodes between which the answer is read
- `sums`: for some nodes, what the labels at the node add up to
- `paths`: for some nodes, the numbers listed there

## Links
- Jane Street, Bug Byte, 2024: https://www.janestreet.com/bug-byte/
- Vamshi Jandhyala, a CP-SAT model: https://vamshij.com/books/puzzles_mp/read/11
- a search in Python, reviewed: https://codereview.stackexchange.com/questions/292027/bug-byte-puzzle-from-jane-street
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx
import pydantic

from models.shared.document import Document, InstanceError, read_document, shorten
from models.shared.puzzle import Ingredient, Reported, Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.PERMUTATION, Ingredient.SUMS, Ingredient.PATHS)

REPORTED = (
    Reported(
        instance="bug_byte",
        system="OR-Tools CP-SAT",
        source="Vamshi Jandhyala, Solving Puzzles through Mathematical Programming, chapter 11",
        total_s=0.02,
        note="about 20 ms",
        url="https://vamshij.com/books/puzzles_mp/read/11",
    ),
    Reported(
        instance="bug_byte",
        system="plain Python search",
        source="marcello-dev, Solving Bug Byte puzzle from Jane Street",
        note="over 5 minutes",
        url="https://marcello-dev.github.io/2024/05/12/solving-bug-byte-puzzle",
    ),
)

Edge = tuple[str, str]
"""Two nodes, in the order of the instance file."""


class BugByteDocument(Document):
    """The keys of an instance file."""

    edges: list[list[str | int]]
    endpoints: list[str]
    sums: dict[str, int] = pydantic.Field(default_factory=dict)
    paths: dict[str, list[int]] = pydantic.Field(default_factory=dict)


def parse(table: dict[str, Any]) -> "BugByte":
    """The puzzle that the table of a TOML file states.

    Raises:
        InstanceError: where the table breaks the format.
    """
    document = read_document(BugByteDocument, table)
    if not document.edges:
        raise InstanceError("edges: there are none; write [node, node] or [node, node, label]")
    edges: list[Edge] = []
    givens: dict[Edge, int] = {}
    for number, entry in enumerate(document.edges, 1):
        place = f"edges, entry {number}"
        match entry:
            case [str(u), str(v)]:
                pass
            case [str(u), str(v), int(label)]:
                if not 1 <= label <= len(document.edges):
                    raise InstanceError(
                        f"{place}: {label} is outside 1..{len(document.edges)}, the number of edges"
                    )
                if label in givens.values():
                    raise InstanceError(f"{place}: the label {label} is given a second time")
                givens[u, v] = label
            case _:
                raise InstanceError(f"{place}: {shorten(entry)} is not [node, node] or [node, node, label]")
        if u == v:
            raise InstanceError(f"{place}: an edge from {u} to itself")
        if (u, v) in edges or (v, u) in edges:
            raise InstanceError(f"{place}: a second edge between {u} and {v}")
        edges.append((u, v))
    nodes = {node for edge in edges for node in edge}
    if len(document.endpoints) != 2 or document.endpoints[0] == document.endpoints[1]:
        raise InstanceError("endpoints: write two different nodes")
    for field, names in (
        ("endpoints", document.endpoints),
        ("sums", document.sums),
        ("paths", document.paths),
    ):
        for name in names:
            if name not in nodes:
                raise InstanceError(f"{field}: node {shorten(name)} is on no edge")
    for name, numbers in document.paths.items():
        for position, number in enumerate(numbers, 1):
            if number < 1:
                raise InstanceError(f"paths.{name}, number {position}: {number}; a path adds up to 1 or more")
            if number in numbers[: position - 1]:
                raise InstanceError(f"paths.{name}, number {position}: {number} stands there a second time")
    if not networkx.has_path(networkx.Graph(edges), *document.endpoints):
        raise InstanceError(f"endpoints: there is no path from {' to '.join(document.endpoints)}")
    start, end = document.endpoints
    return BugByte(tuple(edges), givens, (start, end), document.sums, document.paths)


@dataclass(frozen=True)
class BugByte:
    """One instance; a solution is a list of [u, v, label], one for each edge."""

    edges: tuple[Edge, ...]
    givens: Mapping[Edge, int]
    endpoints: tuple[str, str]
    sums: Mapping[str, int]
    paths: Mapping[str, list[int]]

    @cached_property
    def graph(self) -> networkx.Graph:
        """The graph without labels."""
        return networkx.Graph(self.edges)

    @property
    def size(self) -> int:
        """The number of edges."""
        return len(self.edges)

    @property
    def labels(self) -> range:
        """The labels to place."""
        return range(1, len(self.edges) + 1)

    def edges_at(self, node: str) -> list[Edge]:
        """The edges that meet in a node."""
        return [edge for edge in self.edges if node in edge]

    def solution(self, value_of: Callable[[Edge], int]) -> Solution:
        """The solution in which each edge has the label `value_of(edge)`."""
        return [[*edge, value_of(edge)] for edge in self.edges]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        labelled = self._labelled(solution)
        if labelled is None:
            return [f"the solution is not [node, node, label] for each of the {len(self.edges)} edges"]
        label = {frozenset(edge): data["label"] for *edge, data in labelled.edges(data=True)}
        broken = [
            f"edge {u}-{v} has the label {label[frozenset((u, v))]}, but {given} is given"
            for (u, v), given in self.givens.items()
            if label[frozenset((u, v))] != given
        ]
        if sorted(label.values()) != list(self.labels):
            broken.append(f"the labels are not 1..{len(self.edges)} once each")
        for node, target in self.sums.items():
            total = labelled.degree(node, weight="label")
            if total != target:
                broken.append(f"the labels at node {node} add up to {total}, not {target}")
        for node, targets in self.paths.items():
            totals = self._path_totals(labelled, node, max(targets, default=0)) if targets else set()
            broken += [
                f"no simple path from node {node} adds up to {target}"
                for target in targets
                if target not in totals
            ]
        return broken

    def _labelled(self, solution: Solution) -> networkx.Graph | None:
        """The graph with the labels of a solution, None if the solution is not of the right shape."""
        if not (isinstance(solution, list) and len(solution) == len(self.edges)):
            return None
        labelled = networkx.Graph()
        for entry in solution:
            match entry:
                case [str(u), str(v), int(label)] if self.graph.has_edge(u, v) and type(label) is int:
                    labelled.add_edge(u, v, label=label)
                case _:
                    return None
        return labelled if len(labelled.edges) == len(self.edges) else None

    def _path_totals(self, labelled: networkx.Graph, node: str, largest: int) -> set[int]:
        """What the labels of the simple paths from a node add up to, as far as the largest number."""
        totals: set[int] = set()

        def walk(here: str, visited: frozenset[str], total: int) -> None:
            for other, data in labelled[here].items():
                grown = total + data["label"]
                # A label that is not positive breaks another rule; here it must not let walks grow for ever.
                if other not in visited and data["label"] > 0 and grown <= largest:
                    totals.add(grown)
                    walk(other, visited | {other}, grown)

        walk(node, frozenset({node}), 0)
        return totals

    def answer(self, solution: Solution) -> str:
        """The labels along the shortest path between the endpoints as letters; beyond 26 in brackets."""
        path = self._shortest(solution)
        label = {frozenset((u, v)): label for u, v, label in solution}
        labels = [label[frozenset(pair)] for pair in pairwise(path)]
        return "".join(chr(ord("A") + number - 1) if number <= 26 else f"[{number}]" for number in labels)

    def _shortest(self, solution: Solution) -> list[str]:
        """The nodes of the shortest path between the endpoints; of several the first in the alphabet."""
        labelled = networkx.Graph()
        labelled.add_weighted_edges_from(solution)
        return min(networkx.all_shortest_paths(labelled, *self.endpoints, weight="weight"))

    def text(self, solution: Solution | None) -> str:
        """One line a node: its edges with their labels, its sum, its paths."""
        label: dict[frozenset[str], int] = {frozenset(edge): given for edge, given in self.givens.items()}
        label |= {frozenset((u, v)): number for u, v, number in solution or ()}
        lines = []
        for node in sorted(self.graph):
            edges = ", ".join(
                f"{node}-{other} {label.get(frozenset((node, other)), '.')}"
                for other in sorted(self.graph[node])
            )
            rules = [f"sum {self.sums[node]}"] if node in self.sums else []
            rules += [f"paths {', '.join(map(str, self.paths[node]))}"] if self.paths.get(node) else []
            lines.append(f"{edges}{'  (' + '; '.join(rules) + ')' if rules else ''}")
        if solution:
            lines.append(f"shortest path: {'-'.join(self._shortest(solution))}")
        return "\n".join(lines)

    @cached_property
    def places(self) -> dict[str, tuple[float, float]]:
        """The place of each node in the picture."""
        layout = networkx.kamada_kawai_layout(self.graph)
        return {node: (float(x), float(y)) for node, (x, y) in layout.items()}

    def position(self, unknown: Edge) -> tuple[float, float]:
        """The middle of an edge on the axes of `draw`."""
        (x0, y0), (x1, y1) = (self.places[node] for node in unknown)
        return (x0 + x1) / 2, (y0 + y1) / 2

    def draw(self, axes: "Axes", solution: Solution | None) -> None:
        """The graph with its labels; sums in the nodes, paths beside them, the shortest path in red."""
        label: dict[frozenset[str], int] = {frozenset(edge): given for edge, given in self.givens.items()}
        given = set(label)
        label |= {frozenset((u, v)): number for u, v, number in solution or ()}
        shortest = self._shortest(solution) if solution else []
        on_path = {frozenset(pair) for pair in pairwise(shortest)}
        for u, v in self.edges:
            edge = frozenset((u, v))
            (x0, y0), (x1, y1) = self.places[u], self.places[v]
            colour, width = ("#d55e00", 3.0) if edge in on_path else ("#999999", 1.4)
            axes.plot([x0, x1], [y0, y1], color=colour, linewidth=width, zorder=1)
            axes.text(
                *self.position((u, v)),
                str(label.get(edge, "")),
                ha="center",
                va="center",
                fontsize=9,
                fontweight="bold" if edge in given else "normal",
                color="#111111" if edge in given else "#1f4e9c",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
                zorder=2,
            )
        for node, (x, y) in self.places.items():
            axes.plot(
                x, y, "o", markersize=19, markerfacecolor="#dbe9f6", markeredgecolor="#333333", zorder=3
            )
            words = f"{node}\n{self.sums[node]}" if node in self.sums else node
            axes.text(x, y, words, ha="center", va="center", fontsize=7.5, zorder=4, parse_math=False)
            if self.paths.get(node):
                text = "paths " + ", ".join(map(str, self.paths[node]))
                axes.annotate(
                    text, (x, y), (0, -15), textcoords="offset points", ha="center", va="top", fontsize=7.5,
                    zorder=4, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
                )  # fmt: skip
        axes.margins(0.1)
        axes.set_aspect("equal")
        axes.axis("off")
