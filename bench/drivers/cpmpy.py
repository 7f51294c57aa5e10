"""CPMpy models, for any of the solvers that CPMpy drives."""

import asyncio
import importlib
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from datetime import timedelta
from functools import cache
from math import floor
from pathlib import Path
from time import perf_counter
from typing import IO, Any

from bench.contract import Format, OnSolution, Outcome, Solver, SolveRequest, Task, TimeLimit, Unsupported
from bench.drivers._common import (
    Description,
    Figures,
    LogFile,
    Native,
    Options,
    added,
    begin_solve,
    comment,
    import_only,
    log_with_figures,
    model_of,
    presolved_sizes,
    refuse_if_too_large,
)
from bench.environment.releases import installed
from models.shared.model import Model, Values
from models.shared.puzzle import Puzzle, Sense

CORE = False

FORMATS: Mapping[str, Format] = {
    "cnf": Format("DIMACS", "pindakaas"),
    "opb": Format("OPB"),
    "fzn": Format("FlatZinc", "minizinc/gecode"),
}

EXACT_HAS_WHEELS = sys.version_info < (3, 14) and sys.platform != "darwin"
"""As the marker in pyproject.toml says."""


def _learned(known: Mapping[str, int]) -> Figures:
    """Returns the counters of a solver that learns clauses; all of these use the same names."""
    return {
        "branches": known.get("decisions"),
        "failures": known.get("conflicts"),
        "propagations": known.get("propagations"),
        "restarts": known.get("restarts"),
    }


def _choco_counters(native: Native) -> Figures:
    # The get_node_count of pychoco's own interface gives the time (0.4).
    backend = importlib.import_module("pychoco.backend")
    handle = native.chc_solver._handle
    return {
        "branches": backend.get_node_count(handle),
        "failures": backend.get_fail_count(handle),
        "restarts": backend.get_restart_count(handle),
    }


def _choco_best(native: Native, time_s: float, report: Callable[[Values], None]) -> bool:
    """Runs Choco's own loop, whose last solution alone CPMpy shows; returns whether that is optimal."""
    native.solver_vars(list(native.user_vars))
    native.chc_model.set_objective(native.solver_var(native.obj), not native.minimize_obj)
    native.chc_solver = native.chc_model.get_solver()
    native.chc_solver.limit_time(f"{time_s}s")
    while native.chc_solver.solve():
        report(lambda variable: int(native.solver_var(variable).get_value()))
    return bool(native.chc_solver.get_search_state() == "TERMINATED")


def _ortools_log(native: Native, log: IO[str]) -> Options:
    """Writes the log of CP-SAT, an empty line after each message."""
    native.ort_solver.log_callback = lambda message: log.write(f"{message}\n\n")
    return {"log_search_progress": True, "log_to_stdout": False}


def _ortools_counters(native: Native) -> Figures:
    from bench.drivers import cpsat

    return cpsat.counters(native.ort_solver.response_proto)


def _z3_counters(native: Native) -> Figures:
    """Returns Z3's counters, some of which begin with "sat "."""
    statistics = native.z3_solver.statistics()
    known = {key: statistics.get_key_value(key) for key in statistics.keys()}  # noqa: SIM118
    return _learned({key.removeprefix("sat "): known[key] for key in known} | known)


def _cplex_counters(native: Native) -> Figures:
    details = native.cplex_model.solve_details
    return {"branches": details.nb_nodes_processed, "lp_iterations": details.nb_iterations}


def _cpoptimizer() -> str | None:
    wanted = "install IBM ILOG CPLEX Optimization Studio, whose program cpoptimizer must be on the path"
    return None if shutil.which("cpoptimizer") else wanted


def _cpo_counters(native: Native) -> Figures:
    known = native.cpo_result.get_solver_infos()
    return {"branches": known.get("NumberOfBranches"), "failures": known.get("NumberOfFails")}


def _scip_log(native: Native, log: IO[str]) -> Options:
    """Writes the log of SCIP, which frees its counters after each solve."""
    native.scip_model.hideOutput()
    native.scip_model.setLogfile(log.name)
    return {"display/verblevel": 4}


def _highs_log(native: Native, log: IO[str]) -> Options:
    """Writes the log of HiGHS, which would begin a file of its own again at the start."""
    native.highs.cbLogging += lambda event: log.write(event.message)
    # Until 1.13 it passes to its callback only what it also writes to a console or to a file.
    return {"log_file": os.devnull}


def _highs_counters(native: Native) -> Figures:
    """Returns HiGHS's counters, which are -1 where it has counted nothing."""
    info = native.highs.getInfo()
    return {"branches": max(info.mip_node_count, 0), "lp_iterations": max(info.simplex_iteration_count, 0)}


