"""Altered States for CP-SAT; model.md states the formulation.

Constraints: exactly one, element, table, reified linear
"""

from itertools import pairwise

from ortools.sat.python import cp_model

from models.altered_states.puzzle import AlteredStates
from models.shared.model import Model, by_name, from_literals


def textbook(puzzle: AlteredStates) -> Model:
    """Literals for the letter of each cell, integers for the cell of each letter of a word."""
    model, score = cp_model.CpModel(), []

    # Each cell has one letter.
    holds = {i: {a: model.new_bool_var(f"{i} is {a}") for a in puzzle.letters} for i in puzzle.cells}
    for options in holds.values():
        model.add_exactly_one(options.values())

    number = {i: k for k, i in enumerate(puzzle.cells)}
    moves = [(number[i], number[j]) for i, cells in puzzle.moves.items() for j in cells]
    for word, points in puzzle.points.items():
        # A word has a walk, a cell for each letter, and each step is a king's move.
        walk = [model.new_int_var(0, puzzle.size - 1, f"cell of {word} {k}") for k in range(len(word))]
        for step in pairwise(walk):
            model.add_allowed_assignments(step, moves)

        # If it scores, the walk reads it, and at most so many of its letters are replaced.
        scored, read = model.new_bool_var(word), [model.new_bool_var(f"{word} {k}") for k in range(len(word))]
        for i, letter, right in zip(walk, word, read, strict=True):
            model.add_element(i, [options[letter] for options in holds.values()], right)
        model.add(sum(read) >= len(word) - puzzle.replaced).only_enforce_if(scored)

        # The words score as much as possible.
        score.append(points * scored)

    model.maximize(sum(score))
    return Model(model, from_literals(puzzle, holds))


FORMULATIONS = by_name(textbook)
