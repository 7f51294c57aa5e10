"""The numbers that each cell can have, for models and searches; the checker reads the rules by itself.

The clues are applied one at a time, over and over, until nothing changes:

- A number t has a t - 1 a knight's move away, and a t + 1 unless t is T, the number of visited cells. Thus
  every number is as many moves away from a given number as lie between them.
- A number up to the least T that only one cell can have is there; a cell that can only have t is the only
  one with t.
- In front of the first number that is seen from an end of a line no cell is visited.
- In a line, or region, whose sum or number of visits is known, what the other cells can have leaves room.
- After a quarter turn of the board the visited cells are the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from models.knight_moves.puzzle import KnightMoves
from models.shared.bits import between, fixpoint, least, members, most
from models.shared.grid import Cell
from models.shared.sides import line_from

Totals = list[tuple[tuple[Cell, ...], dict[int, int]]]
"""Groups of cells, each with what it adds up to by the number T of visited cells."""


@dataclass(frozen=True)
class Visits:
    """What is left of a puzzle; nothing at all if it has no solution.

    Attributes:
        lengths: the possible numbers T of visited cells, in ascending order.
        numbers: the numbers that each cell can have, in ascending order; 0 if it need not be visited.
    """

    lengths: list[int]
    numbers: dict[Cell, list[int]]


def moves(side: int) -> dict[Cell, list[Cell]]:
    """The cells a knight's move away from each cell of a board."""
    steps = [(r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c)]
    board = range(side)
    return {
        (row, column): [(row + r, column + c) for r, c in steps if row + r in board and column + c in board]
        for row in board
        for column in board
    }


def orbits(side: int) -> list[list[Cell]]:
    """The cells that quarter turns of the board take to each other; four, but for the cell in the middle."""
    middle = side // 2
    found = [
        [(r, c), (c, side - 1 - r), (side - 1 - r, side - 1 - c), (side - 1 - c, r)]
        for r in range(side - middle)
        for c in range(middle)
    ]
    return [*found, [(middle, middle)]] if side % 2 else found


def views_from_ends(puzzle: KnightMoves) -> list[tuple[list[Cell], int]]:
    """The cells of each line with a number at an end, in order from there, and that number."""
    n = puzzle.side
    return [(line_from(*end, n, n), number) for end, number in puzzle.first_seen.items()]


