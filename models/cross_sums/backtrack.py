"""Cross Sums by search: propagate, then branch on the cell with the fewest values left.

A domain is an integer, whose bit v + 9 says that a cell can hold the value v (models/shared/bits.py).

`propagation`: applies until nothing changes
    in a line, by the rule also an entry, the digit of a decided cell is in no other cell; with signs, if a
    cell is surely negative the others are positive, and if only one can be negative it is
    an entry whose clue is its sum: the bounds of its cells
    an entry: the multisets that fit its clue (entries.py). One is out if it lacks the value of a decided
    cell; or if, of what is left of it for the open cells, a cell can hold nothing, or a value fits no cell.
    A cell holds what is left of some multiset. A value that is left of all of them and fits one cell is
    there; a digit that all of them have is in no other cell of the line. With the rule `sum_or_product`
    digits that sum to the clue fit too: a cell then also holds what the bounds of the others allow.

Constraints: all different, exactly one, sum by bounds, multisets
"""

from collections.abc import Callable, Iterator
from functools import partial, reduce
from operator import and_, or_

from models.cross_sums.entries import (
    entry_multisets,
    has_unlisted_sums,
    lines,
    values_by_cell,
    without,
)
from models.cross_sums.puzzle import DIGITS, CrossSums, Entry, Rule
from models.shared.bits import adds_up, assignments, between, keep, least, members, most, together
from models.shared.grid import Cell, in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, propagates

LEAST = -DIGITS[-1]
"""The value that bit 0 stands for."""

NEGATIVE = (1 << -LEAST) - 1
"""The values below 0."""

Domains = dict[Cell, int]


def bit(value: int) -> int:
    """The set of one value."""
    return 1 << (value - LEAST)


def value_in(domains: Domains, cell: Cell) -> int:
    """The value of a decided cell."""
    return least(domains[cell]) + LEAST


def either_sign(bits: int) -> int:
    """The values of a set and their negatives."""
    return reduce(or_, (bit(place + LEAST) | bit(-place - LEAST) for place in members(bits)), 0)


def different(domains: Domains, line: list[Cell], tally: Tally) -> bool:
    """One round for a line: no digit is in two cells; False on a contradiction."""
    for cell in line:
        if not domains[cell] & (domains[cell] - 1):
            taken = either_sign(domains[cell])
            if not all(keep(domains, other, ~taken, tally) for other in line if other != cell):
                return False
    return True


def one_negative(domains: Domains, line: list[Cell], tally: Tally) -> bool:
    """One round for a line with signs: one value is negative; False on a contradiction."""
    surely = [cell for cell in line if not domains[cell] & ~NEGATIVE]
    if surely:
        return len(surely) == 1 and all(
            keep(domains, cell, ~NEGATIVE, tally) for cell in line if cell != surely[0]
        )
    may_be = [cell for cell in line if domains[cell] & NEGATIVE]
    return bool(may_be) and (len(may_be) > 1 or keep(domains, may_be[0], NEGATIVE, tally))


class Fitting:
    """What fits an entry: its multisets, or with the rule `sum_or_product` digits that sum to its clue.

    Attributes:
        elsewhere: with signs, the cells that have other digits, as they lie in its line.
        total: the clue, as `adds_up` counts it.
    """

    def __init__(self, rule: Rule, entry: Entry, all_lines: list[list[Cell]]):
        self.cells = entry.cells
        self.multisets = entry_multisets(rule, entry)
        self.has_unlisted_sums = has_unlisted_sums(rule, entry)
        self.total = entry.clue - LEAST * len(entry.cells)
        around = [line for line in all_lines if rule == Rule.SIGNED_SUM and {*entry.cells} <= {*line}]
        self.elsewhere = [cell for line in around for cell in line if cell not in entry.cells]

    def narrow(self, domains: Domains, tally: Tally) -> bool:
        """One round of propagation; False if nothing fits."""
        open_ = [cell for cell in self.cells if domains[cell] & (domains[cell] - 1)]
        decided = [value_in(domains, cell) for cell in self.cells if cell not in open_]
        left = [*self.left(domains, open_, decided)]
        allowed = dict.fromkeys(open_, reduce(or_, left, 0))
        low, high = (sum(end(domains[cell]) for cell in self.cells) for end in (least, most))
        if self.has_unlisted_sums and low <= self.total <= high:
            for cell in open_:
                smallest = self.total - high + most(domains[cell])
                allowed[cell] |= between(smallest, self.total - low + least(domains[cell]))
        elif not left:
            return False
        else:
            for value in members(reduce(and_, left)):
                able = [cell for cell in open_ if domains[cell] >> value & 1]
                if len(able) == 1 and not keep(domains, able[0], 1 << value, tally):
                    return False
            taken = either_sign(reduce(or_, map(bit, decided), 0)) | reduce(and_, map(either_sign, left))
            if not all(keep(domains, cell, ~taken, tally) for cell in self.elsewhere):
                return False
        return all(keep(domains, cell, values, tally) for cell, values in allowed.items())

    def left(self, domains: Domains, open_: list[Cell], decided: list[int]) -> Iterator[int]:
        """Yields what is left for the open cells of each multiset that still fits, as a set."""
        possible = reduce(or_, (domains[cell] for cell in open_), 0)
        for multiset in self.multisets:
            rest = without(multiset, decided)
            if rest is not None:
                values = reduce(or_, map(bit, rest), 0)
                if not values & ~possible and all(domains[cell] & values for cell in open_):
                    yield values


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.BOUNDS, Step.SHAVING)
def propagation(puzzle: CrossSums, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    all_lines = lines(puzzle)
    fitting = [Fitting(puzzle.rule, entry, all_lines) for entry in puzzle.across + puzzle.down]
    sums = [entry for entry in fitting if puzzle.rule != Rule.SUM_OR_PRODUCT or not entry.multisets]
    fitting_values = values_by_cell(puzzle)

    of_line = (different, one_negative) if puzzle.rule == Rule.SIGNED_SUM else (different,)
    on_lines = together(
        (line, partial(rule, line=line, tally=tally)) for line in all_lines for rule in of_line
    )
    rules: dict[Step, Callable[[Domains], bool]] = {
        Step.ALL_DIFFERENT: lambda domains: all(fitting_values.values()) and on_lines(domains),
        Step.BOUNDS: together(
            (e.cells, partial(adds_up, variables=e.cells, total=e.total, tally=tally)) for e in sums
        ),
        Step.FULL: together(((*e.cells, *e.elsewhere), partial(e.narrow, tally=tally)) for e in fitting),
    }
    # A variable needs a value, even if none fits all entries of its cell.
    start = {cell: reduce(or_, map(bit, values or DIGITS[:1])) for cell, values in fitting_values.items()}
    for found in assignments(start, rules, tally, in_words, LEAST):
        yield puzzle.solution(partial(value_in, found))


FORMULATIONS = by_name(propagation)
