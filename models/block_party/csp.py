"""Block Party for python-constraint.

Integer variables x[i] in D(i), one a cell.
    all different x[i], i in R                               for each region R
    nearest: x[i] = K => no k in closer(i, K) with x[k] = K, and some k in ring(i, K) with x[k] = K
                                                             for each cell i, over all cells that it can reach
"""

from collections.abc import Sequence
from typing import Any

import constraint

from models.block_party.nearest import Around, closer, rings
from models.block_party.puzzle import BlockParty
from models.shared.csp import hide, restrict
from models.shared.grid import Cell
from models.shared.model import Model


class Nearest(constraint.Constraint):  # type: ignore[misc]
    """The nearest other K is at distance K from one cell, once that cell's K is known; forward-checks."""

    def __init__(self, cell: Cell, values: Sequence[int], closer: Around, rings: Around):
        self.cell = cell
        self.closer = {value: closer[cell, value] for value in values}
        self.ring = {value: rings[cell, value] for value in values}

    def scope(self) -> list[Cell]:
        """The cell and all those that its rule can speak of."""
        others = {k for cells in (*self.closer.values(), *self.ring.values()) for k in cells}
        return [self.cell, *sorted(others)]

    def __call__(
        self,
        variables: list[Cell],
        domains: dict[Cell, Any],
        assignment: dict[Cell, int],
        forwardcheck: bool = False,
    ) -> bool:
        """False if the rule is broken for this cell or, when forward checking, cannot be kept any more."""
        value = assignment.get(self.cell)
        if value is None:
            return True
        for k in self.closer[value]:
            if k in assignment:
                if assignment[k] == value:
                    return False
            elif forwardcheck and not hide(domains[k], value):
                return False
        support = [
            k
            for k in self.ring[value]
            if (assignment[k] == value if k in assignment else value in domains[k])
        ]
        if forwardcheck and len(support) == 1 and support[0] not in assignment:
            restrict(domains[support[0]], value)
        return bool(support)


def nearest(puzzle: BlockParty) -> Model:
    """All-different and one nearest-K constraint a cell."""
    problem = constraint.Problem()
    for i in puzzle.cells:
        problem.addVariable(i, list(puzzle.domains[i]))

    # The values in a region differ; with domains 1..k each value is there once.
    for region in puzzle.regions:
        problem.addConstraint(constraint.AllDifferentConstraint(), region)

    # The nearest other K lies at distance K.
    near, ring = closer(puzzle.distance, puzzle.domains), rings(puzzle.distance, puzzle.domains)
    for i in puzzle.cells:
        rule = Nearest(i, puzzle.domains[i], near, ring)
        problem.addConstraint(rule, rule.scope())

    return Model(problem, puzzle.rows)


FORMULATIONS = {"nearest": nearest}
