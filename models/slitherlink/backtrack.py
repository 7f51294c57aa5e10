"""Slitherlink by search: propagate, try both values of each edge, branch on one, back up.

`propagation`, until nothing changes:
- two edges on the loop or none meet at each dot;
- a clue is the number of edges on the loop around its cell;
- edges on the loop form paths; an edge that joins the ends of one is off the loop, unless it completes it;
- an edge on the loop has one cell inside and one outside beside it, any other has two of a kind: where a
  chain of such cells leads from one side of an edge to the other, that decides it.
With shaving, a value that propagation refutes on trial is removed.

It branches on the edge of which the trials have shown that the value that decides fewer edges decides most.

Constraints: sum, one loop (ends of paths), parity (inside and outside)
"""

from collections.abc import Iterable, Iterator, Sequence

from models.shared.grid import in_words
from models.shared.loop import at_nodes
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates
from models.slitherlink.puzzle import Slitherlink

Decision = tuple[int, int]
"""An edge and its value, 1 on the loop and 0 off it."""


class Edges:
    """The values of edges, -1 where one is undecided; `undo` takes back the last ones.

    Each dot and each clue is a group of edges, of which it counts those on the loop and those undecided.
    Cells with one label are on the same side of the loop if their `side` is the same.
    """

    def __init__(self, puzzle: Slitherlink, tally: Tally) -> None:
        """All edges are undecided; dots come first among groups, with -1 for the number of a clue."""
        self.tally, self.edges = tally, list(tally.shuffled(puzzle.edges))
        index = {e: k for k, e in enumerate(self.edges)}
        dot = {v: k for k, v in enumerate(puzzle.dots)}
        self.dots_of = [(dot[u], dot[v]) for u, v in self.edges]
        self.between = {two: k for k, two in enumerate(self.dots_of)}
        # The last cell is all that is outside of the grid.
        number = {cell: k for k, cell in enumerate(puzzle.cells)}
        self.cells_of = [[number.get(i, len(number)) for i in puzzle.beside(e)] for e in self.edges]
        self.around = [[index[e] for e in puzzle.around(cell)] for cell in puzzle.cells]
        self.around.append([k for k, two in enumerate(self.cells_of) if len(number) in two])
        self.groups = [edges for _, edges in sorted(at_nodes(index).items())]
        self.groups += [self.around[number[i]] for i in puzzle.clues]
        self.clue = [*[-1] * len(dot), *puzzle.clues.values()]
        self.groups_of: list[list[int]] = [[] for _ in self.edges]
        for group, some in enumerate(self.groups):
            for k in some:
                self.groups_of[k].append(group)
        self.value = [-1] * len(self.edges)
        self.on, self.open = [0] * len(self.groups), [*map(len, self.groups)]
        self.missing, self.paths, self.closed = sum(puzzle.clues.values()), 0, False
        self.end = list(range(len(dot)))  # of the path that ends in a dot, the other end
        self.label, self.side = list(range(len(self.around))), [0] * len(self.around)
        self.labelled = [[cell] for cell in self.label]
        # An edge with the ends of the path that it made, and what came under another label.
        self.trail: list[tuple[int, tuple[int, int] | None, tuple[int, int, int, int] | None]] = []

    def undecided(self) -> list[int]:
        """The edges without a value."""
        return [k for k, value in enumerate(self.value) if value < 0]

    def narrow(self, decisions: Sequence[Decision], groups: Iterable[int] = ()) -> bool:
        """Makes decisions, and those that follow from them and for these groups; False on a contradiction."""
        waiting, before = [*decisions], len(self.trail) + len(decisions)
        consistent = all(self._fill(group, waiting) for group in groups)
        while consistent and waiting:
            k, value = waiting.pop()
            consistent = self.value[k] == value if self.value[k] >= 0 else self._set(k, value, waiting)
        self.tally.propagations += max(0, len(self.trail) - before)
        return consistent and (self.closed or len(self.trail) < len(self.value))

    def undo(self, length: int) -> None:
        """Takes back all but the first so many values."""
        while len(self.trail) > length:
            k, ends, moved = self.trail.pop()
            self._count(k, self.value[k], -1)
            if ends:
                (u, v), (a, b) = self.dots_of[k], ends
                self.end[a], self.end[b] = u, v
                self.paths -= 1 - (a != u) - (b != v)
            elif self.value[k]:
                self.closed = False
            self.value[k] = -1
            if moved:
                label, into, count, flip = moved
                self.labelled[label] = self.labelled[into][-count:]
                del self.labelled[into][-count:]
                self._relabel(label, label, flip)

    def _count(self, k: int, value: int, sign: int) -> None:
        """Counts an edge that gets a value, or loses it, at its dots and clues."""
        for group in self.groups_of[k]:
            self.open[group] -= sign
            if value:
                self.on[group] += sign
                self.missing -= sign * (self.clue[group] >= 0)

    def _relabel(self, label: int, into: int, flip: int) -> None:
        """Gives all cells of a label another one, and the other side if `flip` is 1."""
        for cell in self.labelled[label]:
            self.label[cell] = into
            self.side[cell] ^= flip

    def _set(self, k: int, value: int, waiting: list[Decision]) -> bool:
        """Gives an edge its value, and adds what follows to `waiting`; False on a contradiction."""
        self.value[k] = value
        self._count(k, value, 1)
        (u, v), (cell, other) = self.dots_of[k], self.cells_of[k]
        a, b = self.end[u], self.end[v]
        ends = moved = None
        consistent = not value or (not self.closed and self.on[u] <= 2 and self.on[v] <= 2)
        if value and consistent and a != v:
            ends = a, b
            self.end[a], self.end[b] = b, a
            self.paths += 1 - (a != u) - (b != v)
        flip = self.side[cell] ^ self.side[other] ^ value
        label, into = self.label[cell], self.label[other]
        if label != into:
            if len(self.labelled[label]) > len(self.labelled[into]):
                label, into = into, label
            moved = label, into, len(self.labelled[label]), flip
            self._relabel(label, into, flip)
            self.labelled[into] += self.labelled[label]
        self.trail.append((k, ends, moved))
        if not consistent or (flip and not moved):
            return False

        if ends:
            joining = self.between.get((min(ends), max(ends)), k)
            if self.paths > 1 or self.missing > len(self.groups_of[joining]) - 2:
                waiting += [(joining, 0)] * (self.value[joining] < 0)
        elif value:
            self.closed = True
            if self.paths > 1 or self.missing:
                return False
            waiting += [(k, 0) for k in self.undecided()]
        for near in self.labelled[label] if moved else ():
            for edge in self.around[near]:
                i, j = self.cells_of[edge]
                if self.value[edge] < 0 and self.label[i] == self.label[j]:
                    waiting.append((edge, self.side[i] ^ self.side[j]))
        return all(self._fill(group, waiting) for group in self.groups_of[k])

    def _fill(self, group: int, waiting: list[Decision]) -> bool:
        """Adds what follows for a dot or clue to `waiting`; False on a contradiction."""
        on, left = self.on[group], self.open[group]
        low = high = self.clue[group]
        if low < 0:
            low, high = 2 * (on > 0), 2 * (on > 0 or left > 1)
        if on > high or on + left < low:
            return False
        if left and (on == high or on + left == low):
            waiting += [(k, int(on < high)) for k in self.groups[group] if self.value[k] < 0]
        return True


