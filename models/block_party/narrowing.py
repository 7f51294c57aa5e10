"""What the rules of Block Party leave before a search, as operations on sets of cells.

A set of cells is the bits of an integer, in rows that are longer than those of the grid: so a shift moves all
cells of a set at once, and none from a row into the next. The rules are applied until nothing changes:
- A value is removed from a cell if no cell at that distance can hold it. If the cell holds it, and one cell
  at that distance is left, that cell holds it too.
- A region with one cell left for a value assigns the value to that cell.
- A value is removed from the cells that are closer to every cell with which a region can hold it.
"""

from itertools import accumulate

from models.block_party.neighbourhoods import by_value, steps
from models.block_party.puzzle import BlockParty
from models.shared.bits import from_places, members, places
from models.shared.grid import Cell


def narrowed_domains(puzzle: BlockParty) -> dict[Cell, list[int]]:
    """The values that are left in each cell; on a contradiction a model with these has no solution."""
    rules = Rules(puzzle)
    rules.narrow()
    left: dict[int, list[int]] = {place: [] for place in rules.place.values()}
    for value, cells in enumerate(rules.holders):
        for place in places(cells):
            left[place].append(value)
    return {cell: left[place] for cell, place in rules.place.items()}


class Rules:
    """The rules of an instance, and what they leave; its methods return False on a contradiction.

    Attributes:
        place: the number of the bit of each cell.
        region: that of each place: its first one less `centre`, its cells shifted by that, their number.
        shifts: for each value, those that lead to the cells at that distance.
        ring: the cells at that distance; `closer`: those that are closer; all of `centre`.
        holders: for each value the cells that can hold it.
        seen: for each value the cells that could hold it, and did hold it, when its rules were last applied;
            None before.
    """

    def __init__(self, puzzle: BlockParty):
        longest = max(map(len, puzzle.regions))
        row_length = len(puzzle.labels[0]) + longest
        self.centre = longest * (row_length + 1)
        self.place = {(row, column): self.centre + row * row_length + column for row, column in puzzle.cells}
        self.region: dict[int, tuple[int, int, int]] = {}
        for region in puzzle.regions:
            there = [self.place[cell] for cell in region]
            start = min(there) - self.centre
            self.region |= dict.fromkeys(there, (start, sum(1 << k - start for k in there), len(there)))
        self.regions = {*self.region.values()}
        self.shifts = [
            [rows * row_length + columns for rows, columns in steps(puzzle.distance, length) if length]
            for length in range(longest + 1)
        ]
        self.ring = [sum(1 << self.centre + shift for shift in shifts) for shifts in self.shifts]
        self.closer = [0, *accumulate(self.ring)]
        able = by_value(puzzle.domains)
        self.holders = [from_places([self.place[i] for i in able[value]]) for value in range(longest + 1)]
        self.seen: list[tuple[int, int] | None] = [(0, 0), *[None] * longest]

    def assign(self, cell: int, value: int) -> None:
        """Removes all other values from a cell."""
        for other in range(len(self.holders)):
            if other != value:
                self.holders[other] &= ~cell

    def narrow(self) -> bool:
        """Removes values until nothing follows."""
        everywhere = from_places(self.region)
        while True:
            once = twice = 0
            for cells in self.holders:
                twice |= once & cells
                once |= cells
            # Each cell holds one value.
            if once != everywhere:
                return False
            now = [(cells, cells & ~twice) for cells in self.holders]
            changed = [value for value, seen in enumerate(self.seen) if now[value] != seen]
            if not changed:
                return True
            if not all(self.apply(value, now[value][1]) for value in changed):
                return False

    def apply(self, value: int, held: int) -> bool:
        """Applies the rules of a value where cells have changed."""
        cells = self.holders[value]
        regions = self.regions
        if before := self.seen[value]:
            regions = {self.region[place] for place in places(cells ^ before[0] | held ^ before[1])}
        self.seen[value] = cells, held

        # Some other K lies at distance exactly K.
        once = twice = 0
        for shift in self.shifts[value]:
            supported = cells << shift if shift > 0 else cells >> -shift
            twice |= once & supported
            once |= supported
        cells &= once
        for place in members(held & once & ~twice):
            supporting = cells & (self.ring[value] << place - self.centre)
            if not supporting & held:
                self.assign(supporting, value)

        for start, region, size in regions:
            if size < value:
                continue
            # A region of k cells holds each of 1..k once.
            near = cells >> start
            sure = near & region & held >> start
            able = sure or near & region
            if not able:
                return False
            if not sure and not able & (able - 1):
                self.assign(able << start, value)
            # No other K lies closer, wherever the region holds it.
            conflict = near ^ able
            for place in members(able):
                if not conflict:
                    break
                conflict &= self.closer[value] << place - self.centre | region
            cells ^= conflict << start
        self.holders[value] = cells
        return True
