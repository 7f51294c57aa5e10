"""Altered States for programs in C, search.c and local.c: the words as integers.

    n, how many letters of a word may be replaced, and how many letters and words there are
    of each word its points, its length, and its letters, from 0       a line for each

A solution has the letter of each cell, row by row.

They are the searches of backtrack.py, with seed 1 by the same branches and failures, and of local.py.

Constraints: walks, bounds
"""

from pathlib import Path

from models.altered_states.puzzle import AlteredStates
from models.shared.model import Model, by_name
from models.shared.native import NativeInput, numbered


def branch_and_bound(puzzle: AlteredStates, file: str = "search.c") -> Model:
    """Letters for one cell after the other."""
    lines = [[puzzle.height, puzzle.replaced, len(puzzle.letters), len(puzzle.points)]]
    lines += [[points, len(w), *map(puzzle.letters.index, w)] for w, points in puzzle.points.items()]
    data = NativeInput(Path(__file__).with_name(file), lines, puzzle.size)
    index = numbered(puzzle.cells)
    return Model(data, lambda value: puzzle.solution(lambda i: puzzle.letters[value(index[i])]))


def local(puzzle: AlteredStates) -> Model:
    """Simulated annealing."""
    return branch_and_bound(puzzle, "local.c")


FORMULATIONS = by_name(branch_and_bound, local)
