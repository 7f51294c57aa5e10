"""Block Party by search: propagate, branch on the smallest domain, back up.

    domains[i]       the values that cell i can still hold
    holders[K]       the cells that can still hold K: the same, the other way round
    region[i]        the cells of its region
    ring[i, K]       the cells at distance K, one of which must hold K if the cell does
    conflict[i, K]   the cells nearer than K or in its region, none of which may hold K if the cell does
All are sets of bits: what a rule leaves is an intersection.

Propagation takes values away until nothing follows any more:
- a cell with one value left takes that value from the cells in conflict;
- a region with one cell left for a value gives it that value;
- a value goes when its ring has no cell left for it; a cell that holds K with one cell left in its
  ring gives that cell K.

`propagation` does this at every node. `shaving` also assigns values of a cell on trial, and takes away those
that propagation refutes (singleton consistency): at the root of all cells, then of those close to a change.
It is more work a node, and without givens the difference between seconds and hours. A trial is not counted
as a branch.
"""

from collections import deque
from collections.abc import Callable, Iterator
from functools import reduce
from operator import or_

from models.block_party import nearest
from models.block_party.puzzle import BlockParty
from models.shared.bits import least, members
from models.shared.model import Tally
from models.shared.puzzle import Solution

CLOSE = 3
"""A change is close to a cell if it is in its region, or at no more than this distance."""


class State:
    """What is still possible at a node, by cell and by value."""

    __slots__ = ("domains", "holders")

    def __init__(self, domains: list[int], holders: list[int]):
        self.domains, self.holders = domains, holders

    def copy(self) -> "State":
        """Another one that can be changed."""
        return State(self.domains.copy(), self.holders.copy())

    def changed(self, since: "State") -> int:
        """The cells that can hold less than before."""
        return reduce(or_, (a ^ b for a, b in zip(self.holders, since.holders, strict=True)))


