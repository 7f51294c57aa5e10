"""The automaton of words that are numbers with separators between them, from arrays of numbers."""

from typing import Any

import numpy as np

from models.shared.automaton import ACCEPT, LayeredAutomaton
from models.shared.transition_tables import DEAD, merge, numbered, trimmed

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
    states = np.full(len(prefixes), ACCEPT, dtype=np.int32)
    between = ACCEPT
    tables: list[Numbers] = [np.full((1, len(symbols)), DEAD, dtype=np.int32)]
    for column in reversed(range(width)):
        ended = keys[cuts[column] : cuts[column + 1]] if between != DEAD else keys[:0]
        longer = prefixes % width != column
        shorter = prefixes[longer] // (10 * width) * width + prefixes[longer] % width
        known, place = numbered(np.concatenate([shorter, ended]))
        # What follows in each state on each symbol: a row for each state, the last one for `between`.
        after = np.full((len(known) + 1, len(symbols)), DEAD, dtype=np.int32)
        before = np.full(len(prefixes), len(known))
        before[longer] = place[: len(shorter)]
        after[before, (prefixes // width % 10).astype(np.intp)] = states
        after[place[len(shorter) :], -1] = between
        # A separator follows a number; without one it may only be the first symbol.
        after[-1, -1] = between if column == 0 else DEAD
        which = merge(after, tables)
        prefixes, states, between = known, which[:-2], int(which[-2])
    return trimmed(tables, between, symbols)
