"""Die Agony by a search in C; search.c says how it works.

The lines of integers:
    1 for `dead_states`, 0 for `roll`; 1 if the faces are integers, 0 if not
    the largest number of moves, the height and the width of the grid
    the values of a row of cells, from -(2^62 - 1) to 2^62 - 1; for each row, top row first

A solution is the numerator and the denominator of each face (puzzle.py), denominator 0 if it is never on top;
then the cells of the path, counted row by row, and -1 for each move that is not made.

`dead_states`: makes no move into a cell from which the end cannot be reached in time, nor into a state from
which it has found no way to the end before. `roll`: the search of backtrack.py, with the same branches.

Constraints: none is propagated
"""

from fractions import Fraction
from itertools import takewhile
from pathlib import Path

from models.die_agony.puzzle import DieAgony
from models.shared.grid import cells_of, place
from models.shared.model import Model, Values, by_name
from models.shared.native import NativeInput
from models.shared.puzzle import Solution

SEARCH = Path(__file__).with_name("search.c")

LARGEST = 2**62 - 1
"""The largest value of a cell: the difference of two has 64 bits."""


def dead_states(puzzle: DieAgony) -> Model:
    """Remembers the states from which there is no way to the end."""
    return _model(puzzle, 1)


def roll(puzzle: DieAgony) -> Model:
    """Depth-first search from the start."""
    return _model(puzzle, 0)


def _model(puzzle: DieAgony, formulation: int) -> Model:
    height, width = len(puzzle.grid), len(puzzle.grid[0])
    for cell in cells_of(puzzle.grid):
        if abs(puzzle.grid[cell[0]][cell[1]]) > LARGEST:
            raise ValueError(
                f"{place('grid', cell)}: the search in C takes values from -(2^62 - 1) to 2^62 - 1"
            )

    def decode(value: Values) -> Solution:
        faces = {f: Fraction(value(2 * f), value(2 * f + 1)) for f in range(6) if value(2 * f + 1)}
        cells = takewhile(lambda cell: cell >= 0, map(value, range(12, 13 + puzzle.max_moves)))
        return puzzle.solution([divmod(cell, width) for cell in cells], faces)

    head = (formulation, int(puzzle.faces == "integer")), (puzzle.max_moves, height, width)
    return Model(NativeInput(SEARCH, [*head, *puzzle.grid], 13 + puzzle.max_moves), decode)


FORMULATIONS = by_name(dead_states, roll)
