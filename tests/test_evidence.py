"""What is written about a finding can be believed without this project."""

import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bench import catalogue
from bench.campaign.plan import plan
from bench.campaign.selection import Request
from bench.catalogue import ROOT
from bench.contract import Status, Task
from bench.instruments.fuzz.check_witness import read_mps, violations
from bench.instruments.fuzz.evidence import repeat, write_evidence, write_script
from bench.instruments.fuzz.findings import Finding, Kind
from bench.instruments.fuzz.showing import Target
from tests.conftest import MADE, Lab

PATH = MADE / "number_cross_2x4.toml"
SOLUTIONS = 18
FIXED = """
import highspy, json
highs = highspy.Highs()
highs.setOptionValue("output_flag", False)
highs.setOptionValue("presolve", "off")
highs.readModel({model!r})
for column, name in enumerate(highs.getLp().col_names_):
    value = float(json.load(open("witness.json"))[name])
    highs.changeColBounds(column, value, value)
highs.run()
print(highs.modelStatusToString(highs.getModelStatus()))
"""
"""Fixes all columns to the witness, and solves what is left."""


def made_up(lab: Lab, backend: str, task: Task, kind: Kind, **said: object) -> Finding:
    """A finding against a solver that did nothing wrong."""
    instance = catalogue.load(PATH)
    request = Request(instances=[str(PATH)], backends=[backend], tasks=[task])
    run = plan(request, [instance], lab.backends)[0]
    row = lab.measure(PATH, backend, run.formulation, task)
    assert row.status == Status.SOLVED
    truth = f"{said['solutions']} solutions, but the checker accepts exactly {SOLUTIONS} of all candidates"
    table = tomllib.loads(PATH.read_text())
    return Finding(kind, table, run, replace(row, **said), truth, SOLUTIONS, json.loads(row.solution))


def alone(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in a folder, without this project."""
    return python(folder, *words, PYTHONPATH="")


def python(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in a folder."""
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env={**os.environ, **environment}, capture_output=True,
        text=True, timeout=60,
    )  # fmt: skip


LYING = """
import showing, show
showing.main(lambda *given: ({claim}), show.holds)
"""


def lies(folder: Path, claim: str) -> subprocess.CompletedProcess[str]:
    """What show.py does if the solver makes another claim: said, complete, found."""
    (folder / "lying.py").write_text(LYING.format(claim=claim))
    return alone(folder, "lying.py")


def read_record(folder: Path) -> Any:
    """What finding.json says, with attributes for keys."""
    text = (folder / "finding.json").read_text()
    record = json.loads(text, object_hook=lambda values: SimpleNamespace(**values))
    record.witness = json.loads(text)["witness"]
    return record


@pytest.mark.parametrize(
    ("backend", "task", "model"),
    [
        ("milp", Task.FIRST, "mps"),
        pytest.param("cpsat", Task.COUNT, "pb.txt", marks=pytest.mark.extra),
        ("asp", Task.COUNT, "lp"),
    ],
)
def test_evidence_stands_alone(lab: Lab, tmp_path: Path, backend: str, task: Task, model: str) -> None:
    """Each file is there; the script needs no project, and exits with 1 exactly if the solver is wrong."""
    if backend == "cpsat" and lab.backends["cpmpy"].missing:
        pytest.skip("with the extra `solvers` only: it takes five times as long as asp")
    if task == Task.FIRST:
        kind, said = Kind.FALSE_INFEASIBLE, {"status": Status.INFEASIBLE, "solutions": 0}
    else:
        kind, said = Kind.WRONG_COUNT, {"status": Status.WRONG, "solutions": SOLUTIONS - 1}
    finding = made_up(lab, backend, task, kind, **said)
    write_evidence(finding, tmp_path, lab.servers)

    record = read_record(tmp_path)
    files = {path.name for path in tmp_path.iterdir()}
    assert files >= {"instance.toml", f"model.{model}", "witness.json", "show.py", "finding.json", "issue.md"}
    assert catalogue.load(tmp_path / "instance.toml").expected.solutions == SOLUTIONS
    assert record.model in files and record.show and record.show.how == "fresh"
    assert not record.show.fault and (record.repeated, record.repeats) == (0, 3)
    assert len(vars(record.packages)) == 1, record.packages
    assert len(record.trials) == 16 and not any(trial.shows for trial in record.trials)

    right = alone(tmp_path.parent, str(tmp_path / "show.py"))
    whole = "satisfies the model: True" if task == Task.FIRST else f"missing: 0 of {SOLUTIONS}"
    assert right.returncode == 0 and whole in right.stdout, right.stderr
    wrong = lies(tmp_path, "'nothing is left', True, []")
    assert wrong.returncode == 1 and "The fault shows." in wrong.stdout, wrong.stderr
    stopped = lies(tmp_path, "'time limit', False, []")
    assert stopped.returncode == 0, stopped.stderr

    text = (tmp_path / "issue.md").read_text()
    assert all((tmp_path / name).read_text() in text for name in ("show.py", "show.json"))
    assert record.version in text and "did not show the fault" in text and f"`{record.model}`" in text
    if task == Task.FIRST:
        check_witness(tmp_path, record.model)
    else:
        check_known(tmp_path)
    if backend == "asp":
        check_judged(tmp_path)


