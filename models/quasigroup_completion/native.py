"""Quasigroup completion for programs in C, as integers.

    n
    the givens, 0 for none, of the cells of a row, for each of the n rows

A solution has the number of each cell, row by row. search.c keeps a clause of each solution, so that its
memory grows with them.

Constraints: exactly one, clause (learned)
"""

from pathlib import Path

from models.quasigroup_completion.puzzle import QuasigroupCompletion
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered

SEARCH = Path(__file__).with_name("search.c")


def learning(puzzle: QuasigroupCompletion) -> Model:
    """Clauses learned from failures; restarts."""
    n = puzzle.height
    lines = [[n], *([puzzle.givens.get(cell, 0) for cell in row] for row in puzzle.rows_and_columns[:n])]
    return Model(NativeInput(SEARCH, lines, n * n), from_integers(puzzle, numbered(puzzle.cells)))


FORMULATIONS = by_name(learning)
