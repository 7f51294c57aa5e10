"""Shikaku in CPMpy, for any of its solvers; model.md states the constraint program.

CPMpy has no constraint of rectangles that do not overlap: a clause keeps two apart, unless their clues are so
far from each other that they cannot meet.

Constraints: product, clause over inequalities, linear
"""

from itertools import combinations

import cpmpy

from models.shared.model import Model, Values, by_name
from models.shared.puzzle import Solution
from models.shikaku.puzzle import Shikaku
from models.shikaku.rectangles import Rectangle, cut


def textbook(puzzle: Shikaku) -> Model:
    """Integers, the borders of the rectangle of each clue."""
    model = cpmpy.Model()
    borders, areas = [], []
    for (row, column), area in puzzle.clues.items():
        # The rectangle of a clue holds its cell.
        most = area or puzzle.size
        top = cpmpy.intvar(max(0, row + 1 - most), row)
        left = cpmpy.intvar(max(0, column + 1 - most), column)
        bottom = cpmpy.intvar(row + 1, min(puzzle.height, row + most))
        right = cpmpy.intvar(column + 1, min(puzzle.width, column + most))
        borders.append((top, left, bottom, right))

        # It has as many cells as the clue says.
        areas.append(area or cpmpy.intvar(1, puzzle.size))
        model += (bottom - top) * (right - left) == areas[-1]

    # No two rectangles overlap.
    for (top, left, bottom, right), (other_top, other_left, other_bottom, other_right) in combinations(
        borders, 2
    ):
        order = [(bottom, other_top), (other_bottom, top), (right, other_left), (other_right, left)]
        if not any(end.ub <= begin.lb for end, begin in order):
            model += cpmpy.any([end <= begin for end, begin in order])

    # Together they have all cells.
    model += cpmpy.sum(areas) == puzzle.size

    def decode(value: Values) -> Solution:
        placed = enumerate(([value(border) for border in four] for four in borders), 1)
        return cut(puzzle, [Rectangle(k, y, x, bottom - y, right - x) for k, (y, x, bottom, right) in placed])

    return Model(model, decode, decisions=[border for four in borders for border in four])


FORMULATIONS = by_name(textbook)
