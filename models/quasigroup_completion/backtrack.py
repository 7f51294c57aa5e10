"""Quasigroup completion by search in three views of a square, which are the same problem.

A candidate is a number in a cell. Of each group one is chosen: of the numbers of a cell, of the rows of a
column and a number, of the columns of a number and a row. The search branches on the group with the fewest
candidates by its weight, 1 and how often it had none left (Boussemart, Hemery, Lecoutre and Sais, 2004), and
propagates:
- other candidates in a group of a chosen one are removed;
- the last candidate of a group is chosen; with all different alone, that of a cell.

Constraints: exactly one
"""

from collections.abc import Iterator
from functools import cache
from operator import itemgetter

from models.quasigroup_completion.puzzle import QuasigroupCompletion
from models.shared.bits import members, record_root
from models.shared.grid import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates

Node = list[int]
"""The candidates of each group, bits from 0 on: of each (row, column), (column, number), (number, row)."""


class Search:
    """The search for the solutions of one puzzle.

    Attributes:
        groups: those whose last candidate is chosen, and that it branches on.
        others: of a group and a bit, which are a candidate, its two other groups with their bits.
    """

    def __init__(self, puzzle: QuasigroupCompletion, tally: Tally) -> None:
        """All groups have the same weight at first."""
        self.puzzle, self.n, self.tally = puzzle, puzzle.height, tally
        self.groups = range((3 if tally.step >= Step.FULL else 1) * puzzle.size)
        self.order = list(tally.shuffled(self.groups))
        self.weight = [1] * (3 * puzzle.size)
        self.others = cache(self._others)

    def _others(self, group: int, bit: int) -> tuple[tuple[int, int], tuple[int, int]]:
        n, (kind, rest) = self.n, divmod(group, self.n**2)
        a, b = divmod(rest, n)
        return ((kind + 1) % 3 * n * n + b * n + bit, a), ((kind + 2) % 3 * n * n + bit * n + a, b)

    def narrow(self, node: Node, group: int, bit: int) -> bool:
        """Chooses a candidate, and what follows from that; False on a contradiction."""
        others, weight, waiting = self.others, self.weight, [(group, bit)]
        while waiting:
            group, bit = waiting.pop()
            if not node[group] >> bit & 1:
                weight[group] += 1
                return False
            for at, kept in ((group, bit), *others(group, bit)):
                removed = node[at] ^ 1 << kept
                node[at] = 1 << kept
                self.tally.propagations += removed.bit_count()
                for candidate in members(removed):
                    for other, gone in others(at, candidate):
                        left = node[other] = node[other] & ~(1 << gone)
                        if not left:
                            weight[other] += 1
                            return False
                        if not left & (left - 1) and other in self.groups:
                            waiting.append((other, left.bit_length() - 1))
        return True

    def root(self) -> tuple[Node, bool]:
        """Returns the candidates that the givens leave, and whether they are consistent."""
        node = [(1 << self.n) - 1] * len(self.weight)
        givens = self.puzzle.givens.items()
        return node, all(self.narrow(node, row * self.n + column, v - 1) for (row, column), v in givens)

    def options(self, node: Node) -> Iterator[tuple[str, Node, bool]]:
        """Yields what to try at a node, in words, with the node then, and whether it is consistent."""
        fewest = [
            (node[group].bit_count() / self.weight[group], group)
            for group in self.order
            if node[group] & (node[group] - 1)
        ]
        if fewest:
            group = min(fewest, key=itemgetter(0))[1]
            for bit in members(node[group]):
                child = node.copy()
                consistent = self.narrow(child, group, bit)
                yield self.word(group, bit), child, consistent

    def word(self, group: int, bit: int) -> str:
        """Names a candidate."""
        place = next(place for place in ((group, bit), *self.others(group, bit)) if place[0] < self.n**2)
        return f"{in_words(divmod(place[0], self.n))}: {place[1] + 1}"

    def view(self, node: Node) -> View:
        """The numbers that are left in each cell."""
        return View({i: [v + 1 for v in members(node[k])] for k, i in enumerate(self.puzzle.cells)})


@propagates(Step.FULL, Step.ALL_DIFFERENT)
def weighted(puzzle: QuasigroupCompletion, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    search = Search(puzzle, tally)
    node, consistent = search.root()
    record_root(tally, puzzle.height * puzzle.size, node[: puzzle.size], consistent)
    for leaf in depth_first(tally, node, consistent, search.options, search.view):
        numbers = dict(zip(puzzle.cells, map(int.bit_length, leaf), strict=False))
        yield puzzle.solution(numbers.__getitem__)


FORMULATIONS = by_name(weighted)
