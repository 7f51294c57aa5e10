"""Market Split by four lists: Schroeppel and Shamir's meeting in the middle, by remainders for their heaps.

The customers are cut into four parts, and the sums of all subsets of each part are listed. A sum is one
number, with some bits for each product. What the first two parts buy together in the first division leaves
some remainder for a modulus: the search branches on that. Few pairs of sums leave it, and few pairs of the
other two parts leave the remainder of what is then missing. Where one of each make up the totals, they are a
split. With n customers it looks at 2^(n/2) pairs of each half, and keeps some multiple of 2^(n/4) sums.

Beyond 64 customers it branches on the others before, one by one, by bounds: what is missing to a total is
not less than 0, nor more than all customers that are left buy. `bounds` does so with all customers.

The lists: Schroeppel and Shamir, SIAM Journal on Computing 10, 1981. The remainders: Howgrave-Graham and
Joux, New generic algorithms for hard knapsacks, Eurocrypt 2010.

Constraints: linear
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from models.market_split.puzzle import MarketSplit
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally, View, depth_first

LISTED = 64
"""The customers in four lists: with more the pairs, 2^(n/2), take days."""


def subset_sums(customers: Sequence[int], bought: Sequence[int]) -> dict[int, list[int]]:
    """What subsets of some customers buy: each sum with its subsets, as bits."""
    sums = [(0, 0)]
    for i in customers:
        sums += [(total + bought[i], subset | 1 << i) for total, subset in sums]
    found: dict[int, list[int]] = {}
    for total, subset in sums:
        found.setdefault(total, []).append(subset)
    return found


class FourLists:
    """The sums of the subsets of some customers, of whom `bought` has what each one buys.

    Attributes:
        modulus: with each remainder a half has two to four times as many sums as one of its lists.
    """

    def __init__(self, customers: Sequence[int], bought: Sequence[int]) -> None:
        """Lists them for each quarter of the customers."""
        cuts = [len(customers) * part // 4 for part in range(5)]
        self.parts = [subset_sums(customers[begin:end], bought) for begin, end in pairwise(cuts)]
        self.modulus = 1 << len(customers) // 4 >> 1 | 1
        self.first = [[(total, total % self.modulus) for total in part] for part in self.parts[::2]]
        self.second: list[list[list[int]]] = []
        for part in self.parts[1::2]:
            self.second.append([[] for _ in range(self.modulus)])
            for total in part:
                self.second[-1][total % self.modulus].append(total)

    def meeting(self, total: int, remainder: int) -> list[int]:
        """The sums of the first half with a remainder for which the second half has the rest of a total."""
        # A difference below 0 counts from the end of the list, where its remainder is.
        second, sums = self.second[0], self.first[0]
        first_half = {a + b for a, rest in sums for b in second[remainder - rest]}
        missing, second = (total - remainder) % self.modulus, self.second[1]
        sums = [(total - c, rest) for c, rest in self.first[1]]
        return sorted(first_half.intersection([c - d for c, rest in sums for d in second[missing - rest]]))

    def subsets(self, half: int, total: int) -> Iterator[int]:
        """The subsets of a half with a sum, as bits."""
        first, second = self.parts[2 * half : 2 * half + 2]
        for a, subsets in first.items():
            for subset in second.get(total - a, ()):
                yield from (subset | other for other in subsets)


@dataclass(frozen=True)
class Node:
    """What is known.

    Attributes:
        decided: how many customers, in the order of the search.
        chosen: those of them that go to the first division, as bits.
        left: what is missing to each total.
        sums: of the first half of the others, if a remainder is chosen.
    """

    decided: int
    chosen: int
    left: tuple[int, ...]
    sums: Sequence[int] | None = None


class Search:
    """The search for the splits of one puzzle, with so many customers in four lists."""

    def __init__(self, puzzle: MarketSplit, tally: Tally, listed: int) -> None:
        """Puts the customers in order; those in the lists are the last."""
        self.puzzle, self.order = puzzle, list(tally.shuffled(puzzle.customers))
        self.single = max(0, puzzle.size - listed)
        # Of each place in the order, what the customers from there on buy of each product.
        bought = [[0, *accumulate(row[i] for i in reversed(self.order))] for row in puzzle.rows]
        self.rest = [tuple(sums[place] for sums in bought) for place in range(puzzle.size, -1, -1)]
        columns = [self.packed(column) for column in zip(*puzzle.rows, strict=True)]
        self.lists = FourLists(self.order[self.single :], columns)

    def packed(self, amounts: Sequence[int]) -> int:
        """An amount of each product as one number, of which no sum overflows."""
        number = 0
        for amount, most in zip(amounts, self.rest[0], strict=True):
            number = (number << most.bit_length()) + amount
        return number

    def consistent(self, node: Node) -> bool:
        """Whether the others may buy what is missing, by bounds."""
        return all(0 <= left <= most for left, most in zip(node.left, self.rest[node.decided], strict=True))

    def options(self, node: Node) -> Iterator[tuple[str, Node, bool]]:
        """Yields what to try at a node, in words, with the node then, and whether it is consistent."""
        if node.decided < self.single:
            i, decided = self.order[node.decided], node.decided + 1
            less = tuple(left - row[i] for left, row in zip(node.left, self.puzzle.rows, strict=True))
            for child in (Node(decided, node.chosen | 1 << i, less), replace(node, decided=decided)):
                yield f"customer {i + 1}: {child.chosen >> i & 1}", child, self.consistent(child)
        elif node.sums is None and node.decided < self.puzzle.size:
            for remainder in range(self.lists.modulus):
                sums = self.lists.meeting(self.packed(node.left), remainder)
                yield f"remainder {remainder}", replace(node, sums=sums), bool(sums)
        elif node.sums:
            total = self.packed(node.left)
            for of_half in node.sums:
                for some in self.lists.subsets(0, of_half):
                    for others in self.lists.subsets(1, total - of_half):
                        leaf = Node(self.puzzle.size, node.chosen | some | others, ())
                        first = self.puzzle.answer(self.solution(leaf.chosen))
                        yield f"first division: {first}", leaf, True

    def solution(self, chosen: int) -> list[int]:
        """The split with these customers in the first division."""
        return self.puzzle.solution(lambda i: chosen >> i & 1)

    def view(self, node: Node) -> View:
        """The divisions that each customer can go to."""
        decided = {i: [node.chosen >> i & 1] for i in self.order[: node.decided]}
        return View({i: decided.get(i, [0, 1]) for i in self.puzzle.customers})


def splits(puzzle: MarketSplit, tally: Tally, listed: int) -> Iterator[Solution]:
    """Yields every split; so many customers are in four lists."""
    search, root = Search(puzzle, tally, listed), Node(0, 0, puzzle.totals)
    consistent, n = search.consistent(root), puzzle.size
    tally.root(variables=n, undecided=n, values=2 * n, values_left=2 * n if consistent else n)
    for node in depth_first(tally, root, consistent, search.options, search.view):
        yield search.solution(node.chosen)


def four_lists(puzzle: MarketSplit, tally: Tally) -> Iterator[Solution]:
    """Yields every split: remainders of the first half, and the sums that meet."""
    return splits(puzzle, tally, LISTED)


def bounds(puzzle: MarketSplit, tally: Tally) -> Iterator[Solution]:
    """Yields every split: one customer after the other."""
    return splits(puzzle, tally, 0)


FORMULATIONS = by_name(four_lists, bounds)
