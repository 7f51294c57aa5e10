"""What connects cells, for models that state it in the same way."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from models.shared.grid import Cell

if TYPE_CHECKING:
    from ortools.sat.python import cp_model, cp_model_helper


def add_ranking(
    model: "cp_model.CpModel",
    filled: "Mapping[Cell, cp_model_helper.Literal]",
    root: "Mapping[Cell, cp_model_helper.Literal]",
    near: Mapping[Cell, Sequence[Cell]],
    most: int,
) -> None:
    """Adds to a model of CP-SAT that the filled cells are connected, of which there are at most `most`.

    Each but the root, one of several cells, has a filled neighbour that is one step nearer to that.
    """
    rank = {i: model.new_int_var(0, most - 1, f"rank{i}") for i in near}
    arc = {(i, k): model.new_bool_var(f"{i} to {k}") for i in near for k in near[i]}

    for (i, k), literal in arc.items():
        # An arc leads from a filled cell to a filled neighbour that is one step further from the root.
        model.add_implication(literal, filled[i])
        model.add_implication(literal, filled[k])
        model.add(rank[k] == rank[i] + 1).only_enforce_if(literal)
        if i < k:
            # One arc, in one direction, joins two filled neighbours.
            model.add_bool_or(~filled[i], ~filled[k], literal, arc[k, i])
            model.add_at_most_one(literal, arc[k, i])

    for i in near:
        # Each filled cell but the root has an arc from a neighbour.
        starts = [root[i]] if i in root else []
        model.add_bool_or(~filled[i], *starts, *(arc[k, i] for k in near[i]))

        # The root and empty cells have rank 0.
        for zero in (~filled[i], *starts):
            model.add(rank[i] == 0).only_enforce_if(zero)
