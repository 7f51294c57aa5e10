"""The labels that the edges of a graph can still have, and what follows, for the search of backtrack.py.

A route for a number that is listed at a node is a simple path from there that the bounds on its sum leave.
Routes are not listed, as there are too many in a larger graph. Two routes of each number, its witnesses, are
remembered; while both can still have the sum there is nothing to do, and else a walk through the graph looks
for two. A search that backs up has nothing to undo in the witnesses: what was a route is one again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate

from models.bug_byte.puzzle import BugByte
from models.shared.bits import between, least, members
from models.shared.native import numbered
from models.shared.search import Step, Tally

Edges = tuple[int, ...]
"""Edges by their numbers: those at a node, or a route from its first node on."""


@dataclass(slots=True)
class State:
    """What is still possible at a node of the search.

    Attributes:
        domains: the labels that each edge can still have, as a set of bits.
        open: the edges whose labels were not decided when the other edges lost what is decided.
        follow: of each number the only route, or one whose labels are known; None if there may be two.
    """

    domains: list[int]
    open: list[int]
    follow: list[Edges | None]

    def undecided(self) -> list[int]:
        """The edges with more than one label left."""
        return [edge for edge in self.open if (bits := self.domains[edge]) & (bits - 1)]


@dataclass(slots=True)
class Number:
    """A number that is listed at a node, and its witnesses; all their edges as a set of bits, too."""

    node: int
    target: int
    witnesses: list[Edges] = field(default_factory=list)
    edges: int = 0


class Propagator:
    """The rules, and what follows from them; its methods return False on a contradiction."""

    def __init__(self, puzzle: BugByte, tally: Tally):
        self.tally = tally
        self.all = range(len(puzzle.edges))
        nodes = numbered(puzzle.graph)
        self.given = [puzzle.givens.get(edge, 0) for edge in puzzle.edges]
        # From each node: by which edge, to which node, and the label that is given, 0 if none is.
        self.steps: list[list[tuple[int, int, int]]] = [[] for _ in nodes]
        for edge, (u, v) in enumerate(puzzle.edges):
            self.steps[nodes[u]].append((edge, nodes[v], self.given[edge]))
            self.steps[nodes[v]].append((edge, nodes[u], self.given[edge]))
        self.sums = [
            (tuple(edge for edge, *_ in self.steps[nodes[node]]), total)
            for node, total in puzzle.sums.items()
        ]
        # The sums that an edge is in, as a set of bits.
        self.sums_of = [
            sum(1 << k for k, (edges, _) in enumerate(self.sums) if edge in edges) for edge in self.all
        ]
        self.numbers = [Number(nodes[node], target) for node, target in puzzle.listed]
        free = sorted(set(puzzle.labels) - set(self.given))
        # The sums of the k smallest and of the k largest labels that are not given.
        self.smallest, self.largest = [0, *accumulate(free)], [0, *accumulate(reversed(free))]
        self.changed, self.waiting, self.stale = False, 0, 0

    def root(self) -> State:
        """The state in which nothing has been propagated."""
        self.look_at(self.all)
        domains = [1 << label if label else between(1, len(self.all)) for label in self.given]
        return State(domains, list(self.all), [None] * len(self.numbers))

    def look_at(self, edges: Iterable[int]) -> None:
        """Notes that these edges, and no others, have changed since the last propagation."""
        self.waiting = self.stale = 0
        for edge in edges:
            self.waiting |= self.sums_of[edge]
            self.stale |= 1 << edge

    def assigned(self, state: State, edge: int, bits: int) -> State:
        """The state in which an edge has one of these labels."""
        self.look_at([edge])
        child = State(state.domains.copy(), state.open, state.follow.copy())
        child.domains[edge] = bits
        return child

    def propagate(self, state: State) -> bool:
        """Repeats rounds until nothing changes, with the step of the tally."""
        if not self.fixpoint(state):
            return False
        before: list[int] = []
        while self.tally.step == Step.SHAVING and state.domains != before:
            before = state.domains.copy()
            if not self.shave(state):
                return False
        return True

    def fixpoint(self, state: State) -> bool:
        """Repeats rounds until nothing changes; what is not propagated is checked when all is decided."""
        self.changed = True
        while self.changed:
            self.changed = False
            if not self.all_different(state):
                return False
            step = self.tally.step
            if step < Step.FULL and not state.undecided():
                self.look_at(self.all)
                step = Step.FULL
            if step >= Step.BOUNDS and not self.sums_at_nodes(state):
                return False
            if step >= Step.FULL and not self.some_routes(state):
                return False
        return True

    def shave(self, state: State) -> bool:
        """Removes each label that propagation refutes."""
        for edge in self.all:
            for label in members(state.domains[edge]):
                bits = state.domains[edge]
                tried = bits >> label & 1 and bits & (bits - 1)
                if tried and not self.fixpoint(self.assigned(state, edge, 1 << label)):
                    self.look_at([])
                    self.keep(state, edge, bits ^ 1 << label)
                    if not self.fixpoint(state):
                        return False
        return True

    def keep(self, state: State, edge: int, kept: int) -> None:
        """Leaves fewer labels to an edge."""
        self.tally.propagations += (state.domains[edge] ^ kept).bit_count()
        state.domains[edge] = kept
        self.changed = True
        self.waiting |= self.sums_of[edge]
        self.stale |= 1 << edge

    def all_different(self, state: State) -> bool:
        """Each label is on one edge; one round."""
        domains = state.domains
        once = twice = held = 0
        for edge in state.open:
            bits = domains[edge]
            twice |= once & bits
            once |= bits
            if not bits & (bits - 1):
                if held & bits:
                    return False
                held |= bits
        if once.bit_count() < len(state.open):
            return False
        alone = once & ~twice
        if not alone and not held:
            return True
        state.open = state.undecided()
        for edge in state.open:
            bits = domains[edge]
            kept = bits & alone or bits & ~held
            if kept != bits:
                self.keep(state, edge, kept)
                if not kept:
                    return False
        return True

    def sums_at_nodes(self, state: State) -> bool:
        """The labels at a node add up, where an edge has changed; one round, in order."""
        later = -1
        while waiting := self.waiting & later:
            first = waiting & -waiting
            self.waiting ^= first
            later = -first << 1
            if not self.adds_up(state, *self.sums[least(first)]):
                return False
        return True

    def adds_up(self, state: State, edges: Edges, total: int) -> bool:
        """The labels of these edges add up to the total, by bounds; one round."""
        domains = state.domains
        low = high = widest = 0
        bounds = []
        for edge in edges:
            bits = domains[edge]
            smallest, largest = (bits & -bits).bit_length() - 1, bits.bit_length() - 1
            low += smallest
            high += largest
            if largest - smallest > widest:
                widest = largest - smallest
            bounds.append((edge, smallest, largest))
        if not low <= total <= high:
            return False
        if widest <= total - low and widest <= high - total:
            return True
        for edge, smallest, largest in bounds:
            if largest - smallest > total - low or largest - smallest > high - total:
                kept = domains[edge] & between(total - high + largest, total - low + smallest)
                self.keep(state, edge, kept)
                if not kept:
                    return False
        return True

    def some_routes(self, state: State) -> bool:
        """Some route adds up to each number; one round."""
        stale, self.stale = self.stale, 0
        for k, number in enumerate(self.numbers):
            follow = state.follow[k]
            if follow is None:
                stale |= self.stale
                routes = self.routes(state.domains, number, stale)
                if not routes:
                    return False
                if len(routes) == 2:
                    continue
                follow = state.follow[k] = routes[0]
            if not self.adds_up(state, follow, number.target):
                return False
        return True

    def routes(self, domains: list[int], number: Number, stale: int) -> list[Edges]:
        """Two routes for a number, or as many as there are; one whose labels are known is enough.

        Args:
            stale: the edges that have changed since the witnesses were routes.
        """
        if len(number.witnesses) == 2 and not number.edges & stale:
            return number.witnesses
        possible = 0
        for route in number.witnesses:
            low = high = -len(route)
            for edge in route:
                bits = domains[edge]
                low += (bits & -bits).bit_length()
                high += bits.bit_length()
            if low <= number.target <= high:
                if low == high:
                    return [route]
                possible += 1
        if possible < 2:
            number.witnesses = self.find_routes(domains, number)
            number.edges = sum(1 << edge for edge in {edge for route in number.witnesses for edge in route})
        return number.witnesses

    def find_routes(self, domains: list[int], number: Number) -> list[Edges]:
        """Walks in search of two routes for a number, leaving out what is too long already."""
        target, smallest, largest = number.target, self.smallest, self.largest
        found: list[Edges] = []

        def extend(
            path: Edges, node: int, visited: int, low: int, high: int, known: int, unknown: int
        ) -> None:
            """Goes on from the end of a path; its given labels add up to `known`, `unknown` are not given."""
            for edge, after, label in self.steps[node]:
                bits = domains[edge]
                lower = low + (bits & -bits).bit_length() - 1
                if lower > target or visited >> after & 1:
                    continue
                total, others = known + label, unknown + (not label)
                if total + smallest[others] > target:
                    continue
                longer, upper = (*path, edge), high + bits.bit_length() - 1
                if upper >= target and total + largest[others] >= target:
                    found.append(longer)
                if len(found) < 2:
                    extend(longer, after, visited | 1 << after, lower, upper, total, others)
                if len(found) >= 2:
                    return

        extend((), number.node, 1 << number.node, 0, 0, 0, 0)
        return found