@pytest.mark.extra
def test_models_of_cpmpy(lab: Lab, tmp_path: Path) -> None:
    """CPMpy reads the model that it stored, and another of its solvers finds the witness."""
    if lab.backends["cpmpy"].lacks("choco"):
        pytest.skip("cpmpy:choco is not installed")
    said = {"status": Status.WRONG, "solutions": SOLUTIONS - 1}
    write_evidence(made_up(lab, "cpmpy:choco", Task.COUNT, Kind.WRONG_COUNT, **said), tmp_path, lab.servers)
    record = read_record(tmp_path)
    assert record.model == "model-at-fault.pickle" and record.model_witness_by == "CPMpy's ortools"
    assert alone(tmp_path, "show.py").returncode == 0
    assert lies(tmp_path, "'UNSATISFIABLE', True, []").returncode == 1


def check_known(folder: Path) -> None:
    """Any solution that is missing shows the fault, and one that the model does not have shows nothing."""
    known = json.loads((folder / "witness.json").read_text())
    assert len(known) == SOLUTIONS
    for one in (0, SOLUTIONS - 1):
        lying = lies(
            folder, f"'OPTIMAL', True, [each for each in show.solve(*given)[2] if each != {known[one]!r}]"
        )
        assert lying.returncode == 1 and f"missing: 1 of {SOLUTIONS}" in lying.stdout, lying.stderr
    broken = known[0][1:] if isinstance(known[0], list) else dict.fromkeys(known[0], 1)
    (folder / "witness.json").write_text(json.dumps([*known, broken]))
    right = alone(folder, "show.py")
    assert right.returncode == 0 and f"missing: 1 of {SOLUTIONS + 1}" in right.stdout, right.stderr


def check_judged(folder: Path) -> None:
    """A solution that breaks a rule of the model shows the fault, and so does one that is given twice."""
    facts = json.loads((folder / "show.json").read_text())
    (folder / "show.json").write_text(json.dumps(facts | {"fault": "breaks"}))
    assert alone(folder, "show.py").returncode == 0
    assert lies(folder, "'all found', True, show.solve(*given)[2][:2] * 2").returncode == 1
    assert lies(folder, "'all found', True, [['holds(0,0,10)']]").returncode == 1


def check_witness(folder: Path, model: str) -> None:
    """Another solver agrees with the exact check, and both refuse a changed value."""
    assert alone(folder, "-c", FIXED.format(model=model)).stdout.split()[-1] == "Optimal"
    check = alone(folder, "check_witness.py", model, "witness.json")
    assert check.returncode == 0 and "exact arithmetic" in check.stdout

    witness = json.loads((folder / "witness.json").read_text())
    name = next(name for name, value in witness.items() if value == 1)
    (folder / "witness.json").write_text(json.dumps(witness | {name: 0}))
    assert alone(folder, "check_witness.py", model, "witness.json").returncode == 1
    assert alone(folder, "-c", FIXED.format(model=model)).stdout.split()[-1] == "Infeasible"
    lying = lies(folder, "'Infeasible', True, []")
    assert lying.returncode == 0 and "satisfies the model: False" in lying.stdout


def rows_at_fault(folder: Path) -> int:
    """How many rows the integer program has of the solve that was wrong."""
    assert sorted(path.name for path in folder.glob("model-at-fault*")) == ["model-at-fault.mps"]
    return len(read_mps((folder / "model-at-fault.mps").read_text()).rows)


