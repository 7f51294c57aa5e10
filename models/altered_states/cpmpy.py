"""Altered States in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: element, table, linear, implication
"""

from itertools import pairwise

import cpmpy

from models.altered_states.puzzle import AlteredStates
from models.shared.model import Model, by_name


def textbook(puzzle: AlteredStates) -> Model:
    """Integers for the letter of each cell, and for the cell of each letter of a word."""
    model = cpmpy.Model()

    # Each cell has one letter.
    letters = cpmpy.intvar(0, len(puzzle.letters) - 1, shape=puzzle.size, name="letters")
    number = {i: k for k, i in enumerate(puzzle.cells)}
    moves = [(number[i], number[j]) for i, cells in puzzle.moves.items() for j in cells]
    scored = {word: cpmpy.boolvar(name=word) for word in puzzle.points}
    for word, scores in scored.items():
        # A word has a walk, a cell for each letter, and each step is a king's move.
        walk = [cpmpy.intvar(0, puzzle.size - 1, name=f"{word} {k}") for k in range(len(word))]
        for here, there in pairwise(walk):
            model += cpmpy.Table([here, there], moves)

        # If it scores, the walk reads it, and at most so many of its letters are replaced.
        read = [letters[i] == puzzle.letters.index(letter) for i, letter in zip(walk, word, strict=True)]
        model += scores.implies(cpmpy.sum(read) >= len(word) - puzzle.replaced)

    # The words score as much as possible.
    model.maximize(cpmpy.sum(points * scored[word] for word, points in puzzle.points.items()))

    at = dict(zip(puzzle.cells, letters, strict=True))
    return Model(model, lambda value: puzzle.solution(lambda i: puzzle.letters[value(at[i])]), [*letters])


FORMULATIONS = by_name(textbook)
