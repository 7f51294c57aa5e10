"""Altered States as an integer program; model.md states it.

Constraints: linear
"""

from itertools import pairwise

import pulp

from models.altered_states.puzzle import AlteredStates
from models.shared.milp import program, total
from models.shared.model import Model, by_name, from_literals
from models.shared.puzzle import Sense


def textbook(puzzle: AlteredStates) -> Model:
    """A binary variable for each letter of a cell, and for each cell of a letter of a word."""
    problem, score = program("altered_states", Sense.MOST), pulp.LpAffineExpression()

    def binary(*name: object) -> pulp.LpVariable:
        return problem.add_variable("_".join(map(str, name)), cat=pulp.LpBinary)

    # Each cell has one letter.
    holds = {i: {a: binary("holds", *i, a) for a in puzzle.letters} for i in puzzle.cells}
    for options in holds.values():
        problem += total(options.values()) == 1

    for word, points in puzzle.points.items():
        # At most so many letters of a word are replaced.
        replaced = [binary("replaced", word, k) for k in range(len(word))]
        problem += total(replaced) <= puzzle.replaced

        # A word that scores is read along a walk, a cell for each letter.
        scored = binary("scored", word)
        walk = [{i: binary("at", word, k, *i) for i in puzzle.cells} for k in range(len(word))]
        for step, letter, other in zip(walk, word, replaced, strict=True):
            problem += total(step.values()) == scored
            for i, here in step.items():
                problem += here <= holds[i][letter] + other

        # Each step is a king's move.
        for before, step in pairwise(walk):
            for i, here in step.items():
                problem += total([here], [before[j] for j in puzzle.moves[i]]) <= 0

        # The words score as much as possible.
        score += points * scored

    problem += score
    return Model(problem, from_literals(puzzle, holds))


FORMULATIONS = by_name(textbook)
