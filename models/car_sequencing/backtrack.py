"""Car Sequencing from the first car to the last.

A class may be next if there is a car of it left, if no window has too many of an option then, and if the cars
that are left can all get their options: with the last cars known, so many can have an option at most that get
it as soon as its windows allow.

Classes are tried by how scarce the options of their cars are, the number of cars that still need each as a
share of those that can have it, in total (Smith, 1996; Gottlieb, Puchta and Solnon, 2003). The search begins
again, with these shares changed at random, after more and more failures. Nodes without a solution below them
are kept, as the last cars and the number left of each class: what is beyond such a node is not tried again.

Constraints: at most so many in a window
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from models.car_sequencing.puzzle import CarSequencing
from models.shared.bits import members
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates

FAILURES, GROWTH = 100, 1.5  # After so many failures it begins again, then after so many times as many.
NOISE = 0.3  # How much shares are larger then, at most,
MOST_KEPT = 1_000_000  # and how many nodes without a solution are kept.


class Node(NamedTuple):
    """Some cars, what is left of each class and needs each option, the last cars and the next (bits)."""

    cars: tuple[int, ...]
    left: tuple[int, ...]
    needs: tuple[int, ...]
    last: tuple[int, ...]
    next: int


class Again(Exception):
    """The search is to begin again."""


class Search:
    """The search for the orders of one puzzle, with its own numbers of the options that are limited."""

    def __init__(self, puzzle: CarSequencing, tally: Tally) -> None:
        self.puzzle, self.tally, self.n = puzzle, tally, puzzle.size
        self.order = [*tally.shuffled(puzzle.classes)]
        # Windows beyond the line limit nothing.
        self.options = [o for o in puzzle.options if puzzle.window[o] <= self.n]
        self.having = [sum(1 << c for c in puzzle.having(o)) for o in self.options]
        self.rules = [(puzzle.max_in_window[o], (1 << puzzle.window[o] - 1) - 1) for o in self.options]
        self.required = [
            [k for k, o in enumerate(self.options) if puzzle.requires[c][o]] for c in puzzle.classes
        ]
        self.most = cache(self._most)
        # Nodes without a solution; then how much shares change at random, solutions found, failures left.
        self.dead: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
        self.noise, self.found, self.failures = 0.0, 0, FAILURES

    def _most(self, k: int, last: int, cars: int) -> int:
        """How many of so many cars can have an option, after the last ones."""
        (p, kept), count = self.rules[k], 0
        for _ in range(cars):
            one = last.bit_count() < p
            last = (last << 1 | one) & kept
            count += one
        return count

    def root(self) -> Node:
        """The node without cars."""
        needs = [sum(self.puzzle.demand[c] for c in members(having)) for having in self.having]
        root = Node((), self.puzzle.demand, tuple(needs), (0,) * len(needs), 0)
        fits = all(need <= self.most(k, 0, self.n) for k, need in enumerate(needs))
        return root._replace(next=self.following(root)) if fits else root

    def following(self, node: Node) -> int:
        """The classes that may be next."""
        cars = self.n - len(node.cars) - 1
        found = sum(1 << c for c, left in enumerate(node.left) if left)
        for k, (p, kept) in enumerate(self.rules):
            last = node.last[k]
            if last.bit_count() >= p:
                found &= ~self.having[k]
            elif self.tally.step >= Step.FULL and node.needs[k] > self.most(k, last << 1 & kept, cars):
                found &= self.having[k]
        return found

    def child(self, node: Node, c: int) -> Node:
        """The node after one more car."""
        left = (*node.left[:c], node.left[c] - 1, *node.left[c + 1 :])
        needs = [*node.needs]
        last = [bits << 1 & kept for bits, (_, kept) in zip(node.last, self.rules, strict=True)]
        for k in self.required[c]:
            needs[k] -= 1
            last[k] |= self.rules[k][1] & 1
        child = Node((*node.cars, c), left, tuple(needs), tuple(last), 0)
        return child._replace(next=self.following(child))

    def options_of(self, node: Node) -> Iterator[tuple[str, Node, bool]]:
        """Yields each class that may be next, in words, with the node then, and whether it can go on."""
        number, found, cars = len(node.cars) + 1, self.found, self.n - len(node.cars)
        if number > self.n:
            return
        share = [need / (self.most(k, node.last[k], cars) or 1) for k, need in enumerate(node.needs)]
        if self.noise:
            share = [each * (1 + self.noise * self.tally.random.random()) for each in share]
        score = {c: -sum(share[k] for k in self.required[c]) for c in self.order if node.next >> c & 1}
        for c in sorted(score, key=score.__getitem__):
            child = self.child(node, c)
            consistent = number == self.n or (child.next and (child.left, child.last) not in self.dead)
            yield f"car {number}: {c}", child, bool(consistent)
            if not consistent and not self.found:
                self.failures -= 1
                if self.failures < 0:
                    raise Again
        if found == self.found and len(self.dead) < MOST_KEPT:
            self.dead.add((node.left, node.last))


@propagates(Step.FULL, Step.BOUNDS)
def scarcest(puzzle: CarSequencing, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    search, limit = Search(puzzle, tally), FAILURES
    root = search.root()
    tally.root(variables=puzzle.size, undecided=puzzle.size)
    while True:
        try:
            told, consistent = search.noise > 0, root.next > 0
            for leaf in depth_first(tally, root, consistent, search.options_of, view, told):
                search.found += 1
                yield list(leaf.cars)
            return
        except Again:
            limit = search.failures = int(limit * GROWTH)
            search.noise = NOISE


def view(node: Node) -> View:
    """The classes of the cars so far."""
    return View({i: [c] for i, c in enumerate(node.cars)})


FORMULATIONS = by_name(scarcest)
