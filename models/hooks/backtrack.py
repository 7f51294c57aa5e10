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

from collections.abc import Iterator
from functools import partial
from math import comb

from models.hooks.cuts import possible
from models.hooks.propagator import Propagator, State
from models.hooks.puzzle import EMPTY, Hooks
from models.shared.bits import in_words, least, members
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates


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
        for decision, child in options(propagator, state, cells):
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


def options(propagator: Propagator, state: State, cells: list[int]) -> Iterator[tuple[str, State]]:
    """Yields what to try at a node, in words, and the state with it; nothing if the cells are decided."""
    tally, decided = propagator.tally, state.decided()
    if decided == propagator.all:
        return
    for size in propagator.sizes:
        level = state.cuts[size]
        if len(level) > 1:
            for entry in tally.shuffled(level):
                yield (
                    f"hook {size}: corner in {in_words(entry[0].corner)}",
                    propagator.cut(state, size, *entry),
                )
            return
        cut, numbers = level[0]
        if numbers & (numbers - 1):
            for v in tally.shuffled(members(numbers)[::-1]):
                yield f"hook {size}: number {v}", propagator.cut(state, size, cut, 1 << v)
            return
    # Each cell holds the number of its hook, or nothing.
    filled = propagator.all & ~state.holders[EMPTY]
    left = []
    for ((cut, number),) in state.cuts[1:]:
        if undecided := cut.cells & ~decided:
            left.append((undecided, least(number) - (cut.cells & filled).bit_count()))
    undecided, missing = min(left, key=lambda hook: comb(hook[0].bit_count(), hook[1]))
    inside = [i for i in cells if undecided >> i & 1]
    chosen = max(inside, key=lambda i: (propagator.around[i] & decided).bit_count())
    place, rather_filled = in_words(propagator.cells[chosen]), 2 * missing > len(inside)
    for fill in (rather_filled, not rather_filled):
        values = ~(1 << EMPTY) if fill else 1 << EMPTY
        yield f"{place}: {'filled' if fill else 'empty'}", propagator.assigned(state, chosen, values)


FORMULATIONS = by_name(propagation)
