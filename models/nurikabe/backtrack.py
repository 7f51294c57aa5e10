"""Nurikabe by search: the rules are propagated, cells are tried, and one is branched on.

A node is two sets of cells, known land and known sea, as bits. Until nothing changes:
- an island that has all its cells is surrounded by sea, and so is a cell beside two islands;
- a cell that no island reaches is sea; an island that reaches no more cells than it has has all of them;
- the last open cell of a 2x2 block is land; a cell that the sea does not reach is land;
- a part of an island or of the sea that has to grow, and can in one cell only, has that cell;
- as many cells are sea as the numbers leave.

With shaving, the default, a value that this refutes on trial is removed, as that of a cell by which alone two
parts can meet. The search branches on the cell whose trials decided most cells.

Constraints: reachability, clause, linear
"""

from collections.abc import Iterator

from models.nurikabe.puzzle import LAND, SEA, Nurikabe
from models.shared.grid import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates

Node = tuple[int, int]
"""The cells that are known to be land, and those that are known to be sea."""

NAMES = ("land", "sea")


class Search:
    """The search for the solutions of one puzzle; a row of bits is one longer than that of the grid."""

    def __init__(self, puzzle: Nurikabe, tally: Tally) -> None:
        self.puzzle, self.tally, self.stride = puzzle, tally, puzzle.width + 1
        self.bit = {(row, column): 1 << row * self.stride + column for row, column in puzzle.cells}
        self.all = sum(self.bit.values())
        self.corners = sum(self.bit[block[0]] for block in puzzle.blocks)
        self.numbers = [(self.bit[cell], size) for cell, size in puzzle.numbers.items()]
        self.roots = sum(number for number, _ in self.numbers)
        # At least so many cells are land, or sea.
        self.least_land = sum(size or 1 for _, size in self.numbers)
        self.least_sea = 0 if None in puzzle.numbers.values() else puzzle.size - self.least_land
        self.order = list(tally.shuffled(puzzle.cells))
        self.decided = {cell: [0, 0] for cell in self.order}

    def wider(self, cells: int) -> int:
        """The cells and those beside them."""
        return (cells | cells << 1 | cells >> 1 | cells << self.stride | cells >> self.stride) & self.all

    def reached(self, start: int, cells: int, steps: int | None = None) -> int:
        """The cells that paths inside the cells lead to, of so many steps if that is not None."""
        before = 0
        while start != before and steps != 0:
            before, steps = start, None if steps is None else steps - 1
            start |= self.wider(start) & cells
        return start

    def narrow(self, node: Node | None) -> Node | None:
        """What follows from what is known, until nothing changes; None on a contradiction."""
        before = None
        while node and node != before:
            before = node
            for rule in (self.islands, self.waters):
                node = rule(*node) if node else None
                if node and node[0] & node[1]:
                    return None
        return node

    def exits(self, cells: int, allowed: int) -> int:
        """The cells that parts of the cells have to grow by, as they can in no other."""
        found = 0
        while cells:
            part = self.reached(cells & -cells, cells)
            cells ^= part
            beside = self.wider(part) & allowed & ~part
            found |= 0 if beside & (beside - 1) else beside
        return found

    def islands(self, land: int, sea: int) -> Node | None:
        """One round of the rules of islands."""
        parts = [self.reached(number, land) for number, _ in self.numbers]
        coasts = [*map(self.wider, parts)]
        of_one = can_be_land = joined = 0
        for coast in coasts:
            sea |= of_one & coast
            of_one |= coast
        for (number, size), part, coast in zip(self.numbers, parts, coasts, strict=True):
            # Neither beside another island nor in it.
            free, count = self.all & ~sea & (coast | ~of_one), part.bit_count()
            if part & self.roots != number or count > (size or count):
                return None
            reach = self.reached(part, free, size and size - count)
            can_be_land |= reach
            joined |= part
            exits = coast & free & ~part
            if count == size:
                sea |= exits
            elif size and reach.bit_count() <= size:
                if reach.bit_count() < size:
                    return None
                land |= reach
            elif size and not exits & (exits - 1):
                land |= exits
        return land | self.exits(land & ~joined, self.all & ~sea), sea | self.all & ~can_be_land

    def waters(self, land: int, sea: int) -> Node:
        """One round of the rules of the sea, and of how many cells it has."""
        block = (0, 1, self.stride, self.stride + 1)
        for last in block:
            three = self.corners
            for other in block:
                if other != last:
                    three &= sea >> other
            land |= three << last
        if sea:
            land |= self.all & ~self.reached(sea & -sea, self.all & ~land)
        if sea.bit_count() < self.least_sea or sea != self.reached(sea & -sea, sea):
            sea |= self.exits(sea, self.all & ~land)
        if land.bit_count() >= self.puzzle.size - self.least_sea:
            sea |= self.all & ~land
        if sea.bit_count() >= self.puzzle.size - self.least_land:
            land |= self.all & ~sea
        return land, sea

    def prune(self, node: Node) -> Node | None:
        """Propagates as far as the step goes."""
        if found := self.narrow(node):
            self.tally.propagations += sum(map(int.bit_count, found)) - sum(map(int.bit_count, node))
        return self.shaved(found) if found and self.tally.step >= Step.SHAVING else found

    def shaved(self, node: Node) -> Node | None:
        """Decides each cell of which propagation refutes a value on trial, until nothing changes."""
        before = None
        while before != node:
            before = node
            # What is known in a consistent trial is consistent as well.
            passed = [0, 0]
            for cell in self.order:
                bit = self.bit[cell]
                for value in (LAND, SEA):
                    if bit & (node[0] | node[1] | passed[value]):
                        continue
                    if trial := self.narrow(self.with_value(node, bit, value)):
                        passed = [passed[0] | trial[0], passed[1] | trial[1]]
                        self.decided[cell][value] = sum(map(int.bit_count, trial))
                    elif after := self.narrow(self.with_value(node, bit, 1 - value)):
                        self.tally.propagations += 1
                        node = after
                    else:
                        return None
        return node

    def with_value(self, node: Node, bit: int, value: int) -> Node:
        """The node in which a cell is land, 0, or sea, 1."""
        return (node[0], node[1] | bit) if value else (node[0] | bit, node[1])

    def options(self, node: Node) -> Iterator[tuple[str, Node, bool]]:
        """Yields what to try at a node, in words, with the node then, and whether it is consistent."""
        if open_ := [cell for cell in self.order if not self.bit[cell] & (node[0] | node[1])]:
            cell = max(open_, key=lambda cell: min(self.decided[cell]))
            for value in self.tally.shuffled((LAND, SEA)):
                child = self.prune(self.with_value(node, self.bit[cell], value))
                yield f"{in_words(cell)}: {NAMES[value]}", child or node, child is not None

    def view(self, node: Node) -> View:
        """The values left of each cell."""
        left = {
            cell: zip(NAMES, (node[1] & bit, node[0] & bit), strict=True) for cell, bit in self.bit.items()
        }
        return View({cell: [name for name, not_ in names if not not_] for cell, names in left.items()})


@propagates(Step.SHAVING, Step.FULL)
def trials(puzzle: Nurikabe, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    search = Search(puzzle, tally)
    root = search.roots, 0
    node = search.prune(root)
    undecided = puzzle.size - sum(map(int.bit_count, node)) if node else 0
    tally.root(puzzle.size, undecided, 2 * puzzle.size - len(puzzle.numbers), puzzle.size + undecided)
    for leaf in depth_first(tally, node or root, node is not None, search.options, search.view):
        kind = {cell: int(leaf[1] & bit > 0) for cell, bit in search.bit.items()}
        yield puzzle.solution(kind.__getitem__)


FORMULATIONS = by_name(trials)
