"""Integer programs in PuLP, solved by HiGHS or by another of the solvers that PuLP drives."""

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO

from bench.catalogue import driver
from bench.contract import Format, OnSolution, Outcome, Solver, SolveRequest, Task
from bench.drivers._common import (
    Description,
    Figures,
    Native,
    Options,
    Variant,
    comment,
    import_only,
    model_of,
    refuse_lazy,
)
from models.shared.model import Model
from models.shared.puzzle import Puzzle

CORE = True

FORMATS: Mapping[str, Format] = {"mps": Format("MPS"), "lp": Format("the LP format of CPLEX")}


def _cbc_options(request: SolveRequest) -> Options:
    """Returns the seed, and the threads: `threads 1` is not the same as none, CBC starts a second one."""
    threads = request.threads
    return {"threads": threads if threads > 1 else None, "options": [f"randomCbcSeed {request.seed}"]}


def _log_by_name(native: Native, log: IO[str]) -> Options:
    """Makes a solver that appends its log do so."""
    native.optionsDict["logPath"] = log.name
    return {}


def _cbc_log(native: Native, log: IO[str]) -> Options:
    """Appends the log of CBC; with PuLP's logPath each solve would replace that of the one before."""
    native.get_pipe = lambda: Path(log.name).open("a")  # noqa: SIM115, PuLP closes it
    return {}


def _cplex_log(native: Native, log: IO[str]) -> Options:
    """Appends the log of CPLEX, for the same reason."""
    set_streams = native.setlogfile
    native.setlogfile = lambda _: set_streams(log)
    return {}


def _cplex_counters(native: Native) -> Figures:
    progress = native.solution.progress
    return {"branches": progress.get_num_nodes_processed(), "lp_iterations": progress.get_num_iterations()}


def _cplex_stopped(native: Native) -> bool:
    """Whether CPLEX found no solution in its time, which PuLP (3.3.2) calls infeasible."""
    solution = native.solution
    return bool(solution.get_status() == solution.status.MIP_time_limit_infeasible)


_MECHANISMS: Mapping[str, Options] = {
    "presolve": {"presolve": "off"},
    # There is no option for cuts: so few are kept, and those in the LP that are not tight are removed.
    "cuts": {"mip_pool_soft_limit": 1, "mip_lp_age_limit": 0},
    "heuristics": {
        "mip_heuristic_effort": 0.0,
        "mip_heuristic_run_feasibility_jump": False,
        "mip_heuristic_run_rens": False,
        "mip_heuristic_run_rins": False,
        "mip_heuristic_run_root_reduced_cost": False,
        # Any bound that is not infinite has HiGHS leave out its feasibility pump.
        "objective_bound": 1e20,
    },
    "symmetry": {"mip_detect_symmetry": False},
}
"""The mechanisms of HiGHS, with the options that turn them off; docs/columns.md says what of them remains."""

VARIANTS = {
    "nopresolve": Variant("HiGHS without presolve", without="presolve"),
    "nocuts": Variant("HiGHS without cuts", without="cuts"),
    "noheuristics": Variant("HiGHS without heuristics", without="heuristics"),
    "nosymmetry": Variant("HiGHS without symmetry", without="symmetry"),
    "onlypresolve": Variant("HiGHS with presolve alone", only=["presolve"]),
    "onlycuts": Variant("HiGHS with cuts alone", only=["cuts"]),
    "onlyheuristics": Variant("HiGHS with heuristics alone", only=["heuristics"]),
    "onlysymmetry": Variant("HiGHS with symmetry alone", only=["symmetry"]),
    "bare": Variant("HiGHS without presolve, cuts, heuristics, symmetry", only=[]),
    "root": Variant("HiGHS stopped after the root node", {"mip_max_nodes": 1}),
    "relaxation": Variant("HiGHS on the linear relaxation"),
    "presolved_relaxation": Variant("HiGHS on the linear relaxation of the presolved model"),
}

