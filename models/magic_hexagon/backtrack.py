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
from models.shared.grid import Cell
from models.shared.model import Tally
from models.shared.puzzle import Solution

Domains = dict[Cell, int]


def least(bits: int) -> int:
    """The smallest member of a set of bits."""
    return (bits & -bits).bit_length() - 1


def most(bits: int) -> int:
    """The largest member of a set of bits."""
    return bits.bit_length() - 1


def between(low: int, high: int) -> int:
    """The set of all members from low to high."""
    return (1 << max(0, high + 1)) - (1 << max(0, low)) if high >= low else 0


class Rules:
    """The lines, the order of the corners, and their propagation."""

    def __init__(self, puzzle: MagicHexagon, line_sum: int, tally: Tally):
        self.tally = tally
        self.lines = [(line, line_sum - len(line) * puzzle.start) for line in lines(puzzle)]
        self.smaller = smaller(puzzle)

    def propagate(self, domains: Domains) -> bool:
        """Takes away all that the rules refute; False if a cell has nothing left."""
        before = None
        while before != domains:
            before = domains.copy()
            if not self.all_different(domains):
                return False
            for line, rest in self.lines:
                low = sum(least(domains[i]) for i in line)
                high = sum(most(domains[i]) for i in line)
                if not low <= rest <= high:
                    return False
                for i in line:
                    bits = domains[i]
                    smallest, largest = rest - high + most(bits), rest - low + least(bits)
                    if not self.keep(domains, i, between(smallest, largest)):
                        return False
            for i, k in self.smaller:
                if not self.keep(domains, i, between(0, most(domains[k]) - 1)):
                    return False
                if not self.keep(domains, k, between(least(domains[i]) + 1, most(domains[k]))):
                    return False
        return True

    def all_different(self, domains: Domains) -> bool:
        """Numbers that are held go from the other cells; numbers with one cell left are held."""
        once = twice = 0
        held = 0
        for bits in domains.values():
            twice |= once & bits
            once |= bits
            if not bits & (bits - 1):
                if held & bits:
                    return False
                held |= bits
        only = once & ~twice & ~held
        for i, bits in domains.items():
            if bits & (bits - 1) and not self.keep(domains, i, bits & only or ~held):
                return False
        return once.bit_count() == len(domains)

    def keep(self, domains: Domains, cell: Cell, allowed: int) -> bool:
        """Leaves a cell what is allowed; False if that is nothing."""
        kept = domains[cell] & allowed
        if kept != domains[cell]:
            self.tally.propagations += (domains[cell] ^ kept).bit_count()
            domains[cell] = kept
        return kept != 0


def search(puzzle: MagicHexagon, tally: Tally) -> Iterator[Solution]:
    """Every solution."""
    if puzzle.line_sum is None:
        tally.root(variables=puzzle.size, undecided=puzzle.size)
        return
    rules = Rules(puzzle, puzzle.line_sum, tally)
    everything = (1 << puzzle.size) - 1
    # The corners come first where domains are equal: their order prunes from there.
    cells = dict.fromkeys([*corners(puzzle), *puzzle.cells])
    domains = {i: 1 << (puzzle.givens[i] - puzzle.start) if i in puzzle.givens else everything for i in cells}
    consistent = rules.propagate(domains)
    tally.root(variables=puzzle.size, undecided=sum(bits.bit_count() > 1 for bits in domains.values()))

    def branch(domains: Domains) -> Iterator[Domains]:
        undecided = [i for i, bits in domains.items() if bits & (bits - 1)]
        if not undecided:
            yield domains
            return
        cell = min(undecided, key=lambda i: domains[i].bit_count())
        bits = domains[cell]
        while bits:
            tally.branches += 1
            child = domains.copy()
            child[cell] = bits & -bits
            bits &= bits - 1
            if rules.propagate(child):
                yield from branch(child)
            else:
                tally.failures += 1

    if not consistent:
        return
    images = symmetries(puzzle) if rules.smaller else [{i: i for i in puzzle.cells}]
    for found in branch(domains):
        for image in images:
            yield [
                [puzzle.start + least(found[image[i]]) for i in puzzle.cells if i[0] == row]
                for row in range(2 * puzzle.order - 1)
            ]


FORMULATIONS = {"propagation": search}
