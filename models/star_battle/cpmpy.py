"""Star Battle in CPMpy, for any of its solvers; model.md states the constraint programs.

Constraints: linear, clause; global cardinality, element, linear (`positions`)
"""

from itertools import pairwise, product
from typing import Any

import cpmpy

from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers
from models.star_battle.puzzle import StarBattle


def positions(puzzle: StarBattle) -> Model:
    """Integers, the columns of the stars of each row, in increasing order."""
    model, n = cpmpy.Model(), puzzle.side
    at = cpmpy.intvar(0, n - 1, shape=(n, puzzle.stars))

    # Each row has k stars, which do not touch.
    for row in at:
        model += [right - left >= 2 for left, right in pairwise(row)]

    # Stars of neighbouring rows do not touch.
    for above, below in pairwise(at):
        model += [abs(one - other) >= 2 for one, other in product(above, below)]

    # Each column and region has k stars.
    number = {cell: k for k, cells in enumerate(puzzle.regions.values()) for cell in cells}
    regions = [
        cpmpy.Element([number[row, column] for column in range(n)], column)
        for row in range(n)
        for column in at[row]
    ]
    for columns in (list(at.flat), regions):
        model += cpmpy.GlobalCardinalityCount(columns, list(range(n)), [puzzle.stars] * n)

    def decode(value: Any) -> Any:
        """The rows with stars in these columns."""
        stars = {(row, value(column)) for row in range(n) for column in at[row]}
        return puzzle.solution(lambda cell: int(cell in stars))

    return Model(model, decode, decisions=list(at.flat))


def textbook(puzzle: StarBattle) -> Model:
    """Variables with the values 0 and 1, one for each cell."""
    model = cpmpy.Model()

    # Each cell holds a star or none.
    x: dict[Cell, Any] = {i: cpmpy.boolvar() for i in puzzle.cells}

    # Each row, column and region has k stars.
    for unit in puzzle.units:
        model += cpmpy.sum([x[i] for i in unit]) == puzzle.stars

    # Stars do not touch.
    for i, k in puzzle.touching:
        model += ~x[i] | ~x[k]

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook, positions)
