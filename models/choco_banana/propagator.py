"""What follows from blocks, numbers and groups of Choco Banana, and trials; backtrack.py states the rules."""

from dataclasses import dataclass

from models.choco_banana.bitboard import Bitboard, Cells, bits
from models.choco_banana.puzzle import SHADED, UNSHADED, ChocoBanana
from models.shared.search import Step, Tally

SHADES = (UNSHADED, SHADED)
NEAR = 3
"""How far from a change shades are tried: what follows from it further away shows in few trials."""

Rectangle = tuple[Cells, Cells]
"""A rectangle and the cells beside it."""


@dataclass(slots=True)
class State:
    """What is known at a node.

    Attributes:
        shaded, unshaded: the cells of which it is known.
        rectangles: those that can still be the group of the k-th number, if that is shaded.
        known: by the number, cells that are known to lie in unshaded groups with it.
        watched: by the number, the cells whose shade can change what follows from it.
        worth: of a cell whose shades were tried, how many cells they decide, the lesser first.
    """

    shaded: Cells
    unshaded: Cells
    rectangles: list[list[Rectangle]]
    known: dict[int, Cells]
    watched: list[Cells]
    worth: dict[Cells, list[int]]

    def assigned(self, cell: Cells, shade: int) -> "State":
        """The state with a shade for an undecided cell, before propagation."""
        own = self.rectangles.copy(), self.known.copy(), self.watched.copy(), self.worth.copy()
        if shade == SHADED:
            return State(self.shaded | cell, self.unshaded, *own)
        return State(self.shaded, self.unshaded | cell, *own)

    def become(self, trial: "State") -> None:
        """Takes over what a trial has shown."""
        self.shaded, self.unshaded = trial.shaded, trial.unshaded
        self.rectangles, self.known, self.watched = trial.rectangles, trial.known, trial.watched

    @property
    def decided(self) -> Cells:
        """The cells whose shade is known."""
        return self.shaded | self.unshaded


class Propagator(Bitboard):
    """The rules as sets of cells, what follows from them, and which cell to branch on.

    In a state that breaks a rule, some cell gets both shades.
    """

    def __init__(self, puzzle: ChocoBanana, tally: Tally) -> None:
        super().__init__(puzzle.height, puzzle.width)
        self.tally = tally
        self.order = list(tally.shuffled(self.bit.values()))
        numbers = sorted(puzzle.numbers.items())
        self.numbers = [(self.bit[cell], number) for cell, number in numbers]
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
            for cell, number in numbers
        ]
        self.root = State(0, 0, rectangles, dict.fromkeys(self.others, 0), [self.board] * len(rectangles), {})

    def undecided(self, state: State) -> Cells:
        """The cells that may be shaded or unshaded."""
        return self.board & ~state.decided

    def fixpoint(self, state: State, changed: Cells) -> bool:
        """Propagates from cells that have changed until nothing changes; False on a contradiction."""
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
