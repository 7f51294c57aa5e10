"""Queens Domination by branch and bound, on sets of squares as bits.

Branches on the square not yet reached for which the fewest squares are left: a queen stands on one of them,
first on those that reach most. A square that was tried holds no queen in the branches after it, nor does any
that a symmetry of the board, the queens so far and the squares left makes of it.

Bounds: a square not yet reached counts 1/m, where m is the most of such squares that a queen reaching it can
reach. One queen reaches squares that count 1 at most together, so as many queens are missing as all of them
count, rounded up: a dual solution of the linear relaxation.

Constraints: set covering, symmetry
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil

from models.queens_domination.puzzle import QueensDomination
from models.shared.bits import members
from models.shared.grid import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally, View, depth_first


@dataclass(frozen=True)
class Node:
    """What is known; squares are numbered in the order of the search.

    Attributes:
        queens: the squares that hold one.
        missed: those that no queen reaches yet.
        left: those that may hold another queen.
        symmetries: those of the board that keep the queens, and so what is left: the image of each square.
    """

    queens: tuple[int, ...]
    missed: int
    left: int
    symmetries: Sequence[Sequence[int]]


class Search:
    """The search for the fewest queens of one puzzle; `best` is their number so far."""

    def __init__(self, puzzle: QueensDomination, tally: Tally) -> None:
        """Numbers the squares."""
        self.squares, every = list(tally.shuffled(puzzle.squares)), (1 << puzzle.size) - 1
        number = {square: i for i, square in enumerate(self.squares)}
        self.reach = [sum(1 << number[other] for other in puzzle.attackers[i]) for i in self.squares]
        self.best = puzzle.size + 1
        self.root = Node((), every, every, self._symmetries(puzzle))

    def _symmetries(self, puzzle: QueensDomination) -> list[list[int]]:
        """The image of each square by each symmetry of the board."""
        number, found = {square: i for i, square in enumerate(self.squares)}, []
        for up, left, turned in product((False, True), repeat=3):
            image = []
            for r, c in self.squares:
                row, column = puzzle.height - 1 - r if up else r, puzzle.width - 1 - c if left else c
                image.append(number.get((column, row) if turned else (row, column), -1))
            if -1 not in image:
                found.append(image)
        return found

    def bound(self, node: Node) -> int:
        """How many queens a solution below a node has at least; `best` if it can have none."""
        reached = [((self.reach[i] & node.missed).bit_count(), i) for i in members(node.left)]
        missed, queens = node.missed, 0.0
        for number, i in sorted(reached, reverse=True):
            if not missed or not number:
                break
            counted = self.reach[i] & missed
            queens += counted.bit_count() / number
            missed ^= counted
        # The sum of fractions may be too large by rounding.
        return self.best if missed else len(node.queens) + ceil(queens - 1e-6)

    def options(self, node: Node) -> Iterator[tuple[str, Node, bool]]:
        """Yields what to try at a node, in words, with the node then, and whether it may be better."""
        if not node.missed:
            return
        reach, missed, left = self.reach, node.missed, node.left
        target = min(members(missed), key=lambda i: (reach[i] & left).bit_count())
        for i in sorted(members(reach[target] & left), key=lambda i: -(reach[i] & missed).bit_count()):
            if left >> i & 1:
                left &= ~(1 << i)
                kept = [symmetry for symmetry in node.symmetries if symmetry[i] == i]
                child = Node((*node.queens, i), missed & ~reach[i], left, kept)
                yield f"queen in {in_words(self.squares[i])}", child, self.bound(child) < self.best
                for symmetry in node.symmetries:
                    left &= ~(1 << symmetry[i])

    def view(self, node: Node) -> View:
        """Where queens stand, and where they may."""
        left = {square: [0, 1] if node.left >> i & 1 else [0] for i, square in enumerate(self.squares)}
        return View(left | {self.squares[i]: [1] for i in node.queens})


def cover(puzzle: QueensDomination, tally: Tally) -> Iterator[Solution]:
    """Yields solutions, each with fewer queens than those before; the last one has the fewest."""
    search, n = Search(puzzle, tally), puzzle.size
    tally.root(variables=n, undecided=n, values=2 * n, values_left=2 * n)
    tally.on_bound(search.bound(search.root))
    for node in depth_first(tally, search.root, True, search.options, search.view):
        search.best = len(node.queens)
        yield puzzle.placed(search.squares[i] for i in node.queens)


FORMULATIONS = by_name(cover)
