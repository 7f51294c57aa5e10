"""CP-SAT (OR-Tools), through its Python API."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from inspect import getclosurevars
from random import Random
from time import perf_counter
from types import FunctionType

from ortools.sat.python import cp_model, cp_model_helper

from bench.contract import Format, OnSolution, Outcome, Solver, SolveRequest, Task
from bench.drivers._comment import apart_by, comment
from bench.drivers._cpsat_variants import ROOT_ONLY, Variant, domain_sizes, in_order, only, without
from bench.drivers._description import Counters
from bench.drivers._log_file import LogFile
from bench.drivers._logs import Sizes, cpsat_sizes
from bench.drivers._models import model_of
from models.shared.model import Model
from models.shared.puzzle import Puzzle

CORE = True

FORMATS: Mapping[str, Format] = {
    "pb.txt": Format("the text format of CP-SAT's protocol buffers"),
    "mps": Format("MPS"),
}


VARIANTS = {
    "nopresolve": Variant("CP-SAT without presolve", without("presolve")),
    "noprobing": Variant("CP-SAT without probing", without("probing")),
    # At its default level it would use symmetries in the search too, which with the LP it does not do.
    "nolp": Variant("CP-SAT without linear relaxation", {**without("lp"), "symmetry_level": 1}),
    "nosymmetry": Variant("CP-SAT without symmetries", without("symmetry")),
    "onlypresolve": Variant("CP-SAT with presolve alone", only("presolve")),
    "onlyprobing": Variant("CP-SAT with probing alone", only("probing")),
    "onlylp": Variant("CP-SAT with the linear relaxation alone", only("lp")),
    "onlysymmetry": Variant("CP-SAT with symmetries alone", only("symmetry")),
    "bare": Variant("CP-SAT without presolve, probing, linear relaxation and symmetries", only()),
    "fixed": Variant("CP-SAT branching in the order of the model", {}, in_order=True),
    "propagation": Variant("propagation of CP-SAT, without search", only(), root_only=True),
    "probing": Variant("propagation and probing of CP-SAT, without search", only("probing"), root_only=True),
}
"""CP-SAT with mechanisms turned off, in another order, or stopped at the root."""

SOLVERS = {"cpsat": Variant("OR-Tools CP-SAT", {}), **VARIANTS}
"""CP-SAT and its variants by name."""


def solvers() -> Mapping[str, Solver]:
    """Returns CP-SAT and its variants, which have one thread: others would search in other ways."""
    release = version("ortools")
    return {
        name: Solver(
            variant.title,
            release,
            parallel=name not in VARIANTS,
            packages=("ortools",),
            variant=name in VARIANTS,
        )
        for name, variant in SOLVERS.items()
    }


def load(solver: str) -> None:
    """Does nothing: OR-Tools is imported with this module."""


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """Returns the CpModel of the puzzle."""
    return model_of(formulation, puzzle, cp_model.CpModel)


def solve(model: Model, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Runs CP-SAT or a variant; its log says when presolve ended, and the sizes of the presolved model."""
    problem: cp_model.CpModel = model.problem
    variant = SOLVERS[request.solver]
    cpsat = cp_model.CpSolver()
    parameters = cpsat.parameters
    for name, value in {**variant.parameters, **(ROOT_ONLY if variant.root_only else {})}.items():
        setattr(parameters, name, value)
    parameters.max_time_in_seconds = request.time_s
    # With several threads it misses solutions and calls the search complete (docs/found.md).
    parameters.num_workers = 1 if request.task == Task.COUNT else request.threads
    parameters.random_seed = request.seed
    parameters.enumerate_all_solutions = request.task == Task.COUNT
    if variant.in_order and not problem.proto.search_strategy:
        problem = in_order(problem)
    if problem.proto.search_strategy:  # A model that states a search strategy is searched by it.
        parameters.search_branching = cp_model.FIXED_SEARCH
    parameters.log_search_progress = True
    parameters.log_to_stdout = False
    if request.rewriting:
        problem = rewritten(problem, request.rewriting)
        parameters.permute_variable_randomly = parameters.permute_presolve_constraint_order = True
    if request.last_model:
        request.last_model.write_text(str(problem.proto))
    log: list[tuple[float, str]] = []
    log_file = LogFile(request.log)

    def hear(message: str) -> None:
        log.append((perf_counter(), message))
        log_file.write(f"{message}\n")

    cpsat.log_callback = hear

    class Report(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            on_solution(model.decode(self.value), model.stands_for)

    started = perf_counter()
    # CP-SAT reports the same solution twice if the callback is set for the task of one solution.
    status = cpsat.solve(problem, Report() if request.task == Task.COUNT else None)
    ended = perf_counter()

    if status == cp_model.MODEL_INVALID:
        raise ValueError(f"CP-SAT refuses the model: {problem.validate()}")
    complete = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE) or (
        request.task == Task.FIRST and status == cp_model.FEASIBLE
    )
    response = cpsat.response_proto
    left = domain_sizes(response.tightened_variables)
    # Propagation that the time limit interrupted has not reached its fixpoint.
    at_root = variant.root_only and not complete and ended - started < request.time_s
    decided = at_root and max(left, default=0) == 1
    if decided:
        response.solution.extend([variable.domain[0] for variable in response.tightened_variables])
    if decided or (request.task == Task.FIRST and status in (cp_model.OPTIMAL, cp_model.FEASIBLE)):
        on_solution(model.decode(cpsat.value), model.stands_for)
    search_at = next((moment for moment, message in log if message.startswith("Starting search")), None)
    sizes = cpsat_sizes("\n\n".join(message for _, message in log))
    return Outcome(
        complete=complete or decided,
        presolve_s=search_at - started if search_at else None,
        search_s=ended - search_at if search_at else None,
        solve_s=ended - started,
        variables=len(problem.proto.variables),
        constraints=len(problem.proto.constraints),
        work=response.deterministic_time,
        values=sum(domain_sizes(problem.proto.variables)) if variant.root_only else None,
        values_left=sum(left) if at_root else None,
        stopped=at_root and not decided,
        **asdict(counters(response)),
        **asdict(Sizes(sum(size > 1 for size in left)) if at_root else sizes),
    )


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
    proto = model.problem.proto
    decisions = read_by(model.decode) or range(len(proto.variables))
    if to == "mps":
        from bench.drivers._cpsat_mps import mps, name_of

        names = [name_of(index, proto.variables[index]) for index in decisions]
        return comment("*", [*head, *apart_by(names)]) + mps(proto)
    numbered = "Variables are numbered in the order below, from 0."
    return comment("#", [*head, numbered, *apart_by(map(str, decisions))]) + str(proto)


def read_by(decode: Callable[..., object]) -> list[int]:
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
