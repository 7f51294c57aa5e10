"""CP-SAT (OR-Tools), through its Python API."""

import importlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import getclosurevars
from math import inf
from random import Random
from time import perf_counter
from types import FunctionType, ModuleType
from typing import Any

from bench.contract import Format, OnSolution, Outcome, Solver, SolveRequest, Task, Unsupported
from bench.drivers._common import (
    Figures,
    Options,
    SolveLog,
    Variant,
    added,
    comment,
    installed,
    model_of,
    presolved_sizes,
    refuse_lazy,
)
from models.shared.model import Model, Values
from models.shared.puzzle import Puzzle


class _Named(ModuleType):
    """A library that is imported when it is `used`; until then its names are empty classes.

    So OR-Tools, which names types of pandas, is imported without it: it would take longer than all the rest.
    """

    used = False

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(importlib.import_module(self.__name__), name) if self.used else type(name, (), {})


_pandas = _Named("pandas")
_meanwhile = sys.modules.setdefault("pandas", _pandas)
try:
    from ortools.sat.python import cp_model, cp_model_helper
finally:
    # Functions that look up a name of it when they are called get pandas itself, as do later imports.
    _pandas.used = True
    if _meanwhile is _pandas:
        del sys.modules["pandas"]

CORE = True

FORMATS: Mapping[str, Format] = {
    "pb.txt": Format("the text format of CP-SAT's protocol buffers"),
    "mps": Format("MPS"),
}

_MECHANISMS: Mapping[str, Options] = {
    "presolve": {"cp_model_presolve": False},
    # CP-SAT probes when it presolves or loads the model, and again between restarts.
    "probing": {"cp_model_probing_level": 0, "inprocessing_probing_dtime": 0.0},
    "lp": {"linearization_level": 0},
    "symmetry": {"symmetry_level": 0},
}
"""The mechanisms of CP-SAT, with the parameters that turn them off."""

_ROOT_ONLY: Options = {
    "stop_after_root_propagation": True,
    "fill_tightened_domains_in_response": True,
    "keep_all_feasible_solutions_in_presolve": True,  # Constraints are expanded even without presolve.
}
"""The parameters that stop CP-SAT before its search, with the domains that are left."""

_ROOT_ALONE = ("propagation", "probing")
"""The variants that these stop."""

VARIANTS = {
    "nopresolve": Variant("CP-SAT without presolve", without="presolve"),
    "noprobing": Variant("CP-SAT without probing", without="probing"),
    # At its default level it would use symmetries in the search too, which with the LP it does not do.
    "nolp": Variant("CP-SAT without linear relaxation", {"symmetry_level": 1}, without="lp"),
    "nosymmetry": Variant("CP-SAT without symmetries", without="symmetry"),
    "onlypresolve": Variant("CP-SAT with presolve alone", only=["presolve"]),
    "onlyprobing": Variant("CP-SAT with probing alone", only=["probing"]),
    "onlylp": Variant("CP-SAT with the linear relaxation alone", only=["lp"]),
    "onlysymmetry": Variant("CP-SAT with symmetries alone", only=["symmetry"]),
    "bare": Variant("CP-SAT without presolve, probing, linear relaxation and symmetries", only=[]),
    "fixed": Variant("CP-SAT branching in the order of the model"),
    "propagation": Variant("propagation of CP-SAT, without search", _ROOT_ONLY, only=[]),
    "probing": Variant("propagation and probing of CP-SAT, without search", _ROOT_ONLY, only=["probing"]),
}

SOLVERS = {"cpsat": Variant("OR-Tools CP-SAT"), **VARIANTS}


def _in_order(problem: cp_model.CpModel) -> cp_model.CpModel:
    """Returns the model with a search strategy: the first undecided variable, its smallest value first."""
    result = problem.clone()
    variables = [result.get_int_var_from_proto_index(index) for index in range(len(result.proto.variables))]
    result.add_decision_strategy(variables, cp_model.CHOOSE_FIRST, cp_model.SELECT_MIN_VALUE)
    return result


def domain_sizes(variables: Iterable[cp_model_helper.IntegerVariableProto]) -> list[int]:
    """Returns the number of values in each domain."""
    return [cp_model.Domain.from_flat_intervals(list(variable.domain)).size() for variable in variables]


def solvers() -> Mapping[str, Solver]:
    """Returns CP-SAT and its variants, which have one thread: others would search in other ways."""
    release = installed("ortools")
    return {
        name: Solver(
            variant.title, release, parallel=name not in VARIANTS, counts_alone=True,
            packages=("ortools",), variant=name in VARIANTS,
        )
        for name, variant in SOLVERS.items()
    }  # fmt: skip


def load(solver: str) -> None:
    """Does nothing: OR-Tools is imported with this module."""


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """Returns the CpModel of the puzzle."""
    return model_of(formulation, puzzle, cp_model.CpModel, adds_lazy=True)


