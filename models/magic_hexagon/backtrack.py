"""Magic hexagon by search: propagate, branch on the smallest domain, back up.

    domains     cell -> the numbers that it can still hold, as a set of bits (bit v for start + v)
    lines       the cells of each line, which add up to S

Propagation until nothing changes:
- a number that a cell holds goes from all others; a number with one cell left goes there;
- in a line, a cell keeps what the least and the most of the others leave to it;
- of two cells in order (symmetry), each keeps what lies on its side of the other.

Where nothing is given, of each 12 symmetric solutions one is searched for, with the first corner the
least of the corners and the second less than the last; the other 11 are its images.
"""

from collections.abc import Iterator

from models.magic_hexagon.lines import corners, lines, smaller, symmetries
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.bits import adds_up, all_different, between, branch, fixpoint, keep, least, most
from models.shared.grid import Cell
from models.shared.model import Tally
from models.shared.puzzle import Solution


def search(puzzle: MagicHexagon, tally: Tally) -> Iterator[Solution]:
    """Every solution."""
    line_sum = puzzle.line_sum
    if line_sum is None:
        tally.root(variables=puzzle.size, undecided=puzzle.size)
        return
    totals = [(line, line_sum - len(line) * puzzle.start) for line in lines(puzzle)]
    in_order = smaller(puzzle)

    def narrow(domains: dict[Cell, int]) -> bool:
        return (
            all_different(domains, tally)
            and all(adds_up(domains, line, total, tally) for line, total in totals)
            and all(
                keep(domains, i, between(0, most(domains[k]) - 1), tally)
                and keep(domains, k, between(least(domains[i]) + 1, puzzle.size), tally)
                for i, k in in_order
            )
        )

    everything = (1 << puzzle.size) - 1
    # The corners come first where domains are equal: their order prunes from there.
    cells = dict.fromkeys([*tally.shuffled(corners(puzzle)), *tally.shuffled(puzzle.cells)])
    domains = {i: 1 << (puzzle.givens[i] - puzzle.start) if i in puzzle.givens else everything for i in cells}
    consistent = fixpoint(domains, narrow)
    tally.root(variables=puzzle.size, undecided=sum(bits.bit_count() > 1 for bits in domains.values()))
    if not consistent:
        return

    images = symmetries(puzzle) if in_order else [{i: i for i in puzzle.cells}]
    for found in branch(domains, narrow, tally):
        value = {i: puzzle.start + least(bits) for i, bits in found.items()}
        for image in images:
            yield puzzle.rows({i: value[k] for i, k in image.items()}.__getitem__)


FORMULATIONS = {"propagation": search}
