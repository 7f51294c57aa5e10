"""Clues on cells that are met in an order, as automata; which values they leave to each cell.

A state is a bit, and a set of states an integer. Each automaton has what it is in before the first cell, what
it accepts after the last, where a value leads from a set of states, and from where it leads to one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from models.hooks.puzzle import Hooks
from models.shared.bits import members
from models.shared.grid import Cell
from models.shared.partly_filled import EMPTY
from models.shared.sides import line_from

START = 1


@dataclass(frozen=True)
class Sum:
    """The values sum to the total; bit t: the sum is t so far."""

    number: int

    @property
    def accepted(self) -> int:
        """The total."""
        return 1 << self.number

    def after(self, states: int, value: int) -> int:
        """Adds the value."""
        return states << value & (2 << self.number) - 1

    def before(self, states: int, value: int) -> int:
        """Takes the value away."""
        return states >> value


@dataclass(frozen=True)
class FirstTwoProduct:
    """The first two filled cells have the product; bit v: the first is v, the highest bit: both are met."""

    number: int
    n: int

    @property
    def accepted(self) -> int:
        """Both are met."""
        return 2 << self.n

    def after(self, states: int, value: int) -> int:
        """The first number, or the second if it completes the product."""
        if value == EMPTY:
            return states
        known = states & self.accepted
        if self.number % value == 0:
            other = self.number // value
            if states & START:
                known |= 1 << value
            if other <= self.n and states >> other & 1:
                known |= self.accepted
        return known

    def before(self, states: int, value: int) -> int:
        """Nothing, or the first number that the value completes."""
        if value == EMPTY:
            return states
        known = states & self.accepted
        if self.number % value == 0:
            other = self.number // value
            if states >> value & 1:
                known |= START
            if states & self.accepted and other <= self.n:
                known |= 1 << other
        return known


@dataclass(frozen=True)
class FirstBlockSum:
    """The first run of filled cells has the sum; bit t: it is t so far, the highest bit: it has ended."""

    number: int

    @property
    def ended(self) -> int:
        """The state after the run."""
        return 2 << self.number

    @property
    def accepted(self) -> int:
        """The run has ended, or ends with the last cell."""
        return self.ended | 1 << self.number

    def after(self, states: int, value: int) -> int:
        """Adds the value, or ends the run."""
        ended = states & self.ended
        if value == EMPTY:
            return states & START | (self.ended if states & self.accepted else 0)
        return (states ^ ended) << value & self.ended - 1 | ended

    def before(self, states: int, value: int) -> int:
        """Takes the value away, or goes back into the run."""
        ended = states & self.ended
        if value == EMPTY:
            return states & START | (self.accepted if ended else 0)
        return (states ^ ended) >> value | ended


LineClue = FirstTwoProduct | FirstBlockSum
Clue = Sum | LineClue


@lru_cache(1 << 16)
def supported(clue: Clue, domains: tuple[int, ...]) -> tuple[int, ...]:
    """The values of each cell that are in a filling which the clue accepts; empty if there is none."""
    values = [members(domain) for domain in domains]
    reached = [START]
    for choices in values[:-1]:
        states = 0
        for value in choices:
            states |= clue.after(reached[-1], value)
        reached.append(states)
    target, kept = clue.accepted, []
    for choices, states in zip(values[::-1], reached[::-1], strict=True):
        domain = sources = 0
        for value in choices:
            if clue.after(states, value) & target:
                domain |= 1 << value
                sources |= clue.before(target, value)
        if not domain:
            return ()
        kept.append(domain)
        target = sources & states
    return tuple(kept[::-1])


def transitions(clue: LineClue, n: int) -> tuple[list[tuple[int, int, int]], list[int]]:
    """Each state, value up to n and next state, with states numbered from 0, the first; those that accept."""
    states, steps = [START], []
    for number, state in enumerate(states):
        for value in range(n + 1):
            if after := clue.after(state, value):
                if after not in states:
                    states.append(after)
                steps.append((number, value, states.index(after)))
    return steps, [number for number, state in enumerate(states) if state & clue.accepted]


def sums(puzzle: Hooks) -> list[tuple[list[Cell], int]]:
    """Cells and what they sum to; more than they ever do in regions that cannot have equal sums."""
    n = puzzle.n
    # A single region has the sum of all numbers; a cell alone has no neighbours.
    regions = puzzle.regions if len(puzzle.regions) > 1 else ()
    total = sum(v * v for v in range(1, n + 1))
    share, rest = divmod(total, len(regions) or 1)
    return [
        *(([(row, c) for c in range(n)], number) for row, number in puzzle.row_sums.items()),
        *(([(r, column) for r in range(n)], number) for column, number in puzzle.column_sums.items()),
        *((puzzle.near[cell], number) for cell, number in puzzle.neighbour_sums.items() if n > 1),
        *((list(region), total + 1 if rest else share) for region in regions),
    ]


def line_clues(puzzle: Hooks) -> Iterator[tuple[list[Cell], LineClue]]:
    """Yields the clues on products and runs with their cells, in the order in which these are met."""
    n = puzzle.n
    for (side, line), product in puzzle.first_two_product.items():
        yield line_from(side, line, n, n), FirstTwoProduct(product, n)
    for (side, line), total in puzzle.first_block_sum.items():
        yield line_from(side, line, n, n), FirstBlockSum(min(total, n * n + 1))


def clues_with_cells(puzzle: Hooks) -> Iterator[tuple[Sequence[Cell], Clue]]:
    """Yields all clues but givens as automata, with their cells."""
    for cells, total in sums(puzzle):
        # A total that is out of reach need not be a large number.
        yield cells, Sum(min(total, len(cells) * puzzle.n + 1))
    # What has a sum of neighbours stays empty.
    for cell in puzzle.neighbour_sums:
        yield [cell], Sum(0)
    yield from line_clues(puzzle)
