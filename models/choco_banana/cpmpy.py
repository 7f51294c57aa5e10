"""Choco Banana in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: count, clause over equalities, linear
"""

import cpmpy

from models.choco_banana.groups import border, rectangles
from models.choco_banana.puzzle import ChocoBanana
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: ChocoBanana) -> Model:
    """Integers for the steps from each number to each cell of its group."""
    model, near = cpmpy.Model(), puzzle.near

    # Each cell is shaded or unshaded.
    shaded = {i: cpmpy.boolvar() for i in puzzle.cells}

    for c, number in puzzle.numbers.items():
        # A number is the size of its group: cells outside are taken for number + 1 steps away.
        step = {i: cpmpy.intvar(0, number + 1) for i in puzzle.cells}
        model += cpmpy.Count(list(step.values()), number + 1) == puzzle.size - number
        model += step[c] == 0

        for i in puzzle.cells:
            # The cells of the group have the same colour.
            model += (step[i] <= number).implies(shaded[i] == shaded[c])

            # Each cell of it but the first has a neighbour in it that is one step nearer.
            if i != c:
                model += (step[i] <= number).implies(cpmpy.any(step[k] == step[i] - 1 for k in near[i]))

            # Neighbours of the same colour are both in it, at most a step apart, or both not.
            model += [(shaded[i] == shaded[k]).implies(step[k] <= step[i] + 1) for k in near[i]]

    # No 2x2 block has exactly three shaded cells: shaded groups are rectangles.
    for block in puzzle.blocks:
        model += cpmpy.sum(shaded[i] for i in block) != 3

    # Some cell of a rectangle is shaded or some cell beside it is not: unshaded groups are no rectangles.
    for rectangle in rectangles(puzzle):
        model += cpmpy.any([*(shaded[i] for i in rectangle), *(~shaded[k] for k in border(rectangle, near))])

    return Model(model, from_integers(puzzle, shaded), decisions=list(shaded.values()))


FORMULATIONS = by_name(textbook)
