"""Choco Banana by search: propagate, try both shades of a cell, branch on one, back up.

Some cells are shaded. Each shaded group is a full rectangle, no unshaded group is one, and a number is the
size of the group that holds its cell.

    shaded, unshaded    the cells of which it is known, as sets of bits
    rectangles[k]       those that can still be the group of the k-th number, if that is shaded
    known[n]            cells that are known to lie in unshaded groups with the number n

`propagation`, until nothing changes:
- a 2x2 block has not exactly three shaded cells: two that are shaded and one that is not, or three that are
  shaded, decide the last one. A cell with shaded neighbours only is shaded;
- a number keeps the rectangles that have no unshaded cell, and no shaded one beside them. If it is shaded,
  what all of them hold is shaded, and what is beside all of them is not. If none is left, it is unshaded;
- a number is shaded if its group, were it unshaded, is too large, is a rectangle or has another number, or
  cannot reach its size through cells that are not shaded, in another such group, or beside one;
- the group of an unshaded number takes all cells that it can reach if they are no more than its size, and the
  cell beside it through which alone it can grow. The other cells beside it are shaded if it has its size, and
  so is each one that would connect it to too many cells or to another number;
- an unshaded group that is a rectangle takes the only cell beside it that is not shaded.
With shaving, a shade that propagation refutes on trial is removed: at the root until nothing changes, then at
each node near the cells that have changed.

It branches on the cell of which the trials have shown that the shade that decides fewer cells decides most;
without shaving, on the one with the most decided cells around it, diagonal ones too.

Constraints: table (rectangles), clause (blocks), connected, sum (sizes of groups)
"""

from collections.abc import Iterator
from functools import partial

from models.choco_banana.bitboard import Bitboard, Cells, bits
from models.choco_banana.puzzle import SHADED, UNSHADED, ChocoBanana
from models.shared.bits import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates

Rectangle = tuple[Cells, Cells]
"""A rectangle and the cells beside it."""


SHADES = (UNSHADED, SHADED)
NEAR = 3
"""How far from a change shades are tried: what follows from it further away shows in few trials."""


class State:
    """What is known at a node.

    Attributes:
        watched: by the number, the cells whose shade can change what follows from it.
        worth: of a cell whose shades were tried, how many cells they decide, the lesser first.
    """

    __slots__ = ("known", "rectangles", "shaded", "unshaded", "watched", "worth")

    def __init__(
        self,
        shaded: Cells,
        unshaded: Cells,
        rectangles: list[list[Rectangle]],
        known: dict[int, Cells],
        watched: list[Cells],
        worth: dict[Cells, list[int]],
    ) -> None:
        self.shaded, self.unshaded, self.rectangles = shaded, unshaded, rectangles
        self.known, self.watched, self.worth = known, watched, worth

    def assigned(self, cell: Cells, shade: int) -> "State":
        """The state with a shade for an undecided cell, before propagation."""
        shaded, unshaded = self.shaded, self.unshaded
        if shade == SHADED:
            shaded |= cell
        else:
            unshaded |= cell
        own = self.rectangles.copy(), self.known.copy(), self.watched.copy(), self.worth.copy()
        return State(shaded, unshaded, *own)

    def become(self, trial: "State") -> None:
        """Takes over what a trial has shown."""
        self.shaded, self.unshaded = trial.shaded, trial.unshaded
        self.rectangles, self.known, self.watched = trial.rectangles, trial.known, trial.watched

    @property
    def decided(self) -> Cells:
        """The cells whose shade is known."""
        return self.shaded | self.unshaded


