"""Choco Banana as an integer program without an objective.

Some cells of a grid are shaded. Of the groups, connected along edges, the shaded ones are rectangles, the
unshaded ones are not, and a number is the size of the group that holds its cell.

Let N(i) be the cells that share an edge with cell i, n(c) the number in cell c, and (groups.py)
    R       the rectangles all of whose numbers, if any, are their area: only these can be groups
    B(r)    the cells outside the rectangle r that share an edge with one of its cells
    C       the cells that can be the first, row by row, with a number in an unshaded group
    D(c)    the cells that this group can have, c in C
m is the largest n(c), c in C.

All formulations: the binary variable placed[r] is 1 if the rectangle r in R is a shaded group, shaded[i] if
cell i is shaded, group[c][i] if cell i is in the unshaded group in which c is the first cell with a number,
loose[i] if cell i is in an unshaded group without numbers. A cell with a number has no loose[i].
    shaded[i] = sum of placed[r] over r that has i                   for each cell i
    sum of placed[r] over r that has i or k  <= 1                    for each cell i and k in N(i)
    shaded[i] + loose[i] + sum of group[c][i] over c in C with i in D(c)  = 1           for each cell i
    loose[i] <= loose[k] + sum of placed[r] over r that has k, not i         for each cell i and k in N(i)
    group[c][i] <= group[c][k] + the same sum                        for each c, i in D(c) and k in N(i)
    sum of shaded[i] over i in r + sum of 1 - shaded[k] over k in B(r)  >= 1            for each r in R
    sum of group[c][i] over i in D(c)  = n(c) * group[c][c]          for each c in C
    group[c][i] <= group[c][c],  group[c][i] <= sum of group[c][k] over k in N(i)       for each c and i but c

Each group[c] is connected, in two ways:

`flow`: c sends a unit of flow to each other cell of its group, through its cells. The continuous variable
  flow[i, k] >= 0 is what flows from cell i to cell k.
    flow[i, k] <= (m-1) * (1 - shaded[i] - loose[i]), and the same with k    for each i and k in N(i)
    sum of flow[k, i] - sum of flow[i, k] over k in N(i)  = 1 - shaded[i] - loose[i] - n(i) * group[i][i]
                                                                     for each cell i
  Flow does not get from one group to another, as unshaded neighbours are in the same one.

`lazy_cuts`: constraints that are added when a solution breaks them. Let P be a connected part of the cells
  of some group that does not have its first cell, and B(P) the cells outside P that share an edge with one
  of P. They are added for all groups at once, as P may be cut off from any.
    group[c][i] <= sum of group[c][k] over k in B(P)                 for each c not in P and i in P

The flow is not determined: solutions are told apart by shaded.

Constraints: set partitioning, set packing, linear; flow conservation (`flow`)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pulp

from models.choco_banana.groups import at, border, neighbours, reach, rectangles
from models.choco_banana.puzzle import ChocoBanana
from models.shared.grid import Cell, connected_parts
from models.shared.milp import total
from models.shared.model import Model, Values, by_name, from_integers

Variables = dict[Cell, pulp.LpVariable]


@dataclass(frozen=True)
class Shading:
    """The constraints that all formulations share, and their variables."""

    problem: pulp.LpProblem
    near: dict[Cell, list[Cell]]
    shaded: Variables
    loose: Variables
    group: dict[Cell, Variables]


def flow(puzzle: ChocoBanana) -> Model:
    """The first cell of a group sends a unit of flow to each other cell of it."""
    shading = _without_connection(puzzle)
    problem, group = shading.problem, shading.group
    # The cells that can be in an unshaded group with a number.
    cells = {i: None for variables in group.values() for i in variables}
    near = {i: [k for k in shading.near[i] if k in cells] for i in cells}
    inside = {i: 1 - total([shading.shaded[i], *at(shading.loose, i)]) for i in cells}
    most = max((puzzle.numbers[c] for c in group), default=1)
    flows = {(i, k): problem.add_variable(_name("flow", i, k), 0, most - 1) for i in cells for k in near[i]}

    # Only cells of groups let flow through.
    for ends, amount in flows.items():
        for end in ends:
            problem += amount <= (most - 1) * inside[end]

    # A unit of flow stays in each cell of a group but the first, where all of it comes from.
    for i in cells:
        stays = total([flows[k, i] for k in near[i]], minus=[flows[i, k] for k in near[i]])
        comes = puzzle.numbers[i] * group[i][i] if i in group else 0
        problem += stays + comes == inside[i]

    decisions = list(shading.shaded.values())
    return Model(problem, from_integers(puzzle, shading.shaded), decisions, integral=True)


def lazy_cuts(puzzle: ChocoBanana) -> Model:
    """A part of a group without its first cell goes on beside it; added for the parts of a solution."""
    shading = _without_connection(puzzle)

    def cuts(part: set[Cell]) -> Iterator[pulp.LpConstraint]:
        beside = border(part, shading.near)
        for first, group in shading.group.items():
            if first not in part:
                # A cell of the part is in the group only if a cell beside the part is.
                ways = [group[k] for k in beside if k in group]
                yield from (total(ways, minus=[group[i]]) >= 0 for i in sorted(part) if i in group)

    def broken(value: Values) -> Sequence[pulp.LpConstraint]:
        return [
            cut
            for first, group in shading.group.items()
            for part in connected_parts(i for i, variable in group.items() if value(variable))
            if first not in part
            for cut in cuts(part)
        ]

    decisions = list(shading.shaded.values())
    return Model(shading.problem, from_integers(puzzle, shading.shaded), decisions, lazy=broken)


def _without_connection(puzzle: ChocoBanana) -> Shading:
    """All but that the groups with a number are connected."""
    problem = pulp.LpProblem("choco_banana")
    problem += 0
    near = neighbours(puzzle)

    def binary(name: str, *cells: Cell) -> pulp.LpVariable:
        return problem.add_variable(_name(name, *cells), cat=pulp.LpBinary)

    shaded = {i: binary("shaded", i) for i in puzzle.cells}
    loose = {i: binary("loose", i) for i in puzzle.cells if i not in puzzle.numbers}
    group = {c: {i: binary("group", c, i) for i in cells} for c, cells in reach(puzzle).items()}
    covering: dict[Cell, dict[int, pulp.LpVariable]] = {i: {} for i in puzzle.cells}

    for number, rectangle in enumerate(rectangles(puzzle)):
        placed = binary("placed", rectangle[0], rectangle[-1])
        for i in rectangle:
            covering[i][number] = placed

        # Some cell of a rectangle is shaded or some cell beside it is not.
        beside = [shaded[k] for k in border(rectangle, near)]
        problem += total([shaded[i] for i in rectangle], minus=beside) >= 1 - len(beside)

    for i in puzzle.cells:
        # A shaded cell is in one rectangle.
        problem += total(covering[i].values(), minus=[shaded[i]]) == 0

        # Two neighbours are in one rectangle at most.
        for k in near[i]:
            if i < k:
                problem += total((covering[i] | covering[k]).values()) <= 1

        # Each cell is shaded, in a group with a number, or in one without.
        numbered = [variables[i] for variables in group.values() if i in variables]
        problem += total([shaded[i], *at(loose, i), *numbered]) == 1

        # Unshaded neighbours are in the same group.
        for k in near[i]:
            apart = [placed for number, placed in covering[k].items() if number not in covering[i]]
            for variables in (loose, *group.values()):
                if i in variables:
                    problem += total([*apart, *at(variables, k)], minus=[variables[i]]) >= 0

    for first, variables in group.items():
        # A group has as many cells as its number says.
        problem += total(variables.values()) == puzzle.numbers[first] * variables[first]

        # Each cell of it but the first has a neighbour in it.
        for i in variables:
            if i != first:
                problem += variables[i] <= variables[first]
                beside = [variables[k] for k in near[i] if k in variables]
                problem += total(beside, minus=[variables[i]]) >= 0

    return Shading(problem, near, shaded, loose, group)


def _name(name: str, *cells: Cell) -> str:
    return "_".join([name, *(f"{row}_{column}" for row, column in cells)])


FORMULATIONS = by_name(flow, lazy_cuts)
