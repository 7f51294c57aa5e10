"""Integer programs in PuLP, solved by HiGHS or by another of the solvers that PuLP drives."""

import re
import tempfile
from collections import ChainMap
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from bench.contract import Format, OnSolution, Outcome, Solver, SolveRequest
from bench.drivers._common import (
    Counters,
    Description,
    Native,
    Options,
    apart_by,
    cbc_sizes,
    comment,
    cplex_sizes,
    gurobi_sizes,
    highs_sizes,
    import_only,
    model_of,
    refuse_lazy,
    scip_sizes,
)
from models.shared.model import Model
from models.shared.puzzle import Puzzle

CORE = True

FORMATS: Mapping[str, Format] = {"mps": Format("MPS"), "lp": Format("the LP format of CPLEX")}

_UNUSED = ("coptpy", "cuopt", "mosek", "xpress")
"""The libraries of solvers that PuLP would import too."""


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


def _cbc_counters(log: str) -> Counters:
    nodes = re.search(r"Enumerated nodes: +(\d+)", log)
    iterations = re.search(r"Total iterations: +(\d+)", log)
    return Counters(branches=nodes and int(nodes[1]), lp_iterations=iterations and int(iterations[1]))


def _cplex_counters(native: Native) -> Counters:
    progress = native.solution.progress
    return Counters(branches=progress.get_num_nodes_processed(), lp_iterations=progress.get_num_iterations())


def _cplex_stopped(native: Native) -> bool:
    """Whether CPLEX found no solution in its time, which PuLP (3.3.2) calls infeasible."""
    solution = native.solution
    return bool(solution.get_status() == solution.status.MIP_time_limit_infeasible)


_HIGHS = Description(
    "HiGHS", ("highspy",), ("highspy",), separate_process=False, threads="threads",
    options=lambda request: {"random_seed": request.seed}, presolved=highs_sizes,
)  # fmt: skip

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


def _highs_with(title: str, *several: Options, default: Collection[str] = ()) -> Description:
    """Returns a variant of HiGHS with all these options, and others as they are by default."""

    def options(request: SolveRequest) -> Options:
        defaults = _highs_defaults(default) if default else {}
        return {"random_seed": request.seed, **defaults, **ChainMap(*several)}

    return replace(_HIGHS, title=title, variant=True, options=options)


def _highs_defaults(names: Collection[str]) -> Options:
    import highspy

    highs = highspy.Highs()
    return {name: highs.getOptionValue(name)[1] for name in names}


def _without(mechanism: str) -> Description:
    variant = _highs_with(f"HiGHS without {mechanism}", _MECHANISMS[mechanism])
    return replace(variant, turned_off=tuple(_MECHANISMS[mechanism]))


def only(mechanism: str) -> Description:
    """Returns HiGHS with one mechanism alone, which a formulation may have turned off."""
    others = (off for other, off in _MECHANISMS.items() if other != mechanism)
    return _highs_with(f"HiGHS with {mechanism} alone", *others, default=_MECHANISMS[mechanism])


VARIANTS = {
    "nopresolve": _without("presolve"),
    "nocuts": _without("cuts"),
    "noheuristics": _without("heuristics"),
    "nosymmetry": _without("symmetry"),
    "onlypresolve": only("presolve"),
    "onlycuts": only("cuts"),
    "onlyheuristics": only("heuristics"),
    "onlysymmetry": only("symmetry"),
    "bare": _highs_with(f"HiGHS without {', '.join(_MECHANISMS)}", *_MECHANISMS.values()),
    "root": _highs_with("HiGHS stopped after the root node", {"mip_max_nodes": 1}),
    "relaxation": _highs_with("HiGHS on the linear relaxation"),
    "presolved_relaxation": _highs_with("HiGHS on the linear relaxation of the presolved model"),
}
"""HiGHS with a mechanism turned off, with one alone, or without branching."""

_RELAXATIONS = ("relaxation", "presolved_relaxation")

SOLVERS = {
    "highs": _HIGHS,
    **VARIANTS,
    "cbc": Description(
        "CBC, the program that comes with PuLP", ("pulp",), (), interface="PULP_CBC_CMD",
        threads="threads", options=_cbc_options, log_to=_cbc_log, presolved=cbc_sizes,
        logged=_cbc_counters,
    ),
    "scip": Description(
        "SCIP by PuLP", ("pyscipopt",), ("pyscipopt",), interface="SCIP_PY",
        options=lambda request: {"options": [f"randomization/randomseedshift={request.seed - 1}"]},
        log_to=_log_by_name, presolved=scip_sizes,
        counters=lambda native: Counters(
            branches=native.getNTotalNodes(), lp_iterations=native.getNLPIterations()
        ),
    ),
    "cplex": Description(
        "CPLEX by PuLP", ("cplex",), ("cplex",), interface="CPLEX_PY",
        threads="threads", options=lambda request: {"randomseed": request.seed},
        log_to=_cplex_log, presolved=cplex_sizes, counters=_cplex_counters, stopped=_cplex_stopped,
    ),
    "gurobi": Description(
        "Gurobi by PuLP", ("gurobipy",), ("gurobipy",), interface="GUROBI",
        threads="Threads", options=lambda request: {"LogToConsole": 0, "Seed": request.seed, "msg": True},
        log_to=_log_by_name, presolved=gurobi_sizes,
        counters=lambda native: Counters(branches=native.NodeCount, lp_iterations=native.IterCount),
    ),
}  # fmt: skip
"""The solvers by name, the default first; an entry is all that a new one needs."""


def solvers() -> Mapping[str, Solver]:
    """Returns HiGHS with its variants, and PuLP's other solvers."""
    return {name: description.solver() for name, description in SOLVERS.items()}


def load(solver: str) -> None:
    """Imports PuLP and the library of one solver, by default of HiGHS."""
    solver = solver or "highs"
    known = [library for other in SOLVERS.values() for library in other.modules]
    import_only(SOLVERS[solver].modules, [*known, *_UNUSED])
    _solve_with(solver)


def _solve_with(solver: str) -> Callable[[Model, SolveRequest, OnSolution, Description], Outcome]:
    """Returns the function that runs a solver; imports PuLP."""
    if SOLVERS[solver].interface:
        from bench.drivers._pulp import solve
    elif solver in _RELAXATIONS:
        from bench.drivers._relaxation import solve
    else:
        from bench.drivers._highs import solve
    return solve


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """Returns the LpProblem of the puzzle."""
    import pulp

    return model_of(formulation, puzzle, pulp.LpProblem, adds_lazy=True)


def solve(model: Model, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Runs the solver; to count, solves again with each solution cut off until none is left.

    The sizes are those of the first solve; times, nodes and iterations are summed over all solves.
    """
    if request.rewriting:
        from bench.drivers._rewriting import rewritten

        model = replace(model, problem=rewritten(model.problem, request.rewriting))
    return _solve_with(request.solver)(model, request, on_solution, SOLVERS[request.solver])


def export(model: Model, to: str, solver: str, head: Sequence[str]) -> str:
    """Returns the model as PuLP writes it."""
    from models.shared.milp import binaries

    refuse_lazy(model)
    decisions = model.decisions or binaries(model.problem.variables())
    lines = [*head, *apart_by([variable.name for variable in decisions])]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"model.{to}"
        if to == "mps":
            model.problem.writeMPS(file)
            return comment("*", lines) + file.read_text()
        model.problem.writeLP(file)
        return comment("\\", lines) + file.read_text()
