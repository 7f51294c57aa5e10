"""show.py: a script of a few lines that shows a fault with the solver alone, without this project.

Each script has `solve(seed, presolve)`, which returns what the solver says, whether it ended its search, and
the solutions that it gives; `holds(values)`, whether values of the variables satisfy the model; and
`shows(complete, found)`, whether that is the fault.
"""

import re
import shlex
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version

import jinja2

from bench.catalogue import programs
from bench.contract import Run, Task


class Fault(StrEnum):
    """What a script looks for."""

    DENIES = "denies"  # The search ends without a known solution among its own.
    BREAKS = "breaks"  # A solution that does not satisfy the model, or one that is given twice.
    FAILS = "fails"  # The process ends with an error, or the search without a result.
    HANGS = "hangs"  # It does not stop at its time limit.


TITLES = {
    Fault.DENIES: "misses solutions of a feasible model",
    Fault.BREAKS: "gives a solution that the model does not have, or one twice",
    Fault.FAILS: "ends with an error",
    Fault.HANGS: "does not stop at its time limit",
}

WITHOUT_MODEL = {
    Fault.DENIES: "misses solutions of a puzzle",
    Fault.BREAKS: "gives wrong solutions of a puzzle",
}
"""The titles where the project's command is run, as there is no model of a solver."""


@dataclass(frozen=True)
class Target:
    """What a script solves, and with what.

    Attributes:
        name: the solver with its release, for people.
        release: what to install, as in `highspy==1.15.1`; empty if the script runs the project's command.
        model: the file with the model.
        task: of the one solve that the script does.
        witness: whether there is a witness.json.
        base_rows: after so many rows of the model one was added after each solve, which the script does too;
            None to solve the model as it is, in one solve.
    """

    name: str
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
    witness: bool = False
    base_rows: int | None = None

    @property
    def title(self) -> str:
        """The fault in a few words."""
        what = TITLES[self.fault] if self.release else (TITLES | WITHOUT_MODEL)[self.fault]
        if self.release and self.fault == Fault.DENIES and self.task == Task.FIRST:
            what = "calls a feasible model infeasible"
        return f"{self.name} {what}"


HIGHS = """


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
        terms = program.coefficients[row]
        places = np.array([column[name] for name in terms], dtype=np.int32)
        values = np.array([float(value) for value in terms.values()])
        highs.addRow(float(program.rows[row][0]), highspy.kHighsInf, len(terms), places, values)
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


def solve(seed=SEED, presolve=True):
    # PuLP brings the program of CBC.
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder, "solution")
        options = ["-sec", TIME_S, "-randomCbcSeed", seed, "-timeMode", "elapsed"]
        if THREADS > 1:
            options += ["-threads", THREADS]
        if not presolve:
            options += ["-presolve", "off", "-preprocess", "off"]
        options += ["-branch", "-printingOptions", "all", "-solution", answer]
        words = [pulp.PULP_CBC_CMD().path, MODEL, *options]
        subprocess.run([str(word) for word in words], stdout=subprocess.DEVNULL, check=True)
        said, *lines = answer.read_text().splitlines()
    if not said.startswith("Optimal"):
        return said, "infeasible" in said.lower(), []
    # A line: number, name, value, reduced cost; after ** if the solver itself finds the value infeasible.
    columns = [line.replace("**", "").split() for line in lines]
    return said, True, [{name: float(value) for _, name, value, _ in columns}]
"""

SCIP = """


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

def holds(values, tolerance=0):
    program = read_mps(Path(MODEL).read_text())
    # Solvers give floats, those of integer columns nearly whole.
    nearest = {name: round(value) for name, value in values.items() if name in program.integers}
    return not violations(program, values | nearest, tolerance)
"""

CPSAT = """


def solve(seed=SEED, presolve=True, fixed=None):
    model = cp_model.CpModel()
    proto = model.Proto()
    read(proto, Path(MODEL).read_text())
    for index, value in (fixed or {}).items():
        proto.variables[int(index)].domain.clear()
        proto.variables[int(index)].domain.extend([value, value])
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    solver.parameters.num_workers = THREADS
    solver.parameters.max_time_in_seconds = TIME_S
    solver.parameters.enumerate_all_solutions = COUNT
    solver.parameters.cp_model_presolve = presolve
    if proto.search_strategy:
        solver.parameters.search_branching = cp_model.FIXED_SEARCH
    found = []

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self):
            found.append(by_index(map(self.SolutionIntegerValue, range(len(proto.variables)))))

    status = solver.Solve(model, Collect() if COUNT else None)
    if not COUNT and status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        found.append(by_index(solver.ResponseProto().solution))
    said = solver.StatusName(status)
    return said, said in ("OPTIMAL", "INFEASIBLE") or bool(found and not COUNT), found


def read(proto, text):
    if hasattr(proto, "parse_text_format"):
        proto.parse_text_format(text)
    else:  # OR-Tools before 9.15.
        text_format.Parse(text, proto)


def by_index(values):
    return {str(index): value for index, value in enumerate(values)}


def holds(values):
    # All variables are fixed: only checking is left to do.
    return bool(solve(presolve=False, fixed=values)[2])
"""

