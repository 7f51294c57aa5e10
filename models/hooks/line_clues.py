"""Clues on cells that are met in an order, as automata; which values they leave to each cell.

A state is a bit, and a set of states an integer. Each automaton has what it is in before the first cell, what
it accepts after the last, where a value leads from a set of states, and from where it leads to one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from models.hooks.layout import sums
from models.hooks.puzzle import EMPTY, Hooks
from models.shared.bits import members
from models.shared.grid import Cell
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


Clue = Sum | FirstTwoProduct | FirstBlockSum


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


def clues_with_cells(puzzle: Hooks) -> Iterator[tuple[Sequence[Cell], Clue]]:
    """Yields the clues on sums, products and runs with their cells, in the order in which these are met."""
    n = puzzle.n
    for cells, total in sums(puzzle):
        # A cell alone has no neighbours. A total that is out of reach need not be a large number.
        if cells:
            yield cells, Sum(min(total, len(cells) * n + 1))
    # What has a sum of neighbours stays empty.
    for cell in puzzle.neighbour_sums:
        yield [cell], Sum(0)
    for (side, line), product in puzzle.first_two_product.items():
        yield line_from(side, line, n, n), FirstTwoProduct(product, n)
    for (side, line), total in puzzle.first_block_sum.items():
        yield line_from(side, line, n, n), FirstBlockSum(min(total, n * n + 1))
