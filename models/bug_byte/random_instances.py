"""Small random instances of Bug Byte, and the candidates for their solutions."""

from collections.abc import Iterator

from hypothesis import strategies as st

from models.bug_byte.puzzle import BugByte, Edge
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in


@st.composite
def bug_bytes(draw: st.DrawFn) -> Table:
    """A graph of up to 8 edges; givens, sums and paths from a random labelling, one perhaps spoilt."""
    nodes = "ABCDEFG"[: draw(st.integers(2, 7))]
    tree = [(nodes[draw(st.integers(0, number - 1))], nodes[number]) for number in range(1, len(nodes))]
    others = [(u, v) for i, u in enumerate(nodes) for v in nodes[i + 1 :] if (u, v) not in tree]
    more = draw(st.lists(st.sampled_from(others), unique=True, max_size=8 - len(tree))) if others else []
    edges = tree + more
    endpoints = [nodes[0], nodes[-1]]
    if draw(one_in(8)):
        # A part of its own, which no path reaches from the endpoints.
        edges.append(("Y", "Z"))
    everyone = sorted({node for edge in edges for node in edge})
    label = dict(zip(edges, draw(st.permutations(range(1, len(edges) + 1))), strict=True))
    # The more edges, the more is told, so that there are few candidates.
    least = max(0, len(edges) - 5)
    given = draw(st.sets(st.sampled_from(edges), min_size=least // 2, max_size=least + 1))
    sums = {
        node: sum(number for edge, number in label.items() if node in edge)
        for node in sorted(draw(st.sets(st.sampled_from(everyone), min_size=least, max_size=4)))
    }
    paths: dict[str, list[int]] = {}
    for node in sorted(draw(st.sets(st.sampled_from(everyone), max_size=2))):
        total, here, seen = 0, node, {node}
        totals = [0]
        for _ in range(draw(st.integers(0, 4))):
            steps = [
                (edge, v) for edge in edges for u, v in (edge, edge[::-1]) if u == here and v not in seen
            ]
            if steps:
                edge, here = draw(st.sampled_from(steps))
                total += label[edge]
                totals.append(total)
                seen.add(here)
        paths[node] = sorted({*totals[-1:], *totals[1:2]} - {0}, reverse=True)
    if draw(one_in(4)) and sums:
        sums[draw(st.sampled_from(sorted(sums)))] += draw(st.sampled_from([1, -1, -50, 1000]))
    if draw(one_in(4)) and paths:
        totals = paths[draw(st.sampled_from(sorted(paths)))]
        further = (totals[0] if totals else 0) + draw(st.sampled_from([1, 2, 1000]))
        totals[:] = [further] if draw(st.booleans()) else [further, *totals]
    return header("bug_byte") | {
        "edges": [[*edge, label[edge]] if edge in given else list(edge) for edge in edges],
        "endpoints": endpoints,
        "sums": sums,
        "paths": paths,
    }


INSTANCES = bug_bytes()


def candidates(puzzle: BugByte) -> Iterator[Solution]:
    """Every labelling in which the sums are right, what is given stands, and each label is used once."""
    last_at = {node: edge for edge in puzzle.edges for node in edge}

    def fill(label: dict[Edge, int]) -> Iterator[Solution]:
        if len(label) == len(puzzle.edges):
            yield puzzle.solution(label.__getitem__)
            return
        edge = puzzle.edges[len(label)]
        for number in [puzzle.givens[edge]] if edge in puzzle.givens else puzzle.labels:
            if number in label.values():
                continue
            grown = label | {edge: number}
            complete = [node for node in edge if node in puzzle.sums and last_at[node] == edge]
            if all(sum(n for e, n in grown.items() if node in e) == puzzle.sums[node] for node in complete):
                yield from fill(grown)

    return fill({})
