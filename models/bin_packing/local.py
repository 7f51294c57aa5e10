"""Bin packing by local search: a few bins are emptied, and their items make the others fuller.

Each other bin exchanges up to two of its items for one or two that are out, if that makes it fuller. Then
what is out is packed by best fit, the largest first. The packing stays as it is then if the sum of the
squares of the loads is not less, or by chance, as in simulated annealing at one temperature: if some bins
are fuller, others are emptier.

The exchange: Falkenauer, Journal of Heuristics 2, 1996, after Martello and Toth.

Constraints: linear
"""

from collections.abc import Iterator
from itertools import combinations
from math import exp

from models.bin_packing.first_fit import first_fit
from models.bin_packing.puzzle import BinPacking
from models.shared.model import by_name
from models.shared.search import Tally

TEMPERATURE = 0.01
"""In squares of the capacity."""


def best_items(out: list[int], room: int) -> list[int]:
    """The one or two sizes, of those that fall, that fill a room best; none if none fits."""
    best = next(([size] for size in out if size <= room), [])
    large, small = 0, len(out) - 1
    while large < small:
        pair = [out[large], out[small]]
        if sum(pair) > room:
            large += 1
        else:
            best = max(best, pair, key=sum)
            small -= 1
    return best


def exchange(sizes: list[int], out: list[int], capacity: int) -> None:
    """Exchanges items of a bin for those that are out, so that it is as full as it can be."""
    options = [
        (best_items(out, capacity - sum(sizes) + sum(some)), some)
        for count in range(3)
        for some in combinations(sizes, count)
    ]
    added, dropped = max(options, key=lambda option: sum(option[0]) - sum(option[1]))
    if sum(added) > sum(dropped):
        for size in dropped:
            sizes.remove(size)
        for size in added:
            out.remove(size)
        sizes += added
        out += dropped
        out.sort(reverse=True)


def exchanges(puzzle: BinPacking, tally: Tally) -> Iterator[list[int]]:
    """Yields each packing that has fewer bins than those before; the first is that of first fit."""
    if max(puzzle.sizes) > puzzle.capacity:
        return
    bins = first_fit(puzzle)
    best = len(bins) + 1
    while True:
        if len(bins) < best:
            best = len(bins)
            yield puzzle.packing(bins)
        tally.branches += 1
        tally.random.shuffle(bins)
        begin = min(len(bins), tally.random.randint(2, 4))
        out = sorted((size for sizes in bins[:begin] for size in sizes), reverse=True)
        others = [[*sizes] for sizes in bins[begin:]]
        for sizes in others:
            exchange(sizes, out, puzzle.capacity)
        for size in out:
            fitting = [sizes for sizes in others if sum(sizes) + size <= puzzle.capacity]
            if not fitting:
                fitting = [[]]
                others += fitting
            max(fitting, key=sum).append(size)
        gain = sum(sum(sizes) ** 2 for sizes in others) - sum(sum(sizes) ** 2 for sizes in bins)
        if gain >= 0 or tally.random.random() < exp(gain / (TEMPERATURE * puzzle.capacity**2)):
            bins = others
        else:
            tally.failures += 1


FORMULATIONS = by_name(exchanges)
