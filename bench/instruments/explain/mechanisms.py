"""What was measured of a model: with all mechanisms, without one, with one alone, with none; its root.

The root is what a solver achieves before it branches: presolve, propagation, the linear relaxation.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import isnan
from operator import attrgetter

import pandas as pd

from bench.analysis.measurements import Measurement, Problem, fewest_threads, without_variants
from bench.analysis.scores import best_formulations
from bench.analysis.tables import ALONE, BARE, DEFAULTS, STEPS, STOPPING, WITHOUT, grouped, is_variant
from bench.contract import Task

Found = Mapping[Problem, Sequence["Explained"]]
"""The models of each problem."""

_SYSTEMS = {
    "cpsat": "CP-SAT", "milp": "HiGHS", "asp": "clingo", "csp": "python-constraint",
    "backtrack": "hand search",
}  # fmt: skip
"""The default solver of each backend in words."""

BEFORE = "before the search"
"""What a search without steps, or preprocessing, removes: whether it propagates is not known."""

_REMOVING = {"propagation": "propagation", "full": "propagation", "probing": "probing", "shaving": "shaving"}
"""What removes values at the root, by the variant that measures it."""

_MEANS = {
    "milp": ("relaxation", "presolve", "root node"),
    "cpsat": ("propagation", "probing", "presolve"),
    "asp": ("propagation", "probing"),
    "csp": (BEFORE,),
    "backtrack": (BEFORE, "propagation", "shaving"),
}
"""What may decide a model of each backend without search, the simplest means first."""

_MODEL = ("puzzle", "instance", "task", "backend", "formulation")
"""The columns that identify a model of a problem."""


@dataclass(frozen=True)
class Root:
    """Figures of the root over all runs of a solver, by the columns of runs.csv; None where a run lacks one.

    What decides everything must do so with every seed: of each figure this is the run that decides the least.
    `presolved_least` has the fewest variables after presolve.
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


@dataclass(frozen=True)
class Explained:
    """A model on a problem: its default solver, with all mechanisms; variants of it, and roots, by solver."""

    default: Measurement
    variants: Mapping[str, Measurement]
    roots: Mapping[str, Root] = field(repr=False)

    @property
    def backend(self) -> str:
        """The backend."""
        return self.default.backend

    @property
    def system(self) -> str:
        """The solver in words."""
        return _SYSTEMS[self.backend]

    @property
    def name(self) -> str:
        """The solver and the formulation."""
        return f"{self.system} {self.default.formulation}".strip()

    def root(self, solver: str = "") -> Root:
        """The root of a variant, or of the default solver; without figures if it was not measured."""
        return self.roots.get(solver or self.default.solver, Root())

    def without(self, mechanism: str) -> Measurement | None:
        """The measurement without a mechanism, None if there is none."""
        return self.variants.get(WITHOUT + mechanism)

    def compared(self, *kinds: str) -> Iterator[tuple[str, str, Measurement]]:
        """The variants, of these kinds or all, whose time is that of a solution: kind, mechanism, runs."""
        for solver, each in self.variants.items():
            kind, mechanism = _mechanism_of(solver)
            if (solver == "root" or solver not in STOPPING) and kind in (kinds or (kind,)):
                yield kind, mechanism, each

    @cached_property
    def removed(self) -> Mapping[str, float]:
        """The share of values that is removed at the root, by what removes it (_REMOVING, else BEFORE)."""
        shares = [(means, self.root(solver).removed) for solver, means in _REMOVING.items()]
        # A default search may shave: what propagation removes is known of the variants alone.
        known = {means: share for means, share in shares if share is not None}
        before = self.root().removed
        return known if known or before is None else {BEFORE: before}

    @property
    def integral(self) -> float | None:
        """The share of variables that are integral in all points found of the relaxation as built."""
        root = self.root("relaxation")
        if root.relaxation_feasible != 1 or root.fractional_max is None or not root.variables:
            return None
        return 1 - root.fractional_max / root.variables

    @property
    def solved_by_presolve(self) -> bool:
        """Whether presolve leaves nothing with any seed; of a solver that has presolve."""
        # What it leaves of a model with lazy constraints is known of the first round alone.
        if self.backend not in ("cpsat", "milp") or self.default.figures.rounds:
            return False
        root, branches = self.root(), self.default.branches_range
        nothing = root.presolved_variables == 0 and not root.presolved_constraints
        return nothing and not (branches and branches[1])

    @cached_property
    def decided(self) -> Mapping[str, tuple[str, bool]]:
        """What each means (_MEANS) that was measured decides, and whether that is all; the simplest first."""
        root, stopped = self.root(), self.variants.get("root")
        known = {means: (percentage(share), share == 1) for means, share in self.removed.items()}
        if self.integral is not None:
            point = self.root("relaxation").is_integral_point
            known["relaxation"] = "one point" if point else percentage(self.integral), point
        if root.presolved_variables is not None and root.variables:
            # Presolve may add variables.
            share = max(0.0, 1 - root.presolved_variables / root.variables)
            known["presolve"] = percentage(share), self.solved_by_presolve
        if stopped and not stopped.status.faulty:
            texts = {0: "unsolved", stopped.runs: "solved"}
            said = texts.get(stopped.conclusive, f"{stopped.conclusive} of {stopped.runs}")
            known["root node"] = said, not stopped.inconclusive
        return {means: known[means] for means in _MEANS.get(self.backend, ()) if means in known}

    @property
    def deciding(self) -> str:
        """What decides it before any search, the simplest means that does; empty if nothing does."""
        return next((means for means, (_, decides) in self.decided.items() if decides), "")

    def branched(self, each: Measurement | None) -> bool | None:
        """Whether a run of a measurement needed search; None if that is not known.

        A single node of an integer program is its root, and for all solutions there are several roots.
        """
        if each is None or not each.branches_range or (self.backend == "milp" and each.task != Task.FIRST):
            return None
        branched = each.branches_range[1] > (1 if self.backend == "milp" else 0)
        return branched if branched or not each.inconclusive else None


