"""The automaton of words that are numbers with separators between them, from sorted arrays of numbers."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from models.shared.automaton import ACCEPT, LayeredAutomaton, minimal_automaton

Numbers = np.ndarray[tuple[int, ...], np.dtype[Any]]
"""Whole numbers in ascending order: of 64 bits, or Python's own where some are larger."""

DEAD = -1
"""The state from which no word goes on."""

NONE = np.array([], dtype=np.int64)


def prefix_automaton(
    width: int, placed: Mapping[tuple[int, int], Numbers], separator: str
) -> LayeredAutomaton:
    """Returns the minimal automaton of the words of `width` symbols that are numbers with separators between.

    By definition it accepts a word of digits and separators if no two separators stand side by side and each
    maximal run of digits, from column `begin` up to column `end`, is a number in placed[begin, end].

    Instead of trying all words it cuts the numbers into their prefixes. Prefixes that go on alike become one
    state, column by column from the right, a whole array of prefixes at a time.

    Args:
        width: how many symbols a word has.
        placed: the numbers of end - begin digits by the column where they begin and the one after them.
        separator: the symbol between two numbers, and perhaps before the first and after the last.
    """
    symbols = "0123456789" + separator
    # A state is a prefix of a number with the column where it begins, or `between`: no number has begun.
    prefixes = {begin: placed[begin, width] for begin in range(width) if (begin, width) in placed}
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
            after = np.full((len(known), len(symbols)), DEAD)
            after[np.searchsorted(known, longer // 10), (longer % 10).astype(int)] = states.get(begin, DEAD)
            after[np.searchsorted(known, ended), -1] = between
            following.append(after)
        after = np.full((1, len(symbols)), DEAD)
        after[0, prefixes.get(column, NONE).astype(int)] = states.get(column, DEAD)
        # A separator follows a number; without one it may only be the first symbol.
        after[0, -1] = between if column == 0 else DEAD
        table, places = distinct(np.concatenate([*following, after]))
        tables.insert(0, table.tolist())
        between = DEAD if (after == DEAD).all() else int(places[-1])
        prefixes = shorter
        states = dict(enumerate(np.split(places[:-1], np.cumsum([len(some) for some in following[:-1]]))))

    def expand(column: int, state: int) -> Iterator[tuple[str, int]]:
        for symbol, after in zip(symbols, tables[column][state] if state != DEAD else [], strict=False):
            if after != DEAD:
                yield symbol, after

    return minimal_automaton(width, between, expand)


def distinct(rows: Numbers) -> tuple[Numbers, Numbers]:
    """Returns the different rows of a table, and for each row which of them it is."""
    order = np.lexsort(rows.T)
    ordered = rows[order]
    new = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))
    places = np.empty(len(rows), dtype=np.int64)
    places[order] = np.cumsum(new) - 1
    return ordered[new], places
