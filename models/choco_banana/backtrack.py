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
from models.choco_banana.propagator import SHADES, Propagator, State
from models.choco_banana.puzzle import SHADED, UNSHADED, ChocoBanana
from models.shared.bits import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates


@propagates(Step.SHAVING, Step.FULL)
def propagation(puzzle: ChocoBanana, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    search = Propagator(puzzle, tally)
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
