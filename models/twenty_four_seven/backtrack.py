"""Twenty Four Seven by search: propagate, find out which cells are filled, then the numbers, back up.

    domains[i]    the values that cell i can still hold, 0 for an empty cell, as a set of bits
    holders[v]    the cells that can still hold v: the same relation, by value
    words         the words that each row and column of a window may hold with its clues outside (words.py)

`propagation`, until nothing changes:
- a cell keeps a value that a word of its row has there, made of values that are left; so for its column;
- a number that is placed as often as it may be goes from the other cells of the window, and one that has only
  as many cells left as it needs goes there;
- of four cells in a block, the last is empty if three are filled;
- a cell is empty if no path through cells that may be filled leads to it from those that are;
- where no window is, the cells of a clue outside keep what can be the first number, or complete the sum.
With bounds, the word of a row or column waits until its cells are decided; until then four of them are
filled, by their count, and sum to 20, by the bounds of their values. With shaving, a value that propagation
refutes on trial is removed, at each node, until nothing changes.

It first branches on whether a cell is empty or filled: of those that may be both, the one with the most
neighbours, diagonal ones too, of which that is known. So a region grows, and its rows, columns and blocks
refute early what does not fit. Then it branches on the numbers of the smallest domain.

Constraints: table (the words of a row or column, to domain consistency), global cardinality, sum, first
number, clause (blocks), connected
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product

from models.shared.bits import between, least, members, most
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates
from models.twenty_four_seven.layout import windows
from models.twenty_four_seven.puzzle import EMPTY, FILLED, NUMBERS, TOTAL, TwentyFourSeven
from models.twenty_four_seven.words import SINGLE, VALUES, Words, first_numbers, sums, window_lines


class State:
    """The values that are still possible at a node, by cell and by value, and the lines that lost some."""

    __slots__ = ("domains", "holders", "stale")

    def __init__(self, domains: list[int], holders: list[int], stale: set[int]):
        self.domains, self.holders, self.stale = domains, holders, stale

    def copy(self) -> "State":
        """A state that changes on its own."""
        return State(self.domains.copy(), self.holders.copy(), self.stale.copy())

    def may_be_filled(self) -> int:
        """The cells that can hold a number."""
        cells = 0
        for k in NUMBERS:
            cells |= self.holders[k]
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

    def __init__(self, puzzle: TwentyFourSeven, tally: Tally):
        self.tally = tally
        self.full = tally.step >= Step.FULL
        width, count = puzzle.width, puzzle.size
        index = {cell: number for number, cell in enumerate(puzzle.cells)}
        self.words = Words()
        lines = window_lines(puzzle)
        self.lines = [([index[cell] for cell in line.cells], self.words.of(line)) for line in lines]
        self.lines_of: list[list[int]] = [[] for _ in range(count)]
        for number, (cells, _) in enumerate(self.lines):
            for i in cells:
                self.lines_of[i].append(number)
        self.windows = [sum(1 << index[cell] for cell in window) for window in windows(puzzle)]
        self.firsts = [([index[cell] for cell in cells], n) for cells, n in first_numbers(puzzle)]
        self.sums = [([index[cell] for cell in cells], total) for cells, total in sums(puzzle)]
        self.all, self.width = (1 << count) - 1, width
        self.not_last_column = sum(1 << i for i in range(count) if i % width < width - 1)
        self.corners = self.not_last_column & self.all >> width
        self.around = [
            sum(
                1 << index[row + down, column + across]
                for down, across in product((-1, 0, 1), repeat=2)
                if (row + down, column + across) in index
            )
            for row, column in puzzle.cells
        ]
        # Of a block by its top left corner, each cell: how far from the corner.
        self.block = (0, 1, width, width + 1)
        self.root = State([(1 << len(VALUES)) - 1] * count, [self.all] * len(VALUES), set(range(len(lines))))
        for cell, number in puzzle.givens.items():
            self.decide(self.root, index[cell], 1 << number)

    def keep(self, state: State, i: int, allowed: int) -> bool:
        """Restricts a cell to the allowed values."""
        if gone := state.domains[i] & ~allowed:
            state.domains[i] ^= gone
            state.stale.update(self.lines_of[i])
            for value in members(gone):
                state.holders[value] ^= 1 << i
                self.tally.propagations += 1
        return state.domains[i] != 0

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
                if not self.line(state, state.stale.pop()):
                    return False
            before = state.holders.copy()
            if not (
                all(self.numbers(state, window) for window in self.windows)
                and self.no_block(state)
                and self.connected(state)
                and all(self.first(state, cells, number) for cells, number in self.firsts)
                and all(self.sum(state, cells, total) for cells, total in self.sums)
            ):
                return False
        return True

    def line(self, state: State, number: int) -> bool:
        """Each row and column of a window is a word."""
        cells, words = self.lines[number]
        if not self.full and any(state.domains[i] & (state.domains[i] - 1) for i in cells):
            return self.four(state, cells) and self.sum(state, cells, TOTAL)
        kept = self.words.supported(words, [state.domains[i] for i in cells])
        for i, domain in zip(cells, kept, strict=False):
            if domain != state.domains[i]:
                self.keep(state, i, domain)
        state.stale.discard(number)
        return bool(kept)

    def four(self, state: State, cells: list[int]) -> bool:
        """Four cells are filled."""
        may_be = [i for i in cells if state.domains[i] & ~(1 << EMPTY)]
        filled = [i for i in may_be if not state.domains[i] & 1 << EMPTY]
        if len(filled) > FILLED or len(may_be) < FILLED:
            return False
        if len(filled) == FILLED:
            return all(self.keep(state, i, 1 << EMPTY) for i in cells if i not in filled)
        return len(may_be) > FILLED or all(self.keep(state, i, ~(1 << EMPTY)) for i in may_be)

    def numbers(self, state: State, window: int) -> bool:
        """Each window holds every number k exactly k times."""
        decided = state.decided() & window
        for k in NUMBERS:
            cells = state.holders[k] & window
            placed = (cells & decided).bit_count()
            if placed > k or cells.bit_count() < k:
                return False
            undecided = cells & ~decided
            if not undecided or (placed < k < cells.bit_count()):
                continue
            allowed = ~(1 << k) if placed == k else 1 << k
            for i in members(undecided):
                self.keep(state, i, allowed)
            decided = state.decided() & window
        return True

    def no_block(self, state: State) -> bool:
        """No 2x2 block is completely filled."""
        filled = self.all & ~state.holders[EMPTY]
        for last in self.block:
            three = self.corners
            for other in self.block:
                if other != last:
                    three &= filled >> other
            for corner in members(three):
                if not self.keep(state, corner + last, 1 << EMPTY):
                    return False
        return True

    def connected(self, state: State) -> bool:
        """All filled cells are connected along edges."""
        filled = self.all & ~state.holders[EMPTY]
        may_be_filled = state.may_be_filled()
        reached, more = 0, filled & -filled
        while reached != more:
            reached = more
            beside = (more & self.not_last_column) << 1 | more >> 1 & self.not_last_column
            more = (more | beside | more << self.width | more >> self.width) & may_be_filled
        if not reached:
            return True
        return all(self.keep(state, i, 1 << EMPTY) for i in members(may_be_filled & ~reached))

    def first(self, state: State, cells: list[int], number: int) -> bool:
        """The first filled cell that is met from outside holds the number."""
        places = []
        for i in cells:
            if state.domains[i] >> number & 1:
                places.append(i)
            if not state.domains[i] & 1 << EMPTY:
                break
        if not places:
            return False
        before = cells[: cells.index(places[0])]
        here = 1 << number | (1 << EMPTY if len(places) > 1 else 0)
        return all(self.keep(state, i, 1 << EMPTY) for i in before) and self.keep(state, places[0], here)

    def sum(self, state: State, cells: list[int], total: int) -> bool:
        """The cells sum to the total."""
        domains = state.domains
        low, high = sum(least(domains[i]) for i in cells), sum(most(domains[i]) for i in cells)
        return low <= total <= high and all(
            self.keep(state, i, between(total - high + most(domains[i]), total - low + least(domains[i])))
            for i in cells
        )

    def shave(self, state: State) -> bool:
        """Removes what propagation refutes on trial, until nothing changes."""
        before: list[int] = []
        while before != state.holders:
            before = state.holders.copy()
            for i in range(len(state.domains)):
                for value in SINGLE[state.domains[i]]:
                    several = state.domains[i] != value
                    refuted = several and not self.fixpoint(self.assigned(state, i, value))
                    if refuted and not (self.keep(state, i, ~value) and self.fixpoint(state)):
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


@propagates(Step.FULL, Step.BOUNDS, Step.SHAVING)
def propagation(puzzle: TwentyFourSeven, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    propagator = Propagator(puzzle, tally)
    root = propagator.root
    before = sum(map(int.bit_count, root.domains))
    consistent = propagator.prune(root)
    tally.root(
        variables=puzzle.size,
        undecided=sum(domain.bit_count() > 1 for domain in root.domains),
        values=before,
        values_left=sum(map(int.bit_count, root.domains)) if consistent else puzzle.size,
    )
    cells = list(tally.shuffled(range(puzzle.size)))

    def view(state: State) -> View:
        left = zip(puzzle.cells, map(members, state.domains), strict=True)
        return View({cell: [value or "·" for value in values] for cell, values in left})

    def branch(state: State, depth: int) -> Iterator[Solution]:
        domains = state.domains
        undecided = [i for i in cells if domains[i] & (domains[i] - 1)]
        if not undecided:
            yield puzzle.solution(lambda cell: least(domains[cell[0] * puzzle.width + cell[1]]))
            return
        # The cells of which it is not known whether they are filled.
        unknown = state.holders[EMPTY] & state.may_be_filled()
        if unknown:
            known = propagator.all & ~unknown
            chosen = max(
                (i for i in undecided if unknown >> i & 1),
                key=lambda i: (propagator.around[i] & known).bit_count(),
            )
            options: Iterable[int] = [1 << EMPTY, domains[chosen] & ~(1 << EMPTY)]
        else:
            chosen = min(undecided, key=lambda i: domains[i].bit_count())
            options = tally.shuffled(SINGLE[domains[chosen]])
        for values in options:
            tally.branches += 1
            child = propagator.assigned(state, chosen, values)
            consistent = propagator.prune(child)
            if tally.watcher:
                row, column = puzzle.cells[chosen]
                what = "empty" if values == 1 << EMPTY else "filled" if unknown else str(least(values))
                decision = f"row {row + 1}, column {column + 1}: {what}"
                tally.watcher.node(depth, decision, partial(view, child), consistent)
            if consistent:
                yield from branch(child, depth + 1)
            else:
                tally.failures += 1

    if tally.watcher:
        tally.watcher.node(0, "", partial(view, root), consistent)
    if consistent:
        yield from branch(root, 1)


FORMULATIONS = by_name(propagation)
