"""CP-SAT (OR-Tools), through its Python API."""

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partialmethod
from random import Random
from time import perf_counter
from types import ModuleType
from typing import Any

from bench.catalogue import driver
from bench.catalogue.errors import one_line
from bench.contract import Exports, Format, OnSolution, Outcome, Solver, SolveRequest, Task, Unsupported
from bench.drivers._common import (
    Description,
    Figures,
    Options,
    SolveLog,
    Variant,
    added,
    comment,
    model_of,
    presolved_sizes,
    refuse_lazy,
)
from bench.environment.releases import installed, numbers
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


def _complete() -> None:
    """Gives OR-Tools 9.9 to 9.14, whose messages are those of Python's protobuf, what models use of 9.15."""
    text_format = importlib.import_module("google.protobuf.text_format")
    messages: Any = importlib.import_module("ortools.sat.cp_model_pb2")
    messages.CpModelProto.merge_text_format = lambda proto, text: bool(text_format.Merge(text, proto))
    for message in (messages.CpModelProto, messages.ConstraintProto):
        for field in message.DESCRIPTOR.fields:
            setattr(message, f"has_{field.name}", partialmethod(message.HasField, field.name))
    vars(cp_model_helper).setdefault("Literal", cp_model.IntVar)  # 9.12
    old: Any = cp_model
    if hasattr(old, "VariableList"):  # 9.12 to 9.14 list variables, but not those that are read as text.

        @cache  # A negated variable does not keep the other one alive.
        def variable(model: cp_model.CpModel, index: int) -> Any:
            domain = model.proto.variables[index].domain
            return old.IntVar(model.proto, index, domain[0] >= 0 and domain[-1] <= 1, None)

        old.VariableList.append = lambda *_: None
        old.CpModel._get_int_var = variable


_IS_OLD = not hasattr(cp_model_helper, "CpModelProto")
"""Whether OR-Tools is older than 9.15."""

if _IS_OLD and hasattr(cp_model.CpModel, "proto"):
    _complete()

CORE = True

FORMATS: Mapping[str, Format] = {
    "pb.txt": Format("the text format of CP-SAT's protocol buffers"),
    "mps": Format("MPS", "highs"),
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
    "lp2": Variant("CP-SAT with Boolean constraints in the linear relaxation", {"linearization_level": 2}),
    "fixed": Variant(
        "CP-SAT branching in the order of the model", {"search_branching": cp_model.FIXED_SEARCH}
    ),
    "propagation": Variant("propagation of CP-SAT, without search", _ROOT_ONLY, only=[]),
    "probing": Variant("propagation and probing of CP-SAT, without search", _ROOT_ONLY, only=["probing"]),
}

SOLVERS = {"cpsat": Variant("OR-Tools CP-SAT"), "highs": Variant("HiGHS on linear models"), **VARIANTS}


def _in_order(problem: cp_model.CpModel) -> cp_model.CpModel:
    """Returns the model with a search strategy: the first undecided variable, its smallest value first."""
    result = problem.clone()
    variables = [result.get_int_var_from_proto_index(index) for index in range(len(result.proto.variables))]
    result.add_decision_strategy(variables, cp_model.CHOOSE_FIRST, cp_model.SELECT_MIN_VALUE)
    return result


def domain_sizes(variables: "Iterable[cp_model_helper.IntegerVariableProto]") -> list[int]:
    """Returns the number of values in each domain."""
    return [cp_model.Domain.from_flat_intervals(list(variable.domain)).size() for variable in variables]


def solvers() -> Mapping[str, Solver]:
    """Returns CP-SAT, HiGHS, and variants, which have one thread: others would search in other ways."""
    release = installed("ortools")
    highs = Description(SOLVERS["highs"].title, ("highspy",), ("highspy",), threads="threads")
    known = {
        name: Solver(
            variant.title, release, parallel=name not in VARIANTS, counts_alone=True,
            packages=("ortools",), variant=name in VARIANTS,
        )
        for name, variant in SOLVERS.items()
    }  # fmt: skip
    return known | {"highs": replace(highs.solver(), packages=("highspy", "ortools", "pulp"))}


