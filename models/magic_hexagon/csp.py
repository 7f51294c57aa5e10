"""Magic hexagon for python-constraint.

The numbers start, start + 1, ... go one into each cell of a hexagon with `order` cells on a side, so that
all lines in all three directions have the same sum.

Let D(i) be start..start + n - 1 for each of the n cells i, or the given number alone; S the sum of a line,
that of all numbers divided by 2 order - 1; c1, ..., c6 the corners in the order in which one walks around.

`opposites`: `symmetry_breaking`, and if S = 0 a variable that comes first: `opposed`, true before false, says
    whether x[opposite(i)] = -x[i] for each cell i and the one on the other side of the middle. Such
    hexagons are found much sooner, as half of the lines follow from the others.

`symmetry_breaking`: x[i] in D(i) for each cell i.
    all different x
    sum of x[i] over i in L  = S                             for each line L
    x[c1] < x[c2], ..., x[c6] and x[c2] < x[c6]              unless numbers are given

`integers`: the same without the order of the corners, which leaves one of 12 symmetric solutions.

Constraints: all different, sum, less than
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import lt
from typing import Any

import constraint

from models.magic_hexagon.geometry import corner_order, lines, stands_for
from models.magic_hexagon.geometry import opposites as opposite_cells
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.csp import Total, restrict
from models.shared.grid import Cell
from models.shared.model import Left, Model, by_name
from models.shared.search import View

OPPOSED = "opposed"
"""The variable that says whether all opposite cells hold opposite numbers."""


class Opposed(constraint.Constraint):  # type: ignore[misc]
    """All opposite cells hold opposite numbers, or not, as OPPOSED says."""

    def __init__(self, opposite: Mapping[Cell, Cell]):
        self.opposite = opposite

    def __call__(
        self,
        variables: Sequence[Any],
        domains: Mapping[Any, Any],
        x: Mapping[Any, int],
        forwardcheck: bool = False,
    ) -> bool:
        """False if that is broken."""
        if OPPOSED not in x:
            return True
        if not x[OPPOSED]:
            return len(x) < len(variables) or any(x[i] != -x[k] for i, k in self.opposite.items())
        for i, k in self.opposite.items():
            if i in x and k in x and x[i] != -x[k]:
                return False
            if i in x and k not in x and forwardcheck:
                restrict(domains[k], -x[i])
                if not domains[k]:
                    return False
        return True


def opposites(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions; opposite numbers in opposite cells first."""
    model = symmetry_breaking(puzzle)
    if puzzle.line_sum != 0:
        return model

    # Do opposite cells hold opposite numbers?
    model.problem.addVariable(OPPOSED, [True, False])
    model.problem.addConstraint(Opposed(opposite_cells(puzzle)), [OPPOSED, *puzzle.cells])

    def view(left: Left) -> View:
        cells = {i: left[i] for i in left if i != OPPOSED}
        return View(cells, notes=[f"opposed: {' or '.join(map(str, left.get(OPPOSED, ())))}"])

    return replace(model, view=view)


def symmetry_breaking(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions."""
    return _model(puzzle, break_symmetry=True)


def integers(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _model(puzzle, break_symmetry=False)


def _model(puzzle: MagicHexagon, break_symmetry: bool) -> Model:
    problem = constraint.Problem()

    # A cell holds one of the numbers, or what is given.
    for i in puzzle.cells:
        problem.addVariable(i, list(puzzle.domain(i)))

    # Each number is placed once.
    problem.addConstraint(constraint.AllDifferentConstraint(), puzzle.cells)

    # All lines have the same sum. If the numbers allow none, it is one that no line reaches.
    # The library's ExactSumConstraint raises an error where its preprocessing empties a domain (2.9.0).
    line_sum = sum(map(abs, puzzle.values)) + 1 if puzzle.line_sum is None else puzzle.line_sum
    for line in lines(puzzle):
        problem.addConstraint(Total(line_sum), line)

    # Of 12 symmetric solutions one is left.
    if break_symmetry:
        for i, k in corner_order(puzzle):
            problem.addConstraint(constraint.FunctionConstraint(lt), [i, k])

    return Model(problem, puzzle.solution, stands_for=stands_for(puzzle) if break_symmetry else 1)


FORMULATIONS = by_name(opposites, symmetry_breaking, integers)
