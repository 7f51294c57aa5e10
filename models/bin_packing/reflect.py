"""A bin as two paths that meet: the graph of Delorme and Iori, whose nodes say how full a path is.

It halves that of the arc flow of Valerio de Carvalho, whose linear relaxation is as strong as that with a
variable for each pattern. Enhanced pseudo-polynomial formulations for bin packing and cutting stock
problems, INFORMS Journal on Computing 32, 2020: https://doi.org/10.1287/ijoc.2018.0880
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from models.bin_packing.puzzle import BinPacking


class Arc(NamedTuple):
    """An item on a path, or free space of size 0; everything but `size` is doubled: so the middle is a node.

    Attributes:
        head: how full the path is then; of a reflected arc, how full the one that it meets must be.
        reflected: whether it ends a path, as what it adds would reach beyond the middle.
    """

    tail: int
    head: int
    size: int
    reflected: bool


def arcs_of(puzzle: BinPacking) -> list[Arc]:
    """The arcs of all ways to fill a bin: both paths begin at 0, and have their items by falling size."""
    middle, nodes = puzzle.capacity, {0}
    arcs = list[Arc]()
    for size, count in sorted(Counter(puzzle.sizes).items(), reverse=True):
        tails = nodes
        for _ in range(count):
            heads = set()
            for tail in tails:
                if (top := tail + 2 * size) <= middle:
                    arcs.append(Arc(tail, top, size, reflected=False))
                    heads.add(top)
                elif tail <= 2 * middle - top:
                    arcs.append(Arc(tail, 2 * middle - top, size, reflected=True))
            tails = heads - nodes
            nodes = nodes | heads
    nodes |= {arc.head for arc in arcs} | {middle}
    free = [Arc(*pair, 0, reflected=False) for pair in pairwise(sorted(nodes))]
    return [*arcs, *free, Arc(middle, middle, 0, reflected=True)]


def balances(arcs: Sequence[Arc]) -> Iterable[dict[Arc, int]]:
    """For each node factors of arcs, which add up to 0: paths that come, less those that go on or are met."""
    found: dict[int, dict[Arc, int]] = defaultdict(lambda: defaultdict(int))
    for arc in arcs:
        found[arc.tail][arc] -= 1
        found[arc.head][arc] += -1 if arc.reflected else 1
        # For each bin, two paths come to 0.
        found[0][arc] += 2 * arc.reflected
    return found.values()


def packing(puzzle: BinPacking, arcs: Sequence[Arc], uses: Callable[[Arc], int]) -> list[int]:
    """The solution in which arcs are used so often."""
    leaving: dict[int, list[Arc]] = defaultdict(list)
    for arc in arcs:
        leaving[arc.tail] += [arc] * uses(arc)
    # At each node, paths that end there, and those that must meet one.
    paths, meeting = (defaultdict[int, list[list[int]]](list) for _ in range(2))
    bins = list[list[int]]()
    for node in sorted({0, *(arc.head for arc in arcs)}):
        for arc in leaving[node]:
            path = (paths[node].pop() if node else []) + [arc.size] * (arc.size > 0)
            (meeting if arc.reflected else paths)[arc.head].append(path)
        bins += [path + (paths[node].pop() if node else []) for path in meeting[node]]
    return puzzle.packing(bins)