def load(solver: str) -> Model:
    """Imports HiGHS with PuLP, if it is the solver; OR-Tools is imported with this module."""
    if not hasattr(cp_model.CpModel, "new_int_var"):
        lacks = "has no names with underscores, such as new_int_var"
        raise ImportError(f"OR-Tools {installed('ortools')} {lacks}: 9.9 or newer is needed")
    if solver == "highs":
        driver("milp").load(solver)
        importlib.import_module("bench.drivers._linear")
    problem = cp_model.CpModel()
    # As text, since its reader initialises itself, too.
    problem.proto.merge_text_format('variables:{name:"x"domain:[1,1]}')
    return Model(problem, lambda value: value(problem.get_bool_var_from_proto_index(0)))


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """Returns the CpModel of the puzzle; raises Unsupported if an old release cannot state it."""
    try:
        return model_of(formulation, puzzle, cp_model.CpModel, adds_lazy=True)
    except (AttributeError, AssertionError, TypeError, ValueError) as error:
        if not _IS_OLD:
            raise
        raise _refused(str(error)) from error


def _refused(reason: str) -> Unsupported:
    """Says why an old release does not take a model."""
    said = f"OR-Tools {installed('ortools')} cannot state this model: {reason}"
    return Unsupported(one_line(said))


def solve(model: Model, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Runs CP-SAT or a variant, and again with lazy constraints as long as a solution breaks some.

    Where most solutions repeat the decisions of others, it is run again with those cut off. The sizes are
    those of the first solve; times and counters are summed over all solves.
    """
    if request.solver == "highs":
        if _IS_OLD:
            lacks = "does not evaluate expressions for other solvers"
            raise Unsupported(f"OR-Tools {installed('ortools')} {lacks}: 9.15 or newer is needed")
        from bench.drivers import _linear

        return _linear.solve_as(_linear.as_program, driver("milp"), model, request, on_solution)
    problem: cp_model.CpModel = model.problem
    options = SOLVERS[request.solver].options_for(_MECHANISMS)
    if request.solver == "fixed" and not problem.proto.search_strategy:
        problem = _in_order(problem)
    if request.rewriting:
        problem = rewritten(problem, request.rewriting)
    variables, constraints = len(problem.proto.variables), len(problem.proto.constraints)
    values = sum(domain_sizes(problem.proto.variables)) if request.solver in _ROOT_ALONE else None
    broken: list[Any] = []
    known: set[tuple[int, ...]] = set()
    enough = False

    def accept(value: Values) -> bool:
        """Reports a solution that is new and breaks no lazy constraints; keeps those that it breaks."""
        nonlocal enough
        decided = tuple(map(value, model.decisions))
        if decided in known:
            return False
        cuts = model.lazy(value) if model.lazy else ()
        broken.extend(cuts)
        if not cuts:
            known.update([decided] if decided else [])
            enough = bool(on_solution(model.decode(value), model.stands_for))
        return not cuts

    class Report(cp_model.CpSolverSolutionCallback):
        balance = 0

        def on_solution_callback(self) -> None:
            # Another solve has a price, such as finding solutions again: it pays once more are refused.
            self.balance += 1 if accept(self.value) else -1
            if (self.balance < 0 and not best) or enough:
                self.stop_search()

    started = perf_counter()
    session = _Session(options, request, started + request.time_s)
    first, best, rounds = request.task == Task.FIRST, request.task == Task.BEST, 0
    while True:
        # CP-SAT reports the same solution twice if the callback is set for the task of one solution.
        report = None if first else Report()
        status = session.solve(problem, report)
        found = session.decided or (first and status in (cp_model.OPTIMAL, cp_model.FEASIBLE))
        if found:
            accept(session.cpsat.value)
        complete = not broken and (found or status in (cp_model.OPTIMAL, cp_model.INFEASIBLE))
        refuses = broken or (report and report.balance < 0 and not best)
        if complete or enough or not refuses or session.is_over:
            break
        rounds += bool(broken)
        for constraint in broken:
            problem.add(constraint)
        broken.clear()
        if known and not best:
            problem.add_forbidden_assignments(model.decisions, known)
            known.clear()
    solve_s = perf_counter() - started
    if (left := session.left) is None:
        sizes = presolved_sizes("cpsat", "\n".join(session.log.first))
    else:
        sizes = {"presolved_variables": sum(size > 1 for size in left)}
    return Outcome(
        complete=complete, presolve_s=None if session.log.search_s is None else session.log.presolve_s,
        search_s=session.log.search_s, solve_s=solve_s, variables=variables, constraints=constraints,
        work=session.work, values=values, values_left=None if left is None else sum(left),
        stopped=left is not None and not session.decided, rounds=rounds if model.lazy else None,
        **session.counters, **sizes,
    )  # fmt: skip


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
        if request.solver in _ROOT_ALONE and numbers(installed("ortools") or "") < (9, 11):
            raise Unsupported(f"OR-Tools {installed('ortools')} does not say what it propagated; 9.11 does")
        for name, value in options.items():
            if not hasattr(parameters, name):
                raise Unsupported(f"OR-Tools {installed('ortools')} has no parameter {name}")
            setattr(parameters, name, value)
        # With several threads it misses solutions and calls the search complete (docs/found.md).
        parameters.num_workers = 1 if request.task == Task.COUNT else request.threads
        parameters.random_seed = request.seed
        parameters.enumerate_all_solutions = request.task == Task.COUNT
        if request.rewriting:
            parameters.permute_variable_randomly = parameters.permute_presolve_constraint_order = True
        parameters.log_search_progress = True
        parameters.log_to_stdout = False
        self.log = SolveLog(request.log, search="search at ")
        self.cpsat.log_callback = lambda message: self.log.hear(f"{message}\n")
        if request.task == Task.BEST:
            self.cpsat.best_bound_callback = request.on_bound
        self.work = 0.0
        self.counters: Figures = {}
        self.left: list[int] | None = None
        self.decided = False

    @property
    def is_over(self) -> bool:
        """Whether its time or effort is spent."""
        effort = self.request.effort
        return perf_counter() >= self.until or (effort is not None and self.work >= effort)

    def solve(
        self, problem: cp_model.CpModel, callback: cp_model.CpSolverSolutionCallback | None
    ) -> "cp_model.CpSolverStatus":
        """Runs CP-SAT for the time that is left; raises ValueError if it refuses the model."""
        if self.request.last_model:
            self.request.last_model.write_text(str(problem.proto))
        self.log.begin_solve()
        before = perf_counter()
        self.cpsat.parameters.max_time_in_seconds = max(0.0, self.until - before)
        if self.request.effort is not None:
            self.cpsat.parameters.max_deterministic_time = max(0.0, self.request.effort - self.work)
        status = self.cpsat.solve(problem, callback)
        after = perf_counter()
        if status == cp_model.MODEL_INVALID:
            reason = problem.validate()
            if _IS_OLD:  # Before 9.15 a term of add_all_different has one variable.
                raise _refused(reason)
            raise ValueError(f"CP-SAT refuses the model: {reason}")

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
            fixed = [variable.domain[0] for variable in response.tightened_variables]
            response.solution.extend(fixed)
            if _IS_OLD:  # 9.12 to 9.14 do not read values from there.
                cpsat: Any = self.cpsat
                cpsat.value = lambda each: fixed[each.index] if each.index >= 0 else 1 - fixed[~each.index]
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


def counters(response: "cp_model_helper.CpSolverResponse") -> Figures:
    """Returns the counters of a response."""
    return {
        "branches": response.num_branches,
        "failures": response.num_conflicts,
        "propagations": response.num_binary_propagations + response.num_integer_propagations,
        "lp_iterations": response.num_lp_iterations,
        "restarts": response.num_restarts,
    }


def export(model: Model, to: str, solver: str, head: Sequence[str]) -> str:
    """Returns the model's protocol buffer as text, or in MPS if it is linear."""
    refuse_lazy(model)
    if to == "mps":
        from bench.drivers._linear import as_program

        milp = driver("milp")
        assert isinstance(milp, Exports)
        return milp.export(as_program(model), to, solver, head)
    proto = model.problem.proto
    numbered = "Variables are numbered in the order below, from 0."
    decisions = [each.index for each in model.decisions] or range(len(proto.variables))
    return comment("#", [*head, numbered], [*map(str, decisions)]) + str(proto)
