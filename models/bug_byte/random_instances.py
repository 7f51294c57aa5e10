"""Small random instances of Bug Byte, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import permutations

from hypothesis import strategies as st

from models.bug_byte.puzzle import BugByte
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header


@st.composite
def bug_bytes(draw: st.DrawFn) -> Table:
    """A connected graph of up to 6 edges, sums and paths from a random labelling, perhaps spoilt."""
    nodes = "ABCDE"[: draw(st.integers(3, 5))]
    tree = [(nodes[draw(st.integers(0, number - 1))], nodes[number]) for number in range(1, len(nodes))]
    others = [(u, v) for i, u in enumerate(nodes) for v in nodes[i + 1 :] if (u, v) not in tree]
    edges = tree + draw(st.permutations(others))[: 6 - len(tree)]
    labels = draw(st.permutations(range(1, len(edges) + 1)))
    given = draw(st.integers(0, len(edges)))
    label = dict(zip(edges, labels, strict=True))
    sums = {
        node: sum(number for edge, number in label.items() if node in edge)
        for node in draw(st.sets(st.sampled_from(nodes), max_size=3))
    }
    paths: dict[str, list[int]] = {}
    for node in draw(st.sets(st.sampled_from(nodes), max_size=2)):
        total, here, seen = 0, node, {node}
        for _ in range(draw(st.integers(1, 3))):
            steps = [
                (edge, v) for edge in edges for u, v in (edge, edge[::-1]) if u == here and v not in seen
            ]
            if steps:
                edge, here = draw(st.sampled_from(steps))
                total += label[edge]
                seen.add(here)
        paths[node] = [total + draw(st.sampled_from([0, 0, 0, 1]))]
    return header("bug_byte") | {
        "edges": [[*edge, label[edge]] if n == given else list(edge) for n, edge in enumerate(edges)],
        "endpoints": [nodes[0], nodes[-1]],
        "sums": sums,
        "paths": paths,
    }


INSTANCES = bug_bytes()


def candidates(puzzle: BugByte) -> Iterator[Solution]:
    """Every order of the labels."""
    for labels in permutations(puzzle.labels):
        yield puzzle.solution(dict(zip(puzzle.edges, labels, strict=True)).__getitem__)
