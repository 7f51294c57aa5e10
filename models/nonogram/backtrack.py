"""Nonogram by search: lines are solved, cells are tried, and one is branched on where that is not enough.

`lines`: a cell keeps a value if it has it in some filling of its line that has the clue and, in each cell, a
value that is left. A line is looked at again if a cell of it lost a value. With shaving, the default, values
that this refutes on trial are removed at the root. Branches on a cell whose lines failed most often.

Constraints: automaton
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

from models.nonogram.puzzle import Clue, Nonogram
from models.shared.bits import members
from models.shared.grid import Cell, in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates

Line = tuple[int, int]
"""The cells that can be empty, and those that can be filled."""

Node = list[Line]
"""The rows, then the columns."""


@lru_cache(1 << 16)
def supported(clue: Clue, length: int, line: Line) -> Line | None:
    """The values of each cell in the fillings of a line that have the clue; None if there is none.

    A set of states of the automaton is an integer; empty or filled cells lead to some of them.
    """
    filled = 0
    for block in reversed(clue):
        filled = filled << block + 1 | (2 << block) - 2
    empty = (2 << filled.bit_length()) - 1 ^ filled
    can_be_empty, can_be_filled = line
    states, reached = 1, [1]
    for cell in range(length):
        after = states << 1 & filled if can_be_filled >> cell & 1 else 0
        if can_be_empty >> cell & 1:
            after |= (states << 1 | states) & empty
        reached.append(states := after)
    # The last two states accept.
    states &= (empty | filled) ^ (empty | filled) >> 2
    is_empty = is_filled = 0
    for cell in reversed(range(length)):
        after, states = states, 0
        if can_be_filled >> cell & 1 and (before := (after & filled) >> 1 & reached[cell]):
            is_filled |= 1 << cell
            states = before
        if can_be_empty >> cell & 1 and (before := (after & empty | (after & empty) >> 1) & reached[cell]):
            is_empty |= 1 << cell
            states |= before
    return (is_empty, is_filled) if states else None


def without(line: Line, place: int, value: int) -> Line:
    """The line whose cell at a place lost a value."""
    empty, filled = line
    return (empty, filled & ~(1 << place)) if value else (empty & ~(1 << place), filled)


class Search:
    """The search for the solutions of one puzzle."""

    def __init__(self, puzzle: Nonogram, tally: Tally) -> None:
        self.puzzle, self.tally = puzzle, tally
        self.clues = puzzle.rows + puzzle.columns
        self.lengths = [puzzle.width] * puzzle.height + [puzzle.height] * puzzle.width
        self.failed = [0] * len(self.clues)
        self.cells = list(tally.shuffled(puzzle.cells))

    def narrow(self, node: Node, lines: Iterable[int]) -> bool:
        """Solves lines, and those that cross them where a cell has lost a value; False on a contradiction."""
        height, waiting = self.puzzle.height, dict.fromkeys(lines)
        while waiting:
            line = next(iter(waiting))
            del waiting[line]
            before, clue = node[line], self.clues[line]
            after = before if clue is None else supported(clue, self.lengths[line], before)
            if after is None:
                self.failed[line] += 1
                return False
            node[line] = after
            for value in (0, 1):
                for at in members(before[value] ^ after[value]):
                    crossing, place = (height + at, line) if line < height else (at, line - height)
                    node[crossing] = without(node[crossing], place, value)
                    waiting[crossing] = None
                    self.tally.propagations += 1
        return True

    def with_value(self, node: Node, cell: Cell, value: int) -> tuple[bool, Node]:
        """The node after propagation, if a cell has a value; False on a contradiction."""
        child, (row, column) = node.copy(), cell
        crossing = self.puzzle.height + column
        child[row] = without(child[row], column, 1 - value)
        child[crossing] = without(child[crossing], row, 1 - value)
        return self.narrow(child, (row, crossing)), child

    def is_open(self, node: Node, cell: Cell) -> int:
        """Whether a cell has both values left."""
        return node[cell[0]][0] & node[cell[0]][1] & 1 << cell[1]

    def shave(self, node: Node) -> tuple[bool, Node]:
        """Removes each value that propagation refutes on trial; False on a contradiction."""
        consistent, before = True, None
        while consistent and node != before:
            before = node
            for cell, value in product(self.cells, (0, 1)):
                if consistent and self.is_open(node, cell) and not self.with_value(node, cell, value)[0]:
                    consistent, node = self.with_value(node, cell, 1 - value)
        return consistent, node

    def options(self, node: Node) -> Iterator[tuple[str, Node, bool]]:
        """Yields what to try at a node, in words, with the node then, and whether it is consistent."""
        if open_ := [cell for cell in self.cells if self.is_open(node, cell)]:
            left = [(empty & filled).bit_count() for empty, filled in node]
            lines = ((row, self.puzzle.height + column) for row, column in open_)
            ranked = [(-sum(self.failed[n] for n in both), sum(left[n] for n in both)) for both in lines]
            cell = open_[ranked.index(min(ranked))]
            for value in (1, 0):
                consistent, child = self.with_value(node, cell, value)
                yield f"{in_words(cell)}: {value}", child, consistent

    def view(self, node: Node) -> View:
        """The values that are left in each cell."""
        return View({(r, c): [v for v in (0, 1) if node[r][v] >> c & 1] for r, c in self.cells})


@propagates(Step.SHAVING, Step.FULL)
def lines(puzzle: Nonogram, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    search, size = Search(puzzle, tally), puzzle.size
    root = [((1 << length) - 1,) * 2 for length in search.lengths]
    consistent = search.narrow(root, range(len(root)))
    if consistent and tally.step >= Step.SHAVING:
        consistent, root = search.shave(root)
    undecided = sum((empty & filled).bit_count() for empty, filled in root[: puzzle.height])
    tally.root(
        variables=size, undecided=undecided, values=2 * size, values_left=size + consistent * undecided
    )
    for found in depth_first(tally, root, consistent, search.options, search.view):
        yield [
            [filled >> column & 1 for column in range(puzzle.width)] for _, filled in found[: puzzle.height]
        ]


FORMULATIONS = by_name(lines)
