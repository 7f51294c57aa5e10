"""Hooks by search: propagate, cut the grid outside in, then fill the hooks, back up.

`propagation` keeps the values that each cell can still hold, the cells that can still hold each value, and
the ways to cut the hook of each size with the numbers that it can still get (cuts.py). Until nothing changes:
- the cells of a clue keep values that a filling has there which the clue accepts (line_clues.py);
- if v cells hold the number v, no other does; if only v are left that can, they do;
- of four cells in a block, the last is empty if three are filled;
- a cell is empty if no path through cells that may be filled leads to it from those that are, and filled if
  without it there is none between two of them;
- a cut keeps a number v if all filled cells of the hook, at most v, can hold v, at least v cells can, and no
  cell outside must. The numbers of the hooks are all different. A cut without a number, or on no path of cuts
  from the whole grid to nothing, goes; a cell can hold v if a cut with v is left that has it.
With bounds, a clue waits until its cells are decided; until then only the bounds of sums are propagated.

It first branches on the outermost hook of which the cut or the number is not decided. Then on whether a cell
is filled: in the hook that can be filled in the fewest ways, the one with the most neighbours, diagonal ones
too, that are decided. A filling for which the grid can be cut in several ways is a solution in the first one.

Constraints: table (sums, products and runs, to domain consistency), path (of cuts), all different,
global cardinality, clause (blocks), connected
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import comb

from models.hooks.cuts import GRID, Cut, Cuts, all_different, cuts, on_paths, possible, possible_numbers
from models.hooks.line_clues import Sum, clues_with_cells, supported
from models.hooks.puzzle import Hooks
from models.shared.bits import least, members
from models.shared.grid import in_words
from models.shared.model import by_name
from models.shared.partly_filled import EMPTY
from models.shared.partly_filled_search import Board, Search, State
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates


class Rules:
    """The rules of Hooks, and what to branch on; `choices` are the ways to cut the hook of each size."""

    def __init__(self, puzzle: Hooks, tally: Tally):
        clues = list(clues_with_cells(puzzle))
        self.puzzle, self.tally = puzzle, tally
        self.board = Board(puzzle.cells, puzzle.n, puzzle.n + 1, [cells for cells, _ in clues], tally)
        self.clues = [clue for _, clue in clues]
        self.sizes = range(puzzle.n, 0, -1)
        self.all_cuts: list[Cuts] = [[]]
        for size in range(1, puzzle.n + 1):
            numbers = possible_numbers(puzzle, size)
            self.all_cuts.append([(cut, numbers) for cut in cuts(puzzle, size)])
        self.root = self.board.root(puzzle.givens, self.all_cuts)

    def bounds(self, state: State, number: int) -> bool:
        """The bounds of a sum."""
        clue = self.clues[number]
        return not isinstance(clue, Sum) or self.board.adds_up(state, self.board.lines[number], clue.number)

    def supported(self, number: int, domains: list[int]) -> Sequence[int]:
        """The values that a clue leaves to its cells."""
        return supported(self.clues[number], tuple(domains))

    def others(self, state: State) -> bool:
        """One round of the rules but clues."""
        return (
            self.board.counts(state, self.board.all)
            and (not self.puzzle.no_full_2x2 or self.board.no_block(state))
            and (not self.puzzle.connected or (self.board.connected(state) and self.bridges(state)))
            # The rule that takes longest waits for the clues.
            and (bool(state.stale) or self.hooks(state))
        )

    def bridges(self, state: State) -> bool:
        """A cell is filled if without it there is no path between two that are."""
        filled, open_ = self.board.all & ~state.holders[EMPTY], state.may_be_filled()
        start = filled & -filled
        return all(
            self.board.keep(state, i, ~(1 << EMPTY))
            for i in members(open_ & ~filled)
            if filled & ~self.board.reached(start, open_ & ~(1 << i))
        )

    def hooks(self, state: State) -> bool:
        """The grid is cut into hooks, outside in, and v cells of a hook hold its number v."""
        holders, decided = state.holders, state.decided()
        filled = self.board.all & ~holders[EMPTY]
        # By number: cells that its hook must have, and cells that it must not have.
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
            for level in state.choices
        ]
        before: list[Cuts] = []
        while before != levels:
            before = levels.copy()
            if not (on_paths(levels) and all_different(levels)):
                return False
        state.choices = levels
        cells = [0] * self.board.values
        for level in levels:
            for cut, numbers in level:
                for v in members(numbers):
                    cells[v] |= cut.cells
        return all(
            self.board.keep_all(state, holders[v] & ~cells[v], ~(1 << v))
            for v in self.sizes
            if holders[v] & ~cells[v]
        )

    def first_cuts(self, state: State) -> Iterator[tuple[int, Cut]]:
        """Yields the first way to cut a decided grid into hooks, with their sizes."""
        whole = State(state.domains, state.holders, set(), self.all_cuts)
        self.hooks(whole)
        square = GRID
        for size in self.sizes:
            cut = next(cut for cut, _ in whole.choices[size] if cut.square == square)
            yield size, cut
            square = cut.rest

    def solutions(self, state: State) -> Iterator[Solution]:
        """Yields what can be cut in several ways where the first of them is left."""
        if all(any(cut is first for cut, _ in state.choices[size]) for size, first in self.first_cuts(state)):
            yield self.puzzle.solution(self.board.value_in(state))

    def view(self, state: State) -> View:
        """What is drawn of a state, with the numbers of the hooks."""
        numbers = ((size, members(possible(state.choices[size]))) for size in self.sizes)
        notes = [f"hook {size}: number {', '.join(map(str, left))}" for size, left in numbers]
        return replace(self.board.view(state), notes=notes)

    def cut(self, state: State, size: int, cut: Cut, numbers: int) -> State:
        """The state with the cut and some numbers for the hook of a size, before propagation."""
        child = state.copy()
        child.choices[size] = [(cut, numbers)]
        return child

    def options(self, state: State) -> Iterator[tuple[str, State]]:
        """Yields what to try at a node, in words, and the state with it."""
        tally, decided = self.tally, state.decided()
        if decided == self.board.all:
            return
        for size in self.sizes:
            level = state.choices[size]
            if len(level) > 1:
                for entry in tally.shuffled(level):
                    yield (
                        f"hook {size}: corner in {in_words(entry[0].corner)}",
                        self.cut(state, size, *entry),
                    )
                return
            cut, numbers = level[0]
            if numbers & (numbers - 1):
                for v in tally.shuffled(members(numbers)[::-1]):
                    yield f"hook {size}: number {v}", self.cut(state, size, cut, 1 << v)
                return
        # Each cell holds the number of its hook, or nothing.
        filled = self.board.all & ~state.holders[EMPTY]
        left = []
        for ((cut, number),) in state.choices[1:]:
            if undecided := cut.cells & ~decided:
                left.append((undecided, least(number) - (cut.cells & filled).bit_count()))
        undecided, missing = min(left, key=lambda hook: comb(hook[0].bit_count(), hook[1]))
        inside = [i for i in self.board.order if undecided >> i & 1]
        chosen = max(inside, key=lambda i: (self.board.around[i] & decided).bit_count())
        place, rather_filled = in_words(self.puzzle.cells[chosen]), 2 * missing > len(inside)
        for fill in (rather_filled, not rather_filled):
            values = ~(1 << EMPTY) if fill else 1 << EMPTY
            yield f"{place}: {'filled' if fill else 'empty'}", self.board.assigned(state, chosen, values)


@propagates(Step.FULL, Step.BOUNDS, Step.SHAVING)
def propagation(puzzle: Hooks, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    return Search(Rules(puzzle, tally), tally).search()


FORMULATIONS = by_name(propagation)
