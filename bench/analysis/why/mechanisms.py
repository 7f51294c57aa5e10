"""What the variants of a model say of each mechanism: with all, without it, with it alone, with none."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter

import pandas as pd

from bench.analysis.measurements import Measurement, Problem
from bench.analysis.tables import grouped
from bench.analysis.why.root import MODEL, Root, roots
from bench.analysis.why.variants import ALONE, BARE, DEFAULTS, STEPS, STOPPING, WITHOUT, is_variant

SYSTEMS = {
    "cpsat": "CP-SAT", "milp": "HiGHS", "asp": "clingo", "csp": "python-constraint",
    "backtrack": "the hand search",
}  # fmt: skip
"""The default solver of each backend in sentences."""

USUAL = ("preprocessing", "presolve", "probing", "symmetry", "lp", "cuts", "heuristics")
"""Mechanisms in the order in which a solver uses them; others follow by name."""

NOTHING = Root()


@dataclass(frozen=True)
class Mechanism:
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
    mechanisms: Sequence[Mechanism] = ()
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
    def steps(self) -> Mapping[str, Measurement]:
        """The variants with more and more propagation, by name."""
        return {name: self.others[name] for name in STEPS if name in self.others}

    @cached_property
    def configurations(self) -> Mapping[str, Measurement]:
        """The variants with other settings, by name."""
        return {name: each for name, each in self.others.items() if name not in (*STEPS, *STOPPING)}

    def branched(self, each: Measurement | None) -> bool | None:
        """Whether a measurement needed search; None if that is not known.

        A single node of an integer program is its root, and for all solutions there are several roots.
        """
        branches = None if each is None or not each.conclusive else each.figures.branches
        if branches is None or (self.backend == "milp" and each and each.task != "first"):
            return None
        return branches > (1 if self.backend == "milp" else 0)


def without_variants(measured: Iterable[Measurement]) -> list[Measurement]:
    """The measurements of solvers that one would choose; of a campaign that has only variants, all."""
    measured = list(measured)
    return [each for each in measured if not is_variant(each.backend, each.solver)] or measured


def explained(runs: pd.DataFrame, measured: Iterable[Measurement]) -> dict[Problem, list[Explained]]:
    """The models of each problem of which variants were measured, in the order of all tables.

    Models beside them are included if figures of their root are known. A model whose default solver was not
    measured is left out, as is a variant that could not be tried.
    """
    tried = [each for each in measured if each.status.tried and each.backend in DEFAULTS]
    if not any(is_variant(each.backend, each.solver) for each in tried):
        return {}
    known = roots(runs)
    found: dict[Problem, list[Explained]] = {}
    for key, group in grouped(tried, attrgetter(*MODEL)).items():
        by_solver = {each.solver: each for each in group}
        if default := by_solver.get(DEFAULTS[group[0].backend]):
            model = explained_model(default, by_solver, known.get(key, {}))
            if model.has_variants or any(root.measured for root in model.roots.values()):
                found.setdefault(default.problem, []).append(model)
    return {
        problem: models for problem, models in found.items() if any(model.has_variants for model in models)
    }


def explained_model(
    default: Measurement, by_solver: Mapping[str, Measurement], known: Mapping[str, Root]
) -> Explained:
    """The model, by the measurements and the roots of its solvers."""
    variants = {name: each for name, each in by_solver.items() if is_variant(default.backend, name)}
    ours = (default.solver, *variants)
    starts = [
        name.removeprefix(start) for start in (WITHOUT, ALONE) for name in variants if name.startswith(start)
    ]
    mechanisms = [
        Mechanism(name, variants.pop(WITHOUT + name, None), variants.pop(ALONE + name, None))
        for name in sorted(set(starts), key=order)
    ]
    bare = variants.pop(BARE, None)
    return Explained(
        default,
        bare,
        mechanisms,
        variants,
        {name: root for name, root in known.items() if name in ours},
    )


def order(name: str) -> tuple[int, str]:
    """The place of a mechanism: in the order in which a solver uses them."""
    return USUAL.index(name) if name in USUAL else len(USUAL), name
