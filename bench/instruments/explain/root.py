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
    """Figures of the root, by the columns of runs.csv, over all runs of a solver.

    What decides everything, or leaves nothing, must do so with every seed: of each figure this is the run
    that decides the least. None where a run does not know it.

    Attributes:
        presolved_least: the fewest variables after presolve.
    """

    variables: float | None = None
    presolved_variables: float | None = None
    presolved_least: float | None = None
    presolved_constraints: float | None = None
    values: float | None = None
    values_left: float | None = None
    relaxation_feasible: float | None = None
    fractional_min: float | None = None
    fractional_max: float | None = None
    agreeing: float | None = None
    single_point: float | None = None

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
COLUMNS = {name: "presolved_variables" if name == "presolved_least" else name for name in NAMES}
LEAST = ("presolved_least", "fractional_min", "agreeing", "single_point")
"""Pooled by the least of the runs; all others by the most. Of no run feasible is a relaxation infeasible."""


def roots(runs: pd.DataFrame) -> Mapping[Key, Mapping[str, Root]]:
    """The figures of each model (MODEL) by the name of the solver, over all runs with the fewest threads.

    Runs that were stopped, or reached the time limit, count: what the root achieved is known nevertheless.
    """
    # Of several numbers of threads the fewest come last, and count.
    runs = runs.sort_values("threads", ascending=False, kind="stable")
    groups = runs.astype(dict.fromkeys(COLUMNS.values(), float)).groupby(MEASUREMENT, sort=False)
    by = {name: (column, "min" if name in LEAST else "max") for name, column in COLUMNS.items()}
    known_runs = groups.agg(**{name: (column, "count") for name, column in COLUMNS.items()})
    pooled = groups.agg(**by).where(known_runs.eq(groups.size(), axis=0))
    found: dict[Key, dict[str, Root]] = {}
    for key, values in zip(pooled.index, pooled[NAMES].itertuples(index=False, name=None), strict=True):
        of = dict(zip(MEASUREMENT, key, strict=True))
        known = Root(*[None if pd.isna(value) else float(value) for value in values])
        found.setdefault(tuple(of[name] for name in MODEL), {})[of["solver"]] = known
    return found
