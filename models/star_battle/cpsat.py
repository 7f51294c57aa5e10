"""Star Battle for CP-SAT; model.md states the constraint program.

Constraints: linear, clause; at most one (`blocks`)
"""

from models.shared.cpsat import BulkModel
from models.shared.model import Model, by_name, from_integers
from models.star_battle.puzzle import StarBattle


def blocks(puzzle: StarBattle) -> Model:
    """Stars that do not touch, stated for each 2x2 block."""
    return _model(puzzle, in_blocks=True)


def textbook(puzzle: StarBattle) -> Model:
    """Binary variables, one for each cell; stars that do not touch, stated for each pair of cells."""
    return _model(puzzle, in_blocks=False)


def _model(puzzle: StarBattle, in_blocks: bool) -> Model:
    model = BulkModel()

    # Each cell holds a star or none.
    x = model.new_bool_vars({i: f"star in {i}" for i in puzzle.cells})

    # Each row, column and region has k stars.
    for unit in puzzle.units:
        model.add_sum([(1, x[i]) for i in unit], puzzle.stars)

    # Stars do not touch.
    if in_blocks:
        for block in puzzle.blocks:
            model.add_at_most_one(*(x[i] for i in block))
    else:
        for i, k in puzzle.touching:
            model.add_bool_or(~x[i], ~x[k])

    return model.as_model(from_integers(puzzle, x))


FORMULATIONS = by_name(blocks, textbook)
