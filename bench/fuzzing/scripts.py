"""show.py: a script of a few lines that shows a fault with the solver alone, without this project.

Each script has `solve(seed, presolve)`, which returns what the solver says, whether it ended its search, and
the solutions that it gives; `holds(values)`, whether values of the variables satisfy the model; and
`shows(complete, found)`, whether that is the fault.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

import jinja2

from bench.contract import Task


class Fault(StrEnum):
    """What a script looks for."""

    DENIES = "denies"  # The search ends without the witness among its solutions.
    BREAKS = "breaks"  # A solution that does not satisfy the model, or one that is given twice.
    FAILS = "fails"  # The process ends with an error, or not at all.


@dataclass(frozen=True)
class Target:
    """What a script solves, and with what.

    Attributes:
        release: what to install, as in `highspy==1.15.1`; empty if the script runs the project's command.
        model: the file with the model.
        task: of the one solve that the script does.
        base_rows: after so many rows of the model one was added after each solve, which the script does too;
            None to solve the model as it is, in one solve.
    """

    title: str
    backend: str
    solver: str
    release: str
    model: str
    fault: Fault
    task: Task
    seed: int
    threads: int
    time_s: float
    formulation: str = ""
    base_rows: int | None = None


HIGHS = """
import highspy
{% if base_rows is not none %}
import numpy as np
{% endif %}


def solve(seed=SEED, presolve={{ solver != "nopresolve" }}):
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("random_seed", seed)
    highs.setOptionValue("threads", THREADS)
    highs.setOptionValue("time_limit", TIME_S)
    if not presolve:
        highs.setOptionValue("presolve", "off")
    highs.readModel(MODEL)
{% if base_rows is not none %}
    # As it happened: the rows after the first {{ base_rows }} were added one at a time, after a solve each.
    program = read_mps(Path(MODEL).read_text())
    later = list(program.rows)[{{ base_rows }}:]
    last = {{ base_rows }} + len(later)
    column = {name: index for index, name in enumerate(highs.getLp().col_names_)}
    highs.deleteRows(len(later), np.arange({{ base_rows }}, last, dtype=np.int32))
    highs.run()
    for row in later:
        lower, terms = float(program.rows[row][0]), program.coefficients[row]
        places = np.array([column[name] for name in terms], dtype=np.int32)
        highs.addRow(lower, highspy.kHighsInf, len(terms), places, np.array([float(a) for a in terms.values()]))
        highs.run()
{% else %}
    highs.run()
{% endif %}
    said = highs.modelStatusToString(highs.getModelStatus())
    if said != "Optimal":
        return said, said == "Infeasible", []
    return said, True, [dict(zip(highs.getLp().col_names_, highs.getSolution().col_value))]
"""

CBC = """
import subprocess
import tempfile

import pulp


def solve(seed=SEED, presolve=True):
    # PuLP brings the program of CBC.
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder, "solution")
        options = ["-sec", TIME_S, "-randomCbcSeed", seed, "-timeMode", "elapsed"]
        if THREADS > 1:
            options += ["-threads", THREADS]
        if not presolve:
            options += ["-presolve", "off", "-preprocess", "off"]
        words = [pulp.PULP_CBC_CMD().path, MODEL, *options, "-branch", "-printingOptions", "all", "-solution", answer]
        subprocess.run([str(word) for word in words], stdout=subprocess.DEVNULL, check=True)
        said, *lines = answer.read_text().splitlines()
    if not said.startswith("Optimal"):
        return said, "infeasible" in said.lower(), []
    # A line: number, name, value, reduced cost; after ** if the solver itself finds the value infeasible.
    columns = [line.replace("**", "").split() for line in lines]
    return said, True, [{name: float(value) for _, name, value, _ in columns}]
"""

SCIP = """
import pyscipopt


def solve(seed=SEED, presolve=True):
    scip = pyscipopt.Model()
    scip.hideOutput()
    scip.setParam("randomization/randomseedshift", seed - 1)
    scip.setParam("limits/time", TIME_S)
    scip.readProblem(MODEL)
    if not presolve:
        scip.setPresolve(pyscipopt.SCIP_PARAMSETTING.OFF)
    scip.optimize()
    said = scip.getStatus()
    if said != "optimal":
        return said, said == "infeasible", []
    return said, True, [{variable.name: scip.getVal(variable) for variable in scip.getVars()}]
"""

CPLEX = """
import cplex


def solve(seed=SEED, presolve=True):
    model = cplex.Cplex()
    for set_stream in (model.set_log_stream, model.set_results_stream, model.set_warning_stream):
        set_stream(None)
    model.read(MODEL)
    model.parameters.randomseed.set(seed)
    model.parameters.threads.set(THREADS)
    model.parameters.timelimit.set(TIME_S)
    model.parameters.preprocessing.presolve.set(int(presolve))
    model.solve()
    said = model.solution.get_status_string()
    if not model.solution.is_primal_feasible():
        return said, "infeasible" in said, []
    return said, True, [dict(zip(model.variables.get_names(), model.solution.get_values()))]
