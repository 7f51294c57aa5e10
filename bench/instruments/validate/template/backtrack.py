"""Latin sums by search: propagate, branch on the smallest domain, back up.

A domain has the values that a cell can still hold, as a set of bits. `propagation`, until nothing changes:
- in a row or column, a value that a cell holds goes from the others; one with a single cell left goes there;
- in a cage, a cell keeps what the least and the most of the others leave to it.

Constraints: all different, sum
"""

from collections.abc import Iterator

from models.shared.bits import adds_up, all_different, assignments, least
from models.shared.grid import Cell, in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, propagates

from .puzzle import LatinSums


# How much it can propagate, the default first; the others are variants (`backtrack:shaving`). Optional.
@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.SHAVING)
def propagation(puzzle: LatinSums, tally: Tally) -> Iterator[Solution]:
    """Yields every solution; what it calls counts branches, failures and propagations in the tally."""

    # Each row and each column holds each of 1..n once.
    def lines(domains: dict[Cell, int]) -> bool:
        for line in puzzle.rows_and_columns:
            of_line = {i: domains[i] for i in line}
            if not all_different(of_line, tally):
                return False
            domains |= of_line
        return True

    # The cells of a cage add up to its sum.
    def cages(domains: dict[Cell, int]) -> bool:
        return all(adds_up(domains, cells, total, tally) for cells, total in puzzle.cages)

    # A cell holds one of 1..n, or what is given. The seed permutes the cells among which ties are broken.
    domains = {i: sum(1 << v for v in puzzle.domain(i)) for i in tally.shuffled(puzzle.cells)}
    # It propagates by the rules of the steps up to `tally.step`, and by all once all cells are decided.
    rules = {Step.ALL_DIFFERENT: lines, Step.BOUNDS: cages}
    for found in assignments(domains, rules, tally, in_words):
        values = {i: least(bits) for i, bits in found.items()}
        yield puzzle.solution(values.__getitem__)


# Each formulation has the name of its function; the first is the default.
FORMULATIONS = by_name(propagation)
