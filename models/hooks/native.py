"""Hooks for a program in C, search.c: the rules as integers, and each clue with the cells that it is about.

    n; 1 or 0: if the hook of size v holds v, if filled cells are connected, if no 2x2 block is filled
    the size of the hook of each cell, 0 if the hooks are to be found    a line for each row
    the number that is given in each cell, or 0                          a line for each row
    the number of clues
    kind, number, how many cells, the cells as they are met              a line for each clue

The kinds are 1, the cells sum to the number; 2, it is the product of the first two that are filled; 3, it is
the sum of the first unbroken run of filled ones. Cells are counted row by row, from 0. A solution has an
integer for each cell, 0 for an empty one.

`propagation`: the search of backtrack.py; with seed 1, branches and failures are the same numbers.

Constraints: table (of clues), path (of cuts), all different, global cardinality, clause, connected
"""

from pathlib import Path

from models.hooks.line_clues import FirstBlockSum, FirstTwoProduct, Sum, clues_with_cells
from models.hooks.puzzle import Hooks
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered

SEARCH = Path(__file__).with_name("search.c")
KINDS = {Sum: 1, FirstTwoProduct: 2, FirstBlockSum: 3}


def propagation(puzzle: Hooks) -> Model:
    """Propagates before it branches."""
    index = numbered(puzzle.cells)
    clues = list(clues_with_cells(puzzle))
    lines = [
        [puzzle.n, int(puzzle.by_size), int(puzzle.connected), int(puzzle.no_full_2x2)],
        *puzzle.solution(lambda i: (puzzle.hooks or {}).get(i, 0)),
        *puzzle.solution(lambda i: puzzle.givens.get(i, 0)),
        [len(clues)],
        *([KINDS[type(clue)], clue.number, len(seen), *(index[i] for i in seen)] for seen, clue in clues),
    ]
    return Model(NativeInput(SEARCH, lines, puzzle.size), from_integers(puzzle, index))


FORMULATIONS = by_name(propagation)
