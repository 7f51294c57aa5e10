"""Magic hexagon in CPMpy, for any of its solvers. S is the sum of a line.

`broken`: x[i] in start..start + n - 1 for each of the n cells.
    all different x
    sum of x[i] over i in L  = S                             for each line L
    x[i] = g                                                 for each given
    x[i] < x[k]                                              for each pair of `smaller` in lines.py

`integers` is the same without the last line, and finds all 12.
"""

import cpmpy

from models.magic_hexagon.lines import lines, smaller, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.model import Model


def symmetry_broken(puzzle: MagicHexagon) -> Model:
    """One solution of each 12."""
    return _model(puzzle, broken=True)


def integers(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _model(puzzle, broken=False)


def _model(puzzle: MagicHexagon, broken: bool) -> Model:
    model = cpmpy.Model()
    x = {
        i: cpmpy.intvar(puzzle.givens.get(i, puzzle.values[0]), puzzle.givens.get(i, puzzle.values[-1]))
        for i in puzzle.cells
    }
    model += cpmpy.AllDifferent(list(x.values()))
    for line in lines(puzzle):
        # No sum is whole if the values do not divide evenly; then no line can have it.
        model += cpmpy.sum(x[i] for i in line) * (2 * puzzle.order - 1) == sum(puzzle.values)
    model += [x[i] < x[k] for i, k in (smaller(puzzle) if broken else [])]
    return Model(
        model,
        lambda of: puzzle.rows(lambda i: of(x[i])),
        decisions=list(x.values()),
        stands_for=stands_for(puzzle) if broken else 1,
    )


FORMULATIONS = {"broken": symmetry_broken, "integers": integers}