ASP = """


def solve(seed=SEED, presolve=True, only=None):
    options = [f"--models={0 if COUNT else 1}", "--project=show", f"--seed={seed}"]
    options.append(f"--parallel-mode={THREADS}")
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

CPMPY = """

# Each solver that CPMpy drives gets the same model.


def solve(seed=SEED, presolve=True, solver="{{ solver | replace("/", ":") }}", fixed=None):
    model = cpmpy.Model.from_file(MODEL)
    if seed != SEED:
        random.Random(seed).shuffle(model.constraints)
    variables = get_variables(model.constraints)
    model += [variable == fixed[variable.name] for variable in variables if fixed]
    found = []

    def collect():
        found.append({variable.name: int(variable.value()) for variable in variables})

    native = cpmpy.SolverLookup.get(solver, model)
    if COUNT:
        native.solveAll(display=collect, time_limit=TIME_S)
    elif native.solve(time_limit=TIME_S):
        collect()
    said = native.status().exitstatus.name
    return said, said in ("OPTIMAL", "UNSATISFIABLE") or bool(found and not COUNT), found


def holds(values):
    # All variables are fixed: only checking is left to do.
    return bool(solve(solver="{{ "choco" if solver == "ortools" else "ortools" }}", fixed=values)[2])
"""

PROJECT = """
# There is no solver to call alone: this runs the project's own command.


def solve():
    words = [sys.executable, "-m", "bench", "solve", MODEL, "--json"]
    words += ["--backend", "{{ backend }}:{{ solver }}", "--formulation", "{{ formulation }}"]
    words += ["--task", "{{ task }}", "--seed", SEED, "--threads", THREADS, "--time-limit", TIME_S]
{% if program %}
    words += ["--program", {{ program }}]
{% endif %}
    ended = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if not ended.stdout:
        print(ended.stderr + "This script needs a Python in which the project, puzzle-bench, is installed.")
        sys.exit(2)
    row = json.loads(ended.stdout)
    said = f"{row['status']}: {row['error']}" if row["error"] else row["status"]
    return said, row["solutions"] or 0, row["status"] in {{ statuses }}
"""


@dataclass(frozen=True)
class Alone:
    """A solver that a script calls alone.

    Attributes:
        name: for people.
        package: brings it, by the name that pip knows.
        imports: lines of the script that import its library.
        solve: the part of the script that solves.
        standard: modules of Python's standard library that this part needs.
    """

    name: str
    package: str
    imports: str
    solve: str
    standard: tuple[str, ...] = ()


SOLVERS = {
    "milp:highs": Alone("HiGHS", "highspy", "import highspy", HIGHS + IN_MPS),
    "milp:nopresolve": Alone("HiGHS without presolve", "highspy", "import highspy", HIGHS + IN_MPS),
    "milp:cbc": Alone("CBC", "pulp", "import pulp", CBC + IN_MPS, ("subprocess", "tempfile")),
    "milp:scip": Alone("SCIP", "pyscipopt", "import pyscipopt", SCIP + IN_MPS),
    "milp:cplex": Alone("CPLEX", "cplex", "import cplex", CPLEX + IN_MPS),
    "milp:gurobi": Alone("Gurobi", "gurobipy", "import gurobipy", GUROBI + IN_MPS),
    "cpsat:cpsat": Alone(
        "OR-Tools CP-SAT",
        "ortools",
        "from google.protobuf import text_format\nfrom ortools.sat.python import cp_model",
        CPSAT,
    ),
    "asp:clingo": Alone("clingo", "clingo", "import clingo", ASP),
}
"""The solvers that scripts call alone."""

HEAD = '''
"""{{ title }}.

{% if release %}
    pip install {{ release }}
{% endif %}
    python show.py

It exits with 1 if the fault shows, with 0 if not.
"""

{% for name in standard %}
import {{ name }}
{% endfor %}
from pathlib import Path

{{ imports }}
{% if base_rows is not none %}
import numpy as np
{% endif %}
{% if mps %}

from check_witness import read_mps, violations
{% endif %}

MODEL = "{{ model }}"
SEED, THREADS, TIME_S = {{ seed }}, {{ threads }}, {{ "%g" | format(time_s) }}
{% if release and not mps %}
COUNT = {{ task == "count" }}  # All solutions are asked for, not one.
{% endif %}
'''

DENIES = '''
{% if task == "first" %}

def shows(complete, found):
    """Whether the search ends without a solution, although there is the witness."""
    return complete and not found and holds(json.loads(Path("witness.json").read_text()))
{% else %}

def missing(found):
    """The known solutions that are not found."""
    known = json.loads(Path("witness.json").read_text())
    return [values for values in known if values not in found]


def shows(complete, found):
    """Whether the search ends without a known solution, which is checked again."""
    return complete and any(map(holds, missing(found)))
{% endif %}
'''

BREAKS = '''

def shows(complete, found):
    """Whether a solution does not satisfy the model, or is given twice."""
    texts = [json.dumps(values, sort_keys=True) for values in found]
    return len(set(texts)) < len(texts) or not all(holds(values{{ ", 1e-6" if mps }}) for values in found)
'''

FAILS = """

