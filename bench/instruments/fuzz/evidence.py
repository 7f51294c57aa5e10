"""What is written about a finding: instance, models, a script that shows the fault, a text to report."""

import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2

from bench import catalogue
from bench.analysis.units import plural
from bench.campaign.results import Row
from bench.catalogue import ROOT, Instance, programs
from bench.catalogue.errors import RequestError
from bench.contract import Run, Status, Task, Unsupported
from bench.environment import machine
from bench.environment.files import replace_file
from bench.execution.pool import ServerPool
from bench.instruments.fuzz.check_witness import read_mps, violations
from bench.instruments.fuzz.findings import Finding, Kind, execute
from bench.instruments.fuzz.showing import Target
from bench.instruments.generate import exporter
from bench.instruments.generate.instance_file import as_toml

# The solvers that a script calls alone, beside those of CPMpy: their names for people, what pip installs.
_SOLVERS = {
    "milp:highs": ("HiGHS", "highspy"),
    "milp:nopresolve": ("HiGHS without presolve", "highspy"),
    "milp:cbc": ("CBC", "pulp"),
    "milp:scip": ("SCIP", "pyscipopt"),
    "cpsat:cpsat": ("OR-Tools CP-SAT", "ortools"),
    "asp:clingo": ("clingo", "clingo"),
}
# The solvers of integer programs that are asked for a witness, in this order, if they are installed.
_OTHERS = ("cbc", "scip", "nopresolve")
# The file with the model of the wrong solve, or the input of a program; backends without one have none.
_AT_FAULT = {
    "milp": "model-at-fault.mps", "cpsat": "model-at-fault.pb.txt", "asp": "model-at-fault.lp",
    "cpmpy": "model-at-fault.pickle", "native": "input.txt",
    "milp:cpsat": "model-at-fault.pb.txt", "cpsat:highs": "model-at-fault.mps",
}  # fmt: skip
_LOG, _OUTPUT = "solver.log", "output.txt"
# The statuses of runs that come to no end; those of others depend on what is known beside the run.
_BROKEN_OFF = (Status.CRASHED, Status.TIMEOUT, Status.MEMOUT)
# Seconds for a solve of a script, for all else that it does, for writing a model; repeats of a run.
_MOST_S, _STARTS_S, _EXPORT_S, _AGAIN = 20.0, 20.0, 60.0, 3


def _at_fault(run: Run) -> str:
    return _AT_FAULT.get(f"{run.backend}:{run.solver}", _AT_FAULT.get(run.backend, ""))


