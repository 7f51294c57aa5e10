"""Knight Moves for python-constraint: where each number is.

A knight visits T cells of a board, none twice; the t-th gets the number t. Clues tell of the sums of lines,
of regions and lines with equal sums or as many visits, of the set of visited cells, which a quarter turn
leaves as it is, and of the first number that is seen from an end of a line.

Let M(i) be the cells a knight's move away from cell i, and (visits.py)
    N(i)           the numbers that the clues, one at a time, leave to cell i
    L              the T that they leave
    sum(G, T)      the sum of the numbers in a line or region G, where it is known, if T cells are visited
    empty(G, T)    the number of cells of G that are not visited, the same way

`propagation`: the variables of `places`, whose rules are one constraint, which prunes until nothing changes:
    from a cell of x[t] some move leads to one of x[t+1], and the other way round, unless T = t
    a cell that must be visited, and that one number alone can have, has it
    t is in G, or not in G, only if the other numbers complete the sum of G for some T (group_sums.py)
    the number shown at an end of a line is not behind a cell that is visited, and no other in front of it

`places`: T in L, and x[t] the cell with the number t for each t up to max L: a cell i with t in N(i), or -t,
  if t may be greater than T.
    x[t] = -t  if and only if  t > T                               for each t
    x[t+1] in M(x[t]), or x[t+1] = -(t+1)                          for each t
    all different x[t]
    sum of t over the t with x[t] in G  = sum(G, T)                for each G with a sum
    as many t with x[t] in G  as |G| - empty(G, T)                 for each G with a number of visits
    some x[s] is x[t], turned                                      for each cell x[t], with that clue
    x[t] is the first of G that is some x[s]                       for each end of a line G that shows t

Constraints: of `propagation` one (Fixpoint) of all rules; of `places` all different, binary (Goes, which
checks forward), and three of our own over all variables, of which Inside and Shows check forward
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Any

import constraint

from models.knight_moves.bitboard import Bitboard
from models.knight_moves.group_sums import supported
from models.knight_moves.puzzle import KnightMoves
from models.knight_moves.visits import (
    known_empty,
    known_sums,
    moves,
    orbits,
    possible_visits,
    views_from_ends,
)
from models.shared.bits import between, members
from models.shared.csp import Bits, Fixpoint, Rule, hide
from models.shared.grid import Cell
from models.shared.model import Left, Model, Values, by_name
from models.shared.puzzle import Solution
from models.shared.search import View

Place = Cell | int
"""Of number t: a cell, or -t."""

T = "T"


class Goes(constraint.Constraint):  # type: ignore[misc]
    """Two values go together; forward-checks the second variable when the first is assigned, and back."""

    def __init__(self, together: Callable[[Any, Any], bool]):
        self.together = together

    def __call__(
        self,
        variables: Sequence[Any],
        domains: Mapping[Any, Any],
        assignment: Mapping[Any, Any],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if nothing goes with what is assigned."""
        first, second = variables
        if first in assignment and second in assignment:
            return self.together(assignment[first], assignment[second])
        if forwardcheck and first in assignment:
            return all(
                self.together(assignment[first], value) or hide(domains[second], value)
                for value in domains[second][:]
            )
        if forwardcheck and second in assignment:
            return all(
                self.together(value, assignment[second]) or hide(domains[first], value)
                for value in domains[first][:]
            )
        return True


