"""Bin packing by bin completion, as Korf has it: one bin after the other, not one item after the other.

The largest item left is in some bin: the search branches on what else is in it, the fullest bins first. It
skips what can be replaced in any packing: an item that is left may not fit in place of a smaller one, or of
several as large together. And no later bin has all the items that were tried in this one before, as they
could change places with those that are in it now. First fit gives the first packing. The search turns back
where all free space so far, or the bound L2 of the items left, is too large for a better packing.

Korf, A new algorithm for optimal bin packing, AAAI 2002; An improved algorithm, IJCAI 2003.

Constraints: linear
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from models.bin_packing.first_fit import first_fit, least_bins
from models.bin_packing.puzzle import BinPacking
from models.shared.model import by_name
from models.shared.search import Tally, View, depth_first

Items = frozenset[tuple[int, int]]
"""Some items, each a size and a number among those of its size, counted from 0."""


class Node(NamedTuple):
    """The sizes left, falling; those in each bin; all free space; for each bin what no later one may have."""

    left: tuple[int, ...]
    bins: tuple[tuple[int, ...], ...]
    free: int
    tried: tuple[list[Items], ...]


class Search:
    """The search for packings with fewer than `best` bins."""

    def __init__(self, puzzle: BinPacking, tally: Tally, best: int) -> None:
        """Puts the sizes in the order in which they are tried."""
        self.capacity, self.total, self.best = puzzle.capacity, sum(puzzle.sizes), best
        self.order = [*tally.shuffled(sorted({*puzzle.sizes}, reverse=True))]

    def fillings(self, left: Counter[int]) -> Callable[[int], Iterator[tuple[int, ...]]]:
        """A function that yields the sizes of items that fill a room exactly."""
        order = [size for size in self.order if size in left]
        # The sums of sizes from each place in the order on, as bits.
        sums = [1]
        for size in reversed(order):
            reached = sums[-1]
            for _ in range(min(left[size], self.capacity // size)):
                reached |= reached << size
            sums.append(reached & (2 << self.capacity) - 1)
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

        return fill

    def options(self, node: Node) -> Iterator[tuple[str, Node, bool]]:
        """Yields bins for the largest item left, in words, the node then, and whether it may be better."""
        if not node.left:
            return
        first, rest, tried = node.left[0], Counter(node.left[1:]), list[Items]()
        fillings = self.fillings(rest)
        for free in range(self.capacity - first + 1):
            if self.total + node.free + free > (self.best - 1) * self.capacity:
                return
            for others in fillings(self.capacity - first - free):
                left, items = rest - Counter(others), numbered((first, *others))
                if replaceable(others, left, free) or any(
                    had <= items for sets in node.tried for had in sets
                ):
                    continue
                bins, remaining = (*node.bins, (first, *others)), tuple(left.elements())
                child = Node(remaining, bins, node.free + free, (*node.tried, tried))
                better = len(bins) + least_bins(remaining, self.capacity) < self.best
                yield " + ".join(map(str, bins[-1])), child, better
                tried.append(numbered(others))


def numbered(sizes: Sequence[int]) -> Items:
    """Items of these sizes, the first ones of each size."""
    return frozenset((size, sizes[:k].count(size)) for k, size in enumerate(sizes))


def replaceable(sizes: Sequence[int], left: Counter[int], free: int) -> bool:
    """Whether an item left fits in place of none, of a smaller one, or of several as large together."""
    # The sums of one item, and of several or none, as bits.
    one, several = 0, 1
    for size in sizes:
        several |= (several & ~1 | one) << size
        one |= 1 << size
    for size in left:
        least = max(0, size - free)
        if (several | one & ~(1 << size)) >> least & (2 << size - least) - 1:
            return True
    return False


def bin_completion(puzzle: BinPacking, tally: Tally) -> Iterator[list[int]]:
    """Yields each packing that has fewer bins than those before; the first is that of first fit."""
    root, fits = Node(tuple(puzzle.falling), (), 0, ()), max(puzzle.sizes) <= puzzle.capacity

    def view(node: Node) -> View:
        return View(notes=[" + ".join(map(str, sizes)) for sizes in node.bins])

    tally.root(variables=puzzle.size, undecided=puzzle.size)
    if tally.watcher:
        tally.watcher.node(0, "", partial(view, root), fits)
    if not fits:
        return
    bins, least = first_fit(puzzle), least_bins(puzzle.falling, puzzle.capacity)
    tally.on_bound(least)
    yield puzzle.packing(bins)
    search = Search(puzzle, tally, len(bins))
    for node in depth_first(tally, root, search.best > least, search.options, view, told=True):
        if not node.left:
            search.best = len(node.bins)
            yield puzzle.packing(node.bins)
            if search.best == least:
                return


FORMULATIONS = by_name(bin_completion)
