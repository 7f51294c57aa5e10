"""Why no path has a listed sum; for models that look at numbers with many routes in solutions."""

from collections.abc import Mapping

from models.bug_byte.puzzle import BugByte, Edge
from models.bug_byte.routes import steps


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
