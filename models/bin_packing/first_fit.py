"""What is known of a bin packing without a search: a packing, and how many bins are needed at least."""

from collections.abc import Sequence

from models.bin_packing.puzzle import BinPacking


def first_fit(puzzle: BinPacking) -> list[list[int]]:
    """The sizes in each bin if each item, the largest first, goes into the first bin where it fits.

    An item that is larger than a bin has one of its own.
    """
    bins, free = list[list[int]](), list[int]()
    for size in puzzle.falling:
        if (b := next((b for b, space in enumerate(free) if size <= space), len(bins))) == len(bins):
            bins.append([])
            free.append(puzzle.capacity)
        bins[b].append(size)
        free[b] -= size
    return bins


def least_bins(sizes: Sequence[int], capacity: int) -> int:
    """Martello and Toth's bound L2 of the number of bins for items of these sizes, the largest first.

    Each item larger than half of a bin needs its own. For each size k of the others: what those of size k or
    more do not find room for beside large ones, where one of size k fits, is divided by the capacity.
    """
    large = sum(2 * size > capacity for size in sizes)
    best = max(large, -(-sum(sizes) // capacity))
    beside, load = large, 0
    for size in sizes[large:]:
        load += size
        while beside and sizes[beside - 1] + size <= capacity:
            beside -= 1
            load -= capacity - sizes[beside]
        best = max(best, large - -load // capacity)
    return best
