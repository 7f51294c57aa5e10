"""Peaceable Queens for programs in C, search.c and local.c: squares and lines as integers.

    how many squares, lines and inequalities there are
    of each square the lines on which it lies: row, column, both diagonals    a line for each
    of each line its kind: 0 for rows, 1 for columns, 2 and 3 for diagonals, and its weight in each inequality
    of each inequality the most that the lines of white weigh

Squares and lines are counted from 0. A solution has 1 for a square with a white queen, 2 with a black one, 0.
`lines`: the search of backtrack.py, with seed 1 its branches and failures. `local`: that of local.py.

Constraints: linear
"""

from pathlib import Path

from models.peaceable_queens.puzzle import PeaceableQueens
from models.peaceable_queens.symmetry import inequalities
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered


def lines(puzzle: PeaceableQueens) -> Model:
    """Branch and bound on the owners of lines."""
    return _model(puzzle, "search.c")


def local(puzzle: PeaceableQueens) -> Model:
    """Simulated annealing on the owners of lines."""
    return _model(puzzle, "local.c")


def _model(puzzle: PeaceableQueens, source: str) -> Model:
    kinds, kept = [*dict.fromkeys(kind for kind, _ in puzzle.lines)], inequalities(puzzle)
    lines_of: dict[Cell, list[int]] = {i: [] for i in puzzle.squares}
    for number, squares in enumerate(puzzle.lines.values()):
        for i in squares:
            lines_of[i].append(number)
    rows = [[puzzle.size, len(puzzle.lines), len(kept)], *lines_of.values()]
    rows += [[kinds.index(line[0]), *(weights.get(line, 0) for weights, _ in kept)] for line in puzzle.lines]
    rows.append([most for _, most in kept])
    decode = from_integers(puzzle, numbered(puzzle.squares))
    return Model(NativeInput(Path(__file__).with_name(source), rows, puzzle.size), decode)


FORMULATIONS = by_name(lines, local)
