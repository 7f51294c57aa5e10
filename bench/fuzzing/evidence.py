"""What is written about a finding: instance, models, a script that shows the fault, a text to report."""

import json
import platform
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from subprocess import TimeoutExpired

from bench import catalogue
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
from bench.fuzzing.trial import execute
from bench.fuzzing.witness import STARTS_S, find_witness, run, try_out
from bench.generation.instance_file import as_toml
from models.shared.puzzle import Solution

AT_FAULT = {
    "milp": "model-at-fault.mps",
    "cpsat": "model-at-fault.pb.txt",
    "asp": "model-at-fault.lp",
    "cpmpy": "model-at-fault.pickle",
    "native": "input.txt",
}
"""The file with the model of the wrong solve, or the input of a program; other backends have none."""

LOG, OUTPUT = "solver.log", "output.txt"
"""The solver's own log, and what a program wrote."""

SEEDS = range(1, 9)
"""The seeds that are tried, with presolve and without."""

BROKEN_OFF = (Status.CRASHED, Status.TIMEOUT, Status.MEMOUT)
"""The statuses of runs that come to no end; those of others depend on what is known beside the run."""

MOST_S = 20.0
"""So many seconds at most are left to each solve of a script."""

EXPORT_S = 60.0
"""So many seconds at most are left to writing the model in one format."""

AGAIN = 3
"""So many times the run is repeated."""


def write_evidence(finding: Finding, folder: Path, servers: ServerPool) -> None:
    """Writes what is known about a finding into a folder that exists."""
    instance = write_instance(finding, folder)
    solver = servers.offers([finding.run.backend])[finding.run.backend].solver(finding.run.solver)
    here = machine.packages()
    packages = {name: here[name] for name in solver.packages if name in here}
    repeated = repeat(finding, instance, servers)
    left_out = write_models(finding.run, instance.path)
    if not repeated:
        left_out.append(f"{LOG}: no repeat was at fault")
    at_fault = at_fault_in(folder, finding.run)
    if at_fault and not at_fault.is_file():
        left_out.append(f"{at_fault.name}: the run did not come to write it")

    target = target_of(finding, folder, packages)
    alone = bool(target.release)
    if target.model.endswith(".mps"):
        shutil.copy(check_witness.__file__, folder / "check_witness.py")
    witness = find_witness(target, folder) if alone and target.fault == Fault.DENIES else None
    if witness:
        (folder / "witness.json").write_text(report.as_json(witness.values))
        target = replace(target, witness=True)
    elif alone and target.fault == Fault.DENIES:
        left_out.append("witness.json: no other way of solving the model finds a solution")
    target, shows = write_script(target, folder, finding.row)
    presolves = (True,) if finding.run.backend == "cpmpy" else (True, False)  # CPMpy has no such option.
    pairs = [(seed, presolve) for presolve in presolves for seed in SEEDS]
    tried = alone and scripts.judgeable(target)
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
        packages=packages,
        left_out=left_out,
        repeats=AGAIN,
        refused=refused(finding),
    )
    write_record(folder, record)
    (folder / "issue.md").write_text(report.issue(record, target, folder, instance.puzzle.text(None)))
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)


def refused(finding: Finding) -> Solution:
    """The solution that the checker refused; None if the values were refused before they became one."""
    by_checker = finding.kind is Kind.WRONG_SOLUTION and finding.row.error.startswith("solution ")
    return json.loads(finding.row.solution or "null") if by_checker else None


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


def at_fault_in(folder: Path, run: Run) -> Path | None:
    """The file with the model of the wrong solve, or with the input of a program; None without either."""
    return folder / AT_FAULT[run.backend] if run.backend in AT_FAULT else None


