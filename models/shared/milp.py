"""PuLP, for models and drivers: sums built in one pass, and the binary variables of a model."""

from collections.abc import Iterable, Mapping
from typing import Any

import pulp

from models.shared.grid import Cell
from models.shared.puzzle import Sense

Holds = dict[Cell, dict[int, pulp.LpVariable]]


class _Program(pulp.LpProblem):  # type: ignore[misc]
    # Those that `add_variable` does not add are unknown.
    def add_variable(self, *args: Any, **options: Any) -> pulp.LpVariable:
        variable = super().add_variable(*args, **options)
        self._register_variable(variable)
        return variable

    def _add_variables(self, variables: Iterable[pulp.LpVariable]) -> None:
        pass


def program(name: str, sense: Sense | None = None) -> pulp.LpProblem:
    """An integer program without an objective; with a sense, one whose objective `problem += ...` states.

    It knows its variables when they are added, as in PuLP 4. PuLP 3 looks for them in each constraint, and
    again when it is solved: a quarter of the time of both.
    """
    problem = _Program(name, pulp.LpMaximize if sense is Sense.MOST else pulp.LpMinimize)
    if sense is None:
        problem.setObjective(pulp.LpAffineExpression())
    return problem


def literals(problem: pulp.LpProblem, domains: Mapping[Cell, Iterable[int]]) -> Holds:
    """Adds a binary variable holds[i][v] for each cell i and each value v of its domain."""
    return {
        i: {
            v: problem.add_variable(f"holds_{i[0]}_{i[1]}_{v}".replace("-", "minus_"), cat=pulp.LpBinary)
            for v in values
        }
        for i, values in domains.items()
    }


def all_literals(holds: Mapping[Any, Mapping[int, pulp.LpVariable]]) -> list[pulp.LpVariable]:
    """All of these variables, for models whose decisions are no others."""
    return [literal for of_cell in holds.values() for literal in of_cell.values()]


def total(plus: Iterable[pulp.LpVariable], minus: Iterable[pulp.LpVariable] = ()) -> pulp.LpAffineExpression:
    """The sum of the variables in `plus` less the sum of those in `minus` (each at most once)."""
    # Each variable computes its hash in Python: so it does that once.
    found: pulp.LpAffineExpression = pulp.LpAffineExpression.fromkeys(plus, 1)
    found.update(dict.fromkeys(minus, -1))
    return found


def binaries(variables: Iterable[pulp.LpVariable]) -> list[pulp.LpVariable]:
    """The integer variables with bounds 0 and 1."""
    return [v for v in variables if v.cat == pulp.LpInteger and v.lowBound == 0 and v.upBound == 1]
