"""The words that each row may hold by its own rules, as automata, for the models.

A row with a sparse clue (numbers.py) is made from the lists of its numbers: those that fit the regions are
cut into their prefixes, and prefixes that go on alike become one state.

A row with dense clues alone is read from left to right. A state tells what the clues need to know about the
run of digits that is open: a remainder, a sum, a last digit.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from models.number_cross.numbers import DENSE, Numbers, fitting, numbers
from models.number_cross.puzzle import SHADED, Clue, NumberCross
from models.shared.automaton import ACCEPT, Layered, minimal
from models.shared.grid import Cell

SYMBOLS = "0123456789" + SHADED
CODES = {symbol: code for code, symbol in enumerate(SYMBOLS)}
"""The symbols as integers."""

DEAD = -1
"""The state from which no word goes on."""

NONE = np.array([], dtype=np.int64)

LEAST_LENGTH = 2
"""A number has two digits or more."""


def row_automata(puzzle: NumberCross) -> list[Layered]:
    """The words of each row."""
    return [row_automaton(puzzle, row) for row in range(len(puzzle.labels))]


def neighbours(puzzle: NumberCross) -> Iterator[tuple[Cell, Cell, bool]]:
    """Each cell above another, and whether both lie in one region."""
    for row in range(len(puzzle.labels) - 1):
        for column in range(puzzle.width):
            same = puzzle.labels[row][column] == puzzle.labels[row + 1][column]
            yield (row, column), (row + 1, column), same


def compatible(one: str, other: str, same_region: bool) -> bool:
    """Whether two cells that share an edge may hold these symbols."""
    if SHADED in (one, other):
        return one != other
    return (one == other) == same_region


def row_automaton(puzzle: NumberCross, row: int) -> Layered:
    """The words of a row; only digits that stand beside each other in the row are held against each other."""
    labels, clues = puzzle.labels[row], puzzle.clues[row]
    if all(clue.name in DENSE for clue in clues):
        return from_readers(labels, [reader(clue) for clue in clues])
    return from_numbers(len(labels), numbers_in_place(labels, clues))


def numbers_in_place(labels: Sequence[Any], clues: Sequence[Clue]) -> dict[tuple[int, int], Numbers]:
    """The numbers that fit clues and regions, by the column where they begin and the one after them."""
    same = [left == right for left, right in pairwise(labels)]
    placed = {}
    for length in range(LEAST_LENGTH, len(labels) + 1):
        found = numbers(clues, length)
        for begin in range(len(labels) - length + 1):
            placed[begin, begin + length] = fitting(found, same[begin : begin + length - 1])
    return placed


def from_numbers(width: int, placed: Mapping[tuple[int, int], Numbers]) -> Layered:
    """The automaton of numbers between shaded cells, made from the right to the left.

    A state is a prefix of a number with the column where it begins, or `between`: no number has begun.

    Args:
        placed: the numbers by the column where they begin and the one after them.
    """
    prefixes = {begin: placed[begin, width] for begin in range(width - 1)}
    states = {begin: np.full(len(some), ACCEPT) for begin, some in prefixes.items()}
    between = ACCEPT
    tables: list[list[list[int]]] = []
    for column in reversed(range(width)):
        # What follows in each state on each symbol: a row a state, the last one for `between`.
        shorter, following = {}, []
        for begin in range(column):
            longer = prefixes.get(begin, NONE)
            ended = placed.get((begin, column), NONE) if between != DEAD else NONE
            known = shorter[begin] = np.union1d(longer // 10, ended)
            after = np.full((len(known), len(SYMBOLS)), DEAD)
            after[np.searchsorted(known, longer // 10), (longer % 10).astype(int)] = states.get(begin, DEAD)
            after[np.searchsorted(known, ended), -1] = between
            following.append(after)
        after = np.full((1, len(SYMBOLS)), DEAD)
        after[0, prefixes.get(column, NONE).astype(int)] = states.get(column, DEAD)
        # A shaded cell follows a number; without one it may only be the first of the row.
        after[0, -1] = between if column == 0 else DEAD
        table, places = distinct(np.concatenate([*following, after]))
        tables.insert(0, table.tolist())
        between = DEAD if (after == DEAD).all() else int(places[-1])
        prefixes = shorter
        states = dict(enumerate(np.split(places[:-1], np.cumsum([len(some) for some in following[:-1]]))))

    def expand(column: int, state: int) -> Iterator[tuple[str, int]]:
        for symbol, after in zip(SYMBOLS, tables[column][state] if state != DEAD else [], strict=False):
            if after != DEAD:
                yield symbol, after

    return minimal(width, between, expand)


def distinct(rows: Numbers) -> tuple[Numbers, Numbers]:
    """The different rows of a table, and for each row which of them it is."""
    order = np.lexsort(rows.T)
    ordered = rows[order]
    new = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))
    places = np.empty(len(rows), dtype=np.int64)
    places[order] = np.cumsum(new) - 1
    return ordered[new], places


@dataclass(frozen=True)
class Reader:
    """Reads a number digit by digit.

    `step(state, digit)` is the state after one more digit, None if no number goes on like this;
    `accepts(state)` tells whether the number may end.
    """

    begin: int
    step: Callable[[int, int], int | None]
    accepts: Callable[[int], bool]


def reader(clue: Clue) -> Reader:
    """What a dense clue needs to know of the digits."""
    k = clue.k
    match clue.name:
        case "multiple of k":
            return Reader(0, lambda rest, digit: (10 * rest + digit) % k, lambda rest: rest == 0)
        case "digit sum = k":
            return Reader(
                0,
                lambda total, digit: total + digit if total + digit <= k else None,
                lambda total: total == k,
            )
        case "digit product ends in k":
            return Reader(1, lambda product, digit: product * digit % 10, lambda product: product == k)
    raise ValueError(clue.name)


def from_readers(labels: Sequence[Any], readers: Sequence[Reader]) -> Layered:
    """The automaton of the words whose numbers all readers accept."""
    width = len(labels)
    # A state: length of the open run up to LEAST_LENGTH (0: none), its last digit, one state a reader.
    State = tuple[int, int, tuple[int, ...]]
    begin: State = (0, -1, tuple(reader.begin for reader in readers))

    @cache
    def steps(inside: tuple[int, ...]) -> list[tuple[int, ...] | None]:
        """What the readers know after each digit; None where one of them has no number that goes on so."""
        after = []
        for digit in range(10):
            stepped = [reader.step(before, digit) for reader, before in zip(readers, inside, strict=True)]
            known = tuple(state for state in stepped if state is not None)
            after.append(known if len(known) == len(stepped) else None)
        return after

    @cache
    def accepted(inside: tuple[int, ...]) -> bool:
        return all(reader.accepts(known) for reader, known in zip(readers, inside, strict=True))

    def expand(column: int, state: State) -> Iterator[tuple[str, State]]:
        length, last, inside = state
        after = steps(inside)
        if length and labels[column] == labels[column - 1]:
            digits: Sequence[int] = [last]
        else:
            digits = [digit for digit in range(10) if digit != last and (digit or length)]
        grown = min(LEAST_LENGTH, length + 1)
        for digit in digits:
            known = after[digit]
            if known is not None and (column + 1 < width or (grown == LEAST_LENGTH and accepted(known))):
                yield str(digit), (grown, digit, known)
        # A shaded cell ends a run; without an open run it may only be the first of the row.
        if column == 0 or (length == LEAST_LENGTH and accepted(inside)):
            yield SHADED, begin

    return minimal(width, begin, expand)
