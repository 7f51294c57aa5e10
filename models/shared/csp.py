"""Forward checking for constraints of python-constraint."""

from collections.abc import Mapping, Sequence
from typing import Any

import constraint


def hide(domain: Any, value: Any) -> bool:
    """Takes a value out of a domain until the search backs up; False if that empties the domain."""
    if value in domain:
        domain.hideValue(value)
    return bool(domain)


def restrict(domain: Any, value: Any) -> None:
    """Takes all other values out of a domain until the search backs up."""
    for other in domain[:]:
        if other != value:
            domain.hideValue(other)


class Total(constraint.Constraint):  # type: ignore[misc]
    """The values of the variables add up to a number; prunes the bounds of what is not assigned yet."""

    def __init__(self, total: int):
        self.total = total

    def __call__(
        self,
        variables: Sequence[Any],
        domains: Mapping[Any, Any],
        assignment: Mapping[Any, int],
        forwardcheck: bool = False,
    ) -> bool:
        """False if the total cannot be reached any more."""
        missing = self.total
        low: dict[Any, int] = {}
        high: dict[Any, int] = {}
        for variable in variables:
            if variable in assignment:
                missing -= assignment[variable]
            elif domain := domains[variable]:
                low[variable], high[variable] = min(domain), max(domain)
            else:
                return False
        if not low:
            return missing == 0
        least, most = sum(low.values()), sum(high.values())
        if not least <= missing <= most:
            return False
        if forwardcheck:
            for variable in low:
                smallest = missing - (most - high[variable])
                largest = missing - (least - low[variable])
                domain = domains[variable]
                for value in domain[:]:
                    if not smallest <= value <= largest:
                        domain.hideValue(value)
                if not domain:
                    return False
        return True
