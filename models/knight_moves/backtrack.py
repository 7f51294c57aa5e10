"""Knight Moves by search: propagate, branch on the number with the fewest places, back up.

    x[t]    t = 1..greatest -> the cells where t can still be, as a set of bits; one more bit, END, which only
            x[t] for t > least has, stands for t > T

`places`: propagation, until nothing changes:
- from each number to the next there is a knight's move, or END; after END there is only END;
- a cell where a number must be has no other number;
- a number goes to the cell that must be visited and has no other number left. Such a cell has a number
  already; or it is turned onto one that must be visited, by the clue `rotation`; or there are only as many
  cells as numbers. Where one of four cells that are turned onto each other cannot be visited, none is;
- the number that is first seen from an end of a line is in that line, no cell before its first place is
  visited, and it is not behind a cell that must be;
- in a line or region with a sum, t is inside or outside only if the numbers before it and those behind it can
  complete the sum, and the greatest numbers that its cells can have must reach it. Its number of visits is a
  sum with weights 1. No two numbers in succession are in the same line.
With all different alone, only the first two rules are propagated.

What equal lines or regions have in common depends on T: there each T is searched by itself. The search tries
those cells first from which the fewest moves are left (Warnsdorff's rule).

Constraints: all different, table (moves), sum
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial, reduce
from itertools import groupby
from operator import or_
from typing import NamedTuple

from models.knight_moves.puzzle import KnightMoves
from models.knight_moves.visits import (
    Visits,
    known_empty,
    known_sums,
    orbits,
    possible_lengths,
    views_from_ends,
)
from models.shared.bits import least, members
from models.shared.grid import Cell, in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates

Places = list[int]
"""The places of each number, as a set of bits; those of 0 stand for nothing."""

FEW = 4
"""A number is drawn in its places if there are not more."""


class Group(NamedTuple):
    """Cells whose numbers, or visits, add up to a total."""

    cells: int
    weights: Sequence[int]
    total: int
    apart: bool
    """Whether there is no knight's move inside."""