def test_the_model_at_fault_is_that_of_the_wrong_solve(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a solution that is refused the solve that found it, although the solver goes on meanwhile."""
    instance = catalogue.load(Path(shutil.copy(PATH, tmp_path)))
    said = {"status": Status.WRONG, "solutions": 2}
    wrong = made_up(lab, "milp", Task.COUNT, Kind.WRONG_SOLUTION, **said)
    whole = lab.measure(PATH, "milp", wrong.run.formulation, Task.COUNT).constraints
    assert repeat(wrong, instance, lab.servers) == 0 and whole
    assert rows_at_fault(tmp_path) == whole + 2, "a wrong run found two, and here it is not wrong"
    assert not (tmp_path / "solver.log").exists(), "it would be of a run that is right"

    checks = []

    def refuse_the_fourth(self: object, solution: object) -> list[str]:
        checks.append(solution)
        if len(checks) < 4:
            return []
        time.sleep(0.5)
        return ["made up"]

    monkeypatch.setattr(type(instance.puzzle), "check", refuse_the_fourth)
    assert repeat(wrong, instance, lab.servers) == 3
    assert rows_at_fault(tmp_path) == whole + 3 and (tmp_path / "solver.log").exists()


@pytest.mark.parametrize(
    ("does", "fault", "code"),
    [
        ("os.abort()", "fails", 1),
        ("raise RuntimeError", "fails", 1),
        ("os.abort()", "hangs", 0),
    ],
)
def test_crashes_are_judged(tmp_path: Path, does: str, fault: str, code: int) -> None:
    """The script survives what its solver does, and says whether that is the fault."""
    (tmp_path / "clingo.py").write_text(f"import os\ndef Control(*_): {does}\n")
    target = Target("A crash", "asp", "clingo", "clingo==0", "model.lp", fault, True, 1, 1, 5.0)
    write_script(target, tmp_path)
    ended = alone(tmp_path, "show.py")
    assert ended.returncode == code and "exit code" in ended.stdout, ended.stderr


def test_hand_searches_are_shown_by_the_project(lab: Lab, tmp_path: Path) -> None:
    """There is no solver to call alone: the script says so, and runs the command."""
    said = {"status": Status.WRONG, "solutions": SOLUTIONS + 1}
    finding = made_up(lab, "backtrack", Task.COUNT, Kind.WRONG_COUNT, **said)
    write_evidence(finding, tmp_path, lab.servers)
    record = read_record(tmp_path)
    assert record.show and record.show.how == "project" and not record.show.fault
    assert f"accepts: {SOLUTIONS}\nThe run is solved\n" in record.show.output
    assert "no solver to call alone" in (tmp_path / "show.py").read_text()
    text = (tmp_path / "issue.md").read_text()
    assert "backtrack:python gives wrong solutions of a puzzle\n" in text and "0 of 3 repeats" in text
    assert "digit product" in text, "the instance for people"
    assert not [word for word in ("the model", " rows ", "presolve off", "ortools") if word in text]
    elsewhere = python(tmp_path.parent, str(tmp_path / "show.py"), PYTHONPATH=str(ROOT))
    assert elsewhere.returncode == 0 and elsewhere.stdout == record.show.output, elsewhere.stderr
    (tmp_path / "bench.py").write_text("raise ImportError('none here')")
    lacking = python(tmp_path.parent, str(tmp_path / "show.py"), PYTHONPATH=str(tmp_path))
    assert lacking.returncode == 2 and "none here" in lacking.stdout and "needs a Python" in lacking.stdout


MPS = """* made for this test
NAME made
ROWS
 N cost
 L most
 G least
 E equal
 E around
COLUMNS
 MARK0 'MARKER' 'INTORG'
 x cost 1 most 1
 x equal 1
 MARK1 'MARKER' 'INTEND'
 y most 1 least 0.1
 y around 1
RHS
 RHS most 5 least 0.3
 RHS equal 2 around 3
RANGES
 RNG most 3 around -2
BOUNDS
 UP BND x 3
 FR BND y
ENDATA
"""


@pytest.mark.parametrize(
    ("x", "y", "broken"),
    [
        (2, "3", []),
        (2, 1, ["row least"]),
        (3, "1/3", ["row least", "row equal", "row around"]),
        (2, -2, ["row most", "row least", "row around"]),
        (2.5, 3, ["column x", "row most", "row equal"]),
        (4, 1, ["column x", "row least", "row equal"]),
    ],
)
def test_exact_check(x: float, y: float | str, broken: list[str]) -> None:
    """Rows with ranges, bounds, whole numbers; 0.1 * 3 is 0.3."""
    found = violations(read_mps(MPS), {"x": x, "y": y})
    assert [line.split(" =")[0] for line in found] == broken
