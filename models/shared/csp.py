"""For models of python-constraint: forward checking, and how values are written when a search is watched."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import constraint

from models.shared.model import Left
from models.shared.search import View


def hide(domain: Any, value: Any) -> bool:
    """Removes a value from a domain until the search backtracks; False if that empties the domain."""
    if value in domain:
        domain.hideValue(value)
    return bool(domain)


def restrict(domain: Any, value: Any) -> None:
    """Removes all other values from a domain until the search backtracks."""
    for other in domain[:]:
        if other != value:
            domain.hideValue(other)


class Total(constraint.Constraint):  # type: ignore[misc]
    """The values of the variables add up to a number; prunes the bounds of unassigned variables."""

    def __init__(self, total: int):
        self.total = total

    def __call__(
        self,
        variables: Sequence[Any],
        domains: Mapping[Any, Any],
        assignment: Mapping[Any, int],
        forwardcheck: bool = False,
    ) -> bool:
        """False if the total cannot be reached."""
        limits = bounds(variables, domains, assignment)
        return limits is not None and prune_sum(
            variables, self.total, *limits, domains, assignment, forwardcheck
        )


Bounds = dict[Any, int]
"""A bound of the value of each variable."""


def bounds(
    variables: Sequence[Any], domains: Mapping[Any, Any], assignment: Mapping[Any, int]
) -> tuple[Bounds, Bounds] | None:
    """The smallest and the largest value of each variable; None if one has no value left."""
    low: Bounds = {}
    high: Bounds = {}
    for variable in variables:
        if variable in assignment:
            low[variable] = high[variable] = assignment[variable]
        elif domain := domains[variable]:
            low[variable], high[variable] = min(domain), max(domain)
        else:
            return None
    return low, high


def prune_sum(
    variables: Sequence[Any],
    total: int,
    low: Bounds,
    high: Bounds,
    domains: Mapping[Any, Any],
    assignment: Mapping[Any, int],
    forwardcheck: bool,
) -> bool:
    """Whether the variables can add up to the total; when checking forward, prunes each by the others."""
    least, most = sum(map(low.__getitem__, variables)), sum(map(high.__getitem__, variables))
    if not least <= total <= most:
        return False
    for variable in variables if forwardcheck else ():
        if variable not in assignment:
            smallest, largest = total - (most - high[variable]), total - (least - low[variable])
            domain = domains[variable]
            if low[variable] < smallest or high[variable] > largest:
                for value in domain[:]:
                    if not smallest <= value <= largest:
                        domain.hideValue(value)
                if not domain:
                    return False
    return True


def written(signs: Mapping[Any, str]) -> Callable[[Left], View]:
    """The `view` of a model whose variables are the unknowns, and that has values with signs of their own."""
    return lambda left: View({i: [signs.get(value, value) for value in left[i]] for i in left})
