"""What a watched search shows, in sentences."""

from bench.analysis.units import are, plural
from bench.campaign.results import Row
from bench.instruments.watch.tree import SearchTree
from bench.trace import MOST_NODES


def at_the_root(row: Row) -> str:
    """Returns what is left before the search; empty if the search does not say.

    Not all searches propagate there: preprocessing does not.
    """
    parts = []
    if row.values and row.values_left is not None:
        parts.append(f"{row.values_left:,} of {row.values:,} values are left")
    if row.variables and row.presolved_variables is not None:
        decided = row.variables - row.presolved_variables
        parts.append(f"{decided:,} of {plural(row.variables, 'variable')} {are(decided)} decided")
    return f"Before the search, {' and '.join(parts)}." if parts else ""


def findings(tree: SearchTree, row: Row) -> list[str]:
    """Returns the sentences: how large the tree is, where it is wasted."""
    total = len(tree.nodes)
    if total == 1:
        node = tree.nodes[0]
        decides = "everything is decided" if node.consistent else "it is known that there is no solution"
        return [f"No search: {decides} at the root."] if tree.finished else [_not_ended(row)]
    lines = [
        f"{plural(total, 'node')}, {tree.failed:,} of them refuted; the deepest at depth {tree.deepest:,}."
    ]
    if total == MOST_NODES:
        lines.append(f"These are the first {total:,} nodes: the trace of a search has no more.")
    goal = tree.first_solution
    if goal is not None:
        lines.append(f"The first solution is node {goal + 1:,}, at depth {tree.nodes[goal].depth:,}.")
    wasted = tree.widest_wasted
    if wasted is not None and tree.sizes[wasted] > 1:
        node = tree.nodes[wasted]
        depth = "" if node.depth == 1 else f" at depth {node.depth:,}"
        lines.append(
            f"{tree.sizes[wasted]:,} of {total:,} nodes follow the decision “{node.decision}”{depth}, "
            "which leads to no solution."
        )
    if not tree.finished:
        lines.append(_not_ended(row))
    return lines


def _not_ended(row: Row) -> str:
    if row.status.conclusive:
        return "The search went on."
    return f"The search did not end: {row.status}, with a limit of {row.time_limit_s:g} s."
