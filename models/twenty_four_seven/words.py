"""The words that a row or column of a window may hold, and what the clues outside say of the cells.

A word has seven numbers, 0 for an empty cell: four of 1..7 that sum to 20, no k more than k times. There are
5,215. A set of words is an integer with a bit for each of them, a set of values one whose bit v stands for v.
"""

from collections.abc import Sequence
from itertools import combinations, permutations

from models.shared.bits import members
from models.shared.grid import Cell
from models.shared.partly_filled import EMPTY
from models.twenty_four_seven.layout import MULTISETS, lines, windows
from models.twenty_four_seven.puzzle import FILLED, NUMBERS, TOTAL, WINDOW, TwentyFourSeven

VALUES = (EMPTY, *NUMBERS)

SINGLE = [[1 << value for value in members(domain)] for domain in range(1 << len(VALUES))]
"""For each set of values, those with one value that make it up."""


def window_lines(puzzle: TwentyFourSeven) -> list[tuple[list[Cell], int | None, int | None]]:
    """The rows and columns of all windows, each with its first and last number if clues say so.

    Clues show in those that begin or end where the grid does.
    """
    shown = {tuple(cells[:WINDOW]): number for cells, number in puzzle.seen if number in NUMBERS}
    return [(cells, shown.get(tuple(cells)), shown.get(tuple(cells[::-1]))) for cells in lines(puzzle)]


def first_numbers(puzzle: TwentyFourSeven) -> list[tuple[list[Cell], int]]:
    """Cells, the first filled one of which holds the number: the clues of ends where no window is."""
    in_windows = {cell for window in windows(puzzle) for cell in window}
    return [
        (cells, number) for cells, number in puzzle.seen if number in NUMBERS and cells[0] not in in_windows
    ]


def sums(puzzle: TwentyFourSeven) -> list[tuple[list[Cell], int]]:
    """Cells and what they sum to: the lines with a sum, each without a window that it crosses."""
    found = []
    for cells, total in puzzle.seen:
        if total not in NUMBERS:
            crossed = [line for line in lines(puzzle) if set(line) <= set(cells)]
            rests = [([cell for cell in cells if cell not in part], total - TOTAL) for part in crossed]
            found += rests or [(cells, total)]
    return found


class Words:
    """All words, and the sets of those that have something in common.

    Attributes:
        all: every word.
        holds: place, set of one value -> the words with that value there.
        allowed: place, set of values -> the words with one of them there.
    """

    def __init__(self) -> None:
        """Lists the words, and those with each value in each place."""
        words = []
        for numbers in sorted({order for multiset in MULTISETS for order in permutations(multiset)}):
            for places in combinations(range(WINDOW), FILLED):
                word = [EMPTY] * WINDOW
                for place, number in zip(places, numbers, strict=True):
                    word[place] = number
                words.append(word)
        self.all = (1 << len(words)) - 1
        # Reads "1" for each word with the value, "0" for each other, as an integer.
        digits = {v: bytes(ord("1") if other == v else ord("0") for other in range(256)) for v in VALUES}
        self.holds = [
            {1 << v: int(bytes(column).translate(digits[v]), 2) for v in VALUES}
            for column in zip(*words, strict=True)
        ]
        self.allowed = []
        for holds in self.holds:
            allowed = [0]
            for value in VALUES:
                allowed += [words | holds[1 << value] for words in allowed]
            self.allowed.append(allowed)

    def between(self, first: int | None, last: int | None) -> int:
        """The words with these numbers at their ends; None for any."""
        return self.first(first, range(WINDOW)) & self.first(last, range(WINDOW)[::-1])

    def first(self, number: int | None, places: Sequence[int]) -> int:
        """The words whose first filled place, in this order, holds the number."""
        if number is None:
            return self.all
        found, empty = 0, self.all
        for place in places:
            found |= empty & self.holds[place][1 << number]
            empty &= self.holds[place][1 << EMPTY]
        return found

    def supported(self, words: int, domains: Sequence[int]) -> list[int]:
        """Of the values in each place, those in one of the words made of such values; nothing if none is."""
        for allowed, domain in zip(self.allowed, domains, strict=True):
            words &= allowed[domain]
        if not words:
            return []
        return [
            sum([value for value in SINGLE[domain] if words & holds[value]])
            if domain & (domain - 1)
            else domain
            for holds, domain in zip(self.holds, domains, strict=True)
        ]
