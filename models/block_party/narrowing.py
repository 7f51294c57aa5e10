"""The rules of Block Party as operations on sets of cells: what they leave before a search.

A set of cells is the bits of an integer, in rows that are longer than those of the grid: so a shift moves all
cells of a set at once, and none from a row into the next.

`narrow` applies the rules one at a time until nothing changes:
- A value is removed from a cell if no cell at that distance can hold it. If the cell holds it, and one cell
  at that distance is left, that cell holds it too.
- A region with one cell left for a value assigns the value to that cell.
- A value is removed from the cells that are closer to every cell with which a region can hold it.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import accumulate

from models.block_party.neighbourhoods import steps
from models.block_party.puzzle import BlockParty
from models.shared.bits import members
from models.shared.grid import Cell


def narrowed_domains(puzzle: BlockParty) -> dict[Cell, list[int]]:
    """The values that `narrow` leaves in each cell; on a contradiction a model with these has no solution."""
    rules = Rules(puzzle)
    state = rules.state(puzzle.domains)
    rules.narrow(state)
    return rules.domains(state)


class State:
    """The values that are still possible at a node, by value.

    Attributes:
        holders: for each value the cells that can hold it.
        seen: for each value the cells that could hold it, and did hold it, when its rules were last applied;
            None before.
    """

    __slots__ = ("holders", "seen")

    def __init__(self, holders: list[int], seen: list[tuple[int, int] | None]):
        self.holders, self.seen = holders, seen

    def assign(self, cell: int, value: int) -> None:
        """Removes all other values from a cell."""
        for other in range(len(self.holders)):
            if other != value:
                self.holders[other] &= ~cell


class Rules:
    """The rules of an instance; its methods return False on a contradiction.

    Attributes:
        bit: each cell as a set.
        region: the region of a cell by the place of its bit.
        shifts: for each value, those that lead to the cells at that distance.
        ring: the cells at that distance; `closer`: those that are closer; all of `centre`.
    """

    def __init__(self, puzzle: BlockParty):
        longest = max(map(len, puzzle.regions))
        row_length = len(puzzle.labels[0]) + longest
        self.bit = {(row, column): 1 << row * row_length + column for row, column in puzzle.cells}
        self.all = sum(self.bit.values())
        self.regions = [sum(map(self.bit.__getitem__, region)) for region in puzzle.regions]
        self.region = {place: region for region in self.regions for place in members(region)}
        self.shifts: list[list[int]] = [[]] + [
            [rows * row_length + columns for rows, columns in steps(puzzle.distance, length)]
            for length in range(1, longest + 1)
        ]
        self.centre = longest * (row_length + 1)
        self.ring = [sum(1 << self.centre + shift for shift in shifts) for shifts in self.shifts]
        self.closer = [0, *accumulate(self.ring)]

    def state(self, domains: Mapping[Cell, Iterable[int]]) -> State:
        """The state in which cells can hold these values."""
        holders = [0] * len(self.ring)
        for cell, values in domains.items():
            for value in values:
                holders[value] |= self.bit[cell]
        return State(holders, [(0, 0), *[None] * (len(holders) - 1)])

    def domains(self, state: State) -> dict[Cell, list[int]]:
        """The values that each cell can hold."""
        return {
            cell: [value for value, cells in enumerate(state.holders) if cells & bit]
            for cell, bit in self.bit.items()
        }

    def narrow(self, state: State) -> bool:
        """Removes values until nothing follows."""
        while True:
            once = twice = 0
            for cells in state.holders:
                twice |= once & cells
                once |= cells
            # Each cell holds one value.
            if once != self.all:
                return False
            now = [(cells, cells & ~twice) for cells in state.holders]
            changed = [value for value, seen in enumerate(state.seen) if now[value] != seen]
            if not changed:
                return True
            if not all(self.apply(state, value, now[value][1]) for value in changed):
                return False

    def apply(self, state: State, value: int, held: int) -> bool:
        """Applies the rules of a value where cells have changed."""
        cells = state.holders[value]
        regions: Collection[int] = self.regions
        if before := state.seen[value]:
            changed = cells ^ before[0] | held ^ before[1]
            regions = {self.region[place] for place in members(changed)}
        state.seen[value] = cells, held

        # Some other K lies at distance exactly K.
        once = twice = 0
        for shift in self.shifts[value]:
            supported = cells << shift if shift > 0 else cells >> -shift
            twice |= once & supported
            once |= supported
        cells &= once
        for place in members(held & once & ~twice):
            supporting = cells & (self.ring[value] << place >> self.centre)
            if not supporting & held:
                state.assign(supporting, value)

        for region in regions:
            if region.bit_count() < value:
                continue
            # A region of k cells holds each of 1..k once.
            places = cells & region & held or cells & region
            if not places:
                return False
            if not places & (places - 1) and not places & held:
                state.assign(places, value)
            # No other K lies closer, wherever the region holds it.
            conflict = cells & ~places
            for place in members(places):
                if not conflict:
                    break
                conflict &= self.closer[value] << place >> self.centre | region
            cells &= ~conflict
        state.holders[value] = cells
        return True
