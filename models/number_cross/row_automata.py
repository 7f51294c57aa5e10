"""The words that each row may hold by its own rules, as minimal layered automata.

A row's own rules are its clue, the regions of cells that lie side by side, at least two digits a number, no
leading zero, and no two shaded cells side by side.
"""

from collections.abc import Collection, Sequence
from functools import reduce
from itertools import pairwise
from math import prod
from operator import and_

import numpy as np

from models.number_cross.allowed_numbers import BESIDE, DENSE, Pairs, placed_numbers, reader, whole
from models.number_cross.puzzle import SHADED, SYMBOLS, Clue, NumberCross, compatible
from models.shared.automaton import LayeredAutomaton
from models.shared.prefix_automaton import Numbers, prefix_automaton
from models.shared.transition_tables import DEAD, Table, minimised, numbered

RULES = np.array(
    [[[compatible(a, b, same) and a + b != ".0" for b in SYMBOLS] for a in SYMBOLS] for same in (False, True)]
)
"""Whether two symbols may stand side by side; no number begins with 0."""

BORDER = RULES[1:] | np.eye(len(SYMBOLS), dtype=bool)
"""The same at the border, which counts as shaded."""

Allowed = Sequence[Collection[str]]
"""The symbols that each cell of a row can still hold."""


def row_automata(puzzle: NumberCross) -> list[LayeredAutomaton]:
    """Returns the automaton of each row."""
    return [row_automaton(puzzle, row) for row in range(len(puzzle.labels))]


def row_automaton(puzzle: NumberCross, row: int, allowed: Allowed | None = None) -> LayeredAutomaton:
    """Returns the minimal automaton of the words that a row may hold, made of allowed symbols alone.

    By definition these are the words that the checker accepts as the only row of a puzzle with the row's
    regions and clue. Clues that few numbers satisfy are listed, all others are checked digit by digit.
    """
    clues = puzzle.clues[row]
    pairs = pairs_of(puzzle.labels[row], allowed or [SYMBOLS] * puzzle.width)
    if all(clue.name in DENSE for clue in clues):
        return reading_automaton(pairs, clues)
    return prefix_automaton(puzzle.width, *placed_numbers(clues, pairs), SHADED)


def pairs_of(labels: Sequence[str], allowed: Allowed) -> Pairs:
    """Returns what columns side by side may hold; allowed_numbers.py explains it."""
    rules: Pairs = np.concatenate([BORDER, RULES[[int(a == b) for a, b in pairwise(labels)]], BORDER])
    can: Pairs = np.array(
        [[symbol in symbols for symbol in SYMBOLS] for symbols in (SHADED, *allowed, SHADED)]
    )
    return rules & can[:-1, :, None] & can[1:, None, :]


def reading_automaton(pairs: Pairs, clues: Sequence[Clue]) -> LayeredAutomaton:
    """Returns the automaton of the words whose numbers dense clues allow, read digit by digit.

    A state is the last symbol, whether the number has two digits or more, and what each clue knows of it.
    """
    width = len(pairs) - 1
    readers = [reader(clue, width) for clue in clues]
    last, long = np.array([BESIDE]), np.array([False])
    known: list[Numbers] = [np.array([reader.begin], dtype=whole(10 * reader.size)) for reader in readers]
    layers: list[Table] = []
    for column in range(width + 1):
        accepting = last == BESIDE
        accepting |= reduce(and_, (r.accepts(v) for r, v in zip(readers, known, strict=True)), long)
        kept = pairs[column, last]
        # A shaded cell ends a number; only at the left border there is none.
        kept[:, BESIDE] &= accepting
        if column == width:
            return minimised(layers, kept[:, BESIDE], SYMBOLS)
        state, symbol = np.nonzero(kept)
        begins = symbol == BESIDE
        long = (last[state] != BESIDE) & ~begins
        after = [
            np.where(begins, r.begin, r.step(v[state], symbol)) for r, v in zip(readers, known, strict=True)
        ]
        alive = reduce(and_, (value < r.size for r, value in zip(readers, after, strict=True)))
        state, symbol, long = state[alive], symbol[alive], long[alive]
        after = [value[alive] for value in after]
        key = (symbol * 2 + long).astype(whole(22 * prod(r.size for r in readers)))
        for r, value in zip(readers, after, strict=True):
            key = key * r.size + value
        different, place = numbered(key)
        table = np.full(kept.shape, DEAD, dtype=np.int32)
        table[state, symbol] = place
        layers.append(table)
        first = np.zeros(len(different), dtype=np.intp)
        first[place[::-1]] = np.arange(len(place))[::-1]
        last, long, known = symbol[first], long[first], [value[first] for value in after]
    raise AssertionError
