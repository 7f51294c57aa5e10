"""Rules on which cells are filled, for models of python-constraint; a cell that is not holds 0."""

from collections.abc import Mapping, Sequence
from typing import Any

import constraint

from models.shared.csp import restrict
from models.shared.grid import Cell

EMPTY = 0
"""The value of an empty cell."""

Domains = Mapping[Any, Any]
Assignment = Mapping[Any, Any]


def possible(variable: Any, domains: Domains, assignment: Assignment) -> Sequence[Any]:
    """The values that a variable can still have."""
    return [assignment[variable]] if variable in assignment else domains[variable]


class NotAllFilled(constraint.Constraint):  # type: ignore[misc]
    """One of the cells is empty; if only one is left for that, forward checking leaves it empty."""

    def __call__(
        self, variables: Sequence[Cell], domains: Domains, assignment: Assignment, forwardcheck: bool = False
    ) -> bool:
        """Returns False if all are filled."""
        places = [i for i in variables if EMPTY in possible(i, domains, assignment)]
        if forwardcheck and len(places) == 1 and places[0] not in assignment:
            restrict(domains[places[0]], EMPTY)
        return bool(places)


class Connected(constraint.Constraint):  # type: ignore[misc]
    """The filled cells are connected; forward checking empties those that no path through others reaches."""

    def __init__(self, near: Mapping[Cell, Sequence[Cell]]):
        self.near = near

    def __call__(
        self, variables: Sequence[Cell], domains: Domains, assignment: Assignment, forwardcheck: bool = False
    ) -> bool:
        """Returns False if the cells that may be filled no longer connect those that are."""
        start = next((i for i in variables if EMPTY not in possible(i, domains, assignment)), None)
        if start is None:
            return True
        may_be_filled = {i for i in variables if any(possible(i, domains, assignment))}
        may_be_filled.discard(start)
        reached = [start]
        for i in reached:
            more = [k for k in self.near[i] if k in may_be_filled]
            may_be_filled.difference_update(more)
            reached += more
        for i in may_be_filled:
            if EMPTY not in possible(i, domains, assignment):
                return False
            if forwardcheck and i not in assignment:
                restrict(domains[i], EMPTY)
        return True
