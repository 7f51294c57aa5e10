"""Altered States for CP-SAT; model.md states the formulation.

Constraints: clauses, exactly one, linear
"""

from itertools import pairwise

from ortools.sat.python import cp_model

from models.altered_states.puzzle import AlteredStates
from models.shared.model import Model, by_name, from_literals


def textbook(puzzle: AlteredStates) -> Model:
    """Literals for the letter of each cell, and for the cell of each letter of a word."""
    model, score = cp_model.CpModel(), []

    # Each cell has one letter.
    holds = {i: {a: model.new_bool_var(f"{i} is {a}") for a in puzzle.letters} for i in puzzle.cells}
    for options in holds.values():
        model.add_exactly_one(options.values())

    for word, points in puzzle.points.items():
        # At most so many letters of a word are replaced.
        replaced = [model.new_bool_var(f"{word} {k} replaced") for k in range(len(word))]
        model.add(sum(replaced) <= puzzle.replaced)

        # A word that scores is read along a walk, a cell for each letter.
        scored = model.new_bool_var(word)
        walk = [{i: model.new_bool_var(f"{word} {k} in {i}") for i in holds} for k in range(len(word))]
        for step, letter, other in zip(walk, word, replaced, strict=True):
            model.add_exactly_one(*step.values(), ~scored)
            for i, here in step.items():
                model.add_bool_or(~here, holds[i][letter], other)

        # Each step is a king's move.
        for before, step in pairwise(walk):
            for i, here in step.items():
                model.add_bool_or(~here, *(before[j] for j in puzzle.moves[i]))

        # The words score as much as possible.
        score.append(points * scored)

    model.maximize(sum(score))
    return Model(model, from_literals(puzzle, holds))


FORMULATIONS = by_name(textbook)
