"""Golomb ruler by shifts, from left to right: the search of the projects that prove the shortest rulers.

A gap shifts the distances back to earlier marks by its length, which gives those that it adds, and the gaps
that are blocked the other way, where all distances so far join them. A gap that is left repeats no distance.

The shortest rulers of 2, 3, ... marks are found one after the other (Russian dolls): what so many gaps span
bounds longer ones, as does the sum of the smallest distances that are left. Of a ruler and its mirror image
that is sought whose middle mark, or middle gap, lies in the left half.

Rankin, Optimal Golomb rulers: an exhaustive parallel search implementation, thesis, Duke University, 1993.

Constraints: all different
"""

from collections.abc import Iterator
from typing import NamedTuple

from models.golomb_ruler.bounds import least
from models.golomb_ruler.puzzle import GolombRuler
from models.shared.bits import between, from_places, members
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally, View, depth_first


class Node(NamedTuple):
    """What is known at the last mark so far; sets as bits.

    Attributes:
        marks: from 0.
        back: distances to these marks, with 0.
        used: distances that are forbidden, or between two of them.
        blocked: the gaps that cannot be next.
        gaps: those that may be next; none if the ruler is complete, or cannot be short enough.
    """

    marks: tuple[int, ...]
    back: int
    used: int
    blocked: int
    gaps: int = 0


class Search:
    """The search for rulers of `size` marks, the next one of length `most` at most; k gaps span `span[k]`."""

    def __init__(self, size: int, span: list[int], most: int, tally: Tally) -> None:
        self.size, self.span, self.most, self.tally = size, span, most, tally

    def gaps(self, node: Node) -> int:
        """The gaps that may be next."""
        number, last = len(node.marks), node.marks[-1]
        unused, total = ~node.used & ~1, last
        for _ in range(self.size - number):
            total += (unused & -unused).bit_length() - 1
            unused &= unused - 1
        if number == self.size or total > self.most:
            return 0
        low, high = (self.size - 1) // 2, self.size // 2
        farthest = self.most - self.span[self.size - 1 - number]
        if number <= low:
            farthest = min(farthest, (self.most - self.span[low - number] - self.span[high - number]) // 2)
        elif number == high:
            farthest = min(farthest, self.most - node.marks[low])
        return between(1, farthest - last) & ~node.blocked

    def options(self, node: Node) -> Iterator[tuple[str, Node, bool]]:
        """Yields each next mark, in words, with the node then, and whether it is complete or can go on."""
        number, most, gaps = len(node.marks) + 1, self.most, node.gaps
        for gap in self.tally.shuffled(members(gaps)):
            # A shorter ruler may have been found since.
            if self.most < most:
                gaps, most = self.gaps(node), self.most
            if gaps >> gap & 1:
                mark, added = node.marks[-1] + gap, node.back << gap
                used = node.used | added
                child = Node((*node.marks, mark), added | 1, used, node.blocked >> gap | used)
                child = child._replace(gaps=self.gaps(child))
                yield f"mark {number}: {mark}", child, number == self.size or child.gaps > 0


def shift(puzzle: GolombRuler, tally: Tally) -> Iterator[Solution]:
    """Yields shorter and shorter rulers; the last one is the shortest."""
    span, m, forbidden = least(puzzle), puzzle.size, from_places(puzzle.forbidden)
    tally.root(variables=m, undecided=m - 1)
    for size in range(2, m + 1):
        tally.on_bound(max(span[gaps] + span[m - 1 - gaps] for gaps in range(m)))
        search, root = Search(size, span, puzzle.longest, tally), Node((0,), 1, forbidden, forbidden)
        root = root._replace(gaps=search.gaps(root))
        for node in depth_first(tally, root, root.gaps > 0, search.options, view, told=size > 2):
            span[size - 1], search.most = node.marks[-1], node.marks[-1] - 1
            if size == m:
                yield list(node.marks)
        if search.most == puzzle.longest:
            return  # Without a ruler of fewer marks there is none of all.


def view(node: Node) -> View:
    """The marks so far."""
    return View({place: ["|"] for place in node.marks})


FORMULATIONS = by_name(shift)
