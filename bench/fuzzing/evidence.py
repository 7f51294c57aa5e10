"""What is written about a finding: instance, models, a script that shows the fault, a text to report."""

import platform
import shutil
from dataclasses import replace
from pathlib import Path
from subprocess import TimeoutExpired

from bench import catalogue
from bench.campaign.execute import Provenance, execute_tried
from bench.campaign.results import Row
from bench.catalogue import Instance
from bench.catalogue.errors import RequestError
from bench.contract import Run, Status, Task, Unsupported
from bench.environment import machine
from bench.execution import exporter
from bench.execution.pool import ServerPool
from bench.fuzzing import check_witness, report, scripts
from bench.fuzzing.finding import Finding, Kind
from bench.fuzzing.record import Record, Shows, write_record
from bench.fuzzing.scripts import Fault, Target
from bench.fuzzing.witness import STARTS_S, find_witness, run, try_out
from bench.generation.instance_file import as_toml

AT_FAULT = {"milp": ".mps", "cpsat": ".pb.txt", "asp": ".lp", "cpmpy": ".pickle"}
"""How the name of the model of the last solve ends; other backends have none."""

SHOWN_PACKAGES = (
    "clingcon", "clingo", "cplex", "cpmpy", "docplex", "exact", "gurobipy", "highspy", "minizinc", "numpy",
    "ortools", "pindakaas", "pulp", "pumpkin-solver", "pychoco", "pyscipopt", "python-constraint2",
    "python-sat", "z3-solver",
)  # fmt: skip
"""The packages whose versions can matter to a solver."""

SEEDS = range(1, 9)
"""The seeds that are tried, with presolve and without."""

BROKEN_OFF = (Status.CRASHED, Status.TIMEOUT, Status.MEMOUT)
"""The statuses of runs that come to no end; those of others depend on what is known beside the run."""

MOST_S = 20.0
"""So many seconds at most are left to each solve of a script."""

EXPORT_S = 60.0
"""So many seconds at most are left to writing the model in one format."""

AGAIN = 3
"""So many times the run is repeated until it is at fault again."""


def write_evidence(finding: Finding, folder: Path, servers: ServerPool) -> None:
    """Writes what is known about a finding into a folder that exists."""
    instance = write_instance(finding, folder)
    at_fault = folder / f"model-at-fault{AT_FAULT.get(finding.run.backend, '')}"
    repeated = repeat(finding, instance, at_fault, servers)
    left_out = write_models(finding.run, instance.path)
    if not at_fault.is_file():
        left_out.append("the model of the last solve: the driver writes none")

    target = target_of(finding, folder, at_fault)
    alone = bool(target.release)
    if target.model.endswith(".mps"):
        shutil.copy(check_witness.__file__, folder / "check_witness.py")
    witness = find_witness(target, folder) if alone and target.fault == Fault.DENIES else None
    if witness:
        (folder / "witness.json").write_text(report.as_json(witness.values))
        target = replace(target, witness=True)
    elif alone and target.fault == Fault.DENIES:
        left_out.append("witness.json: no other way of solving the model finds a solution")
    target, shows = write_script(target, folder, at_fault, finding.row)
    presolves = (True,) if finding.run.backend == "cpmpy" else (True, False)  # CPMpy has no such option.
    pairs = [(seed, presolve) for presolve in presolves for seed in SEEDS]
    tried = alone and scripts.judgeable(target)
    here = machine.packages()
    record = Record(
        solver=f"{finding.run.backend}:{finding.run.solver}",
        version=finding.run.solver_version,
        kind=finding.kind,
        said=said(finding.row),
        truth=finding.truth,
        **{name: getattr(finding.run, name) for name in COPIED},
        solutions=finding.solutions,
        witness=finding.witness,
        model=target.model if alone else "",
        model_witness_by=witness.found_by if witness else "",
        repeated=repeated,
        show=shows,
        trials=try_out(target, folder, pairs, judged=True) if tried else (),
        python=platform.python_version(),
        platform=platform.platform(),
        cpu=machine.cpu(),
        packages={name: version for name, version in here.items() if name.lower() in SHOWN_PACKAGES},
        left_out=left_out,
    )
    write_record(folder, record)
    (folder / "issue.md").write_text(report.issue(record, target, folder))
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)


COPIED = ("puzzle", "formulation", "task", "seed", "threads", "rewriting", "time_limit_s")
"""What a record has of its run."""


def said(row: Row) -> str:
    """What a run says, in words."""
    if row.status == Status.CRASHED or row.solutions is None:
        return f"{row.status}: {row.error}"
    return f"{row.solutions} solution{'' if row.solutions == 1 else 's'}"


