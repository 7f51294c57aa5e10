"""Magic hexagon in CPMpy, for any of its solvers.

The numbers start, start + 1, ... go one into each cell of a hexagon with `order` cells on a side, so that
all lines in all three directions have the same sum.

Let D(i) be start..start + n - 1 for each of the n cells i, or the given number alone; S the sum of a line,
that of all numbers divided by 2 order - 1; c1, ..., c6 the corners in the order in which one walks around.

`symmetry_breaking`: x[i] in D(i) for each cell i.
    all different x
    sum of x[i] over i in L  = S                             for each line L
    x[c1] < x[c2], ..., x[c6] and x[c2] < x[c6]              unless numbers are given

`integers`: the same without the order of the corners, which leaves one of 12 symmetric solutions.

Constraints: all different, linear
"""

import cpmpy

from models.magic_hexagon.geometry import corner_order, lines, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.model import Model, by_name, from_integers


def symmetry_breaking(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions."""
    return _model(puzzle, break_symmetry=True)


def integers(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _model(puzzle, break_symmetry=False)


def _model(puzzle: MagicHexagon, break_symmetry: bool) -> Model:
    model = cpmpy.Model()

    # A cell holds one of the numbers, or what is given.
    x = {i: cpmpy.intvar(puzzle.domain(i)[0], puzzle.domain(i)[-1]) for i in puzzle.cells}

    # Each number is placed once.
    model += cpmpy.AllDifferent(list(x.values()))

    # All lines have the same sum.
    for line in lines(puzzle):
        model += cpmpy.sum(x[i] for i in line) * puzzle.diameter == sum(puzzle.values)

    # Of 12 symmetric solutions one is left.
    if break_symmetry:
        model += [x[i] < x[k] for i, k in corner_order(puzzle)]

    return Model(
        model,
        from_integers(puzzle, x),
        decisions=list(x.values()),
        stands_for=stands_for(puzzle) if break_symmetry else 1,
    )


FORMULATIONS = by_name(symmetry_breaking, integers)