@propagates(Step.SHAVING, Step.FULL)
def propagation(puzzle: Slitherlink, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    state = Edges(puzzle, tally)
    count = len(state.edges)
    score: dict[int, tuple[int, ...]] = {}

    def prune(consistent: bool) -> bool:
        """Removes values that are refuted on trial, until nothing changes, if the step asks for it."""
        changed = tally.step >= Step.SHAVING
        while consistent and changed:
            changed = False
            score.clear()
            for k in state.undecided():
                if consistent and state.value[k] < 0:
                    gains, length = [], len(state.trail)
                    for value in (1, 0):
                        holds = state.narrow([(k, value)])
                        gains.append(len(state.trail) - length)
                        state.undo(length)
                        if not holds:
                            changed, consistent = True, state.narrow([(k, 1 - value)])
                            break
                    else:
                        score[k] = min(gains), max(gains)
        return consistent

    def options(length: int) -> Iterator[tuple[str, int, bool]]:
        if length < count:
            # Without trials, an edge is chosen at a dot or a clue where the fewest are left.
            order = score or {
                k: (-min(state.open[g] for g in state.groups_of[k]),) for k in state.undecided()
            }
            k = max(order, key=order.__getitem__)
            (u, v), words = state.edges[k], ("off", "on")
            edge = f"{'right' if u[0] == v[0] else 'down'} from the dot in {in_words(u)}"
            for value in tally.shuffled((1, 0)):
                state.undo(length)
                consistent = prune(state.narrow([(k, value)]))
                yield f"{edge}: {words[value]}", len(state.trail), consistent

    def view(_: int) -> View:
        words = {-1: ["×", "o"], 0: ["×"], 1: ["o"]}
        return View({e: words[value] for e, value in zip(state.edges, state.value, strict=True)})

    consistent = prune(state.narrow([], range(len(state.groups))))
    undecided = count - len(state.trail) if consistent else 0
    tally.root(variables=count, undecided=undecided, values=2 * count, values_left=count + undecided)
    for _ in depth_first(tally, len(state.trail), consistent, options, view):
        yield puzzle.enclosed(dict(zip(state.edges, state.value, strict=True)).__getitem__)


FORMULATIONS = by_name(propagation)
