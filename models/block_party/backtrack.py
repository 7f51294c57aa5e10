"""Block Party by search: propagate, branch on the cell with the fewest values for its failures, backtrack.

    domains[i]       the values that cell i can still hold
    holders[K]       the cells that can still hold K: the same relation, by value
    region[i]        the cells of the region of cell i
    ring[i][K]       the cells at distance exactly K from i: if i holds K, one of them must
    conflict[i][K]   the cells less than K away or in the region: if i holds K, none of them may
All are sets of bits.

`propagation` removes values until nothing follows any more:
- A cell with one value left removes it from the cells in conflict.
- A region with one cell left for a value assigns the value to that cell.
- A value is removed from a cell if no cell of its ring can hold it. If the cell holds it, and one cell of
  the ring is left, that cell holds it too.

`shaving` also removes a value that propagation refutes on trial (singleton consistency): at the root in all
  cells, below it in the cells close to a change. Trials are not counted as branches. With all different
  alone, only what the cells with one value left say to those in conflict is propagated.

The next cell to branch on has the least |domain| / (1 + failures of its branches so far), as by dom/wdeg.

Constraints: exactly one (cells, regions), clause (rings), implication (conflicts)
"""

from collections import deque
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from models.block_party.neighbourhoods import closer, rings, steps
from models.block_party.puzzle import BlockParty
from models.shared.bits import least, members, record_root, total_size
from models.shared.grid import Cell, in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates

CLOSE = 3
"""A cell is close to a change in its own region, or at most this taxicab distance away."""


class State:
    """The values that are still possible at a node, by cell and by value."""

    __slots__ = ("domains", "holders")

    def __init__(self, domains: list[int], holders: list[int]):
        self.domains, self.holders = domains, holders

    def copy(self) -> "State":
        """A state that changes on its own."""
        return State(self.domains.copy(), self.holders.copy())

    def changed(self, since: "State") -> int:
        """The cells whose domains are smaller than before, as bits of an integer."""
        return reduce(or_, (a ^ b for a, b in zip(self.holders, since.holders, strict=True)))


