"""Propagation between the rows, and the words of each row that are made of the symbols that it leaves.

Propagation, until nothing changes: a cell keeps a symbol that some word of its row has there, made of allowed
symbols alone, and that goes with some allowed symbol of the cell above, and of the cell below.

Narrowing makes the words of the rows that take least effort first, only of symbols that propagation left.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import log10

from models.number_cross.allowed_numbers import DENSE
from models.number_cross.puzzle import SHADED, SYMBOLS, NumberCross
from models.number_cross.row_automata import row_automaton
from models.shared.automaton import LayeredAutomaton
from models.shared.search import Tally

DIGITS = frozenset(SYMBOLS) - {SHADED}

Allowed = list[list[set[str]]]
"""The symbols that each cell can still hold, by row and column."""


DENSITY = {
    **{"square": 0.5, "cube": 0.33, "prime ^ prime": 0.49, "fibonacci": 0.01, "power of k": 0},
    **{"palindrome": 0.51, "palindrome + k": 0.52, "palindrome - k": 0.52, **dict.fromkeys(DENSE, 1)},
}
"""About 10^(n * density) numbers of n digits satisfy a clue."""


def narrowed_automata(puzzle: NumberCross) -> list[LayeredAutomaton]:
    """Returns the automaton of each row's words that are made of symbols that propagation leaves."""
    rules, allowed = Rules(puzzle, Tally()), every_symbol(puzzle)
    if not rules.narrow(allowed):
        return [LayeredAutomaton(None, tuple({} for _ in range(puzzle.width)))] * len(puzzle.labels)
    return [rules.words[row].restricted(symbols) for row, symbols in enumerate(allowed)]


def every_symbol(puzzle: NumberCross) -> Allowed:
    """Returns what the cells can hold before any rule is looked at."""
    return [[set(SYMBOLS)] * puzzle.width for _ in puzzle.labels]


class Rules:
    """The words of each row, and what rows above each other allow."""

    def __init__(self, puzzle: NumberCross, tally: Tally):
        self.puzzle, self.tally = puzzle, tally
        self.words: dict[int, LayeredAutomaton] = {}
        self.same_region = [
            [above == below for above, below in zip(*pair, strict=True)] for pair in pairwise(puzzle.labels)
        ]

    def narrow(self, allowed: Allowed) -> bool:
        """Makes the words of one row after the other, and propagates; False if a cell has nothing left."""
        while left := set(range(len(allowed))) - self.words.keys():
            row = min(left, key=lambda row: (effort(self.puzzle, row, allowed[row]), row))
            self.words[row] = row_automaton(self.puzzle, row, allowed[row])
            allowed[row] = self.words[row].supported(allowed[row])
            if not self.propagate(allowed, {row}):
                return False
        return True

    def propagate(self, allowed: Allowed, rows: set[int]) -> bool:
        """Removes what the rules refute, starting from these rows; False as above."""
        while rows:
            row = rows.pop()
            # Each row is a word of its automaton.
            support = self.words[row].supported(allowed[row])
            if not all(support):
                return False
            self.tally.propagations += sum(map(len, allowed[row])) - sum(map(len, support))
            allowed[row] = support
            for other in (row - 1, row + 1):
                if 0 <= other < len(allowed) and self.restrict(allowed, row, other) and other in self.words:
                    rows.add(other)
        return True

    def restrict(self, allowed: Allowed, row: int, other: int) -> bool:
        """Removes from another row what goes with nothing in this one; True if that was anything."""
        same_region = self.same_region[min(row, other)]
        kept = [
            there.intersection(beside(here, same))
            for here, there, same in zip(allowed[row], allowed[other], same_region, strict=True)
        ]
        removed = sum(map(len, allowed[other])) - sum(map(len, kept))
        self.tally.propagations += removed
        allowed[other] = kept
        return removed > 0


def beside(symbols: Collection[str], same_region: bool) -> Collection[str]:
    """Returns the symbols that a cell may hold above or below one that holds one of these."""
    digits = DIGITS.intersection(symbols)
    # In one region it holds the same digit, unless one of them is shaded; in two, another one.
    if SHADED in symbols if same_region else len(symbols) > 1:
        found = DIGITS
    else:
        found = digits if same_region else DIGITS.difference(symbols)
    # No two shaded cells share an edge.
    return found | {SHADED} if digits else found


def effort(puzzle: NumberCross, row: int, allowed: Sequence[Collection[str]]) -> float:
    """Returns about how much work it is to find the words of a row, as a power of 10."""
    clue = min(puzzle.clues[row], key=lambda clue: DENSITY[clue.name])
    if clue.name in DENSE:
        return 3 + (len(str(clue.k)) if clue.name == "multiple of k" else 0)
    digits = sum(log10(len({*symbols} - {SHADED}) or 1e-99) - 1 for symbols in allowed)
    repeated = sum(left == right for left, right in pairwise(puzzle.labels[row]))
    return DENSITY[clue.name] * puzzle.width + digits - repeated
