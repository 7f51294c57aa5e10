"""The words that each row may hold by its own rules, as minimal layered automata.

A row's own rules are its clue, the regions of cells that lie side by side, at least two digits a number, no
leading zero, and no two shaded cells side by side.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from models.number_cross.allowed_numbers import DENSE, allowed_numbers, fitting
from models.number_cross.puzzle import SHADED, Clue, NumberCross
from models.shared.automaton import LayeredAutomaton, minimal_automaton
from models.shared.prefix_automaton import Numbers, prefix_automaton

LEAST_LENGTH = 2
"""A number has two digits or more."""


def row_automata(puzzle: NumberCross) -> list[LayeredAutomaton]:
    """Returns the automaton of each row."""
    return [row_automaton(puzzle, row) for row in range(len(puzzle.labels))]


def row_automaton(puzzle: NumberCross, row: int) -> LayeredAutomaton:
    """Returns the minimal automaton of the words that a row may hold.

    By definition these are the words that the checker accepts as the only row of a puzzle with the row's
    regions and clue. Clues that few numbers satisfy are listed, all others are checked digit by digit.
    """
    labels, clues = puzzle.labels[row], puzzle.clues[row]
    if all(clue.name in DENSE for clue in clues):
        return reading_automaton(labels, [reader(clue) for clue in clues])
    return prefix_automaton(len(labels), numbers_in_place(labels, clues), SHADED)


def numbers_in_place(labels: Sequence[Any], clues: Sequence[Clue]) -> dict[tuple[int, int], Numbers]:
    """Returns the numbers that fit clues and regions, by their first column and the one after their last."""
    same = [left == right for left, right in pairwise(labels)]
    placed = {}
    for length in range(LEAST_LENGTH, len(labels) + 1):
        found = allowed_numbers(clues, length)
        for begin in range(len(labels) - length + 1):
            placed[begin, begin + length] = fitting(found, same[begin : begin + length - 1])
    return placed


@dataclass(frozen=True)
class Reader:
    """Reads a number digit by digit.

    Attributes:
        begin: the state before the first digit.
        step: gives the state after one more digit, None if no number goes on like this.
        accepts: tells whether the number may end in a state.
    """

    begin: int
    step: Callable[[int, int], int | None]
    accepts: Callable[[int], bool]


def reader(clue: Clue) -> Reader:
    """Returns the reader of the numbers that satisfy a dense clue."""
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


def reading_automaton(labels: Sequence[Any], readers: Sequence[Reader]) -> LayeredAutomaton:
    """Returns the automaton of the words that fit the regions and whose numbers all readers accept."""
    width = len(labels)
    # A state: length of the open run up to LEAST_LENGTH (0: none), its last digit, one state a reader.
    State = tuple[int, int, tuple[int, ...]]
    begin: State = (0, -1, tuple(reader.begin for reader in readers))

    @cache
    def steps(inside: tuple[int, ...]) -> list[tuple[int, ...] | None]:
        """Returns the readers' states after each digit; None if no number that all accept goes on with it."""
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

    return minimal_automaton(width, begin, expand)
