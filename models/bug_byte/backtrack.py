"""Bug Byte by search: propagate, branch on an edge with few labels left, back up.

Propagation, until nothing changes (propagator.py):
    each label is on one edge            the label of an edge is removed from all others; a label that only
                                         one edge can have is assigned to it
    the labels at a node add up          an edge keeps what the least and the most of the others leave to it
    some route adds up to each number    a number without a possible route is a dead end; of its only possible
                                         route each edge keeps what the others leave to it

It branches on the first edge of those with the fewest labels.

Steps of propagation: the labels alone, the sums at nodes too, all; and all with shaving at each node.

Constraints: all different (by assigned labels and labels with one place left), sum, disjunction of sums (both
by bounds)
"""

from collections.abc import Iterator

from models.bug_byte.propagator import Propagator, State
from models.bug_byte.puzzle import BugByte
from models.shared.bits import least, members, record_root, total_size
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.BOUNDS, Step.SHAVING)
def propagation(puzzle: BugByte, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    propagator = Propagator(puzzle, tally)
    order = list(tally.shuffled(propagator.all))
    state = propagator.root()
    values = total_size(state.domains)
    consistent = propagator.propagate(state)
    record_root(tally, values, state.domains, consistent)

    def view(state: State) -> View:
        return View(dict(zip(puzzle.edges, map(members, state.domains), strict=True)))

    def options(state: State) -> Iterator[tuple[str, State, bool]]:
        if undecided := [edge for edge in order if (bits := state.domains[edge]) & (bits - 1)]:
            chosen = min(undecided, key=lambda edge: state.domains[edge].bit_count())
            u, v = puzzle.edges[chosen]
            for label in members(state.domains[chosen]):
                child = propagator.assigned(state, chosen, 1 << label)
                yield f"edge {u}-{v}: {label}", child, propagator.propagate(child)

    for found in depth_first(tally, state, consistent, options, view):
        yield puzzle.solution(dict(zip(puzzle.edges, map(least, found.domains), strict=True)).__getitem__)


FORMULATIONS = by_name(propagation)