class Inside(constraint.Constraint):  # type: ignore[misc]
    """The weights of the numbers in a group of cells add up to what T says; prunes numbers by the bounds."""

    def __init__(self, cells: Sequence[Cell], totals: Mapping[int, int], weighted: bool):
        self.cells, self.totals, self.weighted = set(cells), totals, weighted

    def __call__(
        self,
        variables: Sequence[Any],
        domains: Mapping[Any, Any],
        assignment: Mapping[Any, Any],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if the total cannot be reached."""
        totals = [self.totals[length] for length in ([assignment[T]] if T in assignment else domains[T])]
        low = high = 0
        undecided = []
        for t in variables[1:]:
            values = [assignment[t]] if t in assignment else domains[t]
            weight = t if self.weighted else 1
            within = sum(value in self.cells for value in values)
            low += weight if within == len(values) else 0
            high += weight if within else 0
            if 0 < within < len(values):
                undecided.append((t, weight))
        for t, weight in undecided if forwardcheck else ():
            if low + weight > max(totals) or high - weight < min(totals):
                enters = low + weight <= max(totals)
                for value in domains[t][:]:
                    if (value in self.cells) != enters and not hide(domains[t], value):
                        return False
        return low <= max(totals) and high >= min(totals)


class Shows(constraint.Constraint):  # type: ignore[misc]
    """A number is the first one in a line; prunes its own cells, and what others have in front of it."""

    def __init__(self, line: list[Cell], number: int):
        self.line, self.number = line, number

    def __call__(
        self,
        variables: Sequence[Any],
        domains: Mapping[Any, Any],
        assignment: Mapping[Any, Any],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if another number is in front."""
        taken = {assignment[t] for t in variables if t in assignment and t != self.number}
        visible = [i for k, i in enumerate(self.line) if taken.isdisjoint(self.line[: k + 1])]
        if self.number not in assignment:
            own = domains[self.number]
            return not forwardcheck or all(i in visible or hide(own, i) for i in own[:])
        place = assignment[self.number]
        if place not in visible:
            return False
        front = self.line[: self.line.index(place)]
        return not forwardcheck or all(
            hide(domains[t], i) for t in variables if t not in assignment for i in front
        )


class Turned(constraint.Constraint):  # type: ignore[misc]
    """The visited cells are unions of orbits."""

    def __init__(self, orbits: Sequence[Sequence[Cell]]):
        self.orbits = orbits

    def __call__(
        self,
        variables: Sequence[Any],
        domains: Mapping[Any, Any],
        assignment: Mapping[Any, Any],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if a cell that must be visited cannot be, or if these are more than numbers left."""
        visited = {assignment[t] for t in variables if t in assignment}
        missing = {i for orbit in self.orbits if not visited.isdisjoint(orbit) for i in orbit} - visited
        left = [t for t in variables if t not in assignment]
        return len(missing) <= len(left) and missing.issubset(i for t in left for i in domains[t])


def ends(t: int, last: int, place: Place) -> bool:
    """Tells whether number t is in a cell if t <= T = last, and in none otherwise."""
    return (place == -t) == (t > last)


def goes_on(near: Mapping[Cell, list[Cell]], t: int, before: Place, place: Place) -> bool:
    """Tells whether number t is a knight's move away from the one before it, or in no cell."""
    return place == -t or (not isinstance(before, int) and place in near[before])


class Rules:
    """The rules, for sets of bits: each cell has one, -t for all t another; that of a length T is 1 << T."""

    def __init__(self, puzzle: KnightMoves, numbers: range):
        self.board = Bitboard(puzzle.side)
        self.numbers = numbers
        self.orbits = [self.board.union({*orbit}) for orbit in orbits(puzzle.side) if puzzle.rotation]
        self.views = [(number, [self.board.bit[i] for i in line]) for line, number in views_from_ends(puzzle)]

    def ends(self, t: int) -> Rule:
        """Number t is in a cell if t <= T, and in none otherwise."""
        end, up_to, board = self.board.end, between(0, t - 1), self.board.board

        def rule(left: Bits) -> Bits:
            lengths, bits = left[T], left[t]
            return {
                t: (end if lengths & up_to else 0) | (board if lengths & ~up_to else 0),
                T: (up_to if bits & end else 0) | (~up_to if bits & ~end else 0),
            }

        return rule

    def goes_on(self, t: int) -> Rule:
        """From number t to the next there is a knight's move, or the end; behind the end is only the end."""
        end, moves = self.board.end, self.board.moves

        def rule(left: Bits) -> Bits:
            after = left[t + 1]
            return {t: -1 if after & end else moves(after), t + 1: moves(left[t]) | end}

        return rule

    def visited(self, left: Bits) -> Bits:
        """A cell has one number at most; a cell that must be visited has one."""
        end = self.board.end
        some = several = decided = needed = 0
        for t in self.numbers:
            bits = left[t]
            several |= some & bits
            some |= bits
            needed += not bits & end
            if not bits & (bits - 1) and bits != end:
                if decided & bits:
                    return {t: 0}
                decided |= bits
        must, excluded = decided, 0
        # The visited cells are the same after a quarter turn.
        for orbit in self.orbits:
            if orbit & ~some:
                excluded |= orbit
            elif orbit & must:
                must |= orbit
        # There is a cell for each number.
        possible = some & ~excluded & ~end
        if possible.bit_count() < needed or must & excluded:
            return dict.fromkeys(self.numbers, 0)
        if possible.bit_count() == needed:
            must = possible
        only = must & ~several & ~decided
        return {
            t: bits & only or ~(decided | excluded) for t in self.numbers if (bits := left[t]) & (bits - 1)
        }

    def shows(self, left: Bits) -> Bits:
        """The numbers at the ends of lines are the first ones there."""
        decided = excluded = 0
        for t in self.numbers:
            decided |= left[t] if not left[t] & (left[t] - 1) else 0
        seen: Bits = {}
        for number, cells in self.views:
            visible = front = 0
            for cell in cells:
                visible |= cell
                if cell & decided:
                    break
            for cell in cells:
                if cell & left[number] & visible:
                    break
                front |= cell
            seen[number] = seen.get(number, -1) & visible
            excluded |= front
        return {t: seen.get(t, -1) & ~excluded for t in self.numbers}

    def inside(self, group: Sequence[Cell], totals: Mapping[int, int], weighted: bool) -> Rule:
        """The weights of the numbers in a group of cells add up to what some T says."""
        cells = self.board.union(group)
        others = ~cells
        apart = not self.board.moves(cells) & cells
        weights = [t if weighted else 1 for t in self.numbers]
        found: list[tuple[int, int, int]] = [(0, 0, 0)]

        def rule(left: Bits) -> Bits:
            within = outside = 0
            for t in self.numbers:
                bits = left[t]
                within |= 1 << t if bits & cells else 0
                outside |= 1 << t if bits & others else 0
            if found[0] == (within, outside, left[T]):
                return {}
            enters = stays = lengths = 0
            of_total: dict[int, tuple[int, int]] = {}
            for length in members(left[T]):
                total = totals[length]
                if total not in of_total:
                    of_total[total] = supported(within, outside, weights, total, apart)
                if any(of_total[total]):
                    lengths |= 1 << length
            for some_in, some_out in of_total.values():
                enters |= some_in
                stays |= some_out
            found[0] = enters, stays, lengths
            leaves = dict.fromkeys(members(within & ~enters), others)
            return {T: lengths} | leaves | dict.fromkeys(members(outside & ~stays), cells)

        return rule


def variables(puzzle: KnightMoves) -> tuple[constraint.Problem, list[int]]:
    """The problem with its variables, but no constraints, and L; one without a solution if L is empty."""
    problem = constraint.Problem()
    visits = possible_visits(puzzle)
    if not visits.lengths:
        problem.addVariable(T, [0])
        problem.addConstraint(lambda _: False, [T])
        return problem, []

    # T cells are visited: each number up to T is in one cell.
    problem.addVariable(T, visits.lengths)
    for t in range(1, visits.lengths[-1] + 1):
        cells: list[Place] = [i for i, possible in visits.numbers.items() if t in possible]
        problem.addVariable(t, cells + [-t] * (t > visits.lengths[0]))
    return problem, visits.lengths


def decode(puzzle: KnightMoves, numbers: range, value: Values) -> Solution:
    """The board with each number in its cell."""
    number = {value(t): t for t in numbers}
    return puzzle.solution(lambda i: number.get(i, 0))


def propagation(puzzle: KnightMoves) -> Model:
    """One constraint over all numbers and T."""
    problem, lengths = variables(puzzle)
    if not lengths:
        return Model(problem, lambda value: None, view=view)
    numbers = range(1, lengths[-1] + 1)
    rules = Rules(puzzle, numbers)

    # Each number up to T, and no other, is in a cell.
    of_scopes: list[tuple[Sequence[int | str], Rule]] = [
        ([T, t], rules.ends(t)) for t in numbers if t > lengths[0]
    ]

    # The knight goes on by a move, or stays.
    of_scopes += [([t, t + 1], rules.goes_on(t)) for t in numbers[:-1]]

    # Each cell has one number, 0 if it is not visited. A quarter turn takes visited cells to visited cells.
    of_scopes.append((numbers, rules.visited))

    # The first number that is seen from an end of a line is the one that is shown there.
    of_scopes.append((numbers, rules.shows))

    # Lines and regions have their sums.
    for group, sums in known_sums(puzzle, lengths):
        of_scopes.append(([T, *numbers], rules.inside(group, sums, weighted=True)))

    # Lines and regions have their numbers of visited cells.
    for group, empty in known_empty(puzzle, lengths):
        visited = {length: len(group) - count for length, count in empty.items()}
        of_scopes.append(([T, *numbers], rules.inside(group, visited, weighted=False)))

    bit = {length: 1 << length for length in lengths} | dict.fromkeys((-t for t in numbers), rules.board.end)
    problem.addConstraint(Fixpoint({**bit, **rules.board.bit}, of_scopes), [T, *numbers])

    return Model(problem, partial(decode, puzzle, numbers), view=view)


def places(puzzle: KnightMoves) -> Model:
    """The cell of each number, and T."""
    problem, lengths = variables(puzzle)
    if not lengths:
        return Model(problem, lambda value: None, view=view)
    numbers, near = range(1, lengths[-1] + 1), moves(puzzle.side)

    # Each number up to T, and no other, is in a cell.
    for t in numbers:
        if t > lengths[0]:
            problem.addConstraint(Goes(partial(ends, t)), [T, t])

    # Each cell has one number, 0 if it is not visited.
    problem.addConstraint(constraint.AllDifferentConstraint(), numbers)

    # The knight goes on by a move, or stays.
    for t in numbers[1:]:
        problem.addConstraint(Goes(partial(goes_on, near, t)), [t - 1, t])

    # Lines and regions have their sums.
    for group, sums in known_sums(puzzle, lengths):
        problem.addConstraint(Inside(group, sums, weighted=True), [T, *numbers])

    # Lines and regions have their numbers of visited cells.
    for group, empty in known_empty(puzzle, lengths):
        visited = {length: len(group) - count for length, count in empty.items()}
        problem.addConstraint(Inside(group, visited, weighted=False), [T, *numbers])

    # A quarter turn of the board takes visited cells to visited cells.
    if puzzle.rotation:
        problem.addConstraint(Turned(orbits(puzzle.side)), numbers)

    # The first number that is seen from an end of a line is the one that is shown there.
    for line, number in views_from_ends(puzzle):
        problem.addConstraint(Shows(line, number), numbers)

    return Model(problem, partial(decode, puzzle, numbers), view=view)


def view(left: Left) -> View:
    """The numbers that each cell can have, the walk until the first number with several places, and T."""
    numbers = sorted(set(left) - {T})
    possible = defaultdict(list)
    for t in numbers:
        for place in left[t]:
            if not isinstance(place, int):
                possible[place].append(t)
    decided = takewhile(lambda t: len(left[t]) == 1 and list(left[t]) != [-t], numbers)
    notes = []
    if left.get(T):
        least, greatest = min(left[T]), max(left[T])
        between = f"{least}" if least == greatest else f"{least} to {greatest}"
        notes.append(f"{between} cells are visited")
    elif absent := [t for t in numbers if list(left[t]) == [-t]]:
        notes.append(f"no number from {absent[0]} on")
    return View(possible, [left[t][0] for t in decided], notes)


FORMULATIONS = by_name(propagation, places)