def percentage(share: float | None) -> str:
    """A share, never rounded to all or to none; empty for None or NaN."""
    if share is None or isnan(share):
        return ""
    if share in (0.0, 1.0):
        return "all" if share else "none"
    return f"{min(max(share, 0.01), 0.99):.0%}"


def _mechanism_of(solver: str) -> tuple[str, str]:
    """The kind of a variant, and its mechanism: `without` or `alone`; else `none`, or `other` settings."""
    if solver == BARE:
        return "none", BARE
    for kind, start in (("without", WITHOUT), ("alone", ALONE)):
        if solver.startswith(start):
            return kind, solver.removeprefix(start)
    return "other", solver


def _place(solver: str) -> tuple[object, ...]:
    """The place of a variant: mechanisms in the order in which a solver uses them, none, others, the root."""
    kind, name = _mechanism_of(solver)
    if kind == "other":
        return 2, solver == "root", list(STEPS).index(solver) if solver in STEPS else len(STEPS), solver
    usual = ["preprocessing", "presolve", "probing", "symmetry", "lp", "cuts", "heuristics"]
    at = usual.index(name) if name in usual else len(usual)
    return kind == "none", at, name, kind == "alone"


def explained(runs: pd.DataFrame, measured: Iterable[Measurement]) -> dict[Problem, list[Explained]]:
    """The models of each problem of which variants were measured, with the fewest threads, in order.

    Other models of such a problem are included if figures of their root are known. A model whose default
    solver was not tried is left out.
    """
    tried = [each for each in fewest_threads(measured) if each.status.tried and each.backend in DEFAULTS]
    known = _roots(runs)
    found: dict[Problem, list[Explained]] = {}
    for key, group in grouped(tried, attrgetter(*_MODEL)).items():
        by_solver = {each.solver: each for each in sorted(group, key=lambda each: _place(each.solver))}
        if default := by_solver.get(DEFAULTS[group[0].backend]):
            variants = {name: each for name, each in by_solver.items() if is_variant(each.backend, name)}
            roots = {name: root for name in (default.solver, *variants) if (root := known.get((*key, name)))}
            at_root = [(root.values_left, root.relaxation_feasible) for root in roots.values()]
            if variants or any(figures != (None, None) for figures in at_root):
                found.setdefault(default.problem, []).append(Explained(default, variants, roots))
    return {problem: models for problem, models in found.items() if any(each.variants for each in models)}


def best_models(measured: Iterable[Measurement], found: Found) -> dict[Problem, list[Explained]]:
    """The models of each problem with the best formulation of their backend."""
    chosen = best_formulations(fewest_threads(without_variants(measured)))
    best = {(each.problem, each.backend, each.formulation) for each in chosen}
    return {
        problem: [model for model in models if (problem, model.backend, model.default.formulation) in best]
        for problem, models in found.items()
    }


def _roots(runs: pd.DataFrame) -> Mapping[tuple[str, ...], Root]:
    """The figures of each model and solver, over all runs with the fewest threads, stopped or not."""
    names = [each.name for each in fields(Root)]
    key = [*_MODEL, "solver"]
    runs = runs[runs["threads"] == runs.groupby(key)["threads"].transform("min")]
    runs = runs.assign(presolved_least=runs["presolved_variables"]).astype(dict.fromkeys(names, float))
    groups = runs.groupby(key, sort=False)[names]
    # All others by the most: a relaxation is infeasible only if no run found it feasible.
    by_least = ("presolved_least", "fractional_min", "agreeing", "single_point")
    pooled = groups.agg({name: "min" if name in by_least else "max" for name in names}).astype(object)
    known = pooled.where(groups.count().eq(groups.size(), axis=0), None)
    return dict(zip(known.index, map(Root, *map(known.get, names)), strict=True))
