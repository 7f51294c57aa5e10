"""Hooks by search: propagate, cut the grid outside in, then find out which cells are filled, back up.

A grid is cut into hooks of the sizes n..1; each gets a number v of its own, which v of its cells hold. Clues
give sums, products, and whether what is filled is connected and free of full 2x2 blocks.

    domains[i]    the values that cell i can still hold, 0 for an empty cell, as a set of bits
    holders[v]    the cells that can still hold v: the same relation, by value
    cuts[k]       the ways to cut the hook of size k, each with the numbers that it can still get (cuts.py)

`propagation`, until nothing changes:
- the cells of a clue keep values that a filling has there which the clue accepts (line_clues.py);
- if v cells hold the number v, no other does; if only v are left that can, they do;
- of four cells in a block, the last is empty if three are filled;
- a cell is empty if no path through cells that may be filled leads to it from those that are, and filled if
  without it there is none between two of them;
- a cut keeps a number v if all filled cells of the hook, at most v, can hold v, at least v cells can, and no
  cell outside must. The numbers of the hooks are all different. A cut without a number, or on no path of cuts
  from the whole grid to nothing, goes; a cell can hold v if a cut with v is left that has it.
With bounds, a clue waits until its cells are decided; until then only the bounds of sums are propagated. With
shaving, a value that propagation refutes on trial is removed, at each node, until nothing changes.

It first branches on the outermost hook of which the cut or the number is not decided. Then on whether a cell
is empty or filled: of those that may be both, the one with the most neighbours, diagonal ones too, of which
that is known. A filling for which the grid can be cut in several ways is a solution in the first one alone.

Constraints: table (sums, products and runs, to domain consistency), path (of cuts), all different,
global cardinality, clause (blocks), connected
"""

from collections.abc import Iterator
from functools import partial
from itertools import product

from models.hooks.cuts import Cut, cuts, possible_numbers
from models.hooks.line_clues import Sum, clues_with_cells, supported
from models.hooks.puzzle import EMPTY, Hooks
from models.shared.bits import between, in_words, least, members, most
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates

Cuts = list[tuple[Cut, int]]
"""The ways to cut the hook of one size, with the numbers that it can have."""

GRID, NOTHING = (0, 0), 0


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
        for cell in puzzle.neighbour_sums:
            self.decide(self.root, index[cell], 1 << EMPTY)
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
            return self.sum(state, cells, clue.total) if isinstance(clue, Sum) else True
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
            if not (self.paths(levels) and self.all_different(levels)):
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

    def paths(self, levels: list[Cuts]) -> bool:
        """Each cut is on a path from the whole grid to nothing."""
        squares = {GRID}
        for size in self.sizes:
            levels[size] = [entry for entry in levels[size] if entry[0].square in squares]
            squares = {cut.rest for cut, _ in levels[size]}
        for size in range(2, self.n + 1):
            squares = {cut.square for cut, _ in levels[size - 1]}
            levels[size] = [entry for entry in levels[size] if entry[0].rest in squares]
        return all(levels[1:])

    def all_different(self, levels: list[Cuts]) -> bool:
        """The numbers of the hooks are all different."""
        once = twice = held = 0
        numbers = [possible(level) for level in levels]
        for left in numbers[1:]:
            twice |= once & left
            once |= left
            if not left & (left - 1):
                if held & left:
                    return False
                held |= left
        only = once & ~twice & ~held
        for size in self.sizes:
            left = numbers[size]
            allowed = left if not left & (left - 1) else left & only or left & ~held
            if allowed != left:
                levels[size] = [(cut, kept & allowed) for cut, kept in levels[size] if kept & allowed]
        return once.bit_count() == self.n

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
                    several = state.domains[i] != 1 << value
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

    def options(self, state: State, cells: list[int]) -> Iterator[tuple[str, State]]:
        """Yields what to try at a node, in words, and the state with it; nothing if the cells are decided."""
        domains, tally = state.domains, self.tally
        undecided = [i for i in cells if domains[i] & (domains[i] - 1)]
        if not undecided:
            return
        for size in self.sizes:
            level = state.cuts[size]
            if len(level) > 1:
                for entry in tally.shuffled(level):
                    yield (
                        f"hook {size}: corner in {in_words(entry[0].corner)}",
                        replaced(state, size, [entry]),
                    )
                return
            cut, numbers = level[0]
            if numbers & (numbers - 1):
                for v in tally.shuffled(members(numbers)[::-1]):
                    yield f"hook {size}: number {v}", replaced(state, size, [(cut, 1 << v)])
                return
        # Each cell holds the number of its hook, or nothing.
        decided = state.decided()
        chosen = max(undecided, key=lambda i: (self.around[i] & decided).bit_count())
        place = in_words(self.cells[chosen])
        yield f"{place}: empty", self.assigned(state, chosen, 1 << EMPTY)
        yield f"{place}: filled", self.assigned(state, chosen, ~(1 << EMPTY))


def replaced(state: State, size: int, level: Cuts) -> State:
    """The state with these cuts for the hook of a size, before propagation."""
    child = state.copy()
    child.cuts[size] = level
    return child


def possible(level: Cuts) -> int:
    """The numbers that the hook of a size can have."""
    left = 0
    for _, numbers in level:
        left |= numbers
    return left


@propagates(Step.FULL, Step.BOUNDS, Step.SHAVING)
def propagation(puzzle: Hooks, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    propagator = Propagator(puzzle, tally)
    root, n = propagator.root, puzzle.n
    before = sum(map(int.bit_count, root.domains))
    consistent = all(root.domains) and propagator.prune(root)
    tally.root(
        variables=n * n,
        undecided=sum(domain.bit_count() > 1 for domain in root.domains),
        values=before,
        values_left=sum(map(int.bit_count, root.domains)) if consistent else n * n,
    )
    cells = list(tally.shuffled(range(n * n)))

    def view(state: State) -> View:
        left = zip(propagator.cells, map(members, state.domains), strict=True)
        numbers = ((size, members(possible(state.cuts[size]))) for size in propagator.sizes)
        notes = [f"hook {size}: number {', '.join(map(str, left))}" for size, left in numbers]
        return View({cell: [value or "·" for value in values] for cell, values in left}, notes=notes)

    def branch(state: State, depth: int) -> Iterator[Solution]:
        leaf = True
        for decision, child in propagator.options(state, cells):
            leaf = False
            tally.branches += 1
            consistent = propagator.prune(child)
            if tally.watcher:
                tally.watcher.node(depth, decision, partial(view, child), consistent)
            if consistent:
                yield from branch(child, depth + 1)
            else:
                tally.failures += 1
        # What can be cut in several ways is a solution where the first of them is left.
        if leaf and all(
            any(cut is first for cut, _ in state.cuts[size]) for size, first in propagator.first_cuts(state)
        ):
            values = map(least, state.domains)
            yield [[next(values) for _ in range(n)] for _ in range(n)]

    if tally.watcher:
        tally.watcher.node(0, "", partial(view, root), consistent)
    if consistent:
        yield from branch(root, 1)


FORMULATIONS = by_name(propagation)