class Propagator(Bitboard):
    """The rules as sets of cells, and what follows from them; its methods return False on a contradiction."""

    def __init__(self, puzzle: ChocoBanana, tally: Tally) -> None:
        super().__init__(puzzle.height, puzzle.width)
        self.tally = tally
        self.numbers = [(self.bit[cell], number) for cell, number in puzzle.numbers.items()]
        # Of each number, the cells with any other.
        self.others = {
            number: sum(cell for cell, other in self.numbers if other != number)
            for number in set(puzzle.numbers.values())
        }
        rectangles = [
            [
                (inside, self.around(inside) & ~inside)
                for inside in self.rectangles(cell, number)
                if not inside & self.others[number]
            ]
            for cell, number in puzzle.numbers.items()
        ]
        self.root = State(0, 0, rectangles, dict.fromkeys(self.others, 0), [self.board] * len(rectangles), {})
        self.order = list(tally.shuffled(self.bit.values()))

    def undecided(self, state: State) -> Cells:
        """The cells that may be shaded or unshaded."""
        return self.board & ~state.decided

    def fixpoint(self, state: State, changed: Cells) -> bool:
        """Applies all rules until nothing changes, where they see cells that have changed."""
        before = state.decided
        consistent = True
        while changed and consistent:
            changed = self.narrow(state, changed)
            consistent = not state.shaded & state.unshaded
        self.tally.propagations += (state.decided & ~before).bit_count()
        return consistent

    def narrow(self, state: State, changed: Cells) -> Cells:
        """One round of all rules; returns the cells that have changed since some of them were applied."""
        before = state.decided
        self.blocks(state)
        changed |= state.decided & ~before
        before = state.decided
        news = 0
        for k, watched in enumerate(state.watched):
            if watched & changed:
                labelled = self.number(state, k)
                if state.shaded & state.unshaded:
                    return 0
                news |= labelled
                changed |= labelled | state.decided & ~before
        self.closed(state, changed)
        return news | state.decided & ~before

    def blocks(self, state: State) -> None:
        """No 2x2 block has exactly three shaded cells, and an unshaded cell has an unshaded neighbour."""
        before = None
        shaded, unshaded = state.shaded, state.unshaded
        while before != (shaded, unshaded) and not shaded & unshaded:
            before = shaded, unshaded
            shaded, unshaded = self.completed(shaded, unshaded)
            open_ = self.board & ~shaded
            stride = self.stride
            shaded |= self.board & ~(open_ << 1 | open_ >> 1 | open_ << stride | open_ >> stride)
        state.shaded, state.unshaded = shaded, unshaded

    def number(self, state: State, k: int) -> Cells:
        """A number is the size of its group; returns the cells that are new in an unshaded group with it."""
        cell, _ = self.numbers[k]
        state.watched[k] = cell
        known = 0 if state.shaded & cell else self.unshaded_group(state, k)
        if not state.unshaded & cell:
            self.shaded_group(state, k)
        return known

    def shaded_group(self, state: State, k: int) -> None:
        """A shaded number lies in a rectangle of its size."""
        cell, _ = self.numbers[k]
        shaded, unshaded = state.shaded, state.unshaded
        state.rectangles[k] = left = [
            one for one in state.rectangles[k] if not (one[0] & unshaded or one[1] & shaded)
        ]
        if not left:
            state.unshaded |= cell
        inside = outside = self.board
        for rectangle, border in left:
            inside &= rectangle
            outside &= border
            state.watched[k] |= rectangle | border
        if left and shaded & cell:
            state.shaded |= inside
            state.unshaded |= outside

    def unshaded_group(self, state: State, k: int) -> Cells:
        """An unshaded number lies in a group of its size that is no rectangle; returns what is new in it."""
        cell, size = self.numbers[k]
        group = self.connected(cell, state.unshaded)
        others = self.others[size]
        for number, cells in state.known.items():
            if number != size:
                others |= cells
        free = self.board & ~(state.shaded | others | self.around(others & state.unshaded)) | group
        reach = self.grown(group, free, size)
        state.watched[k] |= self.around(reach)
        count = reach.bit_count()
        if (
            size < 3
            or group & others
            or not group.bit_count() <= size <= count
            or (count == size and self.is_rectangle(reach))
        ):
            state.shaded |= cell
            return 0
        if not state.unshaded & cell:
            return 0
        if count == size:
            state.unshaded |= reach
            state.shaded |= self.around(reach) & ~reach
            group = reach
        else:
            self.exits(state, k, group, free)
        new = group & ~state.known[size]
        state.known[size] |= new
        return new

    def grown(self, group: Cells, free: Cells, size: int) -> Cells:
        """Returns the free cells that a group of a size can reach, or more than its size of them."""
        for _ in range(size - group.bit_count()):
            reach = self.around(group) & free
            if reach == group or group.bit_count() > size:
                break
            group = reach
        return group

    def exits(self, state: State, k: int, group: Cells, free: Cells) -> None:
        """Of the cells beside a group that is too small some are shaded; one that is left alone is not."""
        _, size = self.numbers[k]
        beside = self.around(group) & ~group & ~state.shaded
        exits = beside & free
        for cell in bits(exits & self.around(state.unshaded & ~group)):
            merged = self.connected(group | cell, state.unshaded)
            state.watched[k] |= self.around(merged)
            if merged.bit_count() > size or merged & self.others[size]:
                exits ^= cell
        state.shaded |= beside & ~exits
        if not exits & (exits - 1):
            state.unshaded |= exits

    def closed(self, state: State, changed: Cells) -> None:
        """An unshaded group that nothing can be added to is no rectangle."""
        seeds = state.unshaded & self.around(changed)
        while seeds:
            group = self.connected(seeds & -seeds, state.unshaded)
            seeds &= ~group
            exits = self.around(group) & ~group & ~state.shaded
            if exits & (exits - 1) or not self.is_rectangle(group):
                continue
            # Without an exit this is a contradiction.
            state.unshaded |= exits
            state.shaded |= 0 if exits else group

    def shave(self, state: State, changed: Cells) -> bool:
        """Removes what propagation refutes on trial, near cells that have changed."""
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
        """Propagates what follows from cells that have changed, as far as the step goes."""
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
    propagator = Propagator(puzzle, tally)
    root, cell_of = propagator.root, {bit: cell for cell, bit in propagator.bit.items()}

    def view(state: State) -> View:
        words = (("#", state.unshaded), ("·", state.shaded))
        return View(
            {cell: [word for word, not_ in words if not not_ & bit] for cell, bit in propagator.bit.items()}
        )

    def solution(state: State) -> Solution:
        return puzzle.solution(lambda cell: SHADED if state.shaded & propagator.bit[cell] else UNSHADED)

    # Nodes to come, the next one last: recursion would be too deep in large grids.
    stack: list[tuple[State, Cells, int, int]] = []

    def branch(state: State, depth: int) -> None:
        cell = propagator.chosen(state)
        stack.extend((state, cell, shade, depth) for shade in reversed(SHADES))

    consistent = propagator.prune(root, propagator.board)
    undecided = propagator.undecided(root).bit_count() if consistent else 0
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
        consistent = propagator.prune(state, cell)
        if tally.watcher:
            decision = f"{in_words(cell_of[cell])}: {'shaded' if shade == SHADED else 'unshaded'}"
            tally.watcher.node(depth, decision, partial(view, state), consistent)
        if not consistent:
            tally.failures += 1
        elif propagator.undecided(state):
            branch(state, depth + 1)
        else:
            yield solution(state)


FORMULATIONS = by_name(propagation)
