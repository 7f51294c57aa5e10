"""A hand search for grids in which some cells hold a number, are connected, and the others are empty.

`Board` has the cells as sets of bits and the rules that puzzles share, `Rules` are those of one puzzle, and
`Search` propagates them and branches. Cells are counted row by row, from 0.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Protocol

from models.shared.bits import between, least, members, most, record_root, total_size
from models.shared.grid import Cell
from models.shared.partly_filled import EMPTY
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first


@dataclass(slots=True)
class State:
    """What is possible at a node.

    Attributes:
        domains: the values of each cell, 0 if it is empty, as bits.
        holders: the cells of each value, as bits: the same relation.
        stale: the lines, by number, of which a cell lost a value.
        choices: for each other decision of a puzzle, what is left of it; replaced, never changed in place.
    """

    domains: list[int]
    holders: list[int]
    stale: set[int]
    choices: list[Any] = field(default_factory=list)

    def copy(self) -> "State":
        """A state that changes on its own."""
        return State(self.domains.copy(), self.holders.copy(), self.stale.copy(), self.choices.copy())

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


class Board:
    """The cells, and what rules do with them; methods that return a bool say False on a contradiction.

    Attributes:
        lines: cells with a rule of their own, which is applied again when one of them has lost a value.
        around: of each cell, itself and those that touch it, diagonally too.
        order: the cells as they are chosen, if nothing else decides.
    """

    def __init__(
        self, cells: Sequence[Cell], width: int, values: int, lines: Sequence[Sequence[Cell]], tally: Tally
    ):
        """Numbers the cells of a grid of that width, each of which has one of so many values, from 0."""
        self.cells, self.values, self.tally, count = cells, values, tally, len(cells)
        index = self.index = {cell: number for number, cell in enumerate(cells)}
        self.lines = [[index[cell] for cell in line] for line in lines]
        self.lines_of: list[list[int]] = [[] for _ in cells]
        for number, line in enumerate(self.lines):
            for i in line:
                self.lines_of[i].append(number)
        self.all, self.width = (1 << count) - 1, width
        self.not_last_column = sum(1 << i for i in range(count) if i % width < width - 1)
        self.corners = self.not_last_column & self.all >> width
        self.around = [
            sum(1 << index[i] for i in product((r - 1, r, r + 1), (c - 1, c, c + 1)) if i in index)
            for r, c in cells
        ]
        # Of a block by its top left corner, each cell: how far from the corner.
        self.block = (0, 1, width, width + 1)
        self.order = list(tally.shuffled(range(count)))

    def root(self, givens: Mapping[Cell, int], choices: list[Any] | None = None) -> State:
        """The state when only givens are known."""
        domains = [1 << givens[i] if i in givens else (1 << self.values) - 1 for i in self.cells]
        holders = [
            sum(1 << i for i, domain in enumerate(domains) if domain >> v & 1) for v in range(self.values)
        ]
        return State(domains, holders, set(range(len(self.lines))), choices or [])

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

    def assigned(self, state: State, i: int, values: int) -> State:
        """The state with some of the values of a cell, before propagation; what goes is not counted."""
        child, propagations = state.copy(), self.tally.propagations
        self.keep(child, i, values)
        self.tally.propagations = propagations
        return child

    def adds_up(self, state: State, cells: Sequence[int], total: int) -> bool:
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

    def value_in(self, state: State) -> Callable[[Cell], int]:
        """The value of each cell in a state in which all are decided."""
        return lambda cell: least(state.domains[self.index[cell]])

    def view(self, state: State) -> View:
        """What is drawn of a state."""
        left = zip(self.cells, map(members, state.domains), strict=True)
        return View({cell: [value or "·" for value in values] for cell, values in left})


class Rules(Protocol):
    """The rules of a puzzle; a bool that is False, or no values for a line, is a contradiction."""

    board: Board
    root: State

    def supported(self, number: int, domains: list[int]) -> Sequence[int]:
        """The values that the rule of a line leaves to each of its cells."""

    def bounds(self, state: State, number: int) -> bool:
        """What follows for a line with undecided cells, with less propagation than all."""

    def others(self, state: State) -> bool:
        """One round of the rules that are not about lines."""

    def options(self, state: State) -> Iterator[tuple[str, State]]:
        """What to try at a node, in words, and the state with it; nothing if all is decided."""

    def solutions(self, state: State) -> Iterator[Solution]:
        """The solutions in a state in which all is decided."""

    def view(self, state: State) -> View:
        """What is drawn of a state."""


class Search:
    """Propagation by the rules of a puzzle, and depth-first search."""

    def __init__(self, rules: Rules, tally: Tally):
        self.rules, self.board, self.tally = rules, rules.board, tally

    def prune(self, state: State) -> bool:
        """Propagates as far as the step goes."""
        return self.fixpoint(state) and (self.tally.step < Step.SHAVING or self.shave(state))

    def shave(self, state: State) -> bool:
        """Removes what propagation refutes on trial, until nothing changes."""
        before: list[int] = []
        while before != state.holders:
            before = state.holders.copy()
            for i in range(len(state.domains)):
                for value in members(state.domains[i]):
                    # Propagation has removed some of the values since, and may have left one.
                    several = state.domains[i] & (state.domains[i] - 1) and state.domains[i] >> value & 1
                    refuted = several and not self.fixpoint(self.board.assigned(state, i, 1 << value))
                    if refuted and not (self.board.keep(state, i, ~(1 << value)) and self.fixpoint(state)):
                        return False
        return True

    def fixpoint(self, state: State) -> bool:
        """Applies all rules until nothing changes."""
        before: list[int] = []
        while state.stale or before != state.holders:
            while state.stale:
                if not self.line(state, state.stale.pop()):
                    return False
            before = state.holders.copy()
            if not self.rules.others(state):
                return False
        return True

    def line(self, state: State, number: int) -> bool:
        """Applies the rule of a line; without full propagation only its bounds, while cells are undecided."""
        cells = self.board.lines[number]
        domains = [state.domains[i] for i in cells]
        if self.tally.step < Step.FULL and any(domain & (domain - 1) for domain in domains):
            return self.rules.bounds(state, number)
        kept = self.rules.supported(number, domains)
        for i, before, after in zip(cells, domains, kept, strict=False):
            if before != after:
                self.board.keep(state, i, after)
        state.stale.discard(number)
        return bool(kept)

    def search(self) -> Iterator[Solution]:
        """Yields every solution, depth first."""
        root, tally = self.rules.root, self.tally
        values = total_size(root.domains)
        consistent = self.prune(root)
        record_root(tally, values, root.domains, consistent)
        for state in depth_first(tally, root, consistent, self.options, self.rules.view):
            yield from self.rules.solutions(state)

    def options(self, state: State) -> Iterator[tuple[str, State, bool]]:
        """What the rules try at a node, after propagation."""
        return ((decision, child, self.prune(child)) for decision, child in self.rules.options(state))
