"""Choco Banana by search: propagate, try both shades of a cell, branch on one, back up.

`propagation` (propagator.py), until nothing changes:
- a 2x2 block has not exactly three shaded cells, and a cell with shaded neighbours only is shaded;
- a number keeps the rectangles that can still be its group. If it is shaded, so is what all of them hold, and
  what is beside all of them is not. If none is left, it is unshaded;
- a number is shaded if its group, were it unshaded, is too large, is a rectangle or has another number, or
  cannot reach its size through cells that are neither shaded nor in or beside a group with another number;
- an unshaded number takes all cells that it can reach if they are no more than its size, and its only exit.
  Other cells beside its group are shaded if it is complete, or they would connect it to too many or another;
- an unshaded group that is a rectangle takes the only cell beside it that is not shaded.
With shaving, a shade that propagation refutes on trial is removed: at the root until nothing changes, then at
each node near the cells that have changed.

It branches on the cell of which the trials have shown that the shade that decides fewer cells decides most;
without shaving, on the one with the most decided cells around it, diagonal ones too.

Constraints: table (rectangles), clause (blocks), connected, sum (sizes of groups)
"""

from collections.abc import Iterator
from functools import partial

from models.choco_banana.bitboard import Cells
from models.choco_banana.propagator import Propagator, State
from models.choco_banana.puzzle import SHADED, UNSHADED, ChocoBanana
from models.shared.bits import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates

SHADES = (UNSHADED, SHADED)
NEAR = 3
"""How far from a change shades are tried: what follows from it further away shows in few trials."""


class Search(Propagator):
    """Propagation, trials of cells, and which cell to branch on."""

    def __init__(self, puzzle: ChocoBanana, tally: Tally) -> None:
        super().__init__(puzzle, tally)
        self.order = list(tally.shuffled(self.bit.values()))

    def shave(self, state: State, changed: Cells) -> bool:
        """Removes shades that propagation refutes on trial near changes; False on a contradiction."""
        near = self.near(changed)
        while near := near & ~state.decided:
            for cell in self.order:
                if not cell & near & ~state.decided:
                    continue
                near ^= cell
                before = state.decided
                trials = [state.assigned(cell, shade) for shade in SHADES]
                passed = [trial for trial in trials if self.fixpoint(trial, cell)]
                if not passed:
                    return False
                if len(passed) == len(SHADES):
                    state.worth[cell] = sorted((trial.decided & ~before).bit_count() for trial in passed)
                    continue
                self.tally.propagations += 1
                state.become(passed[0])
                near |= self.near(state.decided & ~before)
        return True

    def near(self, cells: Cells) -> Cells:
        """The cells at most NEAR steps away."""
        for _ in range(NEAR):
            cells = self.around(cells)
        return cells

    def prune(self, state: State, changed: Cells) -> bool:
        """Propagates from cells that have changed, as far as the step goes; False on a contradiction."""
        before = state.decided & ~changed
        return self.fixpoint(state, changed) and (
            self.tally.step < Step.SHAVING or self.shave(state, changed | state.decided & ~before)
        )

    def chosen(self, state: State) -> Cells:
        """The undecided cell to branch on."""
        undecided = [cell for cell in self.order if not state.decided & cell]
        if self.tally.step == Step.SHAVING:
            return max(undecided, key=lambda cell: state.worth[cell])
        return max(undecided, key=lambda cell: (self.square(cell) & state.decided).bit_count())

    def square(self, cell: Cells) -> Cells:
        """A cell and the cells around it, diagonal ones too."""
        column = cell | cell << self.stride | cell >> self.stride
        return column | column << 1 | column >> 1


@propagates(Step.SHAVING, Step.FULL)
def propagation(puzzle: ChocoBanana, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    search = Search(puzzle, tally)
    root, cell_of = search.root, {bit: cell for cell, bit in search.bit.items()}

    def view(state: State) -> View:
        words = (("■", state.unshaded), ("·", state.shaded))
        return View(
            {cell: [word for word, not_ in words if not not_ & bit] for cell, bit in search.bit.items()}
        )

    def solution(state: State) -> Solution:
        return puzzle.solution(lambda cell: SHADED if state.shaded & search.bit[cell] else UNSHADED)

    # Nodes to come, the next one last: recursion would be too deep in large grids.
    stack: list[tuple[State, Cells, int, int]] = []

    def branch(state: State, depth: int) -> None:
        cell = search.chosen(state)
        stack.extend((state, cell, shade, depth) for shade in reversed(SHADES))

    consistent = search.prune(root, search.board)
    undecided = search.undecided(root).bit_count() if consistent else 0
    tally.root(puzzle.size, undecided, values=2 * puzzle.size, values_left=puzzle.size + undecided)
    if tally.watcher:
        tally.watcher.node(0, "", partial(view, root), consistent)
    if undecided:
        branch(root, 1)
    elif consistent:
        yield solution(root)
    while stack:
        parent, cell, shade, depth = stack.pop()
        tally.branches += 1
        state = parent.assigned(cell, shade)
        consistent = search.prune(state, cell)
        if tally.watcher:
            decision = f"{in_words(cell_of[cell])}: {'shaded' if shade == SHADED else 'unshaded'}"
            tally.watcher.node(depth, decision, partial(view, state), consistent)
        if not consistent:
            tally.failures += 1
        elif search.undecided(state):
            branch(state, depth + 1)
        else:
            yield solution(state)


FORMULATIONS = by_name(propagation)
