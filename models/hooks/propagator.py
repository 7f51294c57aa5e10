"""What is still possible in a grid that is cut into hooks, and what follows; backtrack.py has it in words."""

from collections.abc import Iterator
from itertools import product

from models.hooks.cuts import GRID, Cut, Cuts, all_different, cuts, on_paths, possible_numbers
from models.hooks.line_clues import Sum, clues_with_cells, supported
from models.hooks.puzzle import EMPTY, Hooks
from models.shared.bits import between, least, members, most
from models.shared.search import Step, Tally


class State:
    """What is still possible at a node, and the clues of which a cell lost a value."""

    __slots__ = ("cuts", "domains", "holders", "stale")

    def __init__(self, domains: list[int], holders: list[int], cuts: list[Cuts], stale: set[int]):
        self.domains, self.holders, self.cuts, self.stale = domains, holders, cuts, stale

    def copy(self) -> "State":
        """A state that changes on its own."""
        return State(self.domains.copy(), self.holders.copy(), self.cuts.copy(), self.stale.copy())

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


class Propagator:
    """The rules as sets of cells, and what follows from them; its methods return False on a contradiction."""

    def __init__(self, puzzle: Hooks, tally: Tally):
        self.puzzle, self.tally = puzzle, tally
        self.full = tally.step >= Step.FULL
        n = self.n = puzzle.n
        count = n * n
        self.cells = [(row, column) for row in range(n) for column in range(n)]
        index = {cell: number for number, cell in enumerate(self.cells)}
        self.clues = [([index[cell] for cell in cells], clue) for cells, clue in clues_with_cells(puzzle)]
        self.clues_of: list[list[int]] = [[] for _ in range(count)]
        for number, (cells, _) in enumerate(self.clues):
            for i in cells:
                self.clues_of[i].append(number)
        self.all, self.sizes = (1 << count) - 1, range(n, 0, -1)
        self.not_last_column = sum(1 << i for i in range(count) if i % n < n - 1)
        self.corners = self.not_last_column & self.all >> n
        self.around = [
            sum(
                1 << index[row + down, column + across]
                for down, across in product((-1, 0, 1), repeat=2)
                if (row + down, column + across) in index
            )
            for row, column in self.cells
        ]
        # Of a block by its top left corner, each cell: how far from the corner.
        self.block = (0, 1, n, n + 1)
        self.all_cuts: list[Cuts] = [[]]
        for size in range(1, n + 1):
            numbers = possible_numbers(puzzle, size)
            self.all_cuts.append([(cut, numbers) for cut in cuts(puzzle, size)])
        values, stale = between(0, n), set(range(len(self.clues)))
        self.root = State([values] * count, [self.all] * (n + 1), self.all_cuts, stale)
        for cell, number in puzzle.givens.items():
            self.decide(self.root, index[cell], 1 << number)

    def keep(self, state: State, i: int, allowed: int) -> bool:
        """Restricts a cell to the allowed values."""
        if gone := state.domains[i] & ~allowed:
            state.domains[i] ^= gone
            state.stale.update(self.clues_of[i])
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

    def fixpoint(self, state: State) -> bool:
        """Applies all rules until nothing changes."""
        before: list[int] = []
        while state.stale or before != state.holders:
            while state.stale:
                if not self.clue(state, state.stale.pop()):
                    return False
            before = state.holders.copy()
            if not (
                self.counts(state)
                and (not self.puzzle.no_full_2x2 or self.no_block(state))
                and (not self.puzzle.connected or self.connected(state))
                # The rule that takes longest waits for the clues.
                and (state.stale or self.hooks(state))
            ):
                return False
        return True

    def clue(self, state: State, number: int) -> bool:
        """The values of the cells are accepted by the clue."""
        cells, clue = self.clues[number]
        if not self.full and any(state.domains[i] & (state.domains[i] - 1) for i in cells):
            return self.sum(state, cells, clue.number) if isinstance(clue, Sum) else True
        kept = supported(clue, tuple([state.domains[i] for i in cells]))
        for i, domain in zip(cells, kept, strict=False):
            if domain != state.domains[i]:
                self.keep(state, i, domain)
        state.stale.discard(number)
        return bool(kept)

    def sum(self, state: State, cells: list[int], total: int) -> bool:
        """The cells sum to the total."""
        domains = state.domains
        low, high = sum(least(domains[i]) for i in cells), sum(most(domains[i]) for i in cells)
        return low <= total <= high and all(
            self.keep(state, i, between(total - high + most(domains[i]), total - low + least(domains[i])))
            for i in cells
        )

    def counts(self, state: State) -> bool:
        """Each number v is in v cells."""
        decided = state.decided()
        for v in range(1, self.n + 1):
            cells = state.holders[v]
            placed, possible = (cells & decided).bit_count(), cells.bit_count()
            if placed > v or possible < v:
                return False
            if possible == placed or placed < v < possible:
                continue
            if not self.keep_all(state, cells & ~decided, ~(1 << v) if placed == v else 1 << v):
                return False
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
        filled = self.all & ~state.holders[EMPTY]
        if not filled:
            return True
        may_be_filled = state.may_be_filled()
        start = filled & -filled
        reached = self.reached(start, may_be_filled)
        if not self.keep_all(state, may_be_filled & ~reached, 1 << EMPTY):
            return False
        return all(
            self.keep(state, i, ~(1 << EMPTY))
            for i in members(reached & ~filled)
            if filled & ~self.reached(start, reached & ~(1 << i))
        )

    def reached(self, start: int, cells: int) -> int:
        """The cells to which a path inside the cells leads from the start."""
        reached, more = 0, start
        while reached != more:
            reached = more
            beside = (more & self.not_last_column) << 1 | more >> 1 & self.not_last_column
            more = (more | beside | more << self.n | more >> self.n) & cells
        return reached

    def hooks(self, state: State) -> bool:
        """The grid is cut into hooks, outside in, and v cells of a hook hold its number v."""
        holders, decided = state.holders, state.decided()
        filled = self.all & ~holders[EMPTY]
        # By number: cells that the hook must have, that it must not have, and that can hold the number.
        inside = [cells & decided for cells in holders]
        outside = [filled & ~cells for cells in holders]

        def fitting(cells: int, numbers: int) -> int:
            """The numbers that fit the cells of a hook."""
            held = (filled & cells).bit_count()
            for v in members(numbers):
                misfit = inside[v] & ~cells or outside[v] & cells
                if misfit or not held <= v <= (holders[v] & cells).bit_count():
                    numbers ^= 1 << v
            return numbers

        levels = [
            [(cut, kept) for cut, numbers in level if (kept := fitting(cut.cells, numbers))]
            for level in state.cuts
        ]
        before: list[Cuts] = []
        while before != levels:
            before = levels.copy()
            if not (on_paths(levels) and all_different(levels)):
                return False
        state.cuts = levels
        cells = [0] * (self.n + 1)
        for level in levels:
            for cut, numbers in level:
                for v in members(numbers):
                    cells[v] |= cut.cells
        return all(
            self.keep_all(state, holders[v] & ~cells[v], ~(1 << v))
            for v in self.sizes
            if holders[v] & ~cells[v]
        )

    def first_cuts(self, state: State) -> Iterator[tuple[int, Cut]]:
        """Yields the first way to cut a decided grid into hooks, with their sizes."""
        whole = State(state.domains, state.holders, self.all_cuts, set())
        self.hooks(whole)
        square = GRID
        for size in self.sizes:
            cut = next(cut for cut, _ in whole.cuts[size] if cut.square == square)
            yield size, cut
            square = cut.rest

    def shave(self, state: State) -> bool:
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

    def prune(self, state: State) -> bool:
        """Propagates as far as the step goes."""
        return self.fixpoint(state) and (self.tally.step < Step.SHAVING or self.shave(state))

    def assigned(self, state: State, i: int, values: int) -> State:
        """The state with some of the values of a cell, before propagation."""
        child = state.copy()
        self.decide(child, i, values)
        return child

    def cut(self, state: State, size: int, cut: Cut, numbers: int) -> State:
        """The state with the cut and some numbers for the hook of a size, before propagation."""
        child = state.copy()
        child.cuts[size] = [(cut, numbers)]
        return child
