"""CP-SAT (OR-Tools), through its Python API."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from inspect import getclosurevars
from random import Random
from time import perf_counter
from types import FunctionType
from typing import Any

from bench.contract import Format, OnSolution, Outcome, Solver, SolveRequest, Task
from bench.drivers._common import (
    Counters,
    LogFile,
    Sizes,
    apart_by,
    comment,
    cpsat_sizes,
    model_of,
    refuse_lazy,
    refuse_turned_off,
)
from bench.drivers._ortools import cp_model, cp_model_helper
from models.shared.model import Model, Values
from models.shared.puzzle import Puzzle

Parameters = dict[str, bool | int | float]

_OFF: Mapping[str, Parameters] = {
    "presolve": {"cp_model_presolve": False},
    # CP-SAT probes when it presolves or loads the model, and again between restarts.
    "probing": {"cp_model_probing_level": 0, "inprocessing_probing_dtime": 0.0},
    "lp": {"linearization_level": 0},
    "symmetry": {"symmetry_level": 0},
}
"""The parameters that turn off each mechanism."""

_ROOT_ONLY: Parameters = {
    "stop_after_root_propagation": True,
    "fill_tightened_domains_in_response": True,
    "keep_all_feasible_solutions_in_presolve": True,  # Constraints are expanded even without presolve.
}
"""The parameters that stop CP-SAT before its search, with the domains that are left."""


def _without(*mechanisms: str) -> Parameters:
    return {name: value for mechanism in mechanisms for name, value in _OFF[mechanism].items()}


def _without_one(mechanism: str, title: str, **others: int) -> "_Variant":
    """Returns CP-SAT without a mechanism, with these other parameters."""
    return _Variant(title, _without(mechanism) | others, turned_off=tuple(_OFF[mechanism]))


def only(*mechanisms: str) -> Parameters:
    """Returns the parameters that turn these mechanisms on, whatever a formulation says, and others off."""
    defaults = cp_model.CpSolver().parameters
    on = {name: getattr(defaults, name) for name in _without(*mechanisms)}
    return _without(*(mechanism for mechanism in _OFF if mechanism not in mechanisms)) | on


@dataclass(frozen=True)
class _Variant:
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


def _in_order(problem: cp_model.CpModel) -> cp_model.CpModel:
    """Returns the model with a search strategy: the first undecided variable, its smallest value first."""
    result = problem.clone()
    variables = [result.get_int_var_from_proto_index(index) for index in range(len(result.proto.variables))]
    result.add_decision_strategy(variables, cp_model.CHOOSE_FIRST, cp_model.SELECT_MIN_VALUE)
    return result


def domain_sizes(variables: Iterable[cp_model_helper.IntegerVariableProto]) -> list[int]:
    """Returns the number of values in each domain."""
    return [cp_model.Domain.from_flat_intervals(list(variable.domain)).size() for variable in variables]


CORE = True

FORMATS: Mapping[str, Format] = {
    "pb.txt": Format("the text format of CP-SAT's protocol buffers"),
    "mps": Format("MPS"),
}


VARIANTS = {
    "nopresolve": _without_one("presolve", "CP-SAT without presolve"),
    "noprobing": _without_one("probing", "CP-SAT without probing"),
    # At its default level it would use symmetries in the search too, which with the LP it does not do.
    "nolp": _without_one("lp", "CP-SAT without linear relaxation", symmetry_level=1),
    "nosymmetry": _without_one("symmetry", "CP-SAT without symmetries"),
    "onlypresolve": _Variant("CP-SAT with presolve alone", only("presolve")),
    "onlyprobing": _Variant("CP-SAT with probing alone", only("probing")),
    "onlylp": _Variant("CP-SAT with the linear relaxation alone", only("lp")),
    "onlysymmetry": _Variant("CP-SAT with symmetries alone", only("symmetry")),
    "bare": _Variant("CP-SAT without presolve, probing, linear relaxation and symmetries", only()),
    "fixed": _Variant("CP-SAT branching in the order of the model", {}, in_order=True),
    "propagation": _Variant("propagation of CP-SAT, without search", only(), root_only=True),
    "probing": _Variant("propagation and probing of CP-SAT, without search", only("probing"), root_only=True),
}
"""CP-SAT with mechanisms turned off, in another order, or stopped at the root."""

SOLVERS = {"cpsat": _Variant("OR-Tools CP-SAT", {}), **VARIANTS}
"""CP-SAT and its variants by name."""


def solvers() -> Mapping[str, Solver]:
    """Returns CP-SAT and its variants, which have one thread: others would search in other ways."""
    release = version("ortools")
    return {
        name: Solver(
            variant.title,
            release,
            parallel=name not in VARIANTS,
            counts_alone=True,
            packages=("ortools",),
            variant=name in VARIANTS,
        )
        for name, variant in SOLVERS.items()
    }


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
    variant = SOLVERS[request.solver]
    refuse_turned_off(variant.turned_off, model)
    if variant.in_order and not problem.proto.search_strategy:
        problem = _in_order(problem)
    if request.rewriting:
        problem = rewritten(problem, request.rewriting)
    variables, constraints = len(problem.proto.variables), len(problem.proto.constraints)
    values = sum(domain_sizes(problem.proto.variables)) if variant.root_only else None
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
    session = Session(variant, model.options, request, started + request.time_s)
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
    left = session.left
    return Outcome(
        complete=complete,
        presolve_s=None if session.search_s is None else session.presolve_s,
        search_s=session.search_s,
        solve_s=perf_counter() - started,
        variables=variables,
        constraints=constraints,
        work=session.work,
        values=values,
        values_left=None if left is None else sum(left),
        stopped=left is not None and not session.decided,
        rounds=rounds if model.lazy else None,
        **asdict(session.counters),
        **asdict(session.sizes if left is None else Sizes(sum(size > 1 for size in left))),
    )


class Session:
    """One CP-SAT object that is run several times; sums times and counters over the runs.

    Attributes:
        left: the sizes of the domains after the last run, if that stopped at the root before the time limit.
        decided: whether each of them has one value: then these are the values of the variables.
    """

    def __init__(self, variant: _Variant, options: Mapping[str, Any], request: SolveRequest, until: float):
        self.root_only, self.until, self.last_model = variant.root_only, until, request.last_model
        self.cpsat = cp_model.CpSolver()
        parameters = self.cpsat.parameters
        last = _ROOT_ONLY if variant.root_only else {}
        for name, value in {**options, **variant.parameters, **last}.items():
            setattr(parameters, name, value)
        # With several threads it misses solutions and calls the search complete (docs/found.md).
        parameters.num_workers = 1 if request.task == Task.COUNT else request.threads
        parameters.random_seed = request.seed
        parameters.enumerate_all_solutions = request.task == Task.COUNT
        if request.rewriting:
            parameters.permute_variable_randomly = parameters.permute_presolve_constraint_order = True
        parameters.log_search_progress = True
        parameters.log_to_stdout = False
        self.cpsat.log_callback = self.hear
        self.log_file = LogFile(request.log)
        self.log: list[tuple[float, str]] = []
        self.first_log = ""
        self.presolve_s = self.work = 0.0
        self.search_s: float | None = None
        self.counters = Counters()
        self.left: list[int] | None = None
        self.decided = False

    def hear(self, message: str) -> None:
        """Keeps a message of CP-SAT, with the time, and writes it to the file."""
        self.log.append((perf_counter(), message))
        self.log_file.write(f"{message}\n")

    def solve(
        self, problem: cp_model.CpModel, callback: cp_model.CpSolverSolutionCallback | None
    ) -> cp_model.CpSolverStatus:
        """Runs CP-SAT for the time that is left; returns how it ended.

        Raises:
            ValueError: if CP-SAT refuses the model.
        """
        # A model that states a search strategy is searched by it.
        if problem.proto.search_strategy:
            self.cpsat.parameters.search_branching = cp_model.FIXED_SEARCH
        if self.last_model:
            self.last_model.write_text(str(problem.proto))
        self.log.clear()
        self.log_file.begin_solve()
        before = perf_counter()
        self.cpsat.parameters.max_time_in_seconds = max(0.0, self.until - before)
        status = self.cpsat.solve(problem, callback)
        after = perf_counter()
        if status == cp_model.MODEL_INVALID:
            raise ValueError(f"CP-SAT refuses the model: {problem.validate()}")

        searching = next((at for at, line in self.log if line.startswith("Starting search")), None)
        self.presolve_s += (searching or after) - before
        if searching:
            self.search_s = (self.search_s or 0.0) + after - searching
        response = self.cpsat.response_proto
        self.work += response.deterministic_time
        self.counters = self.counters.after(counters(response))
        self.first_log = self.first_log or "\n\n".join(line for _, line in self.log)
        # Propagation that the time limit interrupted has not reached its fixpoint.
        ended = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
        at_root = self.root_only and not ended and after < self.until
        self.left = domain_sizes(response.tightened_variables) if at_root else None
        self.decided = at_root and max(self.left or [0]) == 1
        if self.decided:
            response.solution.extend([variable.domain[0] for variable in response.tightened_variables])
        return status

    @property
    def sizes(self) -> Sizes:
        """The sizes of the model that presolve leaves in the first run."""
        return cpsat_sizes(self.first_log)


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


def counters(response: cp_model_helper.CpSolverResponse) -> Counters:
    """Returns the counters of a response."""
    return Counters(
        branches=response.num_branches,
        failures=response.num_conflicts,
        propagations=response.num_binary_propagations + response.num_integer_propagations,
        lp_iterations=response.num_lp_iterations,
        restarts=response.num_restarts,
    )


def export(model: Model, to: str, solver: str, head: Sequence[str]) -> str:
    """Returns the model's protocol buffer as text, or in MPS if all of its constraints are linear."""
    refuse_lazy(model)
    proto = model.problem.proto
    decisions = _read_by(model.decode) or range(len(proto.variables))
    if to == "mps":
        from bench.drivers._cpsat_mps import mps, name_of

        names = [name_of(index, proto.variables[index]) for index in decisions]
        return comment("*", [*head, *apart_by(names)]) + mps(proto)
    numbered = "Variables are numbered in the order below, from 0."
    return comment("#", [*head, numbered, *apart_by(map(str, decisions))]) + str(proto)


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