def shows():
    try:
        words = [sys.executable, __file__, "solve"]
        code = subprocess.run(words, timeout=TIME_S + 5).returncode
    except subprocess.TimeoutExpired:
        print("It does not end.")
        return True
    print("The process ends with the exit code", code)
    return {{ "False" if fault == "hangs" else "code != 0" }}


if __name__ == "__main__":
    os.chdir(Path(__file__).parent)
    if "solve" in sys.argv:
        said, complete, found = solve()
        print("It says:", said)
        sys.exit(not complete)
    fault = shows()
    print("The fault shows." if fault else "The fault does not show.")
    sys.exit(fault)
"""

MAIN = """

if __name__ == "__main__":
    os.chdir(Path(__file__).parent)
    said, complete, found = solve()
    print(f"It says: {said}; solutions: {len(found)}")
{% if witness and task == "count" %}
    print("Known solutions that are missing:", len(missing(found)), "of", len(missing([])))
{% elif witness %}
    print("The witness satisfies the model:", holds(json.loads(Path("witness.json").read_text())))
{% endif %}
{% if witness or fault == "breaks" %}
    fault = shows(complete, found)
{% else %}
    fault = False  # There is no witness.
{% endif %}
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
    Fault.DENIES: ("wrong", "infeasible"),
    Fault.BREAKS: ("wrong",),
    Fault.FAILS: ("crashed", "memout"),
    Fault.HANGS: ("timeout",),
}
"""How the project records a run with the fault."""

PROJECT_MAIN = """

if __name__ == "__main__":
    os.chdir(Path(__file__).parent)
    said, accepted, fault = solve()
    print("Solutions that the checker accepts:", accepted)
    print(f"The run is {said}")
    print("The fault shows." if fault else "The fault does not show.")
    sys.exit(fault)
"""


def alone(backend: str, solver: str) -> Alone | None:
    """How a script calls a solver alone; None if none does."""
    if backend == "cpmpy":
        imports = "import cpmpy\nfrom cpmpy.transformations.get_variables import get_variables"
        return Alone(f"{solver} by CPMpy", "cpmpy", imports, CPMPY, ("random",))
    return SOLVERS.get(f"{backend}:{solver}")


def release(called: Alone, run: Run) -> str:
    """What pip installs for a run."""
    if run.backend == "cpmpy":
        return f"cpmpy[{run.solver.partition('/')[0]}]=={version(called.package)}"
    return f"{called.package}=={run.solver_version}"


def script(target: Target) -> str:
    """The text of show.py."""
    if not target.release:
        return rendered(PROJECT + PROJECT_MAIN, target)
    failing = target.fault in (Fault.FAILS, Fault.HANGS)
    shows = "" if failing or not judgeable(target) else judge(target)
    return rendered(solve_of(target) + shows + (FAILS if failing else MAIN), target)


def judgeable(target: Target) -> bool:
    """Whether a script can tell from what the solver says if that is the fault."""
    return target.witness or target.fault == Fault.BREAKS


def judge(target: Target) -> str:
    """The template of the function that tells whether the fault shows."""
    return BREAKS if target.fault == Fault.BREAKS else DENIES


def trials(target: Target) -> str:
    """A script that solves once for each pair of a seed and whether to presolve, in its first argument.

    It writes a line of JSON after each; with the argument `judged` that says whether it shows the fault, else
    it has the solutions.
    """
    return rendered(solve_of(target) + judge(target) + TRY, target)


def solve_of(target: Target) -> str:
    """The template of the part that solves."""
    called = alone(target.backend, target.solver)
    assert called
    return called.solve


def command(target: Target) -> str:
    """The command of a user's program; empty if the solver is none."""
    words = programs.programs().get(target.solver, ()) if target.backend == programs.BACKEND else ()
    return shlex.join(words)


def rendered(template: str, target: Target) -> str:
    """The text of a script."""
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    called = alone(target.backend, target.solver) if target.release else None
    failing = target.fault in (Fault.FAILS, Fault.HANGS)
    needed = called.standard if called else ("subprocess",)
    standard = sorted({"json", "os", "sys", *needed, *(["subprocess"] if failing else [])})
    text = environment.from_string(HEAD.lstrip() + template).render(
        vars(target),
        title=target.title,
        imports=called.imports if called else "",
        standard=standard,
        mps=target.model.endswith(".mps"),
        statuses=STATUSES[target.fault],
        program=repr(f"{target.solver}={words}") if (words := command(target)) else "",
    )
    return re.sub(r"\n{4,}", "\n\n\n", text)
