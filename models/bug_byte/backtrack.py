"""Bug Byte by search: propagate, branch on the smallest domain, back up.

The edges of a graph get the labels 1..m, each once, some of which are given. At some nodes the labels add up
to a given sum. From some nodes, for each number listed there, a simple path has labels with that sum.

    domains[e]  the labels that edge e can still have, as a set of bits (bit v for label v)

A number t listed at a node is the sum of some simple path from there; its routes are the simple paths that
the bounds on their sums leave (routes.py).

`propagation`, until nothing changes:
    each label is on one edge            the label of an edge goes from all others; a label that only one
                                         edge can have goes there
    the labels at a node add up          an edge keeps what the least and the most of the others leave to it
    some route adds up to each listed t  a t without a possible route is a dead end; of its only possible
                                         route each edge keeps what the others leave to it

Steps of propagation: the labels alone, the sums at nodes too, all; and all with shaving at each node.

Constraints: all different (by assigned labels and labels with one place left), sum, disjunction of sums (both
by bounds)
"""

from collections.abc import Iterator

from models.bug_byte.puzzle import BugByte, Edge
from models.bug_byte.routes import WatchedRoutes, all_routes
from models.shared.bits import adds_up, all_different, assignments, least, most
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, propagates


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.BOUNDS, Step.SHAVING)
def propagation(puzzle: BugByte, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    sums = [(total, puzzle.edges_at(node)) for node, total in puzzle.sums.items()]
    numbers = [WatchedRoutes(target, routes) for target, routes in all_routes(puzzle)]

    def labels_once(domains: dict[Edge, int]) -> bool:
        return all_different(domains, tally)

    def sums_at_nodes(domains: dict[Edge, int]) -> bool:
        return all(adds_up(domains, edges, total, tally) for total, edges in sums)

    def some_routes(domains: dict[Edge, int]) -> bool:
        low = {edge: least(bits) for edge, bits in domains.items()}
        high = {edge: most(bits) for edge, bits in domains.items()}
        for routes in numbers:
            possible = routes.possible(low, high)
            if not possible:
                return False
            if len(possible) == 1 and not adds_up(domains, possible[0], routes.target, tally):
                return False
        return True

    everything = (1 << len(puzzle.edges) + 1) - 2
    domains = {
        edge: 1 << puzzle.givens[edge] if edge in puzzle.givens else everything
        for edge in tally.shuffled(puzzle.edges)
    }
    rules = {Step.ALL_DIFFERENT: labels_once, Step.BOUNDS: sums_at_nodes, Step.FULL: some_routes}
    for found in assignments(domains, rules, tally, name=lambda edge: f"edge {edge[0]}-{edge[1]}"):
        yield puzzle.solution({edge: least(bits) for edge, bits in found.items()}.__getitem__)


FORMULATIONS = by_name(propagation)
