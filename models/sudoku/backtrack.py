"""Sudoku by Peter Norvig's search, over the candidates, groups and alternatives of cover.py.

It branches on the cell with the fewest candidates, and propagates:
- a candidate that is the last of its group is chosen; others in a group of a chosen candidate are removed;
- an alternative is dropped when one of its candidates is removed; what all alternatives left of a clue
  exclude, as they have another digit in its cell, is removed;
- if the row divisor has too many multiples to list, a row keeps the digits that some multiple has there.
With all different alone, only the candidate that is the last of its cell is chosen, and a clue or row refutes
no more than what is decided. With shaving, a candidate that propagation refutes on trial is removed, at each
node, until nothing changes.

Constraints: exactly one (cells, units), table (clues), regular (multiples)
"""

from collections.abc import Iterator, Sequence

from models.shared.bits import members
from models.shared.grid import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates
from models.sudoku.cover import Cover, digits_of_multiples
from models.sudoku.puzzle import Sudoku


class Propagation:
    """What follows from the candidates that are chosen and removed."""

    def __init__(self, cover: Cover, tally: Tally) -> None:
        """Prepares the sets of bits."""
        self.cover, self.tally = cover, tally
        self.full = tally.step >= Step.FULL
        sizes = [*map(len, cover.groups), *map(len, cover.clues)]
        self.root = [(1 << size) - 1 for size in sizes]
        # The groups of each candidate with its bit; then the clues with the bits of its alternatives.
        self.places: list[dict[int, int]] = [{} for _ in cover.groups_of]
        for g, group in enumerate(cover.groups):
            for k, x in enumerate(group):
                self.places[x][g] = 1 << k
        # For each clue, candidates with the alternatives that do not exclude them by their cell.
        self.allowing: list[dict[int, int]] = []
        for number, options in enumerate(cover.clues, len(cover.groups)):
            containing: dict[int, int] = {}
            for k, option in enumerate(options):
                for x in option:
                    containing[x] = containing.get(x, 0) | 1 << k
            naming: dict[int, int] = {}
            for x, bits in containing.items():
                self.places[x][number] = bits
                naming[cover.groups_of[x][0]] = naming.get(cover.groups_of[x][0], 0) | bits
            self.allowing.append(
                {
                    x: containing.get(x, 0) | self.root[number] & ~bits
                    for cell, bits in naming.items()
                    for x in cover.groups[cell]
                }
            )

    def narrow(
        self, left: list[int], chosen: list[int], stale: set[int], removed: Sequence[int] = ()
    ) -> bool:
        """Propagates chosen and removed candidates, stale clues and rows; False on a contradiction."""
        groups, places, clue_from = self.cover.groups, self.places, len(self.cover.groups)
        deciding = clue_from if self.full else self.cover.puzzle.size
        side = self.cover.puzzle.side if self.cover.divisor else 0
        while True:
            for x in removed:
                g = self.cover.groups_of[x][0]
                if not left[g] & places[x][g]:
                    continue
                self.tally.propagations += 1
                if side and g < side * side:
                    stale.add(g // side)
                for g, bits in places[x].items():
                    rest = left[g] & ~bits
                    if rest == left[g]:
                        continue
                    left[g] = rest
                    if not rest:
                        return False
                    if g >= clue_from:
                        stale.add(g)
                    elif not rest & (rest - 1) and g < deciding:
                        chosen.append(groups[g][rest.bit_length() - 1])
            if not chosen and not stale:
                return True
            removed = self.excluded(left, chosen.pop()) if chosen else self.refuted(left, stale.pop())

    def excluded(self, left: list[int], x: int) -> list[int]:
        """What shares a group with a candidate that is chosen."""
        found = []
        for g in self.cover.groups_of[x]:
            bits = left[g] & ~self.places[x][g]
            while bits:
                found.append(self.cover.groups[g][(bits & -bits).bit_length() - 1])
                bits &= bits - 1
        return found

    def refuted(self, left: list[int], number: int) -> list[int]:
        """What all alternatives left of a clue exclude, or no multiple has, for the number of a row."""
        if number >= len(self.cover.groups):
            if not self.full:
                return []
            bits = left[number]
            allowing = self.allowing[number - len(self.cover.groups)]
            return [x for x, allowed in allowing.items() if not bits & allowed]
        n = self.cover.puzzle.side
        row = [[self.cover.groups[g][k] for k in members(left[g])] for g in range(number * n, number * n + n)]
        if not self.full and any(len(cell) > 1 for cell in row):
            return []
        digits = [[self.cover.named[x][1] for x in cell] for cell in row]
        kept = digits_of_multiples(digits, self.cover.divisor or 1)
        both = zip(row, kept, strict=True)
        return [x for cell, keep in both for x in cell if self.cover.named[x][1] not in keep]

    def shave(self, left: list[int]) -> bool:
        """Removes what propagation refutes on trial, until nothing changes; False on a contradiction."""
        narrow, before = self.narrow, [0]
        while before != left:
            before = left.copy()
            for g in range(self.cover.puzzle.size):
                for k in members(left[g]):
                    x, several = self.cover.groups[g][k], left[g] & (left[g] - 1)
                    if several and not narrow(left.copy(), [x], set()) and not narrow(left, [], set(), [x]):
                        return False
        return True

    def prune(self, left: list[int], chosen: list[int], stale: set[int]) -> bool:
        """Propagates as far as the step goes; False on a contradiction."""
        return self.narrow(left, chosen, stale) and (self.tally.step < Step.SHAVING or self.shave(left))


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.SHAVING)
def norvig(puzzle: Sudoku, tally: Tally) -> Iterator[Solution]:
    """Yields every solution: propagation, and the cell with the fewest candidates."""
    cover = Cover(puzzle)
    rules = Propagation(cover, tally)
    cells = list(tally.shuffled(range(puzzle.size)))
    left = rules.root.copy()
    given = [group[0] for group in cover.groups[: None if rules.full else puzzle.size] if len(group) == 1]
    stale = {*range(len(cover.groups), len(left)), *(range(puzzle.side) if cover.divisor else ())}
    consistent = all(left) and rules.prune(left, given, stale)
    tally.root(
        variables=puzzle.size,
        undecided=sum(left[g].bit_count() > 1 for g in cells),
        values=sum(rules.root[g].bit_count() for g in cells),
        values_left=sum(left[g].bit_count() for g in cells) if consistent else puzzle.size,
    )

    def view(left: list[int]) -> View:
        of_cell = zip(puzzle.cells, cover.groups, left, strict=False)
        return View({i: [cover.named[group[k]][1] for k in members(bits)] for i, group, bits in of_cell})

    def options(left: list[int]) -> Iterator[tuple[str, list[int], bool]]:
        if undecided := [g for g in cells if left[g] & (left[g] - 1)]:
            g = min(undecided, key=lambda g: left[g].bit_count())
            for k in members(left[g]):
                child, x = left.copy(), cover.groups[g][k]
                consistent = rules.prune(child, [x], set())
                yield f"{in_words(puzzle.cells[g])}: {cover.named[x][1]}", child, consistent

    for found in depth_first(tally, left, consistent, options, view):
        chosen = zip(puzzle.cells, cover.groups, found, strict=False)
        digit = {i: cover.named[group[bits.bit_length() - 1]][1] for i, group, bits in chosen}
        yield puzzle.solution(digit.__getitem__)


FORMULATIONS = by_name(norvig)
