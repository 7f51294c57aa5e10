"""CP-SAT with mechanisms turned off, in another order, or stopped at the root."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from bench.drivers._ortools import cp_model, cp_model_helper

Parameters = dict[str, bool | int | float]

OFF: Mapping[str, Parameters] = {
    "presolve": {"cp_model_presolve": False},
    # CP-SAT probes when it presolves or loads the model, and again between restarts.
    "probing": {"cp_model_probing_level": 0, "inprocessing_probing_dtime": 0.0},
    "lp": {"linearization_level": 0},
    "symmetry": {"symmetry_level": 0},
}
"""The parameters that turn off each mechanism."""

ROOT_ONLY: Parameters = {
    "stop_after_root_propagation": True,
    "fill_tightened_domains_in_response": True,
    "keep_all_feasible_solutions_in_presolve": True,  # Constraints are expanded even without presolve.
}
"""The parameters that stop CP-SAT before its search, with the domains that are left."""


def _without(*mechanisms: str) -> Parameters:
    return {name: value for mechanism in mechanisms for name, value in OFF[mechanism].items()}


def without_one(mechanism: str, title: str, **others: int) -> "Variant":
    """Returns CP-SAT without a mechanism, with these other parameters."""
    return Variant(title, _without(mechanism) | others, turned_off=tuple(OFF[mechanism]))


def only(*mechanisms: str) -> Parameters:
    """Returns the parameters that turn these mechanisms on, whatever a formulation says, and others off."""
    defaults = cp_model.CpSolver().parameters
    on = {name: getattr(defaults, name) for name in _without(*mechanisms)}
    return _without(*(mechanism for mechanism in OFF if mechanism not in mechanisms)) | on


@dataclass(frozen=True)
class Variant:
    """CP-SAT with other parameters.

    Attributes:
        title: its name for people.
        parameters: those that differ from the defaults.
        in_order: whether it branches in the order of the model's variables, unless the model states a
            search strategy.
        root_only: whether it stops before the search.
        turned_off: the parameters by which it turns off a mechanism; a formulation that sets one of them
            itself leaves nothing to turn off.
    """

    title: str
    parameters: Parameters
    in_order: bool = False
    root_only: bool = False
    turned_off: Collection[str] = ()


def in_order(problem: cp_model.CpModel) -> cp_model.CpModel:
    """Returns the model with a search strategy: the first undecided variable, its smallest value first."""
    result = problem.clone()
    variables = [result.get_int_var_from_proto_index(index) for index in range(len(result.proto.variables))]
    result.add_decision_strategy(variables, cp_model.CHOOSE_FIRST, cp_model.SELECT_MIN_VALUE)
    return result


def domain_sizes(variables: Iterable[cp_model_helper.IntegerVariableProto]) -> list[int]:
    """Returns the number of values in each domain."""
    return [cp_model.Domain.from_flat_intervals(list(variable.domain)).size() for variable in variables]
