"""Block Party for python-constraint; model.md states the constraint program.

`nearest` is an example of a constraint that the library does not have: the two rules on distances together,
for each cell, which check forward.

Constraints: all different, functions (`textbook`), nearest (`nearest`)
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import constraint

from models.block_party.neighbourhoods import closer, rings
from models.block_party.puzzle import BlockParty
from models.shared.grid import Cell
from models.shared.model import Model, by_name

Cells = Mapping[int, Sequence[Cell]]
"""Some cells for each value that a cell can hold."""


def textbook(puzzle: BlockParty) -> Model:
    """All different, and functions of two cells, or of a cell and those around it."""
    problem = _with_regions(puzzle)
    for i, ring, near in _around(puzzle):
        # Some other K lies at distance exactly K.
        others = sorted(set().union(*ring.values()))
        problem.addConstraint(partial(_has_another, others, ring), [i, *others])

        # No other K lies closer.
        apart = {k: [value for value, cells in near.items() if k in cells] for k in puzzle.cells}
        for k, values in apart.items():
            if values and i < k:
                problem.addConstraint(partial(_differ, values), [i, k])

    return Model(problem, puzzle.solution)


def nearest(puzzle: BlockParty) -> Model:
    """One constraint for each region, and one for each cell."""
    problem = _with_regions(puzzle)

    # Some other K lies at distance exactly K. No other K lies closer.
    for i, ring, near in _around(puzzle):
        others = sorted(set().union(*ring.values(), *near.values()))
        problem.addConstraint(Nearest(i, ring, near), [i, *others])

    return Model(problem, puzzle.solution)


class Nearest(constraint.Constraint):  # type: ignore[misc]
    """If one cell holds K, some other K lies at distance exactly K and none closer."""

    def __init__(self, cell: Cell, ring: Cells, near: Cells):
        self.cell, self.ring, self.near = cell, ring, near

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: Mapping[Cell, Any],
        assignment: Mapping[Cell, int],
        forwardcheck: bool = False,
    ) -> bool:
        """Whether the rule can still hold; checking forward, hides values until the search backs up."""

        def supported(value: int) -> bool:
            return any(assignment.get(k, value) == value and value in domains[k] for k in self.ring[value])

        if self.cell not in assignment:
            for value in domains[self.cell][:] if forwardcheck else ():
                if not supported(value):
                    domains[self.cell].hideValue(value)
            return bool(domains[self.cell])
        value = assignment[self.cell]
        for k in self.near[value]:
            if assignment.get(k) == value:
                return False
            if forwardcheck and k not in assignment and value in domains[k]:
                domains[k].hideValue(value)
                if not domains[k]:
                    return False
        return supported(value)


def _with_regions(puzzle: BlockParty) -> constraint.Problem:
    """The constraints that both formulations share."""
    problem = constraint.Problem()

    # Each cell holds one value.
    for i in puzzle.cells:
        problem.addVariable(i, list(puzzle.domains[i]))

    # A region of k cells holds each of 1..k once.
    for region in puzzle.regions:
        problem.addConstraint(constraint.AllDifferentConstraint(), region)

    return problem


def _around(puzzle: BlockParty) -> Iterator[tuple[Cell, Cells, Cells]]:
    """Each cell with its rings and with the cells that are closer."""
    ring, near = rings(puzzle.distance, puzzle.domains), closer(puzzle.distance, puzzle.domains)
    for i in puzzle.cells:
        values = puzzle.domains[i]
        yield i, {value: ring[i, value] for value in values}, {value: near[i, value] for value in values}


def _has_another(others: Sequence[Cell], ring: Cells, value: int, *held: int) -> bool:
    """Whether one of the other cells at that distance holds the value too."""
    at = dict(zip(others, held, strict=True))
    return any(at[k] == value for k in ring[value])


def _differ(values: Sequence[int], one: int, other: int) -> bool:
    """Whether two cells do not hold the same of these values."""
    return one != other or one not in values


FORMULATIONS = by_name(textbook, nearest)
