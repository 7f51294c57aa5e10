"""Nonogram for a program in C, search.c: the clues as integers.

    height, width
    for each row, then for each column: how many blocks its clue has, -1 if it has no clue; their lengths

A solution has an integer for each cell, row by row: 1 if it is filled, else 0.

`lines`: the search of backtrack.py; branches, failures and propagations are the same numbers with seed 1.

Constraints: automaton
"""

from pathlib import Path

from models.nonogram.puzzle import Nonogram
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered


def lines(puzzle: Nonogram) -> Model:
    """Solves lines, tries values, branches."""
    numbers: list[list[int]] = [[puzzle.height, puzzle.width]]
    numbers += [[-1] if clue is None else [len(clue), *clue] for clue in puzzle.rows + puzzle.columns]
    problem = NativeInput(Path(__file__).with_name("search.c"), numbers, puzzle.size)
    return Model(problem, from_integers(puzzle, numbered(puzzle.cells)))


FORMULATIONS = by_name(lines)