"""

GUROBI = """
import gurobipy


def solve(seed=SEED, presolve=True):
    model = gurobipy.read(MODEL)
    options = {"OutputFlag": 0, "Seed": seed, "Threads": THREADS, "TimeLimit": TIME_S}
    for name, value in (options if presolve else options | {"Presolve": 0}).items():
        model.setParam(name, value)
    model.optimize()
    said = {gurobipy.GRB.OPTIMAL: "optimal", gurobipy.GRB.INFEASIBLE: "infeasible"}.get(model.Status)
    if said != "optimal":
        return said or f"status {model.Status}", said == "infeasible", []
    return said, True, [{variable.VarName: variable.X for variable in model.getVars()}]
"""

IN_MPS = """

def holds(values, tolerance=1e-6):
    # Solvers give floats: those of integer columns are rounded.
    program = read_mps(Path(MODEL).read_text())
    rounded = {name: round(float(v)) if name in program.integers else v for name, v in values.items()}
    return not violations(program, rounded, tolerance)
"""

CPSAT = """
from ortools.sat.python import cp_model


def solve(seed=SEED, presolve=True, fixed=None):
    model = cp_model.CpModel()
    model.proto.parse_text_format(Path(MODEL).read_text())
    for index, value in (fixed or {}).items():
        model.proto.variables[int(index)].domain.clear()
        model.proto.variables[int(index)].domain.extend([value, value])
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    solver.parameters.num_workers = THREADS
    solver.parameters.max_time_in_seconds = TIME_S
    solver.parameters.enumerate_all_solutions = COUNT
    solver.parameters.cp_model_presolve = presolve
    if model.proto.search_strategy:
        solver.parameters.search_branching = cp_model.FIXED_SEARCH
    found = []

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self):
            found.append(by_index(self.response_proto.solution))

    status = solver.solve(model, Collect() if COUNT else None)
    if not COUNT and status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        found.append(by_index(solver.response_proto.solution))
    said = solver.status_name(status)
    return said, said in ("OPTIMAL", "INFEASIBLE") or bool(found and not COUNT), found


def by_index(values):
    return {str(index): value for index, value in enumerate(values)}


def holds(values):
    # All variables are fixed: only checking is left to do.
    return bool(solve(presolve=False, fixed=values)[2])
"""

ASP = """
import clingo


def solve(seed=SEED, presolve=True, only=None):
    options = [f"--models={0 if COUNT else 1}", "--project=show", f"--parallel-mode={THREADS}", f"--seed={seed}"]
    if not presolve:
        options += ["--eq=0", "--sat-prepro=no"]
    control = clingo.Control(options, lambda code, message: None)
    control.load(MODEL)
    # `only` keeps the answer sets in which these atoms hold.
    control.add("base", [], "".join(f":- not {atom}." for atom in only or ()))
    control.ground()
    with control.solve(yield_=True) as search:
        found = [sorted(map(str, answer_set.symbols(shown=True))) for answer_set in search]
        result = search.get()
    complete = result.exhausted or bool(found and not COUNT)
    return f"{result}, {len(found)} answer set(s)", complete, found


def holds(values):
    return values in solve(presolve=False, only=values)[2]
"""

PROJECT = """
import csv
import subprocess
import tempfile

# There is no solver to call alone: this runs the project's own command.