def solve(model: Model, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Runs CP-SAT or a variant, and again with lazy constraints as long as a solution breaks some.

    The sizes are those of the first solve; times and counters are summed over all solves.
    """
    problem: cp_model.CpModel = model.problem
    options = SOLVERS[request.solver].options_for(model.options, _MECHANISMS)
    if request.solver == "fixed" and not problem.proto.search_strategy:
        problem = _in_order(problem)
    if request.rewriting:
        problem = rewritten(problem, request.rewriting)
    variables, constraints = len(problem.proto.variables), len(problem.proto.constraints)
    values = sum(domain_sizes(problem.proto.variables)) if request.solver in _ROOT_ALONE else None
    broken: list[Any] = []

    def accept(value: Values) -> bool:
        """Reports a solution, unless it breaks lazy constraints, which are kept."""
        cuts = model.lazy(value) if model.lazy else ()
        broken.extend(cuts)
        if not cuts:
            on_solution(model.decode(value), model.stands_for)
        return not cuts

    class Report(cp_model.CpSolverSolutionCallback):
        balance = 0

        def on_solution_callback(self) -> None:
            # The next solve finds the accepted solutions again: it pays once more have been refused.
            self.balance += 1 if accept(self.value) else -1
            if self.balance < 0:
                self.stop_search()

    started = perf_counter()
    session = _Session(options, request, started + request.time_s)
    first, rounds = request.task == Task.FIRST, 0
    while True:
        # CP-SAT reports the same solution twice if the callback is set for the task of one solution.
        status = session.solve(problem, None if first else Report())
        found = session.decided or (first and status in (cp_model.OPTIMAL, cp_model.FEASIBLE))
        if found:
            accept(session.cpsat.value)
        complete = not broken and (found or status in (cp_model.OPTIMAL, cp_model.INFEASIBLE))
        if not broken or perf_counter() >= session.until:
            break
        rounds += 1
        for constraint in broken:
            problem.add(constraint)
        broken.clear()
    solve_s = perf_counter() - started
    if (left := session.left) is None:
        sizes = presolved_sizes("cpsat", "\n".join(session.log.first))
    else:
        sizes = {"presolved_variables": sum(size > 1 for size in left)}
    return Outcome(
        complete=complete,
        presolve_s=None if session.log.search_s is None else session.log.presolve_s,
        search_s=session.log.search_s,
        solve_s=solve_s,
        variables=variables,
        constraints=constraints,
        work=session.work,
        values=values,
        values_left=None if left is None else sum(left),
        stopped=left is not None and not session.decided,
        rounds=rounds if model.lazy else None,
        **session.counters,
        **sizes,
    )


class _Session:
    """One CP-SAT object that is run several times; counts over all runs.

    Attributes:
        left: the sizes of the domains after the last run, if that stopped at the root before the time limit.
        decided: whether each of them has one value: then these are the values of the variables.
    """

    def __init__(self, options: Options, request: SolveRequest, until: float):
        self.request, self.until = request, until
        self.cpsat = cp_model.CpSolver()
        parameters = self.cpsat.parameters
        for name, value in options.items():
            setattr(parameters, name, value)
        # With several threads it misses solutions and calls the search complete (docs/found.md).
        parameters.num_workers = 1 if request.task == Task.COUNT else request.threads
        parameters.random_seed = request.seed
        parameters.enumerate_all_solutions = request.task == Task.COUNT
        if request.rewriting:
            parameters.permute_variable_randomly = parameters.permute_presolve_constraint_order = True
        parameters.log_search_progress = True
        parameters.log_to_stdout = False
        self.log = SolveLog(request.log, search="Starting search")
        self.cpsat.log_callback = lambda message: self.log.hear(f"{message}\n")
        self.work = 0.0
        self.counters: Figures = {}
        self.left: list[int] | None = None
        self.decided = False

    def solve(
        self, problem: cp_model.CpModel, callback: cp_model.CpSolverSolutionCallback | None
    ) -> cp_model.CpSolverStatus:
        """Runs CP-SAT for the time that is left; raises ValueError if it refuses the model."""
        # A model that states a search strategy is searched by it.
        if problem.proto.search_strategy:
            self.cpsat.parameters.search_branching = cp_model.FIXED_SEARCH
        if self.request.last_model:
            self.request.last_model.write_text(str(problem.proto))
        self.log.begin_solve()
        before = perf_counter()
        self.cpsat.parameters.max_time_in_seconds = max(0.0, self.until - before)
        status = self.cpsat.solve(problem, callback)
        after = perf_counter()
        if status == cp_model.MODEL_INVALID:
            raise ValueError(f"CP-SAT refuses the model: {problem.validate()}")

        self.log.end_solve(before, after)
        response = self.cpsat.response_proto
        self.work += response.deterministic_time
        self.counters = added(self.counters, counters(response))
        # Propagation that the time limit interrupted has not reached its fixpoint.
        ended = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
        at_root = self.request.solver in _ROOT_ALONE and not ended and after < self.until
        self.left = domain_sizes(response.tightened_variables) if at_root else None
        self.decided = at_root and max(self.left or [0]) == 1
        if self.decided:
            response.solution.extend([variable.domain[0] for variable in response.tightened_variables])
        return status


def rewritten(problem: cp_model.CpModel, number: int) -> cp_model.CpModel:
    """Returns an equivalent model, which the number determines: constraints in another order, some twice."""
    rng = Random(number)
    stated = list(problem.proto.constraints)
    result = problem.clone()
    if any(constraint.has_interval() for constraint in stated):
        return result  # Other constraints refer to intervals by their place.
    stated += [constraint for constraint in stated if rng.random() < 0.2]
    result.proto.constraints.clear()
    result.proto.constraints.extend(rng.sample(stated, len(stated)))
    return result


def counters(response: cp_model_helper.CpSolverResponse) -> Figures:
    """Returns the counters of a response."""
    return {
        "branches": response.num_branches,
        "failures": response.num_conflicts,
        "propagations": response.num_binary_propagations + response.num_integer_propagations,
        "lp_iterations": response.num_lp_iterations,
        "restarts": response.num_restarts,
    }


def export(model: Model, to: str, solver: str, head: Sequence[str]) -> str:
    """Returns the model's protocol buffer as text, or in MPS if all of its constraints are linear."""
    refuse_lazy(model)
    proto = model.problem.proto
    decisions = _read_by(model.decode) or range(len(proto.variables))
    if to == "mps":
        names = [_name_of(index, proto.variables[index]) for index in decisions]
        return comment("*", head, names) + _mps(proto)
    numbered = "Variables are numbered in the order below, from 0."
    return comment("#", [*head, numbered], [*map(str, decisions)]) + str(proto)


def _read_by(decode: Callable[..., object]) -> list[int]:
    """Returns the numbers of the variables that a function has access to: others do not matter to it."""
    found: set[int] = set()
    left: list[object] = [getclosurevars(decode).nonlocals] if isinstance(decode, FunctionType) else []
    while left:
        match left.pop():
            case cp_model.LinearExpr() as expression:
                found |= {variable.index for variable in cp_model.FlatIntExpr(expression).vars}
            case Mapping() as mapping:
                left += mapping.values()
            case list() | tuple() | set() as several:
                left += several
    return sorted(found)


def _mps(proto: cp_model_helper.CpModelProto) -> str:
    """Returns a model in MPS; raises Unsupported for the first thing in it that MPS cannot state."""
    from ortools.linear_solver.python import model_builder

    linear = model_builder.Model()  # type: ignore[no-untyped-call]
    variables = []
    for index, variable in enumerate(proto.variables):
        bounds = _interval(variable.domain)
        if bounds is None:
            domain = list(variable.domain)
            raise Unsupported(f"MPS has no domains with gaps, and {variable.name or index} has {domain}")
        variables.append(linear.new_int_var(*bounds, _name_of(index, variable)))
    for index, constraint in enumerate(proto.constraints):
        found = list(_rows(constraint))
        if not found:
            shown = " ".join(str(constraint).split())
            raise Unsupported(f"MPS has linear constraints only, and constraint {index} is {shown:.120}")
        for numbers, coefficients, lower, upper in found:
            terms = model_builder.LinearExpr.weighted_sum([variables[i] for i in numbers], coefficients)
            linear.add_linear_constraint(terms, lower, upper)
    return str(linear.export_to_mps_string())


def _name_of(index: int, variable: cp_model_helper.IntegerVariableProto) -> str:
    """The name of a variable in MPS: its number, and the words of its own name."""
    return "_".join([f"v{index}", *re.findall("[A-Za-z0-9]+", variable.name)])


_Row = tuple[list[int], list[float], float, float]
"""Numbers of variables, their coefficients, and the bounds of the sum."""


def _rows(constraint: cp_model_helper.ConstraintProto) -> Iterator[_Row]:
    """The rows that say the same as a constraint, none if it is not linear."""
    unless = [~literal for literal in constraint.enforcement_literal]

    def count(literals: Sequence[int], least: float, most: float) -> _Row:
        """From `least` to `most` of the literals are true; the number of a negated one is below 0."""
        negated = sum(literal < 0 for literal in literals)
        signs = [-1.0 if literal < 0 else 1.0 for literal in literals]
        return [max(literal, ~literal) for literal in literals], signs, least - negated, most - negated

    if constraint.has_bool_or():
        yield count([*unless, *constraint.bool_or.literals], 1, inf)
    elif constraint.has_bool_and():
        for literal in constraint.bool_and.literals:
            yield count([*unless, literal], 1, inf)
    elif unless:
        return
    elif constraint.has_at_most_one():
        yield count(constraint.at_most_one.literals, 0, 1)
    elif constraint.has_exactly_one():
        yield count(constraint.exactly_one.literals, 1, 1)
    elif constraint.has_linear() and (bounds := _interval(constraint.linear.domain)):
        yield list(constraint.linear.vars), [*map(float, constraint.linear.coeffs)], *bounds


def _interval(domain: Sequence[int]) -> tuple[float, float] | None:
    """The bounds of a domain, None if it has gaps; CP-SAT's bounds from 2^62 mean that there is none."""
    if len(domain) != 2:
        return None
    lower, upper = domain
    return (lower if lower > -(2**62) else -inf), (upper if upper < 2**62 else inf)
