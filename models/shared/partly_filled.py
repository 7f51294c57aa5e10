"""A hand search for puzzles in which some cells hold a number, are connected, and the others are empty.

What is possible is kept twice, as sets of bits: the values of each cell, 0 if it is empty, and the cells of
each value. Cells are counted row by row, from 0.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import Generic, Self, TypeVar

from models.shared.bits import between, least, members, most, record_root, total_size
from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.rectangle import EMPTY, PartlyFilled
from models.shared.search import Step, Tally, View


class State:
    """What is possible at a node, and the lines, by number, of which a cell lost a value."""

    __slots__ = ("domains", "holders", "stale")

    def __init__(self, domains: list[int], holders: list[int], stale: set[int]):
        self.domains, self.holders, self.stale = domains, holders, stale

    def copy(self) -> Self:
        """A state that changes on its own."""
        return type(self)(self.domains.copy(), self.holders.copy(), self.stale.copy())

    def may_be_filled(self) -> int:
        """The cells that can hold a number."""
        cells = 0
        for holders in self.holders[1:]:
            cells |= holders
        return cells

    def decided(self) -> int:
        """The cells with one value left."""
        once = twice = 0
        for cells in self.holders:
            twice |= once & cells
            once |= cells
        return once & ~twice


AnyState = TypeVar("AnyState", bound=State)


class PartlyFilledSearch(ABC, Generic[AnyState]):
    """The rules as sets of cells, and what follows from them; its methods return False on a contradiction.

    Attributes:
        lines: cells that a rule is about, which is applied when one of them has lost a value.
    """

    root: AnyState

    def __init__(self, puzzle: PartlyFilled, values: int, lines: Sequence[Sequence[Cell]], tally: Tally):
        """Numbers the cells, each of which has one of so many values, from 0."""
        self.puzzle, self.tally, self.values = puzzle, tally, values
        self.full = tally.step >= Step.FULL
        count, width = puzzle.size, puzzle.width
        index = self.index = {cell: number for number, cell in enumerate(puzzle.cells)}
        self.lines = [[index[cell] for cell in line] for line in lines]
        self.lines_of: list[list[int]] = [[] for _ in range(count)]
        for number, line in enumerate(self.lines):
            for i in line:
                self.lines_of[i].append(number)
        self.all, self.width = (1 << count) - 1, width
        self.not_last_column = sum(1 << i for i in range(count) if i % width < width - 1)
        self.corners = self.not_last_column & self.all >> width
        self.around = [
            sum(1 << index[i] for i in product((r - 1, r, r + 1), (c - 1, c, c + 1)) if i in index)
            for r, c in puzzle.cells
        ]
        # Of a block by its top left corner, each cell: how far from the corner.
        self.block = (0, 1, width, width + 1)
        self.order = list(tally.shuffled(range(count)))

    def start(self) -> tuple[list[int], list[int], set[int]]:
        """The domains, holders and stale lines when only givens are known."""
        givens, values = self.puzzle.givens, range(self.values)
        domains = [1 << givens[i] if i in givens else (1 << self.values) - 1 for i in self.puzzle.cells]
        holders = [sum(1 << i for i, domain in enumerate(domains) if domain >> v & 1) for v in values]
        return domains, holders, set(range(len(self.lines)))

    @abstractmethod
    def rules(self, state: AnyState) -> bool:
        """One round of the rules that are not about lines."""

    @abstractmethod
    def bounds(self, state: AnyState, number: int) -> bool:
        """What follows for a line with undecided cells, with less propagation than all."""

    @abstractmethod
    def supported(self, number: int, domains: list[int]) -> Sequence[int]:
        """The values that the rule of a line leaves to each of its cells; empty on a contradiction."""

    @abstractmethod
    def options(self, state: AnyState) -> Iterator[tuple[str, AnyState]]:
        """Yields what to try at a node, in words, and the state with it; nothing if all is decided."""

    def keep(self, state: State, i: int, allowed: int) -> bool:
        """Restricts a cell to the allowed values."""
        if gone := state.domains[i] & ~allowed:
            state.domains[i] ^= gone
            state.stale.update(self.lines_of[i])
            for value in members(gone):
                state.holders[value] ^= 1 << i
                self.tally.propagations += 1
        return state.domains[i] != 0

    def keep_all(self, state: State, cells: int, allowed: int) -> bool:
        """Restricts each of the cells to the allowed values."""
        return all(self.keep(state, i, allowed) for i in members(cells))

    def decide(self, state: State, i: int, values: int) -> None:
        """Leaves a cell some of its values, as a branch or a given: what goes is not counted."""
        propagations = self.tally.propagations
        self.keep(state, i, values)
        self.tally.propagations = propagations

    def assigned(self, state: AnyState, i: int, values: int) -> AnyState:
        """The state with some of the values of a cell, before propagation."""
        child = state.copy()
        self.decide(child, i, values)
        return child

    def prune(self, state: AnyState) -> bool:
        """Propagates as far as the step goes."""
        return self.fixpoint(state) and (self.tally.step < Step.SHAVING or self.shave(state))

    def shave(self, state: AnyState) -> bool:
        """Removes what propagation refutes on trial, until nothing changes."""
        before: list[int] = []
        while before != state.holders:
            before = state.holders.copy()
            for i in range(len(state.domains)):
                for value in members(state.domains[i]):
                    # Propagation has removed some of the values since, and may have left one.
                    several = state.domains[i] & (state.domains[i] - 1) and state.domains[i] >> value & 1
                    refuted = several and not self.fixpoint(self.assigned(state, i, 1 << value))
                    if refuted and not (self.keep(state, i, ~(1 << value)) and self.fixpoint(state)):
                        return False
        return True

    def fixpoint(self, state: AnyState) -> bool:
        """Applies all rules until nothing changes."""
        before: list[int] = []
        while state.stale or before != state.holders:
            while state.stale:
                if not self.line(state, state.stale.pop()):
                    return False
            before = state.holders.copy()
            if not self.rules(state):
                return False
        return True

    def line(self, state: AnyState, number: int) -> bool:
        """The rule of a line, if propagation is full or its cells are decided."""
        cells = self.lines[number]
        domains = [state.domains[i] for i in cells]
        if not self.full and any(domain & (domain - 1) for domain in domains):
            return self.bounds(state, number)
        kept = self.supported(number, domains)
        for i, before, after in zip(cells, domains, kept, strict=False):
            if before != after:
                self.keep(state, i, after)
        state.stale.discard(number)
        return bool(kept)

    def sum(self, state: State, cells: Sequence[int], total: int) -> bool:
        """The cells sum to the total."""
        domains = state.domains
        low, high = sum(least(domains[i]) for i in cells), sum(most(domains[i]) for i in cells)
        return low <= total <= high and all(
            self.keep(state, i, between(total - high + most(domains[i]), total - low + least(domains[i])))
            for i in cells
        )

    def counts(self, state: State, within: int) -> bool:
        """Of these cells each number v is in v."""
        decided = state.decided()
        for v in range(1, self.values):
            cells = state.holders[v] & within
            placed, possible = (cells & decided).bit_count(), cells.bit_count()
            if placed > v or possible < v:
                return False
            if possible == placed or placed < v < possible:
                continue
            self.keep_all(state, cells & ~decided, ~(1 << v) if placed == v else 1 << v)
            decided = state.decided()
        return True

    def no_block(self, state: State) -> bool:
        """No 2x2 block is completely filled."""
        filled = self.all & ~state.holders[EMPTY]
        for last in self.block:
            three = self.corners
            for other in self.block:
                if other != last:
                    three &= filled >> other
            if not self.keep_all(state, three << last, 1 << EMPTY):
                return False
        return True

    def connected(self, state: State) -> bool:
        """All filled cells are connected along edges."""
        filled, may_be_filled = self.all & ~state.holders[EMPTY], state.may_be_filled()
        unreached = may_be_filled & ~self.reached(filled & -filled, may_be_filled)
        return not filled or self.keep_all(state, unreached, 1 << EMPTY)

    def reached(self, start: int, cells: int) -> int:
        """The cells to which a path inside the cells leads from the start."""
        reached, more = 0, start
        while reached != more:
            reached = more
            beside = (more & self.not_last_column) << 1 | more >> 1 & self.not_last_column
            more = (more | beside | more << self.width | more >> self.width) & cells
        return reached

    def view(self, state: AnyState) -> View:
        """What is drawn of a state."""
        left = zip(self.puzzle.cells, map(members, state.domains), strict=True)
        return View({cell: [value or "·" for value in values] for cell, values in left})

    def solutions(self, state: AnyState) -> Iterator[Solution]:
        """Yields the solution of a state in which all is decided."""
        yield self.puzzle.solution(lambda cell: least(state.domains[self.index[cell]]))

    def search(self) -> Iterator[Solution]:
        """Yields every solution, depth first."""
        root, tally = self.root, self.tally
        values = total_size(root.domains)
        consistent = self.prune(root)
        record_root(tally, values, root.domains, consistent)
        if tally.watcher:
            tally.watcher.node(0, "", partial(self.view, root), consistent)
        if consistent:
            yield from self.branch(root, 1)

    def branch(self, state: AnyState, depth: int) -> Iterator[Solution]:
        """Yields every solution below a node."""
        leaf, tally = True, self.tally
        for decision, child in self.options(state):
            leaf = False
            tally.branches += 1
            consistent = self.prune(child)
            if tally.watcher:
                tally.watcher.node(depth, decision, partial(self.view, child), consistent)
            if consistent:
                yield from self.branch(child, depth + 1)
            else:
                tally.failures += 1
        if leaf:
            yield from self.solutions(state)