SOLVERS = {
    "highs": Description("HiGHS", ("highspy",), ("highspy",), separate_process=False, threads="threads"),
    "cpsat": Description("CP-SAT", ("ortools",), ("ortools",), threads="num_workers", counts_alone=True),
    "cbc": Description(
        "CBC, the program that comes with PuLP", ("pulp",), (), interface="PULP_CBC_CMD",
        threads="threads", options=_cbc_options, log_to=_cbc_log, presolved="cbc",
        bounds=lambda _, log: re.findall(r"^(?:Low|Upp)er bound: +(\S+)", log, re.MULTILINE),
        logged={
            "branches": r"Enumerated nodes: +(\d+)", "lp_iterations": r"Total iterations: +(\d+)"
        },
    ),
    "scip": Description(
        "SCIP by PuLP", ("pyscipopt",), ("pyscipopt",), interface="SCIP_PY",
        options=lambda request: {"options": [f"randomization/randomseedshift={request.seed - 1}"]},
        log_to=_log_by_name, presolved="scip",
        counters=lambda native: {
            "branches": native.getNTotalNodes(), "lp_iterations": native.getNLPIterations()
        },
        bounds=lambda native, _: [native.getDualbound()],
    ),
    "cplex": Description(
        "CPLEX by PuLP", ("cplex",), ("cplex",), interface="CPLEX_PY",
        threads="threads", options=lambda request: {"randomseed": request.seed},
        log_to=_cplex_log, presolved="cplex", counters=_cplex_counters, stopped=_cplex_stopped,
        bounds=lambda native, _: [native.solution.MIP.get_best_objective()],
    ),
    "gurobi": Description(
        "Gurobi by PuLP", ("gurobipy",), ("gurobipy",), interface="GUROBI",
        threads="Threads",  # PuLP does not pass on that its gap is to be 0.
        options=lambda request: {"LogToConsole": 0, "Seed": request.seed, "msg": True, "MIPGap": 0.0},
        log_to=_log_by_name, presolved="gurobi", bounds=lambda native, _: [native.ObjBound],
        counters=lambda native: {"branches": native.NodeCount, "lp_iterations": native.IterCount},
    ),
}  # fmt: skip
"""The solvers by name, the default first; a new one needs only an entry."""


def solvers() -> Mapping[str, Solver]:
    """Returns HiGHS with its variants, and PuLP's other solvers."""
    known = {name: description.solver() for name, description in SOLVERS.items()}
    variants = {
        name: replace(known["highs"], title=each.title, variant=True) for name, each in VARIANTS.items()
    }
    found = {"highs": known["highs"], **variants, **known}
    return {name: replace(each, packages=(*each.packages, "pulp")) for name, each in found.items()}


def load(solver: str) -> Model:
    """Imports PuLP and the library of one solver, by default of HiGHS."""
    known = [library for other in SOLVERS.values() for library in other.modules]
    unused = ["coptpy", "cuopt", "mosek", "xpress"]  # PuLP would import them too.
    import_only(SOLVERS.get(solver, SOLVERS["highs"]).modules, known + unused)
    _solve_with(solver)
    import pulp

    problem = pulp.LpProblem()
    x = problem.add_variable("x", cat=pulp.LpBinary)
    problem += 0
    problem += x >= 1
    return Model(problem, lambda value: value(x))


def _solve_with(solver: str) -> Callable[..., Outcome]:
    """Returns the function that runs a solver, from its module, which imports PuLP."""
    if solver in ("relaxation", "presolved_relaxation"):
        from bench.drivers._relaxation import solve
    elif solver in ("", "highs", *VARIANTS):
        from bench.drivers._highs import solve
    elif solver == "cpsat":
        other = driver("cpsat")  # It imports OR-Tools first, without what that does not need.
        from bench.drivers import _linear

        return partial(_linear.solve_as, _linear.as_cp_model, other)
    else:
        from bench.drivers import _pulp

        return partial(_pulp.solve, description=SOLVERS[solver])
    return solve


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """Returns the LpProblem of the puzzle."""
    import pulp

    return model_of(formulation, puzzle, pulp.LpProblem, adds_lazy=True)


def solve(model: Model, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Runs the solver; to count, solves again with each solution cut off until none is left.

    The sizes are those of the first solve; times, nodes and iterations are summed over all solves.
    """
    solve = _solve_with(request.solver)
    if request.solver in ("highs", *VARIANTS):
        options = VARIANTS.get(request.solver, Variant("")).options_for(_MECHANISMS)
        options |= {"random_seed": request.seed, "threads": request.threads}
        # By default it calls a solution optimal that is within 0.01% of its bound.
        options |= {"mip_rel_gap": 0.0} if request.task == Task.BEST else {}
        solve = partial(solve, options=options)
    if request.rewriting and request.solver != "cpsat":  # CP-SAT rewrites models itself.
        from bench.drivers._pulp import rewritten

        model = replace(model, problem=rewritten(model.problem, request.rewriting))
    return solve(model, request, on_solution)


def export(model: Model, to: str, solver: str, head: Sequence[str]) -> str:
    """Returns the model as PuLP writes it."""
    from models.shared.milp import binaries

    refuse_lazy(model)
    decisions = model.decisions or binaries(model.problem.variables())
    if constant := model.problem.objective.constant:
        head = [*head, f"The puzzle's objective is that of this file plus {constant:g}."]
    write_mps = partial(model.problem.writeMPS, with_objsense=model.problem.sense < 0)  # -1 is to be large.
    mark, write = ("*", write_mps) if to == "mps" else ("\\", model.problem.writeLP)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model"
        write(file)
        return comment(mark, head, [variable.name for variable in decisions]) + file.read_text()
