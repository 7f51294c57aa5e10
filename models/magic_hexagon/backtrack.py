"""Magic hexagon by search: fill line by line, or propagate, branch on the smallest domain, back up.

The numbers start, start + 1, ... go one into each cell of a hexagon with `order` cells on a side, so that
all lines in all three directions have the same sum.

`opposites`: if lines add up to 0, the first solution is one in which opposite cells hold opposite numbers, if
    there is one. filling.py states it, and fills the hexagon in random orders, again and again with a limit
    of nodes that grows by a tenth, until it has one or has tried all fillings. Other solutions are found by
    `propagation`, as are those of other puzzles, of other steps of propagation, and of a watched search.

`propagation`: every solution, by the following search.

    domains     cell -> the numbers that it can still hold, as a set of bits (bit v for start + v)

Propagation, until nothing changes:
- a number that a cell holds goes from all others; a number with one cell left goes there;
- in a line, a cell keeps what the least and the most of the others leave to it;
- of two corners in order, each keeps what lies on its side of the other.

Steps of propagation: the numbers alone, the lines too, all; and all with shaving at each node.

Unless numbers are given, only one of each 12 symmetric solutions is searched for: the first corner holds less
than all others, and the second less than the last. The other 11 are its images.

Constraints: all different, sum, less than
"""

from collections.abc import Iterator
from random import Random

from models.magic_hexagon.filling import LimitReached, fill
from models.magic_hexagon.geometry import corner_order, corners, lines, symmetries
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.bits import adds_up, all_different, assignments, between, in_words, keep, least, most
from models.shared.grid import Cell
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates

NODES = 300
"""The number of values tried for each cell, on average, before the next order of the cells is tried."""


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.BOUNDS, Step.SHAVING)
def opposites(puzzle: MagicHexagon, tally: Tally) -> Iterator[Solution]:
    """Yields every solution, at first one with opposite numbers in opposite cells."""
    known = None
    if puzzle.line_sum == 0 and tally.step == Step.FULL and not tally.watcher:
        known = _filled(puzzle, tally)
    if known:
        yield known
    yield from (solution for solution in propagation(puzzle, tally) if solution != known)


def _filled(puzzle: MagicHexagon, tally: Tally) -> Solution | None:
    tally.root(variables=puzzle.size, undecided=puzzle.size - len(puzzle.givens))
    rng, nodes = Random(tally.seed), NODES * puzzle.size
    while True:
        try:
            found = fill(puzzle, rng, nodes, tally)
        except LimitReached:
            nodes += nodes // 10
        else:
            return found and puzzle.solution(found.__getitem__)


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


FORMULATIONS = by_name(opposites, propagation)
