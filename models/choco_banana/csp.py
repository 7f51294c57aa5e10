"""Choco Banana for python-constraint; model.md states the constraint program.

The library can neither count nor connect: that a number is the size of its group is a function of all shades,
in place of the steps of model.md.

Constraints: functions
"""

from collections.abc import Mapping, Sequence
from functools import partial

import constraint

from models.choco_banana.groups import border, rectangles
from models.choco_banana.puzzle import SHADED, UNSHADED, ChocoBanana
from models.shared.csp import written
from models.shared.graph import part_of
from models.shared.grid import Cell
from models.shared.model import Model, by_name


def textbook(puzzle: ChocoBanana) -> Model:
    """Functions of blocks, of rectangles and what is beside them, and of all cells."""
    problem, near = constraint.Problem(), puzzle.near

    # Each cell is shaded or unshaded.
    problem.addVariables(puzzle.cells, [UNSHADED, SHADED])

    # A number is the size of its group.
    for c, number in puzzle.numbers.items():
        problem.addConstraint(partial(_has_size, near, c, number), puzzle.cells)

    # No 2x2 block has exactly three shaded cells: shaded groups are rectangles.
    for block in puzzle.blocks:
        problem.addConstraint(lambda *shades: sum(shades) != 3, block)

    # Some cell of a rectangle is shaded or some cell beside it is not: unshaded groups are no rectangles.
    for rectangle in rectangles(puzzle):
        problem.addConstraint(partial(_no_group, len(rectangle)), [*rectangle, *border(rectangle, near)])

    return Model(problem, puzzle.solution, view=written({UNSHADED: "·", SHADED: "■"}))


def _has_size(near: Mapping[Cell, Sequence[Cell]], c: Cell, number: int, *shades: int) -> bool:
    """Whether so many cells are connected to a cell through cells of its colour."""
    shade = dict(zip(near, shades, strict=True))
    same = {i: [k for k in near[i] if shade[k] == shade[i]] for i in near}
    return len(part_of(same, c)) == number


def _no_group(size: int, *shades: int) -> bool:
    """Whether so many cells and those beside them are not unshaded and shaded."""
    return SHADED in shades[:size] or UNSHADED in shades[size:]


FORMULATIONS = by_name(textbook)