def write_instance(finding: Finding, folder: Path) -> Instance:
    """Writes instance.toml, with the number of solutions if that is known."""
    known = {} if finding.solutions is None else {"expected": {"solutions": finding.solutions}}
    path = folder / "instance.toml"
    path.write_text(as_toml(finding.table | known), encoding="utf-8")
    return catalogue.load(path)


def repeat(finding: Finding, instance: Instance, at_fault: Path, servers: ServerPool) -> bool:
    """Executes the run again, which writes log and last model; returns whether it is at fault again."""
    again = replace(
        finding.run, instance=instance.name, path=str(instance.path), instance_sha256=instance.sha256,
        log=str(at_fault.parent / "solver.log"),
        last_model=str(at_fault) if at_fault.suffix else "",
    )  # fmt: skip
    for _ in range(AGAIN):
        row = execute_tried(servers, instance, again, Provenance()).row
        if (row.solutions, row.status in BROKEN_OFF) == (
            finding.row.solutions,
            finding.row.status in BROKEN_OFF,
        ):
            return True
    return False


def write_models(run: Run, instance: Path) -> list[str]:
    """Writes the model in every format that the backend writes; returns what is left out."""
    left_out = []
    for to in exporter.formats(run.backend):
        try:
            text = exporter.export(instance, run.backend, run.solver, run.formulation, to, EXPORT_S)
        except (RequestError, Unsupported) as reason:
            left_out.append(f"model.{to}: {reason}")
        else:
            (instance.parent / f"model.{to}").write_text(text, encoding="utf-8")
    return left_out


def target_of(finding: Finding, folder: Path, at_fault: Path) -> Target:
    """What show.py solves: the model of the last solve, else the model as written, else the instance."""
    written = folder / f"model{AT_FAULT.get(finding.run.backend, '')}"
    model = next((path for path in (at_fault, written) if path.is_file()), folder / "instance.toml")
    run = finding.run
    known = scripts.alone(run.backend, run.solver)
    called = known if model.name != "instance.toml" else None
    # Integer programs are solved for one solution each time.
    task = Task.FIRST if called and run.backend == "milp" else run.task
    return Target(
        title=report.title(
            fault_of(finding),
            known.name if known else f"{run.backend}:{run.solver}",
            run.solver_version,
            one=task == Task.FIRST,
        ),
        backend=run.backend,
        solver=run.solver,
        release=scripts.release(called, run) if called else "",
        model=model.name,
        fault=fault_of(finding),
        task=task,
        seed=run.seed,
        threads=run.threads,
        time_s=min(run.time_limit_s, MOST_S),
        formulation=run.formulation,
    )


def fault_of(finding: Finding) -> Fault:
    """What a script has to look for."""
    if finding.kind in (Kind.CRASH, Kind.HANG):
        return Fault.FAILS if finding.kind == Kind.CRASH else Fault.HANGS
    too_many = finding.solutions is not None and (finding.row.solutions or 0) > finding.solutions
    return Fault.BREAKS if finding.kind == Kind.WRONG_SOLUTION or too_many else Fault.DENIES


def write_script(target: Target, folder: Path, at_fault: Path, row: Row) -> tuple[Target, Shows | None]:
    """Writes show.py and runs it: with one solve or, if that is right, with all solves in one object."""
    tried = [target]
    incremental = target.backend == "milp" and target.solver in ("highs", "nopresolve")
    if incremental and at_fault.is_file() and row.constraints is not None:
        program = check_witness.read_mps(at_fault.read_text())
        if len(program.rows) > row.constraints:
            tried.append(replace(target, base_rows=row.constraints))
    outputs = []
    for attempt in tried:
        shows = run_script(attempt, folder)
        if shows and shows.fault:
            return attempt, shows
        outputs.append(shows)
    (folder / "show.py").write_text(scripts.script(target))
    return target, outputs[0]


def run_script(target: Target, folder: Path) -> Shows | None:
    """Writes show.py and runs it; None if it does not end."""
    (folder / "show.py").write_text(scripts.script(target))
    how = "project" if not target.release else "fresh" if target.base_rows is None else "sequence"
    try:
        ended = run(folder, STARTS_S + target.time_s, "show.py", project=how == "project")
    except TimeoutExpired:
        return None
    fault = ended.returncode == 1 and "The fault shows." in ended.stdout
    return Shows(how=how, fault=fault, output=ended.stdout + ended.stderr)
