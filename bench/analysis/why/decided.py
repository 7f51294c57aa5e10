"""How much each means decides before any search, of many instances."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.analysis.measurements import Measurement, Problem
from bench.analysis.scores import best_formulations
from bench.analysis.why.mechanisms import SYSTEMS, Explained, without_variants
from bench.analysis.why.sentences import capitalised, percentage


@dataclass(frozen=True)
class Share:
    """A share that is decided, from 0 to 1, and as a text; of which formulation."""

    value: float
    text: str
    formulation: str


def removed(solver: str) -> Callable[[Explained], Share | None]:
    """Returns what gives the share of values that a variant removes at the root; empty for the default."""

    def share(model: Explained) -> Share | None:
        value = model.root(solver).removed
        return None if value is None else Share(value, percentage(value), model.default.formulation)

    return share


def integral(model: Explained) -> Share | None:
    """The share of variables that are integral in every point found of the relaxation as built."""
    root = model.root("relaxation")
    if root.relaxation_feasible != 1 or root.fractional_max is None or not root.variables:
        return None
    value = 1 - root.fractional_max / root.variables
    text = "one point" if root.is_integral_point else percentage(value)
    return Share(value, text, model.default.formulation)


def presolved(model: Explained) -> Share | None:
    """The share of variables that presolve removes."""
    root = model.root()
    if root.presolved_variables is None or not root.variables:
        return None
    # Presolve may add variables.
    value = max(0.0, 1 - root.presolved_variables / root.variables)
    return Share(value, percentage(value), model.default.formulation)


MEANS: Mapping[tuple[str, str], Callable[[Explained], Share | None]] = {
    ("milp", "relaxation\nintegral"): integral,
    ("milp", "presolve"): presolved,
    ("cpsat", "propagation"): removed("propagation"),
    ("cpsat", "probing"): removed("probing"),
    ("cpsat", "presolve"): presolved,
    ("asp", "propagation"): removed("propagation"),
    ("asp", "probing"): removed("probing"),
    ("backtrack", "propagation"): removed("full"),
    ("backtrack", "shaving"): removed("shaving"),
}
"""What decides: the backend, the means, and its share."""


def heading(backend: str, means: str) -> str:
    """The title of a means."""
    return f"{capitalised(SYSTEMS[backend]).replace('The hand', 'hand')}\n{means}"


def shares(
    measured: Iterable[Measurement], found: Mapping[Problem, Sequence[Explained]]
) -> dict[Problem, dict[tuple[str, str], Share]]:
    """The shares of each problem by means, of each backend's best formulation."""
    best = {
        (each.problem, each.backend, each.formulation)
        for each in best_formulations(without_variants(measured))
    }
    decided: dict[Problem, dict[tuple[str, str], Share]] = {}
    for problem, models in found.items():
        for model in models:
            if (problem, model.backend, model.default.formulation) in best:
                for means, share_of in MEANS.items():
                    if means[0] == model.backend and (share := share_of(model)):
                        decided.setdefault(problem, {})[means] = share
    return decided
