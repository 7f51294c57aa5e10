"""What the variants of a model say of each mechanism: with all, without it, with it alone, with none."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter

import pandas as pd

from bench.analysis.measurements import Measurement, Problem, fewest_threads, without_variants
from bench.analysis.scores import best_formulations
from bench.analysis.tables import ALONE, BARE, DEFAULTS, STEPS, STOPPING, WITHOUT, grouped, is_variant
from bench.contract import Task
from bench.instruments.explain.root import MODEL, Root, roots

SYSTEMS = {
    "cpsat": "CP-SAT", "milp": "HiGHS", "asp": "clingo", "csp": "python-constraint",
    "backtrack": "the hand search",
}  # fmt: skip
"""The default solver of each backend in sentences."""

_USUAL = ("preprocessing", "presolve", "probing", "symmetry", "lp", "cuts", "heuristics")
"""Mechanisms in the order in which a solver uses them; others follow by name."""

NOTHING = Root()

BEFORE = "before the search"
"""What a search without steps, or preprocessing, removes: whether it propagates is not known."""

_REMOVING = {"propagation": "propagation", "full": "propagation", "probing": "probing", "shaving": "shaving"}
"""What removes values at the root, by the variant that measures it."""


@dataclass(frozen=True)
class _Mechanism:
    """A part of a solver that can be turned off.

    Attributes:
        without: the measurement with all mechanisms but this one, None if there is none.
        alone: with this one alone.
    """

    name: str
    without: Measurement | None
    alone: Measurement | None


@dataclass(frozen=True)
class Explained:
    """A model on a problem: its default solver, and the variants of it.

    Attributes:
        default: the measurement with all mechanisms.
        bare: with none of them.
        others: variants that are of no mechanism, by name: steps of propagation, configurations, `root`.
        roots: what each solver achieves before it branches, by name.
    """

    default: Measurement
    bare: Measurement | None = None
    mechanisms: Sequence[_Mechanism] = ()
    others: Mapping[str, Measurement] = field(default_factory=dict)
    roots: Mapping[str, Root] = field(default_factory=dict)

    @property
    def backend(self) -> str:
        """The backend."""
        return self.default.backend

    @property
    def system(self) -> str:
        """The solver in words."""
        return SYSTEMS.get(self.backend, self.backend)

    @property
    def name(self) -> str:
        """The solver and the formulation."""
        return f"{self.system} {self.default.formulation}".strip()

    @property
    def where(self) -> str:
        """The formulation, as sentences name it."""
        return f"`{self.default.formulation}`"

    @property
    def unit(self) -> str:
        """What its branches are: integer programs have nodes."""
        return "node" if self.backend == "milp" else "branch"

    @property
    def has_variants(self) -> bool:
        """Whether any variant of it was measured."""
        return bool(self.bare or self.mechanisms or self.others)

    def root(self, solver: str = "") -> Root:
        """The root of a variant, or of the default solver; without figures if it was not measured."""
        return self.roots.get(solver or self.default.solver, NOTHING)

    @cached_property
    def removed(self) -> Mapping[str, float]:
        """The share of values that is removed at the root, by what removes it (_REMOVING, else BEFORE).

        A default search may shave: what propagation removes is known of the variants alone.
        """
        shares = [(means, self.root(solver).removed) for solver, means in _REMOVING.items()]
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
        """Whether presolve leaves nothing with any seed; of a solver that has presolve.

        What it leaves of a model with lazy constraints is known of the first round alone.
        """
        if self.backend not in ("cpsat", "milp") or self.default.figures.rounds:
            return False
        root = self.root()
        nothing = root.presolved_variables == 0 and not root.presolved_constraints
        return nothing and not self.most_branches(self.default)

    @property
    def found_a_solution(self) -> bool:
        """Whether a run of the default solver did."""
        return bool(self.default.conclusive and self.default.figures.solutions)

    def without(self, mechanism: str) -> Measurement | None:
        """The measurement without a mechanism, None if there is none."""
        return next((each.without for each in self.mechanisms if each.name == mechanism), None)

    @cached_property
    def steps(self) -> Mapping[str, Measurement]:
        """The variants with more and more propagation, by name."""
        return {name: self.others[name] for name in STEPS if name in self.others}

    @cached_property
    def configurations(self) -> Mapping[str, Measurement]:
        """The variants with other settings, by name."""
        return {name: each for name, each in self.others.items() if name not in (*STEPS, *STOPPING)}

    @cached_property
    def searching(self) -> Mapping[str, Measurement]:
        """Steps and configurations, and the root node alone: all others that have a time of a solution."""
        root = {"root": self.others["root"]} if "root" in self.others else {}
        return {**self.steps, **self.configurations, **root}

    def branched(self, each: Measurement | None) -> bool | None:
        """Whether a run of a measurement needed search; None if that is not known.

        That none did is known only if all were conclusive. A single node of an integer program is its root,
        and for all solutions there are several roots.
        """
        most = self.most_branches(each)
        if each is None or most is None or (self.backend == "milp" and each.task != Task.FIRST):
            return None
        branched = most > (1 if self.backend == "milp" else 0)
        return branched if branched or not each.inconclusive else None

    @staticmethod
    def most_branches(each: Measurement | None) -> float | None:
        """The most branches of a conclusive run, None if they are not known."""
        return each.branches_range[1] if each and each.branches_range else None


def best_models(
    measured: Iterable[Measurement], found: Mapping[Problem, Sequence[Explained]]
) -> dict[Problem, list[Explained]]:
    """The models of each problem with the best formulation of their backend."""
    best = {
        (each.problem, each.backend, each.formulation)
        for each in best_formulations(fewest_threads(without_variants(measured)))
    }
    return {
        problem: [model for model in models if (problem, model.backend, model.default.formulation) in best]
        for problem, models in found.items()
    }


def explained(runs: pd.DataFrame, measured: Iterable[Measurement]) -> dict[Problem, list[Explained]]:
    """The models of each problem of which variants were measured, in the order of all tables.

    Models beside them are included if figures of their root are known. A model whose default solver was not
    measured is left out, as is a variant that could not be tried. Of several numbers of threads the fewest
    count.
    """
    measured = fewest_threads(measured)
    tried = [each for each in measured if each.status.tried and each.backend in DEFAULTS]
    if not any(is_variant(each.backend, each.solver) for each in tried):
        return {}
    known = roots(runs)
    found: dict[Problem, list[Explained]] = {}
    for key, group in grouped(tried, attrgetter(*MODEL)).items():
        by_solver = {each.solver: each for each in group}
        if default := by_solver.get(DEFAULTS[group[0].backend]):
            model = _explained_model(default, by_solver, known.get(key, {}))
            if model.has_variants or any(root.measured for root in model.roots.values()):
                found.setdefault(default.problem, []).append(model)
    return {
        problem: models for problem, models in found.items() if any(model.has_variants for model in models)
    }


def _explained_model(
    default: Measurement, by_solver: Mapping[str, Measurement], known: Mapping[str, Root]
) -> Explained:
    """The model, by the measurements and the roots of its solvers."""
    variants = {name: each for name, each in by_solver.items() if is_variant(default.backend, name)}
    ours = (default.solver, *variants)
    starts = [
        name.removeprefix(start) for start in (WITHOUT, ALONE) for name in variants if name.startswith(start)
    ]
    mechanisms = [
        _Mechanism(name, variants.pop(WITHOUT + name, None), variants.pop(ALONE + name, None))
        for name in sorted(set(starts), key=order)
    ]
    bare = variants.pop(BARE, None)
    of = {name: root for name, root in known.items() if name in ours}
    return Explained(default, bare, mechanisms, variants, of)


def order(name: str) -> tuple[int, str]:
    """The place of a mechanism: in the order in which a solver uses them."""
    return _USUAL.index(name) if name in _USUAL else len(_USUAL), name