SOLVERS = {
    "choco": Description(
        "Choco by CPMpy", ("pychoco",), ("pychoco",), counters=_choco_counters, enumerates=True,
        best=_choco_best,
    ),
    "ortools": Description(
        "OR-Tools CP-SAT by CPMpy", ("ortools",), ("ortools",), threads="num_workers", enumerates=True,
        counts_alone=True, improves=lambda _, report: {"display": lambda: report(_value)},
        # As the driver of CP-SAT does.
        options=lambda request: {"num_workers": 1} if request.task == Task.COUNT else {},
        log_to=_ortools_log, presolved="cpsat", counters=_ortools_counters,
        bounds=lambda native, _: [native.ort_solver.best_objective_bound],
    ),
    "z3": Description(
        "Z3 by CPMpy", ("z3-solver",), ("z3",), counters=_z3_counters, cumulative=True,
        improves=lambda cpm, report: cpm.z3_solver.set_on_model(
            lambda found: report(lambda x: int(found.eval(cpm.solver_var(x), True).py_value()))
        ),
    ),
    "exact": Description(
        "Exact by CPMpy", ("exact",), ("exact",), enumerates=True,
        no_wheel="" if EXACT_HAS_WHEELS
        else "Exact has wheels for Python 3.11 to 3.13 on Linux and Windows only",
        counters=lambda native: _learned(dict(native.xct_solver.getStats())), cumulative=True,
        bounds=lambda native, _: [native.xct_solver.getDualBound()],
    ),
    "pumpkin": Description(
        "Pumpkin by CPMpy", ("pumpkin-solver",), ("pumpkin_solver",),
        improves=lambda cpm, report: {"on_solution": lambda found: report(
            lambda x: int((found.bool_value if x.is_bool() else found.int_value)(cpm.solver_var(x)))
        )},
    ),
    "cplex": Description(
        "CPLEX by CPMpy", ("cplex", "docplex"), ("cplex", "docplex"), threads="threads",
        log_to=lambda _, log: {"log_output": log}, presolved="cplex", counters=_cplex_counters,
        improves=lambda *_: {"mip.tolerances.mipgap": 0.0},
        bounds=lambda native, _: [native.cplex_model.solve_details.best_bound],
    ),
    "cpo": Description(
        "CP Optimizer by CPMpy", ("docplex",), ("docplex",), missing_program=_cpoptimizer,
        threads="Workers", counters=_cpo_counters,
    ),
    "gurobi": Description(
        "Gurobi by CPMpy", ("gurobipy",), ("gurobipy",), threads="Threads",
        log_to=lambda _, log: {"LogToConsole": 0, "LogFile": log.name, "OutputFlag": 1},
        presolved="gurobi", improves=lambda *_: {"MIPGap": 0}, bounds=lambda cpm, _: [cpm.grb_model.ObjBound],
        counters=lambda native: {
            "branches": native.grb_model.NodeCount, "lp_iterations": native.grb_model.IterCount
        },
    ),
    "scip": Description(
        "SCIP by CPMpy", ("pyscipopt",), ("pyscipopt",), log_to=_scip_log,
        presolved="scip", bounds=lambda _, log: re.findall(r"^Dual Bound +: (\S+)", log, re.MULTILINE),
        # As in "Solving Nodes : 12 (total of 15 nodes in 2 runs)".
        logged={"branches": r"^Solving Nodes +: (?:\d+ \(total of )?(\d+)"},
    ),
    "highs": Description(
        "HiGHS by CPMpy", ("highspy",), ("highspy",), threads="threads",
        log_to=_highs_log, presolved="highs", counters=_highs_counters,
        improves=lambda *_: {"mip_rel_gap": 0.0}, bounds=lambda cpm, _: [cpm.highs.getInfo().mip_dual_bound],
    ),
    "pindakaas": Description("CaDiCaL by CPMpy and Pindakaas", ("pindakaas",), ("pindakaas",), best=False),
    "pysat": Description(
        "PySAT by CPMpy", ("python-sat", "pypblib", "pindakaas"), ("pysat", "pypblib", "pindakaas"),
        counters=lambda native: _learned(native.pysat_solver.accum_stats()), cumulative=True, best=False,
    ),
    "gcs": Description("Glasgow Constraint Solver by CPMpy", ("gcspy",), ("gcspy",), enumerates=True),
    "hexaly": Description("Hexaly by CPMpy", ("hexaly",), ("hexaly",)),
}  # fmt: skip
"""The solvers by name, the default first; a new one needs only an entry."""