def solve(seed=SEED, presolve=True):
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "bench", "run", "{{ model }}", "--no-plots", "--backend"]
        words += ["{{ backend }}{% if solver %}:{{ solver }}{% endif %}", "--formulation", "{{ formulation }}"]
        words += ["--task", "{{ task }}", "--threads", THREADS, "--time-limit", TIME_S, "--seeds", seed]
        words += ["--out", folder]
        subprocess.run([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rows = list(csv.DictReader(Path(folder, "runs.csv").open()))
    row = next(row for row in rows if row["seed"] == str(seed))
    said = f"{row['status']}, {row['solutions'] or 'no'} solutions {row['error']}".strip()
    return said, True, [row["status"] in {{ statuses }}]
"""


@dataclass(frozen=True)
class Alone:
    """A solver that a script calls alone.

    Attributes:
        name: for people.
        package: brings it, by the name that pip knows.
        solve: the part of the script that solves.
    """

    name: str
    package: str
    solve: str


SOLVERS = {
    "milp:highs": Alone("HiGHS", "highspy", HIGHS + IN_MPS),
    "milp:nopresolve": Alone("HiGHS without presolve", "highspy", HIGHS + IN_MPS),
    "milp:cbc": Alone("CBC", "pulp", CBC + IN_MPS),
    "milp:scip": Alone("SCIP", "pyscipopt", SCIP + IN_MPS),
    "milp:cplex": Alone("CPLEX", "cplex", CPLEX + IN_MPS),
    "milp:gurobi": Alone("Gurobi", "gurobipy", GUROBI + IN_MPS),
    "cpsat:cpsat": Alone("OR-Tools CP-SAT", "ortools", CPSAT),
    "asp:clingo": Alone("clingo", "clingo", ASP),
}
"""The solvers that scripts call alone."""

HEAD = '''
"""{{ title }}

    {% if release %}pip install {{ release }}
    {% endif %}python show.py

It exits with 1 if the fault shows, with 0 if not.
"""

import json
import sys
from pathlib import Path
{% if mps %}

from check_witness import read_mps, violations
{% endif %}

MODEL = "{{ model }}"
SEED, THREADS, TIME_S = {{ seed }}, {{ threads }}, {{ time_s }}
{% if not mps %}
COUNT = {{ task == "count" }}  # All solutions are asked for, not one.
{% endif %}
'''

DENIES = '''

WITNESS = Path("witness.json")


def shows(complete, found):
    """Whether the search ends without the witness."""
    witness = json.loads(WITNESS.read_text())
    return complete and {% if mps or task == "first" %}not found{% else %}witness not in found{% endif %} and holds(witness)
'''

BREAKS = '''

def shows(complete, found):
    """Whether a solution does not satisfy the model, or is given twice."""
    texts = [json.dumps(values, sort_keys=True) for values in found]
    return len(set(texts)) < len(texts) or not all(map(holds, found))
'''

FAILS = '''

def shows():
    """Whether the solver's process fails, or does not end."""
    import subprocess

    try:
        code = subprocess.run([sys.executable, "-c", "import show; show.solve()"], timeout=TIME_S + 5).returncode
    except subprocess.TimeoutExpired:
        code = "none: it did not end"
    print("exit code:", code)
    return code != 0


if __name__ == "__main__":
    fault = shows()
    print("The fault shows." if fault else "The fault does not show.")
    sys.exit(fault)
'''

MAIN = """

if __name__ == "__main__":
    said, complete, found = solve()
    print(f"It says: {said}; solutions: {len(found)}")
{% if fault == "denies" %}
    print("The witness satisfies the model:", holds(json.loads(WITNESS.read_text())))
{% endif %}
    fault = shows(complete, found)
    print("The fault shows." if fault else "The fault does not show.")
    sys.exit(fault)
"""

TRY = """

if __name__ == "__main__":
    judged = "judged" in sys.argv
    for seed, presolve in json.loads(sys.argv[1]):
        said, complete, found = solve(seed, presolve)
        line = {"seed": seed, "presolve": presolve, "said": said, "complete": complete}
        line |= {"shows": shows(complete, found)} if judged else {"found": found}
        print("\\nTRIED", json.dumps(line), flush=True)
"""

STATUSES = {
    Fault.DENIES: ("wrong", "contradicted", "infeasible"),
    Fault.BREAKS: ("wrong", "contradicted"),
    Fault.FAILS: ("crashed", "timeout", "memout"),
}
"""How the project records a run with the fault."""

PROJECT_MAIN = """

if __name__ == "__main__":
    said, complete, found = solve()
    print(f"It says: {said}")
    print("The fault shows." if found[0] else "The fault does not show.")
    sys.exit(found[0])
"""


def alone(backend: str, solver: str) -> Alone | None:
    """How a script calls a solver alone; None if none does."""
    return SOLVERS.get(f"{backend}:{solver}")


def script(target: Target) -> str:
    """The text of show.py."""
    if not target.release:
        return rendered(HEAD + PROJECT + PROJECT_MAIN, target)
    endings = {Fault.DENIES: DENIES + MAIN, Fault.BREAKS: BREAKS + MAIN, Fault.FAILS: FAILS}
    return rendered(HEAD + solve_of(target) + endings[target.fault], target)


def trials(target: Target) -> str:
    """A script that solves once for each pair of a seed and whether to presolve, in its first argument.

    It writes a line of JSON after each; with the argument `judged` that says whether it shows the fault, else
    it has the solutions.
    """
    judge = BREAKS if target.fault == Fault.BREAKS else DENIES
    return rendered(HEAD + solve_of(target) + judge + TRY, target)


def solve_of(target: Target) -> str:
    """The template of the part that solves."""
    return SOLVERS[f"{target.backend}:{target.solver}"].solve


def rendered(template: str, target: Target) -> str:
    """The text of a script."""
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    text = environment.from_string(template.lstrip()).render(
        vars(target), mps=target.model.endswith(".mps"), statuses=STATUSES[target.fault]
    )
    return re.sub(r"\n{4,}", "\n\n\n", text)