def repeat(finding: Finding, instance: Instance, servers: ServerPool) -> int:
    """Executes the run AGAIN times; returns in how many of them it is at fault.

    Log, output and model are those of the first that is. Without any there is only the model, as it was when
    so many solutions were found as the finding says.
    """
    folder = instance.path.parent
    log, at_fault, output = folder / LOG, at_fault_in(folder, finding.run), folder / OUTPUT
    backend = servers.offers([finding.run.backend])[finding.run.backend]
    again = replace(
        finding.run, instance=instance.name, path=str(instance.path), instance_sha256=instance.sha256,
        log=str(log), last_model=str(at_fault or ""),
    )  # fmt: skip
    faults = 0
    for _ in range(AGAIN):
        if not faults:
            for file in (log, at_fault, output):
                if file:
                    file.unlink(missing_ok=True)
        one = execute(servers, instance, again, backend)
        if again.last_model:
            # A solver goes on while a solution is checked.
            keep_model(Path(again.last_model), one.refused or (finding.row.solutions or 0) + 1)
        if is_at_fault(one.row, finding):
            faults += 1
            again = replace(again, log="", last_model="")
    if not faults:
        log.unlink(missing_ok=True)
        output.unlink(missing_ok=True)
    return faults


def keep_model(last: Path, number: int) -> None:
    """Replaces the model of the last solve by that of the solve with this solution, if there was one."""
    if (wrong := Path(f"{last}.{number}")).is_file():
        wrong.replace(last)
    for other in last.parent.glob(f"{last.name}.*"):
        other.unlink()


def is_at_fault(row: Row, finding: Finding) -> bool:
    """Whether a run that was repeated shows the fault again."""
    if finding.kind is Kind.WRONG_SOLUTION:
        return row.status is Status.WRONG
    before = finding.row
    return (row.solutions, row.status in BROKEN_OFF) == (before.solutions, before.status in BROKEN_OFF)


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


def target_of(finding: Finding, folder: Path, packages: Mapping[str, str]) -> Target:
    """What show.py solves: the model of the wrong solve, else the model as written, else the instance."""
    run = finding.run
    known = scripts.alone(run.backend, run.solver)
    at_fault = at_fault_in(folder, run)
    models = [at_fault, at_fault.with_name(at_fault.name.replace("-at-fault", ""))] if at_fault else []
    model = next((path.name for path in models if known and path.is_file()), "")
    called = known if model else None
    # Integer programs are solved for one solution each time.
    task = Task.FIRST if called and run.backend == "milp" else run.task
    return Target(
        name=name_of(run, packages),
        backend=run.backend,
        solver=run.solver,
        release=scripts.release(called, run) if called else "",
        model=model or "instance.toml",
        fault=fault_of(finding),
        task=task,
        seed=run.seed,
        threads=run.threads,
        time_s=min(run.time_limit_s, MOST_S),
        formulation=run.formulation,
    )


def name_of(run: Run, packages: Mapping[str, str]) -> str:
    """A solver with its release, for people."""
    if known := scripts.alone(run.backend, run.solver):
        return f"{known.name} {run.solver_version}"
    library = next((f" ({package} {version})" for package, version in packages.items()), "")
    return f"{run.backend}:{run.solver}{library}"


def fault_of(finding: Finding) -> Fault:
    """What a script has to look for."""
    if finding.kind in (Kind.CRASH, Kind.HANG):
        return Fault.FAILS if finding.kind == Kind.CRASH else Fault.HANGS
    too_many = finding.solutions is not None and (finding.row.solutions or 0) > finding.solutions
    return Fault.BREAKS if finding.kind == Kind.WRONG_SOLUTION or too_many else Fault.DENIES


def write_script(target: Target, folder: Path, row: Row) -> tuple[Target, Shows | None]:
    """Writes show.py and runs it: with one solve or, if that is right, with all solves in one object."""
    tried = [target]
    incremental = target.backend == "milp" and target.solver in ("highs", "nopresolve")
    if incremental and target.model == AT_FAULT["milp"] and row.constraints is not None:
        program = check_witness.read_mps((folder / target.model).read_text())
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