_OLDEST_MINIZINC = (2, 6, 4)
"""The oldest that was tried. The package minizinc (0.10) takes 2.6, CPMpy (1.1.1) none before 2.8.2."""


def _minizinc_missing() -> str | None:
    """Returns what to install to get the program, None if it is there."""
    wanted = "install MiniZinc {}.{}.{} or newer, whose program minizinc must be on the path"
    version = re.search(r"version (\d+)\.(\d+)\.(\d+)", _output_of("--version"))
    if version and tuple(map(int, version.groups())) >= _OLDEST_MINIZINC:
        return None
    found = f"; the one on the path says {version[0] if version else 'no version'}"
    return wanted.format(*_OLDEST_MINIZINC) + (found if shutil.which("minizinc") else "")


def _minizinc_solvers() -> dict[str, tuple[str, str | None]]:
    """Returns title and version of each of its solvers; of Gecode, its default, even if it has none."""
    # A line is "  Gecode 6.2.0 (org.gecode.gecode, default solver, ...)"; without a version, not installed.
    known = re.findall(r"^  (\S.*) ([\d.]\S*) \(([\w.-]+)[,)]", _output_of("--solvers"), re.MULTILINE)
    by_tag = {name.split(".")[-1]: (title, number) for title, number, name in known}
    by_tag.setdefault("gecode", ("Gecode", None))
    return {tag: what for tag, what in by_tag.items() if tag not in ("gist", "findmus", "globalizer")}


@cache
def _output_of(option: str) -> str:
    """Returns what MiniZinc writes for an option; nothing if it cannot be run."""
    try:
        return subprocess.run(["minizinc", option], capture_output=True, text=True, timeout=20).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


_MINIZINC = Description(
    "by CPMpy and MiniZinc", ("minizinc",), ("minizinc",), missing_program=_minizinc_missing
)
"""The solvers of MiniZinc are named minizinc/gecode and so on."""


def solvers() -> Mapping[str, Solver]:
    """Returns all solvers that CPMpy knows."""
    offered = {name: description.solver() for name, description in SOLVERS.items()}
    by_minizinc = _MINIZINC.solver()
    for name, (title, number) in _minizinc_solvers().items():
        missing = by_minizinc.missing or (None if number else f"install {title} for MiniZinc")
        title = f"{title} {_MINIZINC.title}"
        offered[f"minizinc/{name}"] = replace(by_minizinc, title=title, version=number, missing=missing)
    return {name: replace(solver, packages=(*solver.packages, "cpmpy")) for name, solver in offered.items()}


def _described(solver: str) -> Description:
    return _MINIZINC if solver.startswith("minizinc/") else SOLVERS[solver]


def load(solver: str) -> Model | None:
    """Imports CPMpy with one solver's library alone; raises ImportError if one of them is not installed."""
    if installed("cpmpy") is None:
        raise ImportError("pip install cpmpy")
    known = [library for other in (*SOLVERS.values(), _MINIZINC) for library in other.modules]
    # A backtrace would hide the message of a panic in Pumpkin, which is written in Rust, from what is kept.
    os.environ["RUST_BACKTRACE"] = "0"
    import_only(_described(solver).modules if solver else (), known)
    importlib.import_module("cpmpy.solvers.minizinc").CPM_minizinc.required_version = _OLDEST_MINIZINC
    cpmpy = importlib.import_module("cpmpy")
    if solver.startswith("minizinc/"):  # A program, which starts anew in each run, and slowly.
        return None
    x = cpmpy.boolvar()
    return Model(cpmpy.Model(x), lambda value: value(x), [x])


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """Returns the cpmpy.Model of the puzzle."""
    return model_of(formulation, puzzle, importlib.import_module("cpmpy").Model)


