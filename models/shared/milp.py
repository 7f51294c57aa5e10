"""Linear expressions for PuLP models, built in one pass."""

from collections.abc import Iterable

import pulp


def total(plus: Iterable[pulp.LpVariable], minus: Iterable[pulp.LpVariable] = ()) -> pulp.LpAffineExpression:
    """The sum of the variables in `plus` less the sum of those in `minus` (each at most once)."""
    terms = [(variable, 1) for variable in plus]
    terms.extend((variable, -1) for variable in minus)
    return pulp.LpAffineExpression(terms)
