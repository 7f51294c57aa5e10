"""Bin packing by bin completion, as Korf has it: one bin after the other, not one item after the other.

The largest item left is in some bin: the search branches on what else is in it, the fullest bins first. It
skips a bin if an item that is left fits, or fits in place of a smaller one: any packing could be changed so.
And no later bin has all the items that were tried in this one before, as they could change places with those
that are in it now. The search turns back where the bound L2 is too large for a better packing.

Korf, A new algorithm for optimal bin packing, AAAI 2002; An improved algorithm, IJCAI 2003.

Constraints: linear
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from models.bin_packing.first_fit import least_bins
from models.bin_packing.puzzle import BinPacking
from models.shared.model import by_name
from models.shared.search import Tally, View, depth_first

Items = frozenset[tuple[int, int]]
"""Some items, each a size and a number among those of its size, counted from 0."""


class Node(NamedTuple):
    """The sizes left, falling; those in each bin; sets of items that no later bin may have."""

    left: tuple[int, ...]
    bins: tuple[tuple[int, ...], ...] = ()
    tried: tuple[Items, ...] = ()


class Search:
    """The search for packings with fewer than `best` bins."""

    def __init__(self, puzzle: BinPacking, tally: Tally) -> None:
        """Puts the sizes in the order in which they are tried."""
        self.capacity, self.best = puzzle.capacity, puzzle.size + 1
        self.order = [*tally.shuffled(sorted({*puzzle.sizes}, reverse=True))]

    def fillings(self, left: Counter[int], most: int) -> Iterator[tuple[int, ...]]:
        """Yields the sizes of items that fill a room of size `most` or less, the fullest first."""
        order = [size for size in self.order if size in left]
        # The sums of sizes from each place in the order on, as bits.
        sums = [1]
        for size in reversed(order):
            reached = sums[-1]
            for _ in range(min(left[size], most // size)):
                reached |= reached << size
            sums.append(reached & (2 << most) - 1)
        sums.reverse()

        def fill(room: int, place: int = 0) -> Iterator[tuple[int, ...]]:
            if not room:
                yield ()
                return
            while sums[place] >> room & 1:
                size, place = order[place], place + 1
                for count in range(min(left[size], room // size), 0, -1):
                    for others in fill(room - count * size, place):
                        yield (size,) * count + others

        for room in range(most, -1, -1):
            yield from fill(room)

    def options(self, node: Node) -> Iterator[tuple[str, Node, bool]]:
        """Yields bins for the largest item left, in words, the node then, and whether it may be better."""
        if not node.left:
            return
        first, rest, tried = node.left[0], Counter(node.left[1:]), node.tried
        for others in self.fillings(rest, self.capacity - first):
            left, items, load = rest - Counter(others), numbered((first, *others)), first + sum(others)
            if len(node.bins) + 1 + -(-(sum(node.left) - load) // self.capacity) >= self.best:
                return
            free = self.capacity - load
            if any(size - free <= other < size for size in left for other in (0, *others)):
                continue
            if any(had <= items for had in node.tried):
                continue
            child = Node(tuple(left.elements()), (*node.bins, (first, *others)), tried)
            better = len(child.bins) + least_bins(child.left, self.capacity) < self.best
            yield " + ".join(map(str, child.bins[-1])), child, better
            tried = (*tried, numbered(others))


def numbered(sizes: Sequence[int]) -> Items:
    """Items of these sizes, the first ones of each size."""
    return frozenset((size, sizes[:k].count(size)) for k, size in enumerate(sizes))


def bin_completion(puzzle: BinPacking, tally: Tally) -> Iterator[list[int]]:
    """Yields each packing that has fewer bins than those before."""
    search, least = Search(puzzle, tally), least_bins(puzzle.falling, puzzle.capacity)
    tally.root(variables=puzzle.size, undecided=puzzle.size)
    tally.on_bound(least)
    root, fits = Node(tuple(puzzle.falling)), max(puzzle.sizes) <= puzzle.capacity
    for node in depth_first(tally, root, fits, search.options, view):
        if not node.left:
            search.best = len(node.bins)
            yield puzzle.packing(node.bins)
            if search.best == least:
                return


def view(node: Node) -> View:
    """The bins so far."""
    return View(notes=[" + ".join(map(str, sizes)) for sizes in node.bins])


FORMULATIONS = by_name(bin_completion)
