"""Choco Banana for CP-SAT; model.md states the formulations.

Reified constraints need literals, so in `textbook` each equality is channelled to one.

Constraints: linear, clause, half-reified linear; exactly one, at most one (`ranking`)
"""

from ortools.sat.python import cp_model

from models.choco_banana.groups import Possible, at, border, possible_groups, rectangles
from models.choco_banana.puzzle import ChocoBanana
from models.shared.connected import add_ranking
from models.shared.cpsat import BulkModel, Literal, equal
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers, reasoned


@reasoned(possible_groups)
def ranking(puzzle: ChocoBanana, possible: Possible) -> Model:
    """Each cell of a group but the first has a neighbour in it that is one step nearer to the first."""
    model = BulkModel()
    (fitting, reach), near = possible, puzzle.near
    shaded = model.new_bool_vars({i: f"{i} shaded" for i in puzzle.cells})
    loose = model.new_bool_vars({i: f"{i} loose" for i in puzzle.cells if i not in puzzle.numbers})
    group = {c: model.new_bool_vars({i: f"{i} of {c}" for i in cells}) for c, cells in reach.items()}
    unshaded = {i: [of for of in (loose, *group.values()) if i in of] for i in puzzle.cells}
    placed = model.new_bool_vars({n: f"{r[0]} to {r[-1]} shaded" for n, r in enumerate(fitting)})
    covering: dict[Cell, dict[int, Literal]] = {i: {} for i in puzzle.cells}

    for number, rectangle in enumerate(fitting):
        for i in rectangle:
            covering[i][number] = placed[number]

        # Some cell of a rectangle is shaded or some cell beside it is not.
        model.add_bool_or(*[shaded[i] for i in rectangle], *[~shaded[k] for k in border(rectangle, near)])

    for i in puzzle.cells:
        # A shaded cell is in one rectangle.
        model.add_exactly_one(~shaded[i], *covering[i].values())

        # Two neighbours are in one rectangle at most.
        for k in near[i]:
            if i < k:
                model.add_at_most_one(*(covering[i] | covering[k]).values())

        # Each cell is shaded, in a group with a number, or in one without.
        model.add_exactly_one(shaded[i], *(literals[i] for literals in unshaded[i]))

        # Unshaded neighbours are in the same group.
        for literals in unshaded[i]:
            for k in near[i]:
                model.add_bool_or(~literals[i], shaded[k], *at(literals, k))

    for first, literals in group.items():
        # A number is the size of its group.
        model.add_sum([*((1, x) for x in literals.values()), (-puzzle.numbers[first], literals[first])], 0)

        # Each cell of it but the first has a neighbour in it.
        for i in literals:
            if i != first:
                model.add_implication(literals[i], literals[first])
                model.add_bool_or(~literals[i], *[literals[k] for k in near[i] if k in literals])

    # The cells that can be in an unshaded group with a number are connected with its first one.
    cells = {i: None for literals in group.values() for i in literals}
    inner = {i: [k for k in near[i] if k in cells] for i in cells}
    outside = {i: [shaded[i], *at(loose, i)] for i in cells}
    roots = {c: literals[c] for c, literals in group.items()}
    add_ranking(model, outside, roots, inner, max((puzzle.numbers[c] for c in group), default=1))

    return model.as_model(from_integers(puzzle, shaded))


def textbook(puzzle: ChocoBanana) -> Model:
    """Integers for the steps from each number to each cell of its group."""
    model, near = cp_model.CpModel(), puzzle.near

    # Each cell is shaded or unshaded.
    shaded = {i: model.new_bool_var(f"{i} shaded") for i in puzzle.cells}
    same = {(i, k): equal(model, shaded[i], shaded[k]) for i in puzzle.cells for k in near[i]}

    for c, number in puzzle.numbers.items():
        # A number is the size of its group: cells outside are taken for number + 1 steps away.
        step = {i: model.new_int_var(0, number + 1, f"{c} to {i}") for i in puzzle.cells}
        outside = {i: equal(model, step[i], number + 1) for i in puzzle.cells}
        model.add(sum(outside.values()) == puzzle.size - number)
        model.add(step[c] == 0)

        for i in puzzle.cells:
            # The cells of the group have the same colour.
            model.add(shaded[i] == shaded[c]).only_enforce_if(~outside[i])

            # Each cell of it but the first has a neighbour in it that is one step nearer.
            if i != c:
                model.add_bool_or(outside[i], *(equal(model, step[k], step[i] - 1) for k in near[i]))

            # Neighbours of the same colour are both in it, at most a step apart, or both not.
            for k in near[i]:
                model.add(step[k] <= step[i] + 1).only_enforce_if(same[i, k])

    # No 2x2 block has exactly three shaded cells: shaded groups are rectangles.
    for block in puzzle.blocks:
        model.add(sum(shaded[i] for i in block) != 3)

    # Some cell of a rectangle is shaded or some cell beside it is not: unshaded groups are no rectangles.
    for rectangle in rectangles(puzzle):
        model.add_bool_or(*(shaded[i] for i in rectangle), *(~shaded[k] for k in border(rectangle, near)))

    return Model(model, from_integers(puzzle, shaded))


FORMULATIONS = by_name(ranking, textbook)