class Rules:
    """The sets of cells that the rules speak of, and the moves that propagate them."""

    def __init__(self, puzzle: BlockParty, tally: Tally):
        self.tally = tally
        self.cells = list(tally.shuffled(puzzle.cells))
        bit = {cell: 1 << number for number, cell in enumerate(self.cells)}

        def bits(cells: list[tuple[int, int]]) -> int:
            return sum(bit[cell] for cell in cells)

        around = nearest.rings(puzzle.distance, puzzle.domains)
        closer = nearest.closer(puzzle.distance, puzzle.domains)
        whole = {cell: sum(bit[other] for other in region) for region in puzzle.regions for cell in region}
        values = range(max(map(len, puzzle.regions)) + 1)
        self.region = [whole[cell] for cell in self.cells]
        self.ring = [[bits(around.get((cell, value), [])) for value in values] for cell in self.cells]
        self.conflict = [
            [(whole[cell] | bits(closer.get((cell, value), []))) & ~bit[cell] for value in values]
            for cell in self.cells
        ]
        steps = [
            (dr, dc) for dr in range(-CLOSE, CLOSE + 1) for dc in range(abs(dr) - CLOSE, CLOSE + 1 - abs(dr))
        ]
        self.close = [
            whole[row, column] | sum(bit.get((row + dr, column + dc), 0) for dr, dc in steps)
            for row, column in self.cells
        ]
        domains = [sum(1 << value for value in puzzle.domains[cell]) for cell in self.cells]
        holders = [
            sum(1 << number for number, domain in enumerate(domains) if domain >> value & 1)
            for value in values
        ]
        self.start = State(domains, holders)

    def assign(self, state: State, cell: int, value: int) -> bool:
        """Leaves the cell only this value; False if that breaks a rule."""
        if not state.domains[cell] >> value & 1:
            return False
        return all(self.remove(state, cell, other) for other in members(state.domains[cell] ^ 1 << value))

    def remove(self, state: State, cell: int, value: int) -> bool:
        """Takes a value from a cell, and all that follows from it; False if that breaks a rule."""
        if not state.domains[cell] >> value & 1:
            return True
        state.holders[value] ^= 1 << cell
        left = state.domains[cell] = state.domains[cell] ^ 1 << value
        self.tally.propagations += 1
        if not left or (not left & (left - 1) and not self.decided(state, cell)):
            return False
        places = state.holders[value] & self.region[cell]
        if not places or (not places & (places - 1) and not self.assign(state, least(places), value)):
            return False
        leaning = state.holders[value] & self.ring[cell][value]
        return all(self.supported(state, other, value) for other in members(leaning))

    def decided(self, state: State, cell: int) -> bool:
        """What follows from a cell that has one value left."""
        value = least(state.domains[cell])
        others = state.holders[value] & self.conflict[cell][value]
        return all(self.remove(state, other, value) for other in members(others)) and self.supported(
            state, cell, value
        )

    def supported(self, state: State, cell: int, value: int) -> bool:
        """What follows from the cells left in the ring of a cell and a value."""
        domain = state.domains[cell]
        if not domain >> value & 1:
            return True
        support = state.holders[value] & self.ring[cell][value]
        if not support:
            return self.remove(state, cell, value)
        if not support & (support - 1) and not domain & (domain - 1):
            return self.assign(state, least(support), value)
        return True

    def root(self, state: State) -> bool:
        """Propagates the rules over the domains as the instance gives them."""
        cells = range(len(self.cells))
        return (
            all(
                self.supported(state, cell, value) for cell in cells for value in members(state.domains[cell])
            )
            and all(self.decided(state, cell) for cell in cells if state.domains[cell].bit_count() == 1)
            and all(
                state.holders[value] & region
                for region in set(self.region)
                for value in range(1, region.bit_count() + 1)
            )
        )

    def shave(self, state: State, stale: int) -> bool:
        """Takes away every value whose assignment propagation refutes; False if that breaks a rule.

        Args:
            stale: the cells to try, and then all that are close to one that changes.
        """
        queue = deque(members(stale))
        while queue:
            cell = queue.popleft()
            stale ^= 1 << cell
            for value in sorted(members(state.domains[cell]), reverse=True):
                if state.domains[cell].bit_count() == 1:
                    break
                if not self.assign(state.copy(), cell, value):
                    before = state.copy()
                    if not self.remove(state, cell, value):
                        return False
                    more = self.close_to(state.changed(before)) & ~stale
                    queue.extend(members(more))
                    stale |= more
        return True

    def close_to(self, cells: int) -> int:
        """All cells that are close to one of these."""
        return reduce(or_, (self.close[cell] for cell in members(cells)), 0)


def propagation(puzzle: BlockParty, tally: Tally) -> Iterator[Solution]:
    """Every solution, by depth-first search with propagation at each node."""
    return search(puzzle, Rules(puzzle, tally), lambda state, stale: True)


def shaving(puzzle: BlockParty, tally: Tally) -> Iterator[Solution]:
    """Every solution, by depth-first search with propagation and trial assignments at each node."""
    rules = Rules(puzzle, tally)
    return search(puzzle, rules, rules.shave)


def search(puzzle: BlockParty, rules: Rules, shave: Callable[[State, int], bool]) -> Iterator[Solution]:
    """Every solution, by depth-first search that branches on the smallest domain."""
    tally, start = rules.tally, rules.start
    consistent = rules.root(start) and shave(start, (1 << len(rules.cells)) - 1)
    tally.root(variables=len(rules.cells), undecided=sum(d.bit_count() > 1 for d in start.domains))

    weight = [1] * len(rules.cells)

    def branch(state: State) -> Iterator[Solution]:
        undecided = [cell for cell, domain in enumerate(state.domains) if domain & (domain - 1)]
        if not undecided:
            held = dict(zip(rules.cells, map(least, state.domains), strict=True))
            yield puzzle.rows(held.__getitem__)
            return
        cell = min(undecided, key=lambda i: state.domains[i].bit_count() / weight[i])
        for value in members(state.domains[cell]):
            tally.branches += 1
            child = state.copy()
            if rules.assign(child, cell, value) and shave(child, rules.close_to(child.changed(state))):
                yield from branch(child)
            else:
                tally.failures += 1
                weight[cell] += 1

    if consistent:
        yield from branch(start)


FORMULATIONS = {"shaving": shaving, "propagation": propagation}
