"""For models of python-constraint: forward checking, and how values are written when a search is watched."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import constraint

from models.shared.bits import least
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


Bits = dict[Any, int]
"""The values that each variable can still have, as a set of bits."""

Rule = Callable[[Bits], Mapping[Any, int]]
"""Returns what a rule leaves to the variables, or some of them; nothing to any if it cannot hold."""


class Fixpoint(constraint.Constraint):  # type: ignore[misc]
    """All rules of a puzzle, propagated until nothing changes; what they refute is pruned.

    The library checks each constraint once after an assignment, although what one prunes lets another prune
    more.
    """

    def __init__(self, bit: Mapping[Any, int], rules: Sequence[tuple[Iterable[Any], Rule]]):
        """Takes the bit of each value, and the rules, quick ones first, with the variables they look at."""
        self.bit = bit
        self.rules = [rule for _, rule in rules]
        self.rules_of: dict[Any, int] = {}
        for number, (scope, _) in enumerate(rules):
            for variable in scope:
                self.rules_of[variable] = self.rules_of.get(variable, 0) | 1 << number

    def propagate(self, left: Bits, waiting: int) -> bool:
        """Propagates the rules of these numbers, and those of what changes; False on a contradiction."""
        while waiting:
            number = least(waiting)
            waiting ^= 1 << number
            for variable, allowed in self.rules[number](left).items():
                before = left[variable]
                if kept := before & allowed:
                    if kept != before:
                        left[variable] = kept
                        waiting |= self.rules_of[variable]
                else:
                    return False
        return True

    def bits(self, values: Iterable[Any]) -> int:
        """The values as a set of bits."""
        return sum(map(self.bit.__getitem__, values))

    def preProcess(
        self, variables: Sequence[Any], domains: Mapping[Any, Any], constraints: Any, vconstraints: Any
    ) -> None:
        """Removes what propagation refutes before the search; empties a domain if that is all."""
        left = {variable: self.bits(domains[variable]) for variable in variables}
        consistent = self.propagate(left, (1 << len(self.rules)) - 1)
        for variable, bits in left.items():
            domain = domains[variable]
            domain[:] = [value for value in domain if self.bit[value] & bits] if consistent else []

    def __call__(
        self,
        variables: Sequence[Any],
        domains: Mapping[Any, Any],
        assignment: Mapping[Any, Any],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if propagation refutes the assignment."""
        # A search that checks forward has pruned before its last assignment, so that only this is new.
        last = next(reversed(assignment))
        if forwardcheck and len(domains[last]) == 1:
            return True
        before = {
            variable: self.bits([assignment[variable]] if variable in assignment else domains[variable])
            for variable in variables
        }
        left = before.copy()
        if not self.propagate(left, self.rules_of[last] if forwardcheck else (1 << len(self.rules)) - 1):
            return False
        for variable in variables if forwardcheck else ():
            if left[variable] != before[variable]:
                domain = domains[variable]
                for value in domain[:]:
                    if not self.bit[value] & left[variable]:
                        domain.hideValue(value)
        return True


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
