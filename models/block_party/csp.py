"""Block Party for python-constraint; model.md states the constraint program.

`textbook`: with constraints of the library.

`nearest`: with two of its own, which check forward, as an example of what such constraints can do: each of
1..|R| is exactly one x[i], i in R, and for each cell the two rules on distances together.

Constraints: all different, functions (`textbook`); once, nearest (`nearest`)
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import constraint

from models.block_party.neighbourhoods import Neighbourhoods, closer, rings
from models.block_party.puzzle import BlockParty
from models.shared.grid import Cell
from models.shared.model import Model, by_name


class Nearest(constraint.Constraint):  # type: ignore[misc]
    """If one cell holds K, some other K lies at distance exactly K and none closer; checks forward."""

    def __init__(self, cell: Cell, values: Sequence[int], closer: Neighbourhoods, rings: Neighbourhoods):
        self.cell = cell
        self.closer = {value: closer[cell, value] for value in values}
        self.ring = {value: rings[cell, value] for value in values}

    def scope(self) -> list[Cell]:
        """The cell, and all cells in its rings or closer than its values."""
        others = {k for cells in (*self.closer.values(), *self.ring.values()) for k in cells}
        return [self.cell, *sorted(others)]

    def __call__(
        self,
        variables: list[Cell],
        domains: dict[Cell, Any],
        assignment: dict[Cell, int],
        forwardcheck: bool = False,
    ) -> bool:
        """False if the assignment breaks the rule or, when checking forward, leaves no way to keep it."""
        value = assignment.get(self.cell)
        if value is None:
            return not forwardcheck or self.keep_supported(domains, assignment)
        for k in self.closer[value]:
            if k in assignment:
                if assignment[k] == value:
                    return False
            elif forwardcheck and not _hide(domains[k], value):
                return False
        support = list(self.support(value, domains, assignment))
        if forwardcheck and len(support) == 1 and support[0] not in assignment:
            _restrict(domains[support[0]], value)
        return bool(support)

    def support(self, value: int, domains: dict[Cell, Any], assignment: dict[Cell, int]) -> Iterator[Cell]:
        """The cells of the ring that hold the value, or still can."""
        for k in self.ring[value]:
            if assignment[k] == value if k in assignment else value in domains[k]:
                yield k

    def keep_supported(self, domains: dict[Cell, Any], assignment: dict[Cell, int]) -> bool:
        """Removes the values of the cell whose rings no longer support them; False if none is left."""
        domain = domains[self.cell]
        for value in domain[:]:
            if next(self.support(value, domains, assignment), None) is None:
                domain.hideValue(value)
        return bool(domain)


class Once(constraint.Constraint):  # type: ignore[misc]
    """A region of k cells holds each of 1..k once; checks forward by cell and by value."""

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: dict[Cell, Any],
        assignment: dict[Cell, int],
        forwardcheck: bool = False,
    ) -> bool:
        """False if a value occurs twice or, when checking forward, has no cell left."""
        held = [assignment[i] for i in variables if i in assignment]
        if len(set(held)) < len(held):
            return False
        if not forwardcheck:
            return True
        undecided = [i for i in variables if i not in assignment]
        if not all(_hide(domains[i], value) for i in undecided for value in held):
            return False
        for value in set(range(1, len(variables) + 1)).difference(held):
            places = [i for i in undecided if value in domains[i]]
            if not places:
                return False
            if len(places) == 1:
                _restrict(domains[places[0]], value)
        return True


def textbook(puzzle: BlockParty) -> Model:
    """All different, and functions of two cells, or of a cell and those around it."""
    problem = constraint.Problem()

    # Each cell holds one value.
    for i in puzzle.cells:
        problem.addVariable(i, list(puzzle.domains[i]))

    # A region of k cells holds each of 1..k once.
    for region in puzzle.regions:
        problem.addConstraint(constraint.AllDifferentConstraint(), region)

    near, ring = closer(puzzle.distance, puzzle.domains), rings(puzzle.distance, puzzle.domains)
    for i in puzzle.cells:
        # Some other K lies at distance exactly K.
        around = {value: ring[i, value] for value in puzzle.domains[i]}
        others = sorted(set().union(*around.values()))
        problem.addConstraint(partial(_has_another, others, around), [i, *others])

        # No other K lies closer.
        apart = {k: [value for value in puzzle.domains[i] if k in near[i, value]] for k in puzzle.cells}
        for k, values in apart.items():
            if values and i < k:
                problem.addConstraint(partial(_differ, values), [i, k])

    return Model(problem, puzzle.solution)


def _has_another(others: Sequence[Cell], ring: Mapping[int, Sequence[Cell]], value: int, *held: int) -> bool:
    """Whether one of the other cells at that distance holds the value too."""
    at = dict(zip(others, held, strict=True))
    return any(at[k] == value for k in ring[value])


def _differ(values: Sequence[int], one: int, other: int) -> bool:
    """Whether two cells do not hold the same of these values."""
    return one != other or one not in values


def nearest(puzzle: BlockParty) -> Model:
    """One constraint for each region, and one for each cell."""
    problem = constraint.Problem()

    # Each cell holds one value.
    for i in puzzle.cells:
        problem.addVariable(i, list(puzzle.domains[i]))

    # A region of k cells holds each of 1..k once.
    for region in puzzle.regions:
        problem.addConstraint(Once(), region)

    # Some other K lies at distance exactly K. No other K lies closer.
    near, ring = closer(puzzle.distance, puzzle.domains), rings(puzzle.distance, puzzle.domains)
    for i in puzzle.cells:
        rule = Nearest(i, puzzle.domains[i], near, ring)
        problem.addConstraint(rule, rule.scope())

    return Model(problem, puzzle.solution)


def _hide(domain: Any, value: Any) -> bool:
    """Removes a value from a domain until the search backtracks; False if that empties the domain."""
    if value in domain:
        domain.hideValue(value)
    return bool(domain)


def _restrict(domain: Any, value: Any) -> None:
    """Removes all other values from a domain until the search backtracks."""
    for other in domain[:]:
        if other != value:
            domain.hideValue(other)


FORMULATIONS = by_name(textbook, nearest)
