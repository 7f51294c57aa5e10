"""PuLP, for models and drivers: sums built in one pass, and the binary variables of a model."""

from collections.abc import Iterable

import pulp


def total(plus: Iterable[pulp.LpVariable], minus: Iterable[pulp.LpVariable] = ()) -> pulp.LpAffineExpression:
    """The sum of the variables in `plus` less the sum of those in `minus` (each at most once)."""
    # Each variable computes its hash in Python: so it does that once.
    found: pulp.LpAffineExpression = pulp.LpAffineExpression.fromkeys(plus, 1)
    found.update(dict.fromkeys(minus, -1))
    return found


def binaries(variables: Iterable[pulp.LpVariable]) -> list[pulp.LpVariable]:
    """The integer variables with bounds 0 and 1."""
    return [v for v in variables if v.cat == pulp.LpInteger and v.lowBound == 0 and v.upBound == 1]
