"""Choco Banana in CPMpy, for any of its solvers.

Some cells of a grid are shaded. Of the groups, connected along edges, the shaded ones are rectangles, the
unshaded ones are not, and a number is the size of the group that holds its cell.

Let N(i) be the cells that share an edge with cell i, n(c) the number in cell c, and (groups.py)
    R       the rectangles all of whose numbers, if any, are their area: only these can be groups
    B(r)    the cells outside the rectangle r that share an edge with one of its cells
    C       the cells that can be the first, row by row, with a number in an unshaded group
    D(c)    the cells that this group can have, c in C

`ranking`: literals shaded[i]; placed[r], true if the rectangle r in R is a shaded group; group[c][i], true if
  cell i is in the unshaded group in which c is the first cell with a number; loose[i], true if cell i is in
  an unshaded group without numbers; and arc[i, k], true if cells i and k are in a group[c] and k is one step
  further from c than i; integers rank[i], the steps from c to cell i through the cells of group[c], 0 for a
  cell that is in none. A cell with a number has no loose[i]; inside[i] is neither shaded[i] nor loose[i].
    shaded[i] <=> exactly one placed[r] over r that has i            for each cell i
    at most one placed[r] over r that has i or k                     for each cell i and k in N(i)
    exactly one of shaded[i], loose[i] and group[c][i] over c in C with i in D(c)       for each cell i
    loose[i] => shaded[k] or loose[k]                                for each cell i and k in N(i)
    group[c][i] => shaded[k] or group[c][k]                          for each c, i in D(c) and k in N(i)
    some i in r with shaded[i], or some k in B(r) with not shaded[k]         for each r in R
    sum of group[c][i] over i in D(c)  = n(c) * group[c][c]          for each c in C
    group[c][i] => group[c][c] and some group[c][k], k in N(i)       for each c and i in D(c) but c
  Each group[c] is connected:
    inside[i] and inside[k] <=> exactly one of arc[i, k] and arc[k, i]       for each i and k in N(i)
    arc[i, k] => rank[k] = rank[i] + 1                               for each i and k in N(i)
    inside[i] => group[i][i] or some arc[k, i], k in N(i)            for each cell i
    not inside[i] or group[i][i] => rank[i] = 0                      for each cell i
  Neighbours are never equally far from c, as they have different colours on a chessboard. So all ranks and
  arcs are determined.

Constraints: linear, clause, half-reified linear
"""

from typing import Any

import cpmpy

from models.choco_banana.groups import at, border, neighbours, reach, rectangles
from models.choco_banana.puzzle import ChocoBanana
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers

Literals = dict[Cell, Any]


def ranking(puzzle: ChocoBanana) -> Model:
    """Each cell of a group but the first has a neighbour in it that is one step nearer to the first."""
    model = cpmpy.Model()
    near = neighbours(puzzle)
    shaded = {i: cpmpy.boolvar() for i in puzzle.cells}
    loose = {i: cpmpy.boolvar() for i in puzzle.cells if i not in puzzle.numbers}
    group = {c: {i: cpmpy.boolvar() for i in cells} for c, cells in reach(puzzle).items()}
    covering: dict[Cell, dict[int, Any]] = {i: {} for i in puzzle.cells}

    for number, rectangle in enumerate(rectangles(puzzle)):
        placed = cpmpy.boolvar()
        for i in rectangle:
            covering[i][number] = placed

        # Some cell of a rectangle is shaded or some cell beside it is not.
        beside = border(rectangle, near)
        model += cpmpy.any([*(shaded[i] for i in rectangle), *(~shaded[k] for k in beside)])

    for i in puzzle.cells:
        # A shaded cell is in one rectangle.
        model += cpmpy.sum(covering[i].values()) == shaded[i]

        # Two neighbours are in one rectangle at most.
        for k in near[i]:
            if i < k:
                model += cpmpy.sum((covering[i] | covering[k]).values()) <= 1

        # Each cell is shaded, in a group with a number, or in one without.
        numbered = [literals[i] for literals in group.values() if i in literals]
        model += cpmpy.sum([shaded[i], *at(loose, i), *numbered]) == 1

        # Unshaded neighbours are in the same group.
        for literals in (loose, *group.values()):
            if i in literals:
                for k in near[i]:
                    model += literals[i].implies(cpmpy.any([shaded[k], *at(literals, k)]))

    for first, literals in group.items():
        # A group has as many cells as its number says.
        model += cpmpy.sum(literals.values()) == puzzle.numbers[first] * literals[first]

        # Each cell of it but the first has a neighbour in it.
        for i in literals:
            if i != first:
                model += literals[i].implies(literals[first])
                model += literals[i].implies(cpmpy.any(literals[k] for k in near[i] if k in literals))

    # The cells that can be in an unshaded group with a number.
    cells = {i: None for literals in group.values() for i in literals}
    outside = {i: [shaded[i], *at(loose, i)] for i in cells}
    most = max((puzzle.numbers[c] for c in group), default=1)
    rank = {i: cpmpy.intvar(0, most - 1) for i in cells}
    arc = {(i, k): cpmpy.boolvar() for i in cells for k in near[i] if k in cells}
    for (i, k), literal in arc.items():
        # An arc leads from a cell of a group to a neighbour in it that is one step further from the first.
        model += literal.implies(cpmpy.all(~none for none in (*outside[i], *outside[k])))
        model += literal.implies(rank[k] == rank[i] + 1)
        if i < k:
            # One arc, in one direction, joins two neighbours in a group.
            model += cpmpy.any([*outside[i], *outside[k], literal, arc[k, i]])
            model += ~literal | ~arc[k, i]

    for i in cells:
        # Each cell of a group but the first has an arc from a neighbour.
        without = [*outside[i], *at(group.get(i, {}), i)]
        model += cpmpy.any([*without, *(arc[k, i] for k in near[i] if k in cells)])

        # The first cell and those in no group have rank 0.
        model += cpmpy.any(without).implies(rank[i] == 0)

    return Model(model, from_integers(puzzle, shaded), decisions=list(shaded.values()))


FORMULATIONS = by_name(ranking)
