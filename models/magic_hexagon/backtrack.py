"""Magic hexagon by search: propagate, branch on the smallest domain, back up.

    domains     cell -> the numbers that it can still hold, as a set of bits (bit v for start + v)

`propagation`, until nothing changes:
- a number that a cell holds is removed from all others; one with one cell left is assigned to it;
- in a line, a cell keeps what the least and the most of the others leave to it;
- of two corners in order, each keeps what lies on its side of the other.

Steps of propagation: the numbers alone, the lines too, all; and all with shaving at each node.

Unless numbers are given, only one of each 12 symmetric solutions is searched for: the first corner holds less
than all others, and the second less than the last. The other 11 are its images.

Constraints: all different, sum, less than
"""

from collections.abc import Iterator

from models.magic_hexagon.geometry import corner_order, corners, lines, symmetries
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.bits import adds_up, all_different, assignments, between, keep, least, most
from models.shared.grid import Cell, in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.BOUNDS, Step.SHAVING)
def propagation(puzzle: MagicHexagon, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    if puzzle.line_sum is None:
        tally.root(variables=puzzle.size, undecided=puzzle.size)
        if tally.watcher:
            tally.watcher.node(0, "", View, consistent=False)
        return
    # Bit v stands for start + v.
    totals = [(line, puzzle.line_sum - len(line) * puzzle.start) for line in lines(puzzle)]
    in_order = corner_order(puzzle)

    # Each number is placed once.
    def numbers_once(domains: dict[Cell, int]) -> bool:
        return all_different(domains, tally)

    # All lines have the same sum.
    def line_sums(domains: dict[Cell, int]) -> bool:
        return all(adds_up(domains, line, total, tally) for line, total in totals)

    # Of 12 symmetric solutions one is left.
    def corners_in_order(domains: dict[Cell, int]) -> bool:
        return all(
            keep(domains, i, between(0, most(domains[k]) - 1), tally)
            and keep(domains, k, between(least(domains[i]) + 1, puzzle.size), tally)
            for i, k in in_order
        )

    # A cell holds one of the numbers, or what is given. Where domains are equal, the corners come first.
    cells = dict.fromkeys([*tally.shuffled(corners(puzzle)), *tally.shuffled(puzzle.cells)])
    domains = {i: sum(1 << v - puzzle.start for v in puzzle.domain(i)) for i in cells}
    rules = {Step.ALL_DIFFERENT: numbers_once, Step.BOUNDS: line_sums, Step.FULL: corners_in_order}
    images = symmetries(puzzle) if in_order else [{i: i for i in puzzle.cells}]
    for found in assignments(domains, rules, tally, in_words, first=puzzle.start):
        value = {i: puzzle.start + least(bits) for i, bits in found.items()}
        for image in images:
            yield puzzle.solution({i: value[k] for i, k in image.items()}.__getitem__)


FORMULATIONS = by_name(propagation)
