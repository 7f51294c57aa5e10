"""The automaton of words that are numbers with separators between them, from arrays of numbers."""

from typing import Any

import numpy as np

from models.shared.automaton import LayeredAutomaton
from models.shared.transition_tables import DEAD, merged, numbered, trimmed

Numbers = np.ndarray[tuple[int, ...], np.dtype[Any]]
"""Whole numbers: of 64 bits, or Python's own where some are larger."""


def prefix_automaton(
    width: int, begin: Numbers, end: Numbers, number: Numbers, separator: str
) -> LayeredAutomaton:
    """Returns the minimal automaton of the words of `width` symbols that are numbers with separators between.

    By definition it accepts a word of digits and separators if no two separators stand side by side and for
    each maximal run of digits, from column b up to column e, there is an i with begin[i] = b, end[i] = e and
    number[i] the run.

    Instead of trying all words it cuts the numbers into their prefixes. Prefixes that go on alike become one
    state, column by column from the right, a whole array of prefixes at a time.

    Args:
        width: how many symbols a word has.
        begin: the column where each number begins.
        end: the column after its last digit.
        number: the numbers, in any order.
        separator: the symbol between two numbers, and perhaps before the first and after the last.
    """
    symbols = "0123456789" + separator
    order = np.argsort(end, kind="stable")
    # A state is a prefix and the column where it begins, as one integer; or `between`: no number has begun.
    keys = (number * width + begin)[order]
    cuts = np.searchsorted(end[order], np.arange(width + 2))
    prefixes, _ = numbered(keys[cuts[width] : cuts[width + 1]])
    states = np.zeros(len(prefixes), dtype=np.int32)
    between = 0
    tables: list[Numbers] = []
    for column in reversed(range(width)):
        first = prefixes % width == column
        longer = prefixes[~first]
        ended = keys[cuts[column] : cuts[column + 1]] if between != DEAD else keys[:0]
        shorter = longer // (10 * width) * width + longer % width
        known, place = numbered(np.concatenate([shorter, ended]))
        # What follows in each state on each symbol: a row for each state, the last one for `between`.
        after = np.full((len(known) + 1, len(symbols)), DEAD, dtype=np.int32)
        after[place[: len(shorter)], digit_of(longer, width)] = states[~first]
        after[place[len(shorter) :], -1] = between
        after[-1, digit_of(prefixes[first], width)] = states[first]
        # A separator follows a number; without one it may only be the first symbol.
        after[-1, -1] = between if column == 0 else DEAD
        table, which = merged(after)
        tables.insert(0, table)
        prefixes, states, between = known, which[:-1], int(which[-1])
    return trimmed(tables, between, symbols)


def digit_of(prefixes: Numbers, width: int) -> Numbers:
    """Returns the last digit of each prefix."""
    return (prefixes // width % 10).astype(np.intp)
