"""For models of python-constraint: a sum, and how values are written when a search is watched."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import constraint

from models.shared.model import Left
from models.shared.search import View


class ExactSum(constraint.ExactSumConstraint):  # type: ignore[misc]
    """The library's, whose preprocessing fails on an empty domain (2.9.0)."""

    def preProcess(self, *arguments: Any) -> None:
        """Ignores that, as there is no solution then."""
        with suppress(ValueError):
            super().preProcess(*arguments)


def written(signs: Mapping[Any, str]) -> Callable[[Left], View]:
    """The `view` of a model whose variables are the unknowns, and that has values with signs of their own."""
    return lambda left: View({i: [signs.get(value, value) for value in left[i]] for i in left})
