"""Number Cross for a program in C, search.c: the regions and clues as they stand, as integers.

    height, width
    the number of its region for each cell                     a line for each row
    the number of clues; KIND, HIGH, LOW for each of them      a line for each row

KIND is the place of the clue in VOCABULARY, from 0, and its k is HIGH * 10^18 + LOW. A solution has an
integer for each cell, row by row: the digit, or 10 for a shaded cell.

It is the search of backtrack.py, but for the order of a row's words: counting, they branch as often.

Constraints: regular (the words of a row), binary (cells above each other), both to domain consistency
"""

from pathlib import Path

from models.number_cross.puzzle import SYMBOLS, VOCABULARY, NumberCross
from models.shared.model import Model, by_name
from models.shared.native import NativeInput, numbered

SEARCH = Path(__file__).with_name("search.c")

KINDS = numbered(VOCABULARY)

LIMB = 10**18
"""A k has up to 30 digits, more than the 64 bits of an integer hold."""


def narrowing(puzzle: NumberCross) -> Model:
    """Finds the words of a row among those that the rows before allow."""
    width = puzzle.width
    region = numbered(sorted({label for row in puzzle.labels for label in row}))
    lines = [
        [len(puzzle.labels), width],
        *([region[label] for label in row] for row in puzzle.labels),
        *(
            [len(row), *(part for clue in row for part in (KINDS[clue.name], *divmod(clue.k, LIMB)))]
            for row in puzzle.clues
        ),
    ]
    return Model(
        NativeInput(SEARCH, lines, puzzle.size),
        lambda value: puzzle.solution(lambda cell: SYMBOLS[value(cell[0] * width + cell[1])]),
    )


FORMULATIONS = by_name(narrowing)