class Search:
    """The search for the paths of some lengths T.

    Attributes:
        bit, cell, board, end: of each cell, the cell of each, all of these, and a bit that is no cell.
        x: the places of each number after propagation at the root.
        values: how many places the numbers had before, in all.
        consistent: whether propagation left each number a place.
    """

    def __init__(self, puzzle: KnightMoves, lengths: tuple[int, int], tally: Tally) -> None:
        """Sets up the sets of cells that the clues name, and propagates at the root."""
        n = puzzle.side
        # The bits are numbered row by row, with two to spare in each: so no move leads into another row.
        self.width = n + 2
        self.bit = {(row, column): 1 << row * self.width + column for row, column in puzzle.cells}
        self.cell = {bit: cell for cell, bit in self.bit.items()}
        self.board = self.union(puzzle.cells)
        self.end = 1 << n * self.width
        self.tally = tally
        self.fewest, self.last = lengths
        self.groups = list(self.groups_of(puzzle))
        self.seen = [(number, [self.bit[i] for i in cells]) for cells, number in views_from_ends(puzzle)]
        self.orbits = [self.union(set(orbit)) for orbit in orbits(n)] if puzzle.rotation else []

        self.x = [0] + [self.board | (self.end if t > self.fewest else 0) for t in range(1, self.last + 1)]
        for i, number in puzzle.givens.items():
            self.x[number] = self.bit[i]
        # The numbers whose places were changed; what each group was found to leave inside and outside.
        self.stale = (2 << self.last) - 2
        self.settled = [(0, 0)] * len(self.groups)
        self.sides = lru_cache(4096)(self._sides)
        self.values = sum(map(int.bit_count, self.x))
        self.consistent = self.prune(self.x)

    def union(self, cells: Iterable[Cell]) -> int:
        """Returns cells as a set of bits."""
        return sum(self.bit[i] for i in cells)

    def moves(self, cells: int) -> int:
        """Returns the cells that are a knight's move away from some cell of a set."""
        cells &= self.board
        near, far = cells << 1 | cells >> 1, cells << 2 | cells >> 2
        one, two = self.width, 2 * self.width
        return (near << two | near >> two | far << one | far >> one) & self.board

    @property
    def label(self) -> str:
        """The possible T in words."""
        return f"{self.fewest} to {self.last} numbers" if self.fewest < self.last else f"{self.last} numbers"

    def _sides(self, places: int) -> int:
        """Returns whether a number with such places may be inside, and outside, of each group: a bit each."""
        if places & (places - 1):
            return reduce(or_, (self.sides(1 << place) for place in members(places)))
        sides = (side for group in self.groups for side in (group.cells, ~group.cells))
        return sum(1 << k * (self.last + 1) for k, side in enumerate(sides) if places & side)

    def groups_of(self, puzzle: KnightMoves) -> Iterator[Group]:
        """Yields the groups with sums or visits, for the greatest T where they depend on T."""
        T = self.last
        sums = [(cells, of[T]) for cells, of in known_sums(puzzle, [T])]
        visits = [(cells, len(cells) - of[T]) for cells, of in known_empty(puzzle, [T])]
        for weights, totals in ((range(1, T + 1), sums), ([1] * T, visits)):
            for cells, total in totals:
                group = self.union(cells)
                yield Group(group, weights, total, apart=not self.moves(group) & group)

    def keep(self, x: Places, t: int, allowed: int) -> bool:
        """Restricts a number to the allowed places; False if none is left."""
        kept = x[t] & allowed
        if kept != x[t]:
            self.tally.propagations += (x[t] ^ kept).bit_count()
            x[t] = kept
            self.stale |= 1 << t
        return kept != 0

    def empty(self, x: Places, cells: int, number: int = 0) -> bool:
        """Removes cells from the places of all numbers but one; False if one has no place left."""
        return all(self.keep(x, t, ~cells) for t, bits in enumerate(x) if bits & cells and t != number)

    def moved(self, x: Places) -> bool:
        """Propagates the moves, and that no cell is visited twice, from all stale numbers."""
        while self.stale:
            t = least(self.stale)
            self.stale &= self.stale - 1
            here, near = x[t], self.moves(x[t])
            # A cell has one number.
            if here & (here - 1) == 0 and here != self.end and not self.empty(x, here, t):
                return False
            # From each number to the next there is a knight's move; after the end there is only the end.
            if t < self.last and not self.keep(x, t + 1, near | self.end):
                return False
            if t > 1 and not here & self.end and not self.keep(x, t - 1, near):
                return False
        return True

    def visited(self, x: Places) -> bool:
        """Propagates which cells must, and which can, be visited."""
        some = several = decided = needed = 0
        for bits in x[1:]:
            several |= some & bits
            some |= bits
            needed += not bits & self.end
            decided |= bits if bits & (bits - 1) == 0 else 0
        possible, self.must = some & self.board, decided & self.board
        # The visited cells are the same after a quarter turn.
        for orbit in self.orbits:
            if orbit & ~some:
                if orbit & self.must or not self.empty(x, orbit):
                    return False
            elif orbit & self.must:
                self.must |= orbit
        # There is a cell for each number.
        if possible.bit_count() <= needed:
            if possible.bit_count() < needed:
                return False
            self.must = possible
        only = self.must & ~several & ~decided
        return all(self.keep(x, t, only) for t, bits in enumerate(x) if bits & only)

    def first_seen(self, x: Places) -> bool:
        """Propagates the numbers that are seen from the ends of lines."""
        for number, cells in self.seen:
            nearest = next((k for k, cell in enumerate(cells) if cell & self.must), len(cells))
            if not self.keep(x, number, sum(cells[: nearest + 1])):
                return False
            first = next(k for k, cell in enumerate(cells) if cell & x[number])
            if first and not self.empty(x, sum(cells[:first])):
                return False
        return True

    def summed(self, x: Places) -> bool:
        """Propagates the sums and visits of groups."""
        # The cells by the greatest number that each can have.
        greatest, seen = [], 0
        for t in range(self.last, 0, -1):
            if new := x[t] & self.board & ~seen:
                greatest.append((t, new))
                seen |= new
        for cells, weights, total, _ in self.groups:
            by_weight = greatest if weights[-1] > 1 else [(1, seen)]
            if sum(weights[t - 1] * (new & cells).bit_count() for t, new in by_weight) < total:
                return False
        # The numbers that may be inside, and those that may be outside, of each group.
        stride, numbers = self.last + 1, (2 << self.last) - 1
        sides = sum(self.sides(bits) << t for t, bits in enumerate(x))
        for k, (cells, weights, total, apart) in enumerate(self.groups):
            inside, outside = sides >> 2 * k * stride & numbers, sides >> (2 * k + 1) * stride & numbers
            if self.settled[k] == (inside, outside):
                continue
            self.settled[k] = enters, stays = supported(inside, outside, weights, total, apart)
            for there, leaving in ((~cells, inside & ~enters), (cells, outside & ~stays)):
                for t in members(leaving):
                    before = x[t]
                    if not self.keep(x, t, there):
                        return False
                    sides ^= (self.sides(before) ^ self.sides(x[t])) << t
        return True

    def propagate(self, x: Places) -> bool:
        """Repeats rounds of propagation until nothing changes; False on a contradiction."""
        while self.stale:
            if not self.moved(x):
                break
            # With all different alone, what is not about moves waits until each number has one place.
            if self.tally.step < Step.FULL and any(bits & (bits - 1) for bits in x):
                continue
            if not (self.visited(x) and self.first_seen(x) and (not self.groups or self.summed(x))):
                break
        else:
            return True
        self.stale = 0
        return False

    def shave(self, x: Places) -> bool:
        """Removes what propagation refutes on trial, until nothing changes; False on a contradiction."""
        before: Places = []
        while before != x:
            before = x.copy()
            for t in range(1, self.last + 1):
                for place in members(x[t]):
                    tried = x[t] & (x[t] - 1) and x[t] >> place & 1
                    refuted = tried and not self.propagate(self.assigned(x, t, 1 << place))
                    if refuted and not (self.keep(x, t, ~(1 << place)) and self.propagate(x)):
                        return False
        return True

    def prune(self, x: Places) -> bool:
        """Propagates as far as the step goes; False on a contradiction."""
        return self.propagate(x) and (self.tally.step < Step.SHAVING or self.shave(x))

    def assigned(self, x: Places, t: int, place: int) -> Places:
        """Returns the places when a number was given one of its places, before propagation."""
        child = x.copy()
        child[t] = place
        self.stale = 1 << t
        return child

    def view(self, x: Places) -> View:
        """The numbers with few places in their cells, a dot for any other or none; the longest known walk."""
        left: dict[Cell, list[int | str]] = {}
        possible = reduce(or_, x)
        for cell, bit in self.bit.items():
            few = [t for t, bits in enumerate(x) if bits & bit and bits.bit_count() <= FEW]
            if few or not possible & bit:
                left[cell] = [*few] if bit in x else [*few, "·"]
        walks = [[*walk] for known, walk in groupby(map(self.cell.get, x[1:]), bool) if known]
        return View(left, max(walks, key=len, default=[]), [self.label])

    def options(self, x: Places) -> Iterator[tuple[str, Places, bool]]:
        """Yields what to try at a node, in words, with the places then, and whether they are consistent."""
        open_numbers = [t for t, bits in enumerate(x) if bits & (bits - 1)]
        if not open_numbers:
            return
        chosen = min(open_numbers, key=lambda t: x[t].bit_count())
        possible = reduce(or_, x)
        left = {1 << place: self.moves(1 << place) & possible for place in members(x[chosen])}
        for place in sorted(self.tally.shuffled(left), key=lambda place: left[place].bit_count()):
            child = self.assigned(x, chosen, place)
            where = "none" if place == self.end else in_words(self.cell[place])
            yield f"number {chosen}: {where}", child, self.prune(child)


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.SHAVING)
def places(puzzle: KnightMoves, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    searches = searches_for(puzzle, tally)
    tally.root(
        variables=sum(search.last for search in searches),
        undecided=sum(bits.bit_count() > 1 for search in searches for bits in search.x),
        values=sum(search.values for search in searches),
        values_left=sum(
            sum(map(int.bit_count, search.x)) if search.consistent else search.last for search in searches
        ),
    )
    consistent = [search for search in searches if search.consistent]
    if tally.watcher:
        known = consistent or searches
        several = partial(View, notes=[search.label for search in known])
        view = partial(known[0].view, known[0].x) if len(known) == 1 else several
        tally.watcher.node(0, "", view, bool(consistent))
    for search in consistent:
        if len(consistent) > 1 and max(map(int.bit_count, search.x)) == 1:
            # Its solution is below the root: T is decided, and with it all else.
            tally.branches += 1
            if tally.watcher:
                tally.watcher.node(1, search.label, partial(search.view, search.x), True)
        for x in depth_first(tally, search.x, True, search.options, search.view, told=True):
            yield puzzle.path([search.cell[bits] for bits in x[1:] if bits != search.end])


def searches_for(puzzle: KnightMoves, tally: Tally) -> list[Search]:
    """Returns one search for all T, or one for each of them; none if the clues allow none."""
    lengths = possible_lengths(puzzle)
    if puzzle.equal_region_sums or puzzle.equal_region_visits or puzzle.equal_line_visits:
        return [Search(puzzle, (T, T), tally) for T in lengths]
    return [Search(puzzle, (lengths[0], lengths[-1]), tally)] if lengths else []


def possible_visits(puzzle: KnightMoves) -> Visits:
    """Returns what some search has at its root: the numbers T of visited cells, the numbers of each cell."""
    left: set[int] = set()
    numbers = dict.fromkeys(puzzle.cells, 0)
    for search in searches_for(puzzle, Tally()):
        if search.consistent:
            x = [*search.x, search.end]
            # The last number has a cell, and all behind it have none.
            lengths = range(search.fewest, search.last + 1)
            left.update(T for T in lengths if x[T] & search.board and x[T + 1] & search.end)
            for cell, bit in search.bit.items():
                numbers[cell] |= sum(1 << t for t, places in enumerate(x) if places & bit)
                numbers[cell] |= not search.must & bit
    return Visits(sorted(left), {cell: members(bits) for cell, bits in numbers.items()})


def supported(inside: int, outside: int, weights: Sequence[int], total: int, apart: bool) -> tuple[int, int]:
    """Returns which numbers some choice has inside, and some outside; (0, 0) if there is no choice.

    A choice is a subset of the numbers 1..T; those in it are inside, the others outside. The weights of its
    numbers add up to the total.

    Args:
        inside, outside: the numbers that may be inside, and those that may be outside, as sets of bits.
        weights: of the numbers 1..T.
        apart: whether a choice has no two consecutive numbers.
    """
    possible = (2 << min(total, sum(weights))) - 1
    # The sums of the numbers before t if t - 1 is outside, and if it is inside, as sets of bits.
    without, within = 1, 0
    before = []
    for t in members(inside):
        if not inside >> t - 1 & 1:
            without, within = without | within, 0
        before.append((t, without, within))
        without, within = (
            without | within if outside >> t & 1 else 0,
            (without if apart else without | within) << weights[t - 1] & possible,
        )
    # The sums of the numbers up to t that those behind t complete if t is outside, and if it is inside.
    completes_without = completes_within = ((without | within) >> total & 1) << total
    in_some, out_of_some = 0, outside & ~inside if completes_without else 0
    for t, without, within in reversed(before):
        if not inside >> t + 1 & 1:
            completes_within = completes_without
        stays = completes_without if outside >> t & 1 else 0
        enters = completes_within >> weights[t - 1]
        out_of_some |= ((without | within) & stays != 0) << t
        in_some |= ((without if apart else without | within) & enters != 0) << t
        completes_without, completes_within = stays | enters, stays if apart else stays | enters
    return in_some, out_of_some


FORMULATIONS = by_name(places)
