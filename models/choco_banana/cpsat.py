"""Choco Banana for CP-SAT.

Some cells of a grid are shaded. Of the groups, connected along edges, the shaded ones are rectangles, the
unshaded ones are not, and a number is the size of the group that holds its cell.

Let N(i) be the cells that share an edge with cell i, n(c) the number in cell c, and (groups.py)
    R       the rectangles all of whose numbers, if any, are their area: only these can be groups
    B(r)    the cells outside the rectangle r that share an edge with one of its cells
    C       the cells that can be the first, row by row, with a number in an unshaded group
    D(c)    the cells that this group can have, c in C

All formulations: literals shaded[i]; placed[r], true if the rectangle r in R is a shaded group; group[c][i],
true if cell i is in the unshaded group in which c is the first cell with a number; and loose[i], true if cell
i is in an unshaded group without numbers. A cell with a number has no loose[i].
    shaded[i] <=> exactly one placed[r] over r that has i            for each cell i
    at most one placed[r] over r that has i or k                     for each cell i and k in N(i)
    exactly one of shaded[i], loose[i] and group[c][i] over c in C with i in D(c)       for each cell i
    loose[i] => shaded[k] or loose[k]                                for each cell i and k in N(i)
    group[c][i] => shaded[k] or group[c][k]                          for each c, i in D(c) and k in N(i)
    some i in r with shaded[i], or some k in B(r) with not shaded[k]         for each r in R
    sum of group[c][i] over i in D(c)  = n(c) * group[c][c]          for each c in C
    group[c][i] => group[c][c] and some group[c][k], k in N(i)       for each c and i in D(c) but c

Each group[c] is connected, in three ways:

`ranking`: integers rank[i], the steps from c to cell i through the cells of group[c], 0 for a cell that is in
  none; literals arc[i, k], true if cells i and k are in a group[c] and k is one step further from c than i.
  inside[i] is neither shaded[i] nor loose[i].
    inside[i] and inside[k] <=> exactly one of arc[i, k] and arc[k, i]       for each i and k in N(i)
    arc[i, k] => rank[k] = rank[i] + 1                               for each i and k in N(i)
    inside[i] => group[i][i] or some arc[k, i], k in N(i)            for each cell i
    not inside[i] or group[i][i] => rank[i] = 0                      for each cell i
  Neighbours are never equally far from c, as they have different colours on a chessboard. So all ranks and
  arcs are determined.

`lazy_cuts`: constraints that are added when a solution breaks them. Let P be a connected part of the cells
  of some group that does not have its first cell, and B(P) the cells outside P that share an edge with one
  of P. They are added for all groups at once, as P may be cut off from any.
    group[c][i] => some k in B(P) with group[c][k]                   for each c not in P and i in P

`levels`: literals reached[c, i, d], true if a path of at most d steps through cells of group[c] leads from c
  to cell i, for each c in C, i in D(c) and d < n(c).
    reached[c, c, 0] = group[c][c]
    reached[c, i, d] <=> group[c][i] and reached[c, k, d-1] for k = i or some k in N(i)         for each d > 0
    group[c][i] => reached[c, i, d]                                  for the last d

Constraints: exactly one, at most one, clause, linear; half-reified linear (`ranking`)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ortools.sat.python import cp_model, cp_model_helper

from models.choco_banana.groups import at, border, neighbours, reach, rectangles
from models.choco_banana.puzzle import ChocoBanana
from models.shared.grid import Cell, connected_parts
from models.shared.model import Model, Values, by_name, from_integers

Literals = dict[Cell, cp_model.IntVar]
Flags = dict[Cell, cp_model_helper.Literal]


@dataclass(frozen=True)
class Shading:
    """The constraints that all formulations share, and their variables."""

    model: cp_model.CpModel
    near: dict[Cell, list[Cell]]
    shaded: Literals
    loose: Literals
    group: dict[Cell, Literals]


def ranking(puzzle: ChocoBanana) -> Model:
    """Each cell of a group but the first has a neighbour in it that is one step nearer to the first."""
    shading = _without_connection(puzzle)
    model, group = shading.model, shading.group
    # The cells that can be in an unshaded group with a number.
    cells = {i: None for literals in group.values() for i in literals}
    near = {i: [k for k in shading.near[i] if k in cells] for i in cells}
    outside = {i: [shading.shaded[i], *at(shading.loose, i)] for i in cells}
    most = max((puzzle.numbers[c] for c in group), default=1)
    rank = {i: model.new_int_var(0, most - 1, f"rank{i}") for i in cells}
    arc = {(i, k): model.new_bool_var(f"{i} to {k}") for i in cells for k in near[i]}

    for (i, k), literal in arc.items():
        # An arc leads from a cell of a group to a neighbour in it that is one step further from the first.
        for none in (*outside[i], *outside[k]):
            model.add_implication(literal, ~none)
        model.add(rank[k] == rank[i] + 1).only_enforce_if(literal)
        if i < k:
            # One arc, in one direction, joins two neighbours in a group.
            model.add_bool_or(*outside[i], *outside[k], literal, arc[k, i])
            model.add_at_most_one(literal, arc[k, i])

    for i in cells:
        # Each cell of a group but the first has an arc from a neighbour.
        without = [*outside[i], *at(group.get(i, {}), i)]
        model.add_bool_or(*without, *(arc[k, i] for k in near[i]))

        # The first cell and those in no group have rank 0.
        for zero in without:
            model.add(rank[i] == 0).only_enforce_if(zero)

    return Model(model, from_integers(puzzle, shading.shaded))


def lazy_cuts(puzzle: ChocoBanana) -> Model:
    """A part of a group without its first cell goes on beside it; added for the parts of a solution."""
    shading = _without_connection(puzzle)

    def cuts(part: set[Cell]) -> Iterator[cp_model.BoundedLinearExpression | bool]:
        beside = border(part, shading.near)
        for first, group in shading.group.items():
            if first not in part:
                # A cell of the part is in the group only if a cell beside the part is.
                ways = sum(group[k] for k in beside if k in group)
                yield from (ways >= group[i] for i in sorted(part) if i in group)

    def broken(value: Values) -> Sequence[cp_model.BoundedLinearExpression | bool]:
        return [
            cut
            for first, group in shading.group.items()
            for part in connected_parts(i for i, literal in group.items() if value(literal))
            if first not in part
            for cut in cuts(part)
        ]

    return Model(shading.model, from_integers(puzzle, shading.shaded), lazy=broken)


def levels(puzzle: ChocoBanana) -> Model:
    """Each cell of a group is reached from the first within as many steps as there can be."""
    shading = _without_connection(puzzle)
    model, near = shading.model, shading.near

    for first, group in shading.group.items():
        # The first cell is reached without a step; a cell that is missing here is not reached yet.
        reached: Flags = {first: group[first]}
        for step in range(1, puzzle.numbers[first]):
            before, reached = reached, {}
            for i in group:
                if ways := [before[k] for k in (i, *near[i]) if k in before]:
                    # A cell is reached if it or a neighbour was reached one step before, and only then.
                    literal = reached[i] = model.new_bool_var(f"{i} from {first} in {step}")
                    model.add_implication(literal, group[i])
                    model.add_bool_or(~literal, *ways)
                    for way in ways:
                        model.add_bool_or(~way, ~group[i], literal)

        # Each cell of the group is reached.
        for i, literal in group.items():
            model.add_implication(literal, reached[i])

    return Model(model, from_integers(puzzle, shading.shaded))


def _without_connection(puzzle: ChocoBanana) -> Shading:
    """All but that the groups with a number are connected."""
    model = cp_model.CpModel()
    near = neighbours(puzzle)
    shaded = {i: model.new_bool_var(f"{i} shaded") for i in puzzle.cells}
    loose = {i: model.new_bool_var(f"{i} loose") for i in puzzle.cells if i not in puzzle.numbers}
    group = {c: {i: model.new_bool_var(f"{i} of {c}") for i in cells} for c, cells in reach(puzzle).items()}
    covering: dict[Cell, dict[int, cp_model.IntVar]] = {i: {} for i in puzzle.cells}

    for number, rectangle in enumerate(rectangles(puzzle)):
        placed = model.new_bool_var(f"{rectangle[0]} to {rectangle[-1]} shaded")
        for i in rectangle:
            covering[i][number] = placed

        # Some cell of a rectangle is shaded or some cell beside it is not.
        beside = border(rectangle, near)
        model.add_bool_or(*(shaded[i] for i in rectangle), *(~shaded[k] for k in beside))

    for i in puzzle.cells:
        # A shaded cell is in one rectangle.
        model.add_exactly_one(~shaded[i], *covering[i].values())

        # Two neighbours are in one rectangle at most.
        for k in near[i]:
            if i < k:
                model.add_at_most_one((covering[i] | covering[k]).values())

        # Each cell is shaded, in a group with a number, or in one without.
        numbered = [literals[i] for literals in group.values() if i in literals]
        model.add_exactly_one(shaded[i], *at(loose, i), *numbered)

        # Unshaded neighbours are in the same group.
        for literals in (loose, *group.values()):
            if i in literals:
                for k in near[i]:
                    model.add_bool_or(~literals[i], shaded[k], *at(literals, k))

    for first, literals in group.items():
        # A group has as many cells as its number says.
        model.add(sum(literals.values()) == puzzle.numbers[first] * literals[first])

        # Each cell of it but the first has a neighbour in it.
        for i in literals:
            if i != first:
                model.add_implication(literals[i], literals[first])
                model.add_bool_or(~literals[i], *(literals[k] for k in near[i] if k in literals))

    return Shading(model, near, shaded, loose, group)


FORMULATIONS = by_name(ranking, lazy_cuts, levels)