def write_evidence(finding: Finding, folder: Path, servers: ServerPool) -> None:
    """Writes what is known about a finding into a folder that exists."""
    run, row = finding.run, finding.row
    known = {} if finding.solutions is None else {"expected": {"solutions": finding.solutions}}
    (folder / "instance.toml").write_text(as_toml(finding.table | known), encoding="utf-8")
    instance = catalogue.load(folder / "instance.toml")
    here = machine.packages()
    needed = servers.offers([run.backend])[run.backend].solver(run.solver).packages
    packages = {name: here[name] for name in needed if name in here}
    repeated = repeat(finding, instance, servers)
    left_out = _write_models(run, instance.path)
    if not repeated:
        left_out.append(f"{_LOG}: no repeat was at fault")
    at_fault = _at_fault(run)
    if at_fault and not (folder / at_fault).is_file():
        left_out.append(f"{at_fault}: the run did not come to write it")

    target, found_by = _target(finding, folder, packages), ""
    if target.release and target.fault == "denies":
        values, found_by = (_another_solvers if target.backend == "milp" else _in_other_ways)(target, folder)
        if found_by:
            one_a_line = "[\n" + ",\n".join(map(json.dumps, values)) + "\n]"
            text = json.dumps(values, indent=0) if isinstance(values, dict) else one_a_line
            (folder / "witness.json").write_text(text + "\n")
            target = replace(target, witness=True)
        else:
            left_out.append("witness.json: no other way of solving the model finds a solution")
    target, show = _show(target, folder, row)
    presolves = (True,) if target.backend == "cpmpy" else (True, False)  # CPMpy has no such option.
    pairs = [(seed, presolve) for presolve in presolves for seed in range(1, 9)]
    said = "" if row.solutions is None else plural(row.solutions, "solution")
    # The values of others were refused before they became a solution.
    by_checker = finding.kind is Kind.WRONG_SOLUTION and row.error.startswith("solution ")
    copied = ("puzzle", "formulation", "task", "seed", "threads", "rewriting", "time_limit_s")
    record = {
        "solver": f"{run.backend}:{run.solver}",
        "version": run.solver_version,
        "kind": finding.kind,
        "said": f"{row.status}: {row.error}" if row.status == Status.CRASHED or not said else said,
        "truth": finding.truth,
        **{name: getattr(run, name) for name in copied},
        "solutions": finding.solutions,
        "witness": finding.witness,
        "refused": json.loads(row.solution or "null") if by_checker else None,
        "model": target.model if target.release else "",
        "model_witness_by": found_by,
        "repeats": _AGAIN,
        "repeated": repeated,
        "show": show,
        "trials": _try_out(target, folder, pairs) if target.release and target.judgeable else [],
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu": machine.cpu(),
        "packages": packages,
        "left_out": left_out,
    }
    replace_file(folder / "finding.json", json.dumps(record, indent=2) + "\n")
    (folder / "issue.md").write_text(_issue(record, target, folder, instance.puzzle.text(None)))
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)


def repeat(finding: Finding, instance: Instance, servers: ServerPool) -> int:
    """Executes the run again some times; returns in how many of them it is at fault.

    Log, output and model are those of the first that is. If none is, there is the model alone, as it was when
    as many solutions were found as the finding says.
    """
    folder, before = instance.path.parent, finding.row
    backend = servers.offers([finding.run.backend])[finding.run.backend]
    model = folder / name if (name := _at_fault(finding.run)) else None
    files = [folder / _LOG, folder / _OUTPUT, *([model] if model else [])]
    again = replace(
        finding.run, instance=instance.name, path=str(instance.path), instance_sha256=instance.sha256,
        log=str(folder / _LOG), last_model=str(model or ""),
    )  # fmt: skip
    faults = 0
    for _ in range(_AGAIN):
        if not faults:
            for file in files:
                file.unlink(missing_ok=True)
        one = execute(servers, instance, again, backend)
        if model and again.last_model:
            # The model of the solve with this solution, if there was one: a solver goes on meanwhile.
            wrong = Path(f"{model}.{one.refused or (before.solutions or 0) + 1}")
            if wrong.is_file():
                wrong.replace(model)
            for other in folder.glob(f"{model.name}.*"):
                other.unlink()
        if finding.kind is Kind.WRONG_SOLUTION:
            at_fault = one.row.status is Status.WRONG
        else:
            broken_off = (one.row.status in _BROKEN_OFF) == (before.status in _BROKEN_OFF)
            at_fault = broken_off and one.row.solutions == before.solutions
        if at_fault:
            faults += 1
            again = replace(again, log="", last_model="")
    for file in files[:2] if not faults else ():
        file.unlink(missing_ok=True)
    return faults


def _write_models(run: Run, instance: Path) -> list[str]:
    """Writes the model in every format that the backend writes; returns what is left out."""
    left_out = []
    for to in exporter.formats(run.backend):
        try:
            text = exporter.export(instance, run.backend, run.solver, run.formulation, to, _EXPORT_S)
        except (RequestError, Unsupported) as reason:
            left_out.append(f"model.{to}: {reason}")
        else:
            (instance.parent / f"model.{to}").write_text(text, encoding="utf-8")
    return left_out


