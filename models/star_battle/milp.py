"""Star Battle as an integer program without an objective; model.md states it.

Constraints: linear, set packing
"""

from collections.abc import Iterable, Sequence

import pulp

from models.shared.grid import Cell
from models.shared.milp import program, total
from models.shared.model import Model, by_name, from_integers
from models.star_battle.puzzle import StarBattle


def blocks(puzzle: StarBattle) -> Model:
    """At most one star in each 2x2 block, which is stronger than the same of its pairs."""
    return _model(puzzle, puzzle.blocks)


def textbook(puzzle: StarBattle) -> Model:
    """One binary variable for each cell; at most one star in each pair of cells that touch."""
    return _model(puzzle, puzzle.touching)


def _model(puzzle: StarBattle, apart: Iterable[Sequence[Cell]]) -> Model:
    problem = program("star_battle")

    # Each cell holds a star or none.
    x = {i: problem.add_variable(f"star_{i[0]}_{i[1]}", cat=pulp.LpBinary) for i in puzzle.cells}

    # Each row, column and region has k stars.
    for unit in puzzle.units:
        problem += total(x[i] for i in unit) == puzzle.stars

    # Stars do not touch.
    for cells in apart:
        problem += total(x[i] for i in cells) <= 1

    return Model(problem, from_integers(puzzle, x), list(x.values()))


FORMULATIONS = by_name(blocks, textbook)
