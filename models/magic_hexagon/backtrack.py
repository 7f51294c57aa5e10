"""Magic hexagon by search: propagate, branch on the smallest domain, back up.

The numbers start, start + 1, ... go one into each cell of a hexagon with `order` cells on a side, so that
all lines in all three directions have the same sum.

    domains     cell -> the numbers that it can still hold, as a set of bits (bit v for start + v)

`propagation`, until nothing changes:
- a number that a cell holds goes from all others; a number with one cell left goes there;
- in a line, a cell keeps what the least and the most of the others leave to it;
- of two corners in order, each keeps what lies on its side of the other.

Unless numbers are given, only one of each 12 symmetric solutions is searched for: the first corner holds less
than all others, and the second less than the last. The other 11 are its images.

Constraints: all different, sum, less than
"""

from collections.abc import Iterator

from models.magic_hexagon.geometry import corner_order, corners, lines, symmetries
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.bits import adds_up, all_different, between, branch, fixpoint, keep, least, most
from models.shared.grid import Cell
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally


def propagation(puzzle: MagicHexagon, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    if puzzle.line_sum is None:
        tally.root(variables=puzzle.size, undecided=puzzle.size)
        return
    # Bit v stands for start + v.
    totals = [(line, puzzle.line_sum - len(line) * puzzle.start) for line in lines(puzzle)]
    in_order = corner_order(puzzle)

    def narrow(domains: dict[Cell, int]) -> bool:
        return (
            # Each number is placed once.
            all_different(domains, tally)
            # All lines have the same sum.
            and all(adds_up(domains, line, total, tally) for line, total in totals)
            # Of 12 symmetric solutions one is left.
            and all(
                keep(domains, i, between(0, most(domains[k]) - 1), tally)
                and keep(domains, k, between(least(domains[i]) + 1, puzzle.size), tally)
                for i, k in in_order
            )
        )

    # A cell holds one of the numbers, or what is given. Where domains are equal, the corners come first.
    cells = dict.fromkeys([*tally.shuffled(corners(puzzle)), *tally.shuffled(puzzle.cells)])
    domains = {i: sum(1 << v - puzzle.start for v in puzzle.domain(i)) for i in cells}
    consistent = fixpoint(domains, narrow)
    tally.root(variables=puzzle.size, undecided=sum(bits.bit_count() > 1 for bits in domains.values()))

    images = symmetries(puzzle) if in_order else [{i: i for i in puzzle.cells}]
    for found in branch(domains, narrow, tally) if consistent else ():
        value = {i: puzzle.start + least(bits) for i, bits in found.items()}
        for image in images:
            yield puzzle.solution({i: value[k] for i, k in image.items()}.__getitem__)


FORMULATIONS = by_name(propagation)
