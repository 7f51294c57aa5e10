"""Shikaku as an integer program without an objective; model.md states it.

Constraints: set partitioning
"""

import pulp

from models.shared.milp import program, total
from models.shared.model import Model, by_name
from models.shikaku.puzzle import Shikaku
from models.shikaku.rectangles import covering, cut, fitting_rectangles


def textbook(puzzle: Shikaku) -> Model:
    """One binary variable for each rectangle that fits its clue."""
    problem = program("shikaku")
    fitting = fitting_rectangles(puzzle)
    chosen = {
        rectangle: problem.add_variable("chosen_" + "_".join(map(str, rectangle)), cat=pulp.LpBinary)
        for rectangle in fitting
    }

    # Each cell lies in one rectangle, a cell with a clue in one of that clue.
    for options in covering(puzzle, fitting).values():
        problem += total(chosen[rectangle] for rectangle in options) == 1

    return Model(problem, lambda value: cut(puzzle, [each for each, of in chosen.items() if value(of)]))


FORMULATIONS = by_name(textbook)
