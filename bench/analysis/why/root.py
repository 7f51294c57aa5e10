"""What a solver achieves before it branches: presolve, propagation, the linear relaxation."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

import pandas as pd

from bench.analysis.tables import MEASUREMENT

MODEL = ("puzzle", "instance", "task", "backend", "formulation")
"""The columns that identify a model of a problem."""

Key = tuple[str, ...]


@dataclass(frozen=True)
class Root:
    """Figures of the root, by the columns of runs.csv; None where nothing was measured."""

    variables: float | None = None
    presolved_variables: float | None = None
    values: float | None = None
    values_left: float | None = None
    relaxation_feasible: float | None = None
    fractional_min: float | None = None
    fractional_max: float | None = None
    agreeing: float | None = None
    single_point: float | None = None
    branches: float | None = None

    @property
    def measured(self) -> bool:
        """Whether anything is known of propagation or the relaxation."""
        return self.values_left is not None or self.relaxation_feasible is not None

    @property
    def removed(self) -> float | None:
        """The share of values that were removed, of those that a solution does not need."""
        if self.values is None or self.values_left is None or self.variables is None:
            return None
        spare = self.values - self.variables
        return (self.values - self.values_left) / spare if spare > 0 else 1.0

    @property
    def is_integral_point(self) -> bool:
        """Whether the relaxation is proven to be a single point, and that is integral."""
        return self.single_point == 1 and self.fractional_max == 0


NAMES = [field.name for field in fields(Root)]
POOLED = dict.fromkeys(NAMES, "median") | {"fractional_min": "min", "fractional_max": "max"}


def roots(runs: pd.DataFrame) -> Mapping[Key, Mapping[str, Root]]:
    """The figures of each model (MODEL) by the name of the solver, over all runs that have any.

    Runs that were stopped, or reached the time limit, count: what the root achieved is known nevertheless.
    """
    pooled = runs.astype(dict.fromkeys(NAMES, float)).groupby(MEASUREMENT, sort=False).agg(POOLED)
    found: dict[Key, dict[str, Root]] = {}
    for key, values in zip(pooled.index, pooled[NAMES].itertuples(index=False, name=None), strict=True):
        of = dict(zip(MEASUREMENT, key, strict=True))
        known = Root(*[None if pd.isna(value) else float(value) for value in values])
        found.setdefault(tuple(of[name] for name in MODEL), {})[of["solver"]] = known
    return found
