"""For models of python-constraint: a sum, and how values are written when a search is watched."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import constraint

from models.shared.model import Left
from models.shared.puzzle import Sense
from models.shared.search import View

Assigned = Mapping[Any, Any]
Domains = Mapping[Any, Sequence[Any]]


class ExactSum(constraint.ExactSumConstraint):  # type: ignore[misc]
    """The library's, whose preprocessing fails on an empty domain (2.9.0)."""

    def preProcess(self, *arguments: Any) -> None:
        """Ignores that, as there is no solution then."""
        with suppress(ValueError):
            super().preProcess(*arguments)


class Better(constraint.Constraint):  # type: ignore[misc]
    """Branch and bound: holds where the variables may still get a better value than `best`, if known.

    `limit(assigned, left)` is a value that no completion beats, from the values of variables and those that
    all others can still have; once all are assigned, the value itself.
    """

    best: int | None = None

    def __init__(self, sense: Sense, limit: Callable[[Assigned, Domains], int]):
        self.sense, self.limit = sense, limit

    def preProcess(self, *arguments: Any) -> None:
        """Removes nothing: the library would remove the constraint of one variable, which holds at first."""

    def __call__(
        self, variables: Sequence[Any], domains: Domains, assignments: Assigned, *_: Any, **__: Any
    ) -> bool:
        """Whether the limit is better than the best value so far."""
        if self.best is None:
            return True
        assigned = {variable: assignments[variable] for variable in variables if variable in assignments}
        left = {variable: domains[variable] for variable in variables if variable not in assigned}
        return self.sense.better(self.limit(assigned, left), self.best)


def written(signs: Mapping[Any, str]) -> Callable[[Left], View]:
    """The `view` of a model whose variables are the unknowns, and that has values with signs of their own."""
    return lambda left: View({i: [signs.get(value, value) for value in left[i]] for i in left})
