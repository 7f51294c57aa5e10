"""Choco Banana as an integer program without an objective; model.md states the formulations.

Constraints: linear, flow conservation; set partitioning, set packing (`flow`)
"""

import pulp

from models.choco_banana.groups import Possible, at, border, possible_groups, rectangles
from models.choco_banana.puzzle import ChocoBanana
from models.shared.connected import add_flow
from models.shared.grid import Cell
from models.shared.milp import program, total
from models.shared.model import Model, by_name, from_integers, reasoned


@reasoned(possible_groups)
def flow(puzzle: ChocoBanana, possible: Possible) -> Model:
    """The first cell of a group sends a unit of flow to each other cell of it."""
    problem = program("choco_banana")
    (fitting, reach), near = possible, puzzle.near

    def binary(name: str, *cells: Cell) -> pulp.LpVariable:
        return problem.add_variable(_name(name, *cells), cat=pulp.LpBinary)

    shaded = {i: binary("shaded", i) for i in puzzle.cells}
    loose = {i: binary("loose", i) for i in puzzle.cells if i not in puzzle.numbers}
    group = {c: {i: binary("group", c, i) for i in cells} for c, cells in reach.items()}
    covering: dict[Cell, dict[int, pulp.LpVariable]] = {i: {} for i in puzzle.cells}

    for number, rectangle in enumerate(fitting):
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
        problem += total([shaded[i], *at(loose, i), *(x for of in group.values() for x in at(of, i))]) == 1

        # Unshaded neighbours are in the same group.
        for k in near[i]:
            apart = [placed for number, placed in covering[k].items() if number not in covering[i]]
            for variables in (loose, *group.values()):
                if i in variables:
                    problem += total([*apart, *at(variables, k)], minus=[variables[i]]) >= 0

    for first, variables in group.items():
        # A number is the size of its group.
        problem += total(variables.values()) == puzzle.numbers[first] * variables[first]

        # Each cell of it but the first has a neighbour in it.
        for i in variables:
            if i != first:
                problem += variables[i] <= variables[first]
                problem += total([x for k in near[i] for x in at(variables, k)], minus=[variables[i]]) >= 0

    # The cells that can be in an unshaded group with a number are connected with its first one.
    cells = {i: None for variables in group.values() for i in variables}
    inner = {i: [k for k in near[i] if k in cells] for i in cells}
    inside = {i: 1 - total([shaded[i], *at(loose, i)]) for i in cells}
    supply = {c: puzzle.numbers[c] * variables[c] for c, variables in group.items()}
    add_flow(problem, inside, supply, inner, max((puzzle.numbers[c] for c in group), default=1))

    return Model(problem, from_integers(puzzle, shaded), decisions=list(shaded.values()), integral=True)


def textbook(puzzle: ChocoBanana) -> Model:
    """Each number sends a unit of flow to each other cell of its group."""
    problem = program("choco_banana")
    near = puzzle.near

    # Each cell is shaded or unshaded.
    shaded = {i: problem.add_variable(_name("shaded", i), cat=pulp.LpBinary) for i in puzzle.cells}

    for c, number in puzzle.numbers.items():
        # A number is the size of its group.
        group = {i: problem.add_variable(_name("group", c, i), cat=pulp.LpBinary) for i in puzzle.cells}
        problem += total(group.values()) == number
        problem += group[c] == 1

        flows = {(i, k): problem.add_variable(_name("flow", c, i, k), 0) for i in near for k in near[i]}
        for i in puzzle.cells:
            # The cells of the group have the same colour.
            problem += shaded[i] - shaded[c] <= 1 - group[i]
            problem += shaded[c] - shaded[i] <= 1 - group[i]

            # A unit of flow stays in each cell of it but the first, where all of it comes from.
            if i != c:
                comes = total([flows[k, i] for k in near[i]], minus=[flows[i, k] for k in near[i]])
                problem += comes == group[i]

            for k in near[i]:
                # Only its cells let flow through.
                problem += flows[i, k] <= (number - 1) * group[i]
                problem += flows[i, k] <= (number - 1) * group[k]

                # Neighbours of the same colour are both in it, or both not.
                problem += group[i] - group[k] <= shaded[c] + shaded[k]
                problem += group[i] - group[k] <= 2 - shaded[c] - shaded[k]

    # No 2x2 block has exactly three shaded cells: shaded groups are rectangles.
    for block in puzzle.blocks:
        for last in block:
            problem += total([shaded[i] for i in block if i != last], minus=[shaded[last]]) <= 2

    # Some cell of a rectangle is shaded or some cell beside it is not: unshaded groups are no rectangles.
    for rectangle in rectangles(puzzle):
        beside = [shaded[k] for k in border(rectangle, near)]
        problem += total([shaded[i] for i in rectangle], minus=beside) >= 1 - len(beside)

    return Model(problem, from_integers(puzzle, shaded), decisions=list(shaded.values()), integral=True)


def _name(name: str, *cells: Cell) -> str:
    return "_".join([name, *(f"{row}_{column}" for row, column in cells)])


FORMULATIONS = by_name(flow, textbook)
