"""Knight Moves for search.c, which states propagation and search.

The instance is these lines of integers; cells are listed row by row:
    the cells on a side, the least T, and the greatest
    1 or 0 each: whether the visited cells are the same after a quarter turn, whether all rows and columns
        have equally many, whether all regions have, and whether all regions have the same sum
    the sums of the rows, and those of the columns; -1 where none is given
    the number of regions; 1 if there are none
    for each cell its region, from 0 on
    for each cell its number; 0 if none is given
    four lines of numbers that are seen first, from the top, the bottom, the left and the right; 0 for none
Sums and first numbers beyond all that T allows are written as some number that is.
A solution has the number of each cell, 0 if it is not visited.

`places`: the search of backtrack.py, step by step: with seed 1, branches, failures and propagations are the
    same numbers.

Constraints: all different, table (moves), sum
"""

from collections.abc import Mapping
from pathlib import Path

from models.knight_moves.puzzle import KnightMoves
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered
from models.shared.sides import Side

SEARCH = Path(__file__).with_name("search.c")


def places(puzzle: KnightMoves) -> Model:
    """The numbers' places, as in backtrack.py."""
    n, (least, greatest) = puzzle.side, puzzle.steps
    index = numbered(puzzle.cells)
    beyond = greatest * (greatest + 1) // 2 + 1
    region = {i: k for k, cells in enumerate(puzzle.regions) for i in cells}

    def sums(given: Mapping[int, int]) -> list[int]:
        return [min(given[k], beyond) if k in given else -1 for k in range(n)]

    flags = [puzzle.rotation, puzzle.equal_line_visits, puzzle.equal_region_visits, puzzle.equal_region_sums]
    lines = [
        [n, least, greatest],
        [int(flag) for flag in flags],
        sums(puzzle.row_sums),
        sums(puzzle.column_sums),
        [len(puzzle.regions) or 1],
        [region.get(i, 0) for i in puzzle.cells],
        [puzzle.givens.get(i, 0) for i in puzzle.cells],
        *([min(puzzle.first_seen.get((side, k), 0), greatest + 1) for k in range(n)] for side in Side),
    ]
    return Model(NativeInput(SEARCH, lines, puzzle.size), from_integers(puzzle, index))


FORMULATIONS = by_name(places)
