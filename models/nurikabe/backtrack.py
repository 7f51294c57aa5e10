"""Nurikabe by search on the first undecided cell, with the rules propagated until nothing changes:

- an island that has all its cells is surrounded by sea, and so is a cell beside two islands;
- a cell that no island reaches is sea; an island that reaches no more cells than it has has all of them;
- the last open cell of a 2x2 block is land; a cell that the sea does not reach is land;
- a part of an island or of the sea that has to grow, and can in one cell only, has that cell;
- as many cells are sea as the numbers leave.

With shaving, the default, a value that this refutes on trial is removed, as that of a cell by which alone two
parts can meet.

Constraints: reachability, clause, linear
"""

from collections.abc import Iterator

from models.nurikabe.puzzle import LAND, SEA, Nurikabe
from models.shared.bits import assignments, keep, least
from models.shared.grid import Cell, in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, propagates


class Rules:
    """The rules of a puzzle on sets of cells, as bits, of which a row has one more than the grid."""

    def __init__(self, puzzle: Nurikabe, tally: Tally) -> None:
        self.tally, self.stride, self.size = tally, puzzle.width + 1, puzzle.size
        self.bit = {(row, column): 1 << row * self.stride + column for row, column in puzzle.cells}
        self.all = sum(self.bit.values())
        self.corners = sum(self.bit[block[0]] for block in puzzle.blocks)
        self.numbers = [(self.bit[cell], size) for cell, size in puzzle.numbers.items()]
        self.roots = sum(number for number, _ in self.numbers)
        # At least so many cells are land, or sea.
        self.least_land = sum(size or 1 for _, size in self.numbers)
        self.least_sea = 0 if None in puzzle.numbers.values() else puzzle.size - self.least_land

    def narrow(self, domains: dict[Cell, int]) -> bool:
        """One round of all rules; False on a contradiction."""
        land = sum(self.bit[i] for i, values in domains.items() if values == 1 << LAND)
        sea = sum(self.bit[i] for i, values in domains.items() if values == 1 << SEA)
        if not (islands := self.islands(land, sea)):
            return False
        land, sea = self.waters(*islands)
        decided = {i: SEA if sea & bit else LAND for i, bit in self.bit.items() if (land | sea) & bit}
        return not land & sea and all(keep(domains, i, 1 << v, self.tally) for i, v in decided.items())

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

    def exits(self, cells: int, allowed: int) -> int:
        """The cells that parts of the cells have to grow by, as they can in no other."""
        found = 0
        while cells:
            part = self.reached(cells & -cells, cells)
            cells ^= part
            beside = self.wider(part) & allowed & ~part
            found |= 0 if beside & (beside - 1) else beside
        return found

    def islands(self, land: int, sea: int) -> tuple[int, int] | None:
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

    def waters(self, land: int, sea: int) -> tuple[int, int]:
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
        if land.bit_count() >= self.size - self.least_sea:
            sea |= self.all & ~land
        if sea.bit_count() >= self.size - self.least_land:
            land |= self.all & ~sea
        return land, sea


@propagates(Step.SHAVING, Step.FULL)
def trials(puzzle: Nurikabe, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    rules = Rules(puzzle, tally)
    domains = {i: 1 << LAND if i in puzzle.numbers else 1 << LAND | 1 << SEA for i in puzzle.cells}
    for found in assignments(domains, {Step.FULL: rules.narrow}, tally, in_words):
        yield puzzle.solution({i: least(bits) for i, bits in found.items()}.__getitem__)


FORMULATIONS = by_name(trials)
