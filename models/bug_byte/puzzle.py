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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from models.shared.document import Document, InstanceError, read_document, shorten
from models.shared.graph import graph_of, part_of
from models.shared.grid import write_at
from models.shared.puzzle import Ingredient, Reported, Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INGREDIENTS = (Ingredient.PERMUTATION, Ingredient.SUMS, Ingredient.PATHS)

JANDHYALA = "Vamshi Jandhyala, Solving Puzzles through Mathematical Programming, chapter 11"
JANDHYALA_URL = "https://vamshij.com/books/puzzles_mp/read/11"
MARCELLO = "marcello-dev, Solving Bug Byte puzzle from Jane Street"
MARCELLO_URL = "https://marcello-dev.github.io/2024/05/12/solving-bug-byte-puzzle"

REPORTED = (
    Reported("bug_byte", "OR-Tools CP-SAT", JANDHYALA, total_s=0.02, note="about 20 ms", url=JANDHYALA_URL),
    Reported("bug_byte", "plain Python search", MARCELLO, note="over 5 minutes", url=MARCELLO_URL),
)

Edge = tuple[str, str]
"""Two nodes, in the order of the instance file."""

Listed = tuple[str, int]
"""A node, and a number that is listed there."""


class BugByteDocument(Document):
    """The keys of an instance file."""

    edges: list[list[str | int]]
    endpoints: list[str]
    sums: dict[str, int] = field(default_factory=dict)
    paths: dict[str, list[int]] = field(default_factory=dict)


def parse(table: dict[str, Any]) -> "BugByte":
    """The puzzle in the table of a TOML file; raises InstanceError if that breaks the format."""
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
    for key in ("endpoints", "sums", "paths"):
        for name in getattr(document, key):
            if name not in nodes:
                raise InstanceError(f"{key}: node {shorten(name)} is on no edge")
    for name, numbers in document.paths.items():
        for position, number in enumerate(numbers, 1):
            if number < 1:
                raise InstanceError(f"paths.{name}, number {position}: {number}; a path adds up to 1 or more")
            if number in numbers[: position - 1]:
                raise InstanceError(f"paths.{name}, number {position}: {number} stands there a second time")
    start, end = document.endpoints
    if end not in part_of(graph_of(edges), start):
        raise InstanceError(f"endpoints: there is no path from {start} to {end}")
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
    def graph(self) -> Mapping[str, Sequence[str]]:
        """The nodes beside each node."""
        return graph_of(self.edges)

    @property
    def size(self) -> int:
        """The number of edges."""
        return len(self.edges)

    @property
    def labels(self) -> range:
        """The labels to place."""
        return range(1, len(self.edges) + 1)

    @cached_property
    def domains(self) -> Mapping[Edge, Sequence[int]]:
        """The labels that each edge can have: its own, or those that are not given."""
        free = sorted(set(self.labels) - set(self.givens.values()))
        return {edge: [self.givens[edge]] if edge in self.givens else free for edge in self.edges}

    def capped(self, total: int) -> int:
        """The total, or one beyond all labels together for any that no labels have: it may have many bits."""
        most = sum(self.labels)
        return total if 0 < total <= most else most + 1

    @property
    def listed(self) -> list[Listed]:
        """All listed numbers, with their nodes."""
        return [(node, number) for node, numbers in self.paths.items() for number in numbers]

    def edges_at(self, node: str) -> list[Edge]:
        """The edges that meet in a node."""
        return [edge for edge in self.edges if node in edge]

    def solution(self, value_of: Callable[[Edge], int]) -> Solution:
        """The solution in which each edge has the label `value_of(edge)`."""
        return [[*edge, value_of(edge)] for edge in self.edges]

    def check(self, solution: Solution) -> list[str]:
        """Every broken rule in words."""
        label = self._labelled(solution)
        if label is None:
            return [f"the solution is not [node, node, label] for each of the {len(self.edges)} edges"]
        broken = [
            f"edge {u}-{v} has the label {label[frozenset((u, v))]}, but {given} is given"
            for (u, v), given in self.givens.items()
            if label[frozenset((u, v))] != given
        ]
        if sorted(label.values()) != list(self.labels):
            broken.append(f"the labels are not 1..{len(self.edges)} once each")
        for node, target in self.sums.items():
            total = sum(label[frozenset((node, other))] for other in self.graph[node])
            if total != target:
                broken.append(f"the labels at node {node} add up to {total}, not {target}")
        for node, targets in self.paths.items():
            totals = self._path_totals(label, node, max(targets, default=0)) if targets else set()
            broken += [
                f"no simple path from node {node} adds up to {target}"
                for target in targets
                if target not in totals
            ]
        return broken

    def _labelled(self, solution: Solution) -> dict[frozenset[str], int] | None:
        """The label of each edge in a solution, None if the solution is not of the right shape."""
        if not (isinstance(solution, list) and len(solution) == len(self.edges)):
            return None
        label: dict[frozenset[str], int] = {}
        for entry in solution:
            match entry:
                case [str(u), str(v), int(number)] if v in self.graph.get(u, ()) and type(number) is int:
                    label[frozenset((u, v))] = number
                case _:
                    return None
        return label if len(label) == len(self.edges) else None

    def _path_totals(self, label: Mapping[frozenset[str], int], node: str, largest: int) -> set[int]:
        """What the labels of the simple paths from a node add up to, as far as the largest number."""
        totals: set[int] = set()

        def walk(here: str, visited: frozenset[str], total: int) -> None:
            for other in self.graph[here]:
                number = label[frozenset((here, other))]
                grown = total + number
                # A label that is not positive breaks another rule; here it must not let walks grow for ever.
                if other not in visited and number > 0 and grown <= largest:
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
        label = {frozenset((u, v)): number for u, v, number in solution}
        start, end = self.endpoints
        paths, done = [(0, [start])], set[str]()
        while True:
            total, path = heappop(paths)
            if path[-1] == end:
                return path
            if path[-1] not in done:
                done.add(path[-1])
                for other in self.graph[path[-1]]:
                    heappush(paths, (total + label[frozenset((path[-1], other))], [*path, other]))

    def text(self, solution: Solution | None) -> str:
        """One line for each node: its edges with their labels, its sum, its paths."""
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
        import networkx

        layout = networkx.kamada_kawai_layout(networkx.Graph(self.graph))
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
            box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
            place, text = self.position((u, v)), str(label.get(edge, ""))
            write_at(axes, place, text, 9, edge in given, bbox=box, zorder=2)
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
