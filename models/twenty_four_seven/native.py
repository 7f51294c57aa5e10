"""Twenty Four Seven for a program in C, search.c: the grid and its clues as integers.

    1 for `propagation`, 0 for `row_by_row`
    height, width, the number of windows
    the row and column of the top left corner        a line for each window, from 0
    the number that is given in each cell, or 0      a line for each row
    the clues at the top, bottom, left and right     a line for each side, 0 where there is none

A clue up to 7 is the first number that is met from there, a greater one the sum of the line. A solution has
an integer for each cell, row by row, 0 for an empty one.

`propagation`: the search of backtrack.py; with seed 1, branches and failures are the same numbers.
`row_by_row`: fills the cells in reading order, as long as running counts and sums, blocks and clues allow it.
Whether all is connected is seen at the end. This is how several people solved the puzzle by program.

Constraints: table (the words of a row or column, to domain consistency), global cardinality, sum, first
number, clause (blocks), connected
"""

from pathlib import Path

from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered
from models.shared.sides import Side
from models.twenty_four_seven.puzzle import TwentyFourSeven

SEARCH = Path(__file__).with_name("search.c")


def propagation(puzzle: TwentyFourSeven) -> Model:
    """Propagates before it branches."""
    return _model(puzzle, 1)


def row_by_row(puzzle: TwentyFourSeven) -> Model:
    """Fills one cell after the other."""
    return _model(puzzle, 0)


def _model(puzzle: TwentyFourSeven, formulation: int) -> Model:
    lines = [
        [formulation],
        [puzzle.height, puzzle.width, len(puzzle.windows)],
        *puzzle.windows,
        *puzzle.solution(lambda i: puzzle.givens.get(i, 0)),
    ]
    for side in Side:
        along = range(puzzle.width if side.on_columns else puzzle.height)
        lines.append([puzzle.outside.get((side, line), 0) for line in along])
    return Model(NativeInput(SEARCH, lines, puzzle.size), from_integers(puzzle, numbered(puzzle.cells)))


FORMULATIONS = by_name(propagation, row_by_row)
