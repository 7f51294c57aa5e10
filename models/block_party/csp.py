"""Block Party for python-constraint.

A grid is cut into regions; one of k cells holds each of 1..k once. For every number K in the grid, the
nearest other K lies at distance exactly K: in taxicab distance, or along the same row or column only.

`shaving`: integers x[i] in D(i), the values that cell i can hold.
    rules: all of them, for all x[i]
  They are propagated to a fixpoint, and values that this refutes on trial are removed (narrowing.py): before
  the search from all cells, at its nodes from those that are close to a change.

`nearest`: integers x[i] in D(i). Among the cells that can hold K let (neighbourhoods.py)
    ring(i, K)      be those at distance exactly K from i
    closer(i, K)    be those at distance 1..K-1 from i
    once: each of 1..|R| is exactly one x[i], i in R         for each region R
    nearest: x[i] = K => some k in ring(i, K) with x[k] = K
             and no k in closer(i, K) with x[k] = K          for each cell i

Constraints: rules, once, nearest (written for this puzzle; all check forward)
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import constraint

from models.block_party.narrowing import Rules, State
from models.block_party.neighbourhoods import Neighbourhoods, closer, rings
from models.block_party.puzzle import BlockParty
from models.shared.csp import hide, restrict
from models.shared.grid import Cell
from models.shared.model import Model, by_name


class Consistent(constraint.Constraint):  # type: ignore[misc]
    """All rules hold; forward checking removes the values that they, or trials of values, refute."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.last: State | None = None

    def preProcess(
        self, variables: Sequence[Cell], domains: Mapping[Cell, Any], constraints: Any, vconstraints: Any
    ) -> None:
        """Removes what is refuted before the search; empties a domain if that is all."""
        state = self.rules.state(domains)
        consistent = self.rules.narrow(state) and self.rules.shave(state, self.rules.all)
        for i, values in self.rules.domains(state).items():
            domains[i][:] = values if consistent else []

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: Mapping[Cell, Any],
        assignment: Mapping[Cell, int],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if the rules cannot hold."""
        before = self.rules.state({i: [assignment[i]] if i in assignment else domains[i] for i in variables})
        if self.last and before.holders == self.last.holders:
            return True
        state = before.copy()
        if not self.rules.narrow(state):
            return False
        if not forwardcheck:
            return True
        if not self.rules.shave(state, self.rules.close_to(state.changed(before))):
            return False
        self.last = state
        for i, values in self.rules.domains(state).items():
            for value in domains[i][:] if i not in assignment else ():
                if value not in values:
                    domains[i].hideValue(value)
        return True


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
            elif forwardcheck and not hide(domains[k], value):
                return False
        support = list(self.support(value, domains, assignment))
        if forwardcheck and len(support) == 1 and support[0] not in assignment:
            restrict(domains[support[0]], value)
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
        if not all(hide(domains[i], value) for i in undecided for value in held):
            return False
        for value in set(range(1, len(variables) + 1)).difference(held):
            places = [i for i in undecided if value in domains[i]]
            if not places:
                return False
            if len(places) == 1:
                restrict(domains[places[0]], value)
        return True


def shaving(puzzle: BlockParty) -> Model:
    """One constraint."""
    problem = constraint.Problem()

    # Each cell holds one value.
    for i in puzzle.cells:
        problem.addVariable(i, list(puzzle.domains[i]))

    # A region of k cells holds each of 1..k once. The nearest other K lies at distance exactly K.
    problem.addConstraint(Consistent(Rules(puzzle)), puzzle.cells)

    return Model(problem, puzzle.solution)


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


FORMULATIONS = by_name(shaving, nearest)
