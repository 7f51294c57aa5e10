"""Cross Sums for a program in C, search.c: the rule, the grid and the entries as integers.

    0 for the rule `sum_or_product`, 1 for `signed_sum`, 2 for `sum`
    height, width
    for each cell 1 if it is open, 0 if it is blocked       a line for each row
    how many entries there are
    0 if an entry is across, 1 if it is down; row and column of its first cell, from 0; its clue
                                                            a line for each entry

A solution has an integer for each open cell, row by row.

`propagation`: the search of backtrack.py; branches, failures and propagations are the same numbers.

Constraints: all different, exactly one, sum by bounds, multisets
"""

from pathlib import Path

from models.cross_sums.puzzle import CrossSums, Rule
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered

SEARCH = Path(__file__).with_name("search.c")


def propagation(puzzle: CrossSums) -> Model:
    """Propagates before it branches."""
    lines: list[list[int]] = [
        [(Rule.SUM_OR_PRODUCT, Rule.SIGNED_SUM, Rule.SUM).index(puzzle.rule)],
        [puzzle.height, puzzle.width],
        *([int(word == ".") for word in row] for row in puzzle.labels),
        [len(puzzle.across) + len(puzzle.down)],
        *([0, *entry.cells[0], entry.clue] for entry in puzzle.across),
        *([1, *entry.cells[0], entry.clue] for entry in puzzle.down),
    ]
    return Model(NativeInput(SEARCH, lines, puzzle.size), from_integers(puzzle, numbered(puzzle.cells)))


FORMULATIONS = by_name(propagation)
