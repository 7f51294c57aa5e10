"""How much each means decides before any search."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.analysis.measurements import Measurement, Problem
from bench.instruments.explain.mechanisms import BEFORE, SYSTEMS, Explained, best_models
from bench.instruments.explain.sentences import capitalised, percentage


@dataclass(frozen=True)
class Share:
    """A share that is decided, from 0 to 1, and as a text; of which formulation.

    Attributes:
        decides: whether that leaves nothing to search.
    """

    value: float
    text: str
    decides: bool
    formulation: str


def removed(means: str) -> Callable[[Explained], Share | None]:
    """Returns what gives the share of values that a means removes (`Explained.removed`)."""

    def share(model: Explained) -> Share | None:
        value = model.removed.get(means)
        if value is None:
            return None
        return Share(value, percentage(value), value == 1, model.default.formulation)

    return share


def _integral(model: Explained) -> Share | None:
    """The share of variables that are integral in every point found of the relaxation as built."""
    value, root = model.integral, model.root("relaxation")
    if value is None:
        return None
    text = "one point" if root.is_integral_point else percentage(value)
    return Share(value, text, root.is_integral_point, model.default.formulation)


def _presolved(model: Explained) -> Share | None:
    root = model.root()
    if root.presolved_variables is None or not root.variables:
        return None
    # Presolve may add variables.
    value = max(0.0, 1 - root.presolved_variables / root.variables)
    return Share(value, percentage(value), model.solved_by_presolve, model.default.formulation)


def _root_node(model: Explained) -> Share | None:
    """The share of the runs that the root node of an integer program solves."""
    root = model.others.get("root")
    if root is None or root.status.faulty:
        return None
    value = root.conclusive / root.runs
    text = {0.0: "unsolved", 1.0: "solved"}.get(value, f"{root.conclusive} of {root.runs}")
    return Share(value, text, value == 1, model.default.formulation)


MEANS: Mapping[tuple[str, str], Callable[[Explained], Share | None]] = {
    ("milp", "relaxation"): _integral,
    ("milp", "presolve"): _presolved,
    ("milp", "root node"): _root_node,
    ("cpsat", "propagation"): removed("propagation"),
    ("cpsat", "probing"): removed("probing"),
    ("cpsat", "presolve"): _presolved,
    ("asp", "propagation"): removed("propagation"),
    ("asp", "probing"): removed("probing"),
    ("csp", BEFORE): removed(BEFORE),
    ("backtrack", BEFORE): removed(BEFORE),
    ("backtrack", "propagation"): removed("propagation"),
    ("backtrack", "shaving"): removed("shaving"),
}
"""What decides: the backend, the means, and its share; of a backend the simplest means first."""


def heading(backend: str, means: str) -> str:
    """The title of a means."""
    return f"{capitalised(SYSTEMS[backend]).replace('The hand', 'hand')}\n{means}"


def shares(
    measured: Iterable[Measurement], found: Mapping[Problem, Sequence[Explained]]
) -> dict[Problem, dict[tuple[str, str], Share]]:
    """The shares of each problem by means, of each backend's best formulation."""
    decided: dict[Problem, dict[tuple[str, str], Share]] = {}
    for problem, models in best_models(measured, found).items():
        for model in models:
            for means, of in MEANS.items():
                if means[0] == model.backend and (share := of(model)):
                    decided.setdefault(problem, {})[means] = share
    return decided