def _target(finding: Finding, folder: Path, packages: Mapping[str, str]) -> Target:
    """What show.py solves: the model of the wrong solve, else the model as written, else the instance."""
    run = finding.run
    name, release = f"{run.backend}:{run.solver}", ""
    called, at_fault = _SOLVERS.get(name), _at_fault(run)
    if run.backend == "cpmpy":
        called = f"{run.solver} by CPMpy", f"cpmpy[{run.solver.partition('/')[0]}]"
    models = [at_fault, at_fault.replace("-at-fault", "")] if called else []
    model = next((model for model in models if (folder / model).is_file()), "")
    if called:
        name = f"{called[0]} {run.solver_version}"
        if model:
            release = f"{called[1]}=={version('cpmpy') if run.backend == 'cpmpy' else run.solver_version}"
    elif packages:
        name += " ({} {})".format(*next(iter(packages.items())))
    too_many = finding.solutions is not None and (finding.row.solutions or 0) > finding.solutions
    fault = "breaks" if finding.kind == Kind.WRONG_SOLUTION or too_many else "denies"
    fault = {Kind.CRASH: "fails", Kind.HANG: "hangs"}.get(finding.kind, fault)
    # Integer programs are solved for one solution each time.
    count = run.task == Task.COUNT and not (release and run.backend == "milp")
    words = programs.programs().get(run.solver, ()) if run.backend == programs.BACKEND else ()
    return Target(
        name, run.backend, run.solver, release, model or "instance.toml", fault, count, run.seed, run.threads,
        min(run.time_limit_s, _MOST_S), run.formulation,
        program=f"{run.solver}={shlex.join(words)}" if words else "",
    )  # fmt: skip


def write_script(target: Target, folder: Path) -> None:
    """Writes show.py and what stands beside it: files of this folder, which import each other there."""
    name = target.backend if target.release else "project"
    files = {"show.py": f"show_{name}.py", "showing.py": "showing.py"}
    if target.model.endswith(".mps"):
        files["check_witness.py"] = "check_witness.py"
    for file, source in files.items():
        text = Path(__file__).with_name(source).read_text(encoding="utf-8")
        (folder / file).write_text(text.replace("bench.instruments.fuzz.", ""))
    (folder / "show.json").write_text(json.dumps(asdict(target), indent=1) + "\n")


def _show(target: Target, folder: Path, row: Row) -> tuple[Target, dict[str, Any] | None]:
    """Writes show.py and runs it: with one solve or, if only that shows it, with all solves in one object.

    Also returns how it solves, whether that shows the fault, and what it prints; None if it does not end.
    """
    incremental = target.backend == "milp" and target.solver in ("highs", "nopresolve")
    rows = row.constraints if incremental and target.model == _AT_FAULT["milp"] else None
    tried = [target]
    if rows is not None and len(read_mps((folder / target.model).read_text()).rows) > rows:
        tried.append(replace(target, base_rows=rows))
    results: list[tuple[Target, dict[str, Any] | None]] = []
    for attempt in tried:
        write_script(attempt, folder)
        how = "project" if not target.release else "fresh" if attempt.base_rows is None else "sequence"
        try:
            ended = _python(folder, _STARTS_S + target.time_s, "show.py", project=how == "project")
        except subprocess.TimeoutExpired:
            results.append((attempt, None))
            continue
        fault = ended.returncode == 1 and "The fault shows." in ended.stdout
        results.append((attempt, {"how": how, "fault": fault, "output": ended.stdout + ended.stderr}))
        if fault:
            return results[-1]
    write_script(target, folder)
    return results[0]


def _python(folder: Path, within_s: float, *words: str, project: bool) -> "subprocess.CompletedProcess[str]":
    """Runs Python in a folder, with this project or without. It may raise TimeoutExpired."""
    others = ("PYTHONPATH", "PYTHONSAFEPATH")
    environment = {name: value for name, value in os.environ.items() if name not in others}
    if project:
        environment["PYTHONPATH"] = str(ROOT)
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, timeout=within_s,
        capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
    )  # fmt: skip