class Propagator:
    """The rules as sets of cells, and what follows from them; its methods return False on a contradiction."""

    def __init__(self, puzzle: BlockParty, tally: Tally, step: Step):
        self.tally, self.step, self.full = tally, step, step >= Step.FULL
        self.cells = list(tally.shuffled(puzzle.cells))
        bit = {cell: 1 << number for number, cell in enumerate(self.cells)}

        def bits(cells: Iterable[Cell]) -> int:
            return sum(bit[cell] for cell in cells)

        ring = rings(puzzle.distance, puzzle.domains)
        near = closer(puzzle.distance, puzzle.domains)
        region = {cell: bits(region) for region in puzzle.regions for cell in region}
        values = range(max(map(len, puzzle.regions)) + 1)
        self.region = [region[i] for i in self.cells]
        self.ring = [[bits(ring.get((i, value), [])) for value in values] for i in self.cells]
        self.conflict = [
            [(region[i] | bits(near.get((i, value), []))) & ~bit[i] for value in values] for i in self.cells
        ]
        beside = [step for radius in range(1, CLOSE + 1) for step in steps("taxicab", radius)]
        self.close = [
            region[row, column] | sum(bit.get((row + dr, column + dc), 0) for dr, dc in beside)
            for row, column in self.cells
        ]
        domains = [sum(1 << value for value in puzzle.domains[i]) for i in self.cells]
        self.root = State(domains, [bits(i for i in self.cells if v in puzzle.domains[i]) for v in values])

    def assign(self, state: State, cell: int, value: int) -> bool:
        """Removes all other values from a cell."""
        if not state.domains[cell] >> value & 1:
            return False
        return all(self.remove(state, cell, other) for other in members(state.domains[cell] ^ 1 << value))

    def remove(self, state: State, cell: int, value: int) -> bool:
        """Removes a value from a cell, and then all that follows."""
        if not state.domains[cell] >> value & 1:
            return True
        state.holders[value] ^= 1 << cell
        left = state.domains[cell] = state.domains[cell] ^ 1 << value
        self.tally.propagations += 1

        # Each cell holds one value (x & (x - 1) drops the lowest bit: 0 for a single one).
        if not left or (not left & (left - 1) and not self.hold(state, cell)):
            return False
        if not self.full:
            return True

        # A region of k cells holds each of 1..k once.
        places = state.holders[value] & self.region[cell]
        if not places or (not places & (places - 1) and not self.assign(state, least(places), value)):
            return False

        # Some other K lies at distance exactly K.
        others = state.holders[value] & self.ring[cell][value]
        return all(self.support(state, other, value) for other in members(others))

    def hold(self, state: State, cell: int) -> bool:
        """Applies the rules to the one value that a cell has left."""
        value = least(state.domains[cell])

        # A region of k cells holds each of 1..k once. No other K lies closer.
        others = state.holders[value] & self.conflict[cell][value]
        if not all(self.remove(state, other, value) for other in members(others)):
            return False

        # Some other K lies at distance exactly K.
        return not self.full or self.support(state, cell, value)

    def support(self, state: State, cell: int, value: int) -> bool:
        """Removes a value without support in its ring; if the cell holds it, assigns its only support."""
        domain = state.domains[cell]
        if not domain >> value & 1:
            return True
        ring = state.holders[value] & self.ring[cell][value]
        if not ring:
            return self.remove(state, cell, value)
        if not ring & (ring - 1) and not domain & (domain - 1):
            return self.assign(state, least(ring), value)
        return True

    def propagate_root(self) -> bool:
        """Applies all rules to the domains of the instance."""
        state, cells = self.root, range(len(self.cells))
        ring = ((cell, value) for cell in cells if self.full for value in members(state.domains[cell]))
        places = (
            (value, region) for region in set(self.region) for value in range(1, region.bit_count() + 1)
        )
        return (
            all(self.support(state, cell, value) for cell, value in ring)
            and all(self.hold(state, cell) for cell in cells if state.domains[cell].bit_count() == 1)
            and all(state.holders[value] & region for value, region in places)
        )

    def follow_up(self, state: State, cells: int) -> bool:
        """Shaves after propagation, these cells first; without rings, checks them once all is decided."""
        if self.step == Step.SHAVING:
            return self.shave(state, cells)
        return (
            self.full
            or any(domain & (domain - 1) for domain in state.domains)
            or all(self.support(state, cell, least(domain)) for cell, domain in enumerate(state.domains))
        )

    def shave(self, state: State, cells: int) -> bool:
        """Removes every value of these cells, and of all that are close to a change, that a trial refutes."""
        queue = deque(members(cells))
        while queue:
            cell = queue.popleft()
            cells ^= 1 << cell
            for value in sorted(members(state.domains[cell]), reverse=True):
                if state.domains[cell].bit_count() == 1:
                    break
                if not self.assign(state.copy(), cell, value):
                    before = state.copy()
                    if not self.remove(state, cell, value):
                        return False
                    more = self.close_to(state.changed(before)) & ~cells
                    queue.extend(members(more))
                    cells |= more
        return True

    def close_to(self, cells: int) -> int:
        """All cells that are close to one of these."""
        return reduce(or_, (self.close[cell] for cell in members(cells)), 0)


@propagates(Step.SHAVING, Step.ALL_DIFFERENT, Step.FULL)
def shaving(puzzle: BlockParty, tally: Tally) -> Iterator[Solution]:
    """Every solution, with propagation and trial assignments at each node."""
    return search(puzzle, Propagator(puzzle, tally, tally.step))


def propagation(puzzle: BlockParty, tally: Tally) -> Iterator[Solution]:
    """Every solution, with propagation at each node."""
    return search(puzzle, Propagator(puzzle, tally, Step.FULL))


def search(puzzle: BlockParty, propagator: Propagator) -> Iterator[Solution]:
    """Every solution, by depth-first search."""
    tally, root, count = propagator.tally, propagator.root, len(propagator.cells)
    values = total_size(root.domains)
    consistent = propagator.propagate_root() and propagator.follow_up(root, (1 << count) - 1)
    record_root(tally, values, root.domains, consistent)
    weight = [1] * count

    def view(state: State) -> View:
        return View(dict(zip(propagator.cells, map(members, state.domains), strict=True)))

    def options(state: State) -> Iterator[tuple[str, State, bool]]:
        if undecided := [cell for cell, domain in enumerate(state.domains) if domain & (domain - 1)]:
            cell = min(undecided, key=lambda i: state.domains[i].bit_count() / weight[i])
            for value in members(state.domains[cell]):
                child = state.copy()
                consistent = propagator.assign(child, cell, value) and propagator.follow_up(
                    child, propagator.close_to(child.changed(state))
                )
                weight[cell] += not consistent
                yield f"{in_words(propagator.cells[cell])}: {value}", child, consistent

    for state in depth_first(tally, root, consistent, options, view):
        found = dict(zip(propagator.cells, map(least, state.domains), strict=True))
        yield puzzle.solution(found.__getitem__)


FORMULATIONS = by_name(propagation, shaving)
