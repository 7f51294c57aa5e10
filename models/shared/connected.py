"""That filled cells are connected, stated once for each library: with a root, which is one of them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from models.shared.grid import Cell, connected_parts

if TYPE_CHECKING:
    import pulp
    from ortools.sat.python import cp_model, cp_model_helper

    from models.shared.cpsat import BulkModel, Literal

Near = Mapping[Cell, Sequence[Cell]]
"""The neighbours of each cell."""


def are_connected(cells: Sequence[Cell], *held: int) -> bool:
    """Whether the cells that hold something are connected, for python-constraint."""
    return len(connected_parts(cell for cell, value in zip(cells, held, strict=True) if value)) <= 1


def steps_for_cpmpy(filled: Mapping[Cell, Any], root: Mapping[Cell, Any], near: Near, far: int) -> list[Any]:
    """For CPMpy: a filled cell is less than `far` steps from the root, an empty one is that far."""
    import cpmpy

    steps = {i: cpmpy.intvar(0, far) for i in near}
    constraints = []
    for i, beside in near.items():
        further = steps[i] == cpmpy.min([far, *(steps[k] for k in beside)]) + 1
        constraints += [(~filled[i]).implies(steps[i] == far), filled[i].implies(steps[i] < far)]
        if i in root:
            constraints += [root[i].implies(steps[i] == 0), (filled[i] & ~root[i]).implies(further)]
        else:
            constraints.append(filled[i].implies(further))
    return constraints


def add_steps(
    model: "cp_model.CpModel",
    filled: "Mapping[Cell, cp_model_helper.Literal]",
    root: "Mapping[Cell, cp_model_helper.Literal]",
    near: Near,
    far: int,
) -> None:
    """Adds the same to a model of CP-SAT."""
    steps = {i: model.new_int_var(0, far, f"steps{i}") for i in near}
    for i in near:
        nearest = model.new_int_var(0, far, "")
        model.add_min_equality(nearest, [far, *(steps[k] for k in near[i])])
        starts = [root[i]] if i in root else []
        model.add(steps[i] == far).only_enforce_if(~filled[i])
        model.add(steps[i] < far).only_enforce_if(filled[i])
        for start in starts:
            model.add(steps[i] == 0).only_enforce_if(start)
        model.add(steps[i] == nearest + 1).only_enforce_if(filled[i], *(~start for start in starts))


def add_ranking(
    model: "BulkModel",
    empty: "Mapping[Cell, Sequence[Literal]]",
    root: "Mapping[Cell, Literal]",
    near: Near,
    most: int,
) -> None:
    """Adds to a model of CP-SAT that each filled cell is connected with a root, at most `most` with one.

    Each but a root has a filled neighbour that is one step nearer to that. A cell is empty if one of its
    literals in `empty` is true.
    """
    rank = {i: model.cp.new_int_var(0, most - 1, f"rank{i}").index for i in near}
    arc = model.new_bool_vars({(i, k): f"{i} to {k}" for i in near for k in near[i]})

    for (i, k), literal in arc.items():
        # An arc leads from a filled cell to a filled neighbour that is one step further from the root.
        for none in (*empty[i], *empty[k]):
            model.add_implication(literal, ~none)
        model.add_sum([(1, rank[k]), (-1, rank[i])], 1, only_if=literal)
        if i < k:
            # One arc, in one direction, joins two filled neighbours.
            model.add_bool_or(*empty[i], *empty[k], literal, arc[k, i])
            model.add_at_most_one(literal, arc[k, i])

    for i in near:
        # Each filled cell but the root has an arc from a neighbour.
        without = [*empty[i], *([root[i]] if i in root else [])]
        model.add_bool_or(*without, *(arc[k, i] for k in near[i]))

        # The root and empty cells have rank 0.
        for zero in without:
            model.add_sum([(1, rank[i])], 0, only_if=zero)


def add_linear_ranking(
    problem: "pulp.LpProblem",
    filled: "Mapping[Cell, pulp.LpAffineExpression]",
    root: "Mapping[Cell, pulp.LpVariable]",
    near: Near,
    most: int,
) -> None:
    """Adds the same as `add_ranking` to a program of PuLP."""
    import pulp

    from models.shared.milp import total

    rank = {i: problem.add_variable(f"rank_{i[0]}_{i[1]}", 0, most - 1, pulp.LpInteger) for i in near}
    arc = {
        (i, k): problem.add_variable(f"arc_{i[0]}_{i[1]}_{k[0]}_{k[1]}", cat=pulp.LpBinary)
        for i in near
        for k in near[i]
    }

    for (i, k), taken in arc.items():
        # An arc leads from a filled cell to a filled neighbour that is one step further from the root.
        problem += total([taken, arc[k, i]]) <= filled[i]
        problem += total([rank[k]], minus=[rank[i]]) + most * (1 - taken) >= 1
        problem += total([rank[k]], minus=[rank[i]]) - most * (1 - taken) <= 1
        if i < k:
            # One arc, in one direction, joins two filled neighbours.
            problem += total([taken, arc[k, i]]) >= filled[i] + filled[k] - 1

    for i in near:
        # Each filled cell but the root has an arc from a neighbour.
        starts = [root[i]] if i in root else []
        problem += total([*starts, *(arc[k, i] for k in near[i])]) >= filled[i]

        # The root and empty cells have rank 0.
        problem += rank[i] <= (most - 1) * filled[i]
        for start in starts:
            problem += rank[i] <= (most - 1) * (1 - start)


def add_flow(
    problem: "pulp.LpProblem",
    filled: "Mapping[Cell, pulp.LpAffineExpression]",
    supply: "Mapping[Cell, pulp.LpAffineExpression]",
    near: Near,
    most: int,
    exactly: bool = True,
) -> None:
    """Adds to a program of PuLP a flow from roots through filled cells, each of which keeps a unit.

    A root supplies `supply` units, its own too, or at most that many if not `exactly`, never over `most`.
    """
    from models.shared.milp import total

    flows = {
        (i, k): problem.add_variable(f"flow_{i[0]}_{i[1]}_{k[0]}_{k[1]}", 0, most - 1)
        for i in near
        for k in near[i]
    }

    # Only filled cells let flow through.
    for ends, amount in flows.items():
        for end in ends:
            problem += amount <= (most - 1) * filled[end]

    # A unit of flow stays in each filled cell; the root supplies all of them.
    for i in near:
        stays = total([flows[k, i] for k in near[i]], minus=[flows[i, k] for k in near[i]]) - filled[i]
        if i not in supply:
            problem += stays == 0
        elif exactly:
            problem += stays + supply[i] == 0
        else:
            problem += stays <= 0
            problem += stays + supply[i] >= 0
