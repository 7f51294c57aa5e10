"""Bug Byte by search: propagate, branch on an edge with few labels left, back up.

Propagation, until nothing changes (propagator.py):
    each label is on one edge            the label of an edge goes from all others; a label that only one
                                         edge can have goes there
    the labels at a node add up          an edge keeps what the least and the most of the others leave to it
    some route adds up to each number    a number without a possible route is a dead end; of its only possible
                                         route each edge keeps what the others leave to it

`weighted_degree` branches on the edge with the fewest labels for its weight, which is 1 and the number of
times that a constraint on it has failed. While there is no solution, a tree is given up after 300 failures,
the next one after half as many more, and so on (Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic
search by weighting constraints", 2004).

`propagation` branches on the first edge of those with the fewest labels.

Steps of propagation: the labels alone, the sums at nodes too, all; and all with shaving at each node.

Constraints: all different (by assigned labels and labels with one place left), sum, disjunction of sums (both
by bounds)
"""

from collections.abc import Iterator
from functools import partial
from math import inf

from models.bug_byte.propagator import Propagator, State
from models.bug_byte.puzzle import BugByte
from models.shared.bits import least, members, record_root, total_size
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates

TREE = 300
"""So many failures end the first tree that has no solution."""


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.BOUNDS, Step.SHAVING)
def weighted_degree(puzzle: BugByte, tally: Tally) -> Iterator[Solution]:
    """Yields every solution; restarts until there is one."""
    return search(puzzle, tally, weighing=True)


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.BOUNDS, Step.SHAVING)
def propagation(puzzle: BugByte, tally: Tally) -> Iterator[Solution]:
    """Yields every solution, from one tree."""
    return search(puzzle, tally, weighing=False)


def search(puzzle: BugByte, tally: Tally, weighing: bool) -> Iterator[Solution]:
    """Yields every solution."""
    propagator = Propagator(puzzle, tally)
    order, weights = list(tally.shuffled(propagator.all)), propagator.weights
    state = propagator.root()
    values = total_size(state.domains)
    consistent = propagator.propagate(state)
    record_root(tally, values, state.domains, consistent)
    found, give_up_at = False, inf

    def size(state: State, edge: int) -> float:
        count = state.domains[edge].bit_count()
        return count / weights[edge] if weighing else count

    def view(state: State) -> View:
        return View(dict(zip(puzzle.edges, map(members, state.domains), strict=True)))

    def branch(state: State, depth: int) -> Iterator[Solution]:
        nonlocal found
        undecided = [edge for edge in order if (bits := state.domains[edge]) & (bits - 1)]
        if not undecided:
            found = True
            yield puzzle.solution(dict(zip(puzzle.edges, map(least, state.domains), strict=True)).__getitem__)
            return
        chosen = min(undecided, key=partial(size, state))
        for label in members(state.domains[chosen]):
            if not found and tally.failures >= give_up_at:
                return
            tally.branches += 1
            child = propagator.assigned(state, chosen, 1 << label)
            consistent = propagator.propagate(child)
            if tally.watcher:
                u, v = puzzle.edges[chosen]
                tally.watcher.node(depth, f"edge {u}-{v}: {label}", partial(view, child), consistent)
            if consistent:
                yield from branch(child, depth + 1)
            else:
                tally.failures += 1

    if tally.watcher:
        tally.watcher.node(0, "", partial(view, state), consistent)
    tree = TREE
    while consistent:
        give_up_at = tally.failures + tree if weighing else inf
        yield from branch(state, 1)
        if found or tally.failures < give_up_at:
            break
        tree += tree // 2


FORMULATIONS = by_name(propagation, weighted_degree)
