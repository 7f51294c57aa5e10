"""Bug Byte by search: propagate, branch on the smallest domain, back up.

    domains     edge -> the labels that it can still have, as a set of bits (bit v for label v)
    totals      the edges at each node with a sum, and the sum
    numbers     each number listed at a node, and the routes that may have it as their sum (routes.py)

Propagation until nothing changes:
- a label that an edge has goes from all others; a label with one edge left goes there;
- at a node with a sum, an edge keeps what the least and the most of the others leave to it;
- a number of which no route is left, as far as the least and the most of its labels tell, is a dead end;
  if one route is left, its edges keep what the others leave to them.
"""

from collections.abc import Iterator

from models.bug_byte.puzzle import BugByte, Edge
from models.bug_byte.routes import Watched, all_routes, stars
from models.shared.bits import adds_up, all_different, branch, fixpoint, least, most
from models.shared.model import Tally
from models.shared.puzzle import Solution


def search(puzzle: BugByte, tally: Tally) -> Iterator[Solution]:
    """Every solution."""
    totals = stars(puzzle)
    numbers = [(target, Watched(routes)) for target, routes in all_routes(puzzle)]

    def narrow(domains: dict[Edge, int]) -> bool:
        return (
            all_different(domains, tally)
            and all(adds_up(domains, edges, total, tally) for total, edges in totals)
            and some_routes(domains)
        )

    def some_routes(domains: dict[Edge, int]) -> bool:
        low = {edge: least(bits) for edge, bits in domains.items()}
        high = {edge: most(bits) for edge, bits in domains.items()}
        for target, routes in numbers:
            possible = routes.possible(target, low, high)
            if not possible or (len(possible) == 1 and not adds_up(domains, possible[0], target, tally)):
                return False
        return True

    everything = (1 << len(puzzle.edges) + 1) - 2
    domains = {
        edge: 1 << puzzle.givens[edge] if edge in puzzle.givens else everything
        for edge in tally.shuffled(puzzle.edges)
    }
    consistent = fixpoint(domains, narrow)
    tally.root(variables=puzzle.size, undecided=sum(bits.bit_count() > 1 for bits in domains.values()))
    if consistent:
        for found in branch(domains, narrow, tally):
            yield puzzle.solution(lambda edge, found=found: least(found[edge]))  # type: ignore[misc]


FORMULATIONS = {"propagation": search}