def _try_out(target: Target, folder: Path, pairs: Sequence[tuple[int, bool]]) -> list[dict[str, Any]]:
    """What the solver says with each seed, with presolve or without; fewer if it ends or needs too long."""
    script = f"bench.instruments.fuzz.show_{target.backend}"
    words = ["-m", script, json.dumps(asdict(target)), json.dumps(pairs)]
    try:
        output = _python(folder, _STARTS_S + len(pairs) * target.time_s, *words, project=True).stdout
    except subprocess.TimeoutExpired as error:
        output = (error.stdout or b"").decode("utf-8", "replace")
    trials: list[dict[str, Any]] = []
    with suppress(ValueError):  # The last line may be cut off.
        trials += (json.loads(line[6:]) for line in output.splitlines() if line.startswith("TRIED "))
    return trials


def _found(target: Target, folder: Path, pairs: Sequence[tuple[int, bool]]) -> list[Any]:
    """The solutions of all of these trials."""
    return [values for trial in _try_out(target, folder, pairs) for values in trial["found"]]


def _another_solvers(target: Target, folder: Path) -> tuple[Any, str]:
    """A solution that another solver of integer programs finds, and its name; empty if there is none.

    It satisfies the rows exactly. The last to be asked is the same solver without presolve.
    """
    program = read_mps((folder / target.model).read_text())
    for name in (name for name in _OTHERS if name != target.solver):
        other = replace(target, solver=name, base_rows=None)
        for values in _found(other, folder, [(1, name != "nopresolve")]):
            # The whole numbers or simple fractions that floats stand for.
            exact = {}
            for column in (column for column in program.columns if column in values):
                nearest = Fraction(values[column]).limit_denominator(1000)
                exact[column] = int(nearest) if nearest.denominator == 1 else str(nearest)
            if not violations(program, exact):
                return exact, "HiGHS without presolve" if name == "nopresolve" else name.upper()
    return None, ""


def _in_other_ways(target: Target, folder: Path) -> tuple[Any, str]:
    """A solution that is found in another way, or where all are counted those found in any way, and how.

    The other way is another solver of CPMpy; for backends with one solver it is one thread, without presolve
    or with another seed. Solutions that the faulty way does not find come first.
    """
    if target.backend == "cpmpy":
        name = "choco" if target.solver == "ortools" else "ortools"
        other, pairs, who = replace(target, solver=name), [(target.seed, True)], f"CPMpy's {name}"
    else:
        pairs = [(target.seed, False), (target.seed + 1, False), (target.seed + 1, True)]
        other = replace(target, threads=1)
        who = "the same solver with one thread, without presolve or with another seed"
    known = _found(target, folder, [(target.seed, True)])
    if not (found := _found(other, folder, pairs)):
        return None, ""
    best = sorted({repr(values): values for values in found}.values(), key=known.__contains__)
    return best[:100] if target.count else best[0], who


def _issue(record: Mapping[str, Any], target: Target, folder: Path, instance: str) -> str:
    """The text of issue.md; `instance` is the instance for people."""
    output, mps = folder / _OUTPUT, record["model"].endswith(".mps")
    lines = output.read_text().splitlines() if output.is_file() else []
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(Path(__file__).with_name("issue.md.jinja").read_text(encoding="utf-8"))
    return template.render(
        record=record,
        target=target,
        truth=record["truth"].rstrip("."),
        instance=instance.strip("\n"),
        is_program=target.backend == programs.BACKEND,
        # This project's own programs have no command of the user.
        command=target.program.partition("=")[2] or "PROGRAM",
        output="\n".join([*lines[:20], *(["..."] if len(lines) > 20 else [])]),
        program=read_mps((folder / record["model"]).read_text()) if mps else None,
        script=(folder / "show.py").read_text(),
        facts=(folder / "show.json").read_text(),
        as_json=json.dumps,
    )
