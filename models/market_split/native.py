"""Market Split for a program in C, search.c: the equations as they stand, as integers.

    how many products and customers there are
    of each product its total, and the amounts that the customers buy          a line for each

A solution has 1 for each customer of the first division, and 0 for each of the second.

It is the search of backtrack.py: with seed 1 branches and failures are the same.

Constraints: linear
"""

from pathlib import Path

from models.market_split.puzzle import MarketSplit
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered

SEARCH = Path(__file__).with_name("search.c")


def four_lists(puzzle: MarketSplit) -> Model:
    """Remainders of the first half, and the sums that meet."""
    lines = [[len(puzzle.rows), puzzle.size], *([total, *row] for row, total in puzzle.equations)]
    return Model(NativeInput(SEARCH, lines, puzzle.size), from_integers(puzzle, numbered(puzzle.customers)))


FORMULATIONS = by_name(four_lists)
