"""Equivalent integer programs: the same variables and solutions, stated by other rows in another order."""

from collections.abc import Iterable, Iterator
from random import Random

import pulp

_SHARES = (0.0, 0.1, 0.5)
"""The share of the rows that one kind of rewriting concerns."""

_FACTORS = (0.25, 0.5, 2, 3, 5, 10)
"""What rows are multiplied by; the products are exact."""


def rewritten(problem: pulp.LpProblem, number: int) -> pulp.LpProblem:
    """Returns an equivalent program, which the number determines.

    Equations are split into two inequalities, rows are scaled, turned around, repeated and added up, and
    bounds are repeated as rows. Columns are in the order of names, so the variables are renamed.
    """
    rng = Random(number)
    split, scaled, turned, added, bounded = (rng.choice(_SHARES) for _ in range(5))
    rows = list(problem.constraints())
    variables = list(problem.variables())

    stated = [part for row in rows for part in (_halves(row) if rng.random() < split else [row])]
    for row in rows:
        if rng.random() < added:
            stated.append(total([row, rng.choice([row, *rng.choices(rows, k=2)])]))
    stated += [bound for variable in variables if rng.random() < bounded for bound in _bounds(variable)]

    result = pulp.LpProblem(problem.name, problem.sense)
    result.objective = problem.objective
    for row in rng.sample(stated, len(stated)):
        sign = -1 if rng.random() < turned else 1
        result += times(row, sign * (rng.choice(_FACTORS) if rng.random() < scaled else 1))
    for position, variable in enumerate(rng.sample(variables, len(variables))):
        variable.name = f"x{position:06}_{variable.name}"
    return result


def times(row: pulp.LpConstraint, factor: float) -> pulp.LpConstraint:
    """Returns a multiple of a row, an inequality the other way round if the factor is negative."""
    terms = [(variable, factor * coefficient) for variable, coefficient in row.items()]
    sense = row.sense if factor > 0 else -row.sense
    return pulp.LpConstraint(pulp.LpAffineExpression(terms), sense, rhs=-factor * row.constant)


def total(rows: Iterable[pulp.LpConstraint]) -> pulp.LpConstraint:
    """Returns the sum of rows: an equation if all are, else an inequality."""
    rows = list(rows)
    sense = pulp.LpConstraintEQ
    terms: dict[pulp.LpVariable, float] = {}
    constant = 0.0
    if any(row.sense != pulp.LpConstraintEQ for row in rows):
        sense = pulp.LpConstraintGE
        rows = [times(row, -1) if row.sense == pulp.LpConstraintLE else row for row in rows]
    for row in rows:
        constant += row.constant
        for variable, coefficient in row.items():
            terms[variable] = terms.get(variable, 0) + coefficient
    kept = [(variable, coefficient) for variable, coefficient in terms.items() if coefficient]
    return pulp.LpConstraint(pulp.LpAffineExpression(kept), sense, rhs=-constant)


def _halves(row: pulp.LpConstraint) -> list[pulp.LpConstraint]:
    """Returns an equation as two inequalities, an inequality as it is."""
    if row.sense != pulp.LpConstraintEQ:
        return [row]
    senses = (pulp.LpConstraintGE, pulp.LpConstraintLE)
    return [pulp.LpConstraint(pulp.LpAffineExpression(row.items()), s, rhs=-row.constant) for s in senses]


def _bounds(variable: pulp.LpVariable) -> Iterator[pulp.LpConstraint]:
    for sense, bound in (
        (pulp.LpConstraintGE, variable.lowBound),
        (pulp.LpConstraintLE, variable.upBound),
    ):
        if bound is not None:
            yield pulp.LpConstraint(pulp.LpAffineExpression([(variable, 1)]), sense, rhs=bound)