def known_sums(puzzle: KnightMoves, lengths: Iterable[int]) -> Totals:
    """The lines and regions of which the sum of the numbers is known, by T."""
    rows, columns = _lines(puzzle.side)
    found: Totals = [
        (lines[line], dict.fromkeys(lengths, number))
        for lines, sums in ((rows, puzzle.row_sums), (columns, puzzle.column_sums))
        for line, number in sums.items()
    ]
    if puzzle.equal_region_sums:
        of_region = {T: T * (T + 1) // 2 // len(puzzle.regions) for T in lengths}
        found += [(region, of_region) for region in puzzle.regions]
    return found


def known_empty(puzzle: KnightMoves, lengths: Iterable[int]) -> Totals:
    """The lines and regions of which the number of cells that are not visited is known, by T."""
    rows, columns = _lines(puzzle.side)
    found: Totals = []
    if puzzle.equal_region_visits:
        regions = puzzle.regions
        found += [(cells, {T: len(cells) - T // len(regions) for T in lengths}) for cells in regions]
    if puzzle.equal_line_visits:
        n = puzzle.side
        found += [(cells, {T: n - T // n for T in lengths}) for cells in rows + columns]
    return found


def _lines(side: int) -> tuple[list[tuple[Cell, ...]], list[tuple[Cell, ...]]]:
    """The rows and the columns."""
    rows = [tuple((row, column) for column in range(side)) for row in range(side)]
    return rows, list(zip(*rows, strict=True))


def possible_lengths(puzzle: KnightMoves) -> list[int]:
    """The numbers T of visited cells that the clues allow, without a look at the board."""
    n, regions = puzzle.side, len(puzzle.regions)
    shown = max([1, *puzzle.givens.values(), *puzzle.first_seen.values()])

    def possible(length: int) -> bool:
        of_all = length * (length + 1) // 2
        return (
            shown <= length
            and not (puzzle.rotation and length % 4 not in (0, n % 2))
            and not (puzzle.equal_line_visits and length % n)
            and not (puzzle.equal_region_visits and length % regions)
            and not (puzzle.equal_region_sums and of_all % regions)
            and all(
                sum(sums.values()) <= of_all and (len(sums) < n or sum(sums.values()) == of_all)
                for sums in (puzzle.row_sums, puzzle.column_sums)
            )
        )

    return [length for length in range(puzzle.steps[0], puzzle.steps[1] + 1) if possible(length)]


def stated_visits(puzzle: KnightMoves) -> Visits:
    """All numbers but where one is given, and all T within the bounds."""
    least, greatest = puzzle.steps
    every = list(range(greatest + 1))
    given = {i: [number] for i, number in puzzle.givens.items()}
    return Visits(list(range(least, greatest + 1)), {i: given.get(i, every) for i in puzzle.cells})


def possible_visits(puzzle: KnightMoves) -> Visits:
    """The numbers that the clues, one at a time, leave in each cell.

    Where totals depend on T, each T is looked at on its own, as it may then be impossible; unless there are
    more than lines on the board, as that takes as long as it saves.
    """
    lengths = possible_lengths(puzzle)
    depends = puzzle.equal_line_visits or puzzle.equal_region_visits or puzzle.equal_region_sums
    alone = depends and len(lengths) <= puzzle.side
    left: list[int] = []
    union = dict.fromkeys(puzzle.cells, 0)
    for some in [[T] for T in lengths] if alone else [lengths]:
        if some and (domains := _domains(puzzle, some)):
            left += some
            union = {cell: bits | domains[cell] for cell, bits in union.items()}
    return Visits(left, {cell: members(bits) for cell, bits in union.items()})


def _domains(puzzle: KnightMoves, lengths: list[int]) -> dict[Cell, int] | None:
    """The domain of each cell if T is one of these; None if it cannot be."""
    n = puzzle.side
    near, sums, empty = moves(n), known_sums(puzzle, lengths), known_empty(puzzle, lengths)
    turned = orbits(n) if puzzle.rotation else []
    views = views_from_ends(puzzle)

    def narrow(domains: dict[Cell, int]) -> bool:
        _follow(domains, near, lengths)
        for cells, number in views:
            _look(domains, cells, number)
        for cells in turned:
            _turn(domains, cells)
        return (
            all(domains.values())
            and _add(domains, sums, empty=False)
            and _add(domains, empty, empty=True)
            and _once(domains, lengths[0])
        )

    domains = dict.fromkeys(puzzle.cells, between(0, lengths[-1]))
    for cell, number in puzzle.givens.items():
        domains[cell] &= 1 << number
    return domains if fixpoint(domains, narrow) else None


def _follow(domains: dict[Cell, int], near: Mapping[Cell, list[Cell]], lengths: list[int]) -> None:
    """Lets a number follow the one before it, and precede the next."""
    last = sum(1 << T for T in lengths)
    for cell, others in near.items():
        beside = 0
        for other in others:
            beside |= domains[other]
        # 0 is no visit, 1 follows nothing, T precedes nothing.
        domains[cell] &= ((beside & ~1) << 1 | 0b11) & (beside >> 1 | last | 1)


def _look(domains: dict[Cell, int], cells: list[Cell], number: int) -> None:
    """Lets a number be the first that is seen along these cells."""
    shown = 1 << number
    places = []
    for cell in cells:
        if domains[cell] & shown:
            places.append(cell)
        if not domains[cell] & 1:
            break
    for cell in domains:
        if cell not in places:
            domains[cell] &= ~shown
    for cell in cells:
        if cell in places:
            domains[cell] &= shown if len(places) == 1 else shown | 1
            break
        domains[cell] &= 1


def _turn(domains: dict[Cell, int], cells: list[Cell]) -> None:
    """Lets all or none of these cells be visited."""
    if any(not domains[cell] & 1 for cell in cells):
        for cell in cells:
            domains[cell] &= ~1
    elif any(domains[cell] == 1 for cell in cells):
        for cell in cells:
            domains[cell] &= 1


def _add(domains: dict[Cell, int], known: Totals, empty: bool) -> bool:
    """Lets groups have their totals, by the bounds of their cells; False if one cannot.

    A cell adds its number, or with `empty` 1 if it is not visited.
    """
    for cells, of_length in known:
        adds = [domains[cell] for cell in cells]
        if empty:
            adds = [(bits & 1) << 1 | (bits > 1) for bits in adds]
        low, high = sum(map(least, adds)), sum(map(most, adds))
        smallest, greatest = min(of_length.values()), max(of_length.values())
        for cell, bits in zip(cells, adds, strict=True):
            room = between(smallest - high + most(bits), greatest - low + least(bits))
            domains[cell] &= (~1 if room & 1 else 0) | room >> 1 & 1 if empty else room
            if not domains[cell]:
                return False
    return True


def _once(domains: dict[Cell, int], needed: int) -> bool:
    """Lets each number be in one cell at most, and 1 to `needed` be in some; False if one cannot."""
    once = twice = held = 0
    for bits in domains.values():
        twice |= once & bits
        once |= bits
        if not bits & (bits - 1):
            held |= bits & ~1
    only = once & ~twice & ~held & between(1, needed)
    for cell, bits in domains.items():
        if bits & (bits - 1):
            domains[cell] = bits & only or bits & ~held
    return all(domains.values()) and not between(1, needed) & ~once
