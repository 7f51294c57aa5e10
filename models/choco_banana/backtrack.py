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

from models.choco_banana.propagator import SHADES, Propagator, State
from models.choco_banana.puzzle import SHADED, UNSHADED, ChocoBanana
from models.shared.grid import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates


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

    def options(state: State) -> Iterator[tuple[str, State, bool]]:
        if search.undecided(state):
            cell = search.chosen(state)
            for shade in SHADES:
                child = state.assigned(cell, shade)
                decision = f"{in_words(cell_of[cell])}: {'shaded' if shade == SHADED else 'unshaded'}"
                yield decision, child, search.prune(child, cell)

    consistent = search.prune(root, search.board)
    undecided = search.undecided(root).bit_count() if consistent else 0
    tally.root(puzzle.size, undecided, values=2 * puzzle.size, values_left=puzzle.size + undecided)
    for state in depth_first(tally, root, consistent, options, view):
        shade_of = {cell: SHADED if state.shaded & bit else UNSHADED for cell, bit in search.bit.items()}
        yield puzzle.solution(shade_of.__getitem__)


FORMULATIONS = by_name(propagation)