def solve(model: Model, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Flattens and posts the model, and solves it; counts natively where CPMpy can, else by cutting off.

    The solver gets no seed: a seed other than 1 permutes the constraints. Raises Unsupported if the model is
    too large for a free edition, or the solver cannot express it.
    """
    import cpmpy
    from cpmpy.exceptions import NotSupportedError
    from cpmpy.expressions.utils import flatlist
    from cpmpy.transformations.get_variables import get_variables

    constraints = flatlist(model.problem.constraints)
    if request.seed != 1:
        random.Random(request.seed).shuffle(constraints)
    if request.rewriting:
        rng = random.Random(request.rewriting)
        constraints += [one for one in constraints if rng.random() < 0.2]
        rng.shuffle(constraints)
    problem, objective = copy(model.problem), model.problem.objective_
    problem.constraints = constraints
    if request.last_model:
        problem.to_file(str(request.last_model))
    started = perf_counter()
    description = _described(request.solver)
    try:
        if objective is not None and request.solver in ("highs", "cplex"):
            # CPMpy (1.1.1) takes a constant in an objective for a column of HiGHS, and for a fault of CPLEX.
            problem.objective_ = cpmpy.intvar(*objective.get_bounds())
            problem.constraints = [*constraints, problem.objective_ == objective]
        native = _posted(request.solver, problem if description.best else cpmpy.Model(constraints))
        # Solutions differ in a decision: auxiliary variables do not multiply them.
        own = [*(model.decisions or native.user_vars), *([] if objective is None else [objective])]
        native.user_vars = set(get_variables(own))
        translated = perf_counter()
        until = started + request.time_s

        def report(values: Values) -> None:
            on_solution(model.decode(values), model.stands_for)

        if description is _MINIZINC:
            outcome = _search_with_minizinc(native, request, until, report)
        else:
            outcome = _search(native, description, request, objective, until, report)
    except (NotImplementedError, NotSupportedError, ModuleNotFoundError) as error:
        if "time limit exceeded" in str(error):  # By CPMpy (1.1.1) CPLEX cannot say so.
            raise TimeLimit from None
        # CPMpy raises ModuleNotFoundError for a missing licence too.
        raise Unsupported(f"CPMpy cannot give this model to {request.solver}: {error}") from None
    except Exception as error:
        refuse_if_too_large(request.solver, str(error))
        raise
    flattened_s = outcome.translate_s or 0
    return replace(
        outcome,
        translate_s=translated - started + flattened_s,
        solve_s=perf_counter() - translated - flattened_s,
        variables=len(get_variables(constraints)),
        constraints=len(constraints),
    )


def _posted(solver: str, problem: Native) -> Native:
    """Returns CPMpy's interface of a solver, with a cpmpy.Model posted to it."""
    import cpmpy

    native: Native = cpmpy.SolverLookup.get(solver.replace("/", ":"), problem)
    if solver.startswith("minizinc/"):
        gecode = native.mzn_solver
        if (gecode.id, gecode.version) == ("org.gecode.gecode", "6.2.0"):
            # Its own library is for MiniZinc 2.5: later ones decompose all_different, or take nothing of it.
            library = str(Path(__file__).with_name("gecode"))
            native.mzn_solver = replace(gecode, id="bench.gecode", mznlib=library, _identifier=None)
    return native


def _search(
    native: Native,
    description: Description,
    request: SolveRequest,
    objective: Native,
    until: float,
    report: Callable[[Values], None],
) -> Outcome:
    """Runs a solver on a model that CPMpy has posted to it, until a time of perf_counter."""
    import cpmpy

    complete = False
    counters: Figures = {}
    enumerates = description.enumerates and request.task == Task.COUNT
    with log_with_figures(request.log) as file:
        options = description.options_for(request) | description.log_to(native, file)
        if best := request.task == Task.BEST:
            options |= description.improves(native, report) or {}
        # In whole milliseconds, as Choco's own limit: a search that ends before its limit is complete for
        # CPMpy (1.1.1).
        while (left := floor((until - perf_counter()) * 1000) / 1000) > 0:
            begin_solve(file)
            if best and objective is not None and callable(description.best):
                complete = description.best(native, left, report)
                counters = description.counters(native)
                break
            if enumerates:
                found = native.solveAll(display=lambda: report(_value), time_limit=left, **options)
            else:
                found = native.solve(time_limit=left, **options)
            last = description.counters(native)
            counters = counters | added({}, last) if description.cumulative else added(counters, last)
            status = native.status().exitstatus.name
            complete = status == "UNSATISFIABLE" or ((enumerates or best) and status == "OPTIMAL")
            if enumerates or not found:
                break
            report(_value)
            if request.task == Task.FIRST or (best and description.best):
                complete = complete or request.task == Task.FIRST
                break
            if best:
                value = objective.value()
                native.add(objective < value if request.sense is Sense.LEAST else objective > value)
            else:
                native.add(cpmpy.any([variable != variable.value() for variable in native.user_vars]))
        log = Path(file.name).read_text(errors="replace")
    for bound in description.bounds(native, log) if best and not complete else ():
        request.on_bound(float(bound))
    figures = counters | description.counted_in(log) | presolved_sizes(description.presolved, log)
    return Outcome(complete, **figures)


def _value(variable: Native) -> int:
    return int(variable.value())


def _search_with_minizinc(
    native: Native, request: SolveRequest, until: float, report: Callable[[Values], None]
) -> Outcome:
    """Runs MiniZinc by the package minizinc; `translate_s` is its flattening, `search_s` the solver's time.

    CPMpy's own interface gives no statistics when it counts solutions, and raises an error on a timeout
    without statistics (1.1.1). Raises Unsupported if the solver cannot enumerate solutions.
    """
    import minizinc

    if request.task == Task.COUNT and "-a" not in native.mzn_solver.stdFlags:
        raise Unsupported(f"{native.mzn_solver.name} cannot count: it gives MiniZinc only one solution")
    native.solver_vars(list(native.user_vars))
    model = copy(native.mzn_model)
    model.add_string(native.mzn_txt_solve)
    instance = minizinc.Instance(native.mzn_solver, model)
    statistics: dict[str, Any] = {}
    status = minizinc.Status.UNKNOWN

    async def search() -> None:
        nonlocal status
        instance.analyse()
        # MiniZinc lets a solver go on for 0.2 s, to say what it counted; a limit of 0 would be none.
        limit = timedelta(seconds=max(until - perf_counter() - 0.2, 0.001))
        results = instance.solutions(time_limit=limit, processes=1, all_solutions=request.task == Task.COUNT)
        async for result in results:
            status = result.status
            statistics.update(result.statistics)
            if (found := result.solution) is not None:
                report(lambda variable: int(getattr(found, native.solver_var(variable))))

    asyncio.run(search())
    LogFile(request.log).write("".join(f"{name}: {value}\n" for name, value in statistics.items()))
    done = ("ALL_SOLUTIONS", "UNSATISFIABLE", "OPTIMAL_SOLUTION")
    return Outcome(
        complete=status.name in done or (request.task == Task.FIRST and status.has_solution()),
        translate_s=statistics["flatTime"].total_seconds() if "flatTime" in statistics else None,
        search_s=statistics["solveTime"].total_seconds() if "solveTime" in statistics else None,
        branches=statistics.get("nodes"),
        failures=statistics.get("failures"),
        propagations=statistics.get("propagations"),
        restarts=statistics.get("restarts"),
    )


def export(model: Model, to: str, solver: str, head: Sequence[str]) -> str:
    """Returns the model in one of the formats; FlatZinc for the solver, by default for Gecode.

    Raises Unsupported if CPMpy cannot express it, or MiniZinc is not there.
    """
    from cpmpy.exceptions import NotSupportedError
    from cpmpy.tools.io.dimacs import write_dimacs
    from cpmpy.tools.io.opb import write_opb

    annotator = _Annotator(model.decisions)
    try:
        if to == "cnf" and model.problem.has_objective():
            raise Unsupported("DIMACS has no objectives: choose opb")
        if to == "opb" and model.problem.has_objective():
            head = [*head, "The puzzle's objective is that of this file but for a constant and its sign."]
            if not model.problem.objective_is_min:  # The format can only minimise.
                model.problem.minimize(-model.problem.objective_)
        if to == "fzn":
            flattener = solver if solver.startswith("minizinc/") else FORMATS[to].solver
            native = _posted(flattener, model.problem)
            names = [native.solver_var(decision) for decision in model.decisions]
            return comment("%", head, names) + str(native.flatzinc_string())
        if to == "cnf":
            text = write_dimacs(model.problem, p_header=True, header="", annotate_bool=annotator)
            return f"{comment('c', head, [*map(str, annotator.numbers)])}{text}"
        # Its first line has to be the one with the sizes.
        sizes, rest = write_opb(model.problem, header="", annotate_bool=annotator).split("\n", 1)
        names = [f"x{number}" for number in annotator.numbers]
        return f"{sizes}\n{comment('*', head, names)}{rest}\n"
    except (NotImplementedError, NotSupportedError, ModuleNotFoundError) as error:
        raise Unsupported(f"CPMpy cannot write this model as {FORMATS[to].title}: {error}") from None


class _Annotator:
    """Names Boolean variables by what they say of an integer (`px=3`).

    Attributes:
        numbers: of the variables in the file, counted from 1, that encode the decisions.
    """

    def __init__(self, decisions: Sequence[Any]):
        self.decisions = decisions
        self.numbers: list[int] = []

    def annotate(self, variables: list[Any], encodings: Mapping[str, Any]) -> list[str]:
        """Returns a name for each variable."""
        from cpmpy.tools.io.annotate_bool import SugarAnnotator
        from cpmpy.transformations.get_variables import get_variables

        encoding = [
            encodings[decision.name].vars() if decision.name in encodings else decision
            for decision in self.decisions
        ]
        names = {variable.name for variable in get_variables(encoding)}
        self.numbers = [number for number, each in enumerate(variables, 1) if each.name in names]
        return list(SugarAnnotator().annotate(variables, dict(encodings)))
