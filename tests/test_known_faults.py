"""Solver releases with wrong answers: the pinned one is not among them, and whoever uses one is told."""

import signal
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bench.analysis import tables, trust
from bench.analysis.measurements import measurements
from bench.catalogue import ROOT
from bench.cli import app
from bench.contract import Backend, Solver, Task
from bench.environment import doctor, releases
from bench.environment.releases import FAULTS, Fault, known_fault
from bench.report import page as report
from tests import synthetic
from tests.conftest import MADE, Lab

CROSS = MADE / "number_cross_2x4.toml"
PARTY = ROOT / "instances/block_party/family-size/block_party_15_3.toml"
PROGRAMS = sorted((Path(__file__).parent / "data").glob("highs-*.mps"))
SEEDS = range(1, 9)


@pytest.mark.parametrize("solver", ["milp:highs", "cpmpy:highs"])
def test_the_releases_of_highs(solver: str) -> None:
    name = solver.split(":")
    for version in ("1.13.0", "1.13.1", "1.14.0", "1.15.0", "1.15.1", "1.16.0"):
        said = known_fault(*name, version) or ""
        assert f"highspy {version}" in said and "declares feasible programs infeasible" in said
    for version in ("1.12.0", "1.16.1", "2.0.0", None):
        assert known_fault(*name, version) is None


def test_what_is_not_affected() -> None:
    """Without presolve the same releases are right; other solvers count their versions differently."""
    assert known_fault("milp", "nopresolve", "1.15.1") is None
    assert known_fault("milp", "cbc", "1.15.1") is None
    assert known_fault("cpsat", "cpsat", "1.15.1") is None


def installed_fault(lab: Lab) -> str | None:
    """What is known of the release of HiGHS in this environment."""
    return known_fault("milp", "highs", lab.backends["milp"].solvers["highs"].version)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_feasible_program_is_feasible(lab: Lab, program: Path) -> None:
    """Number Crosses of which some solutions are cut off, read into fresh objects."""
    code = f"""
import highspy
for seed in {list(SEEDS)}:
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("random_seed", seed)
    highs.readModel({str(program)!r})
    highs.run()
    print(highs.modelStatusToString(highs.getModelStatus()))
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # HiGHS 1.16 says its name first, whatever it is told.
    statuses = said.stdout.splitlines()[-len(SEEDS) :]
    assert statuses == ["Optimal"] * len(SEEDS) or installed_fault(lab)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_solution_is_missing(lab: Lab, seed: int) -> None:
    """HiGHS 1.15.1 misses some of the first, and 1.13.1 finds none of the second."""
    row = lab.measure(CROSS, "milp", "textbook", Task.COUNT, seed=seed)
    assert (row.status, row.solutions) == ("solved", 18) or installed_fault(lab)
    row = lab.measure(PARTY, "milp", "windows", Task.FIRST, seed=seed)
    assert row.status == "solved" or installed_fault(lab)


def requirements(lines: list[str], python: str) -> list[Requirement]:
    """What is asked of highspy for a version of Python."""
    asked = [Requirement(line) for line in lines if line.startswith("highspy")]
    return [one for one in asked if one.marker is None or one.marker.evaluate({"python_version": python})]


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_no_faulty_release_is_pinned_or_allowed(python: str) -> None:
    """There is no wheel of a right one for Python 3.14."""
    (pinned,) = requirements((ROOT / "constraints.txt").read_text().splitlines(), python)
    (version,) = [one.version for one in pinned.specifier]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (allowed,) = requirements(project["dependencies"], python)
    assert allowed.specifier.contains(version)
    assert known_fault("milp", "highs", version) is None
    lines = (Requirement(line) for line in (ROOT / "constraints.txt").read_text().splitlines())
    pins = [(canonicalize_name(pin.name), next(iter(pin.specifier)).version, pin.marker) for pin in lines]
    here = [
        (name, number)
        for name, number, marker in pins
        if not marker or marker.evaluate({"python_version": python})
    ]
    extra = [*project["dependencies"], *project["optional-dependencies"]["solvers"]]
    for fault in FAULTS:
        assert not [number for name, number in here if name == fault.package and fault.has(number)]
        asked = [one for one in map(Requirement, extra) if one.name == fault.package]
        own = [one for one in asked if not one.marker or one.marker.evaluate({"python_version": python})]
        assert not list(own[0].specifier.filter([fault.first, fault.last]))
    assert not allowed.specifier.contains("1.16.1"), "nobody has tested it"


def test_no_solver_is_installed_that_is_newer_than_what_was_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the constraints, too; whoever installs one nevertheless is told by the doctor."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    core = {"clingo", "highspy", "ortools", "pulp", "python-constraint2"}
    extra = project["optional-dependencies"]["solvers"]
    solvers = [one for one in map(Requirement, project["dependencies"]) if one.name in core]
    solvers += map(Requirement, extra)
    lines = (Requirement(line) for line in (ROOT / "constraints.txt").read_text().splitlines())
    # Of HiGHS there are two, the last for Python 3.14.
    pins = {canonicalize_name(pin.name): next(iter(pin.specifier)).version for pin in lines}
    bounds = {one.name: [each.version for each in one.specifier if each.operator == "<="] for one in solvers}
    assert bounds == {one.name: [pins[one.name]] for one in solvers}
    # Those of the environment are perhaps older than pyproject.toml.
    monkeypatch.setattr(releases, "_requirements", lambda: project["dependencies"] + extra)
    assert [advice for _, _, advice in doctor.check_solvers([])] == [""]
    monkeypatch.setattr("importlib.metadata.version", lambda package: bounds[package][0] + ".1")
    checks = {found: advice for _, found, advice in doctor.check_solvers([])}
    for name, (bound,) in bounds.items():
        assert f"newest that was tested is {bound}" in checks[f"{name} {bound}.1"]


def backends(version: str) -> dict[str, Backend]:
    """A backend with a release of HiGHS."""
    solvers = {"highs": Solver("HiGHS", version), "nopresolve": Solver("HiGHS without presolve", version)}
    return {"milp": Backend("milp", solvers=solvers)}


def test_the_doctor_says_so() -> None:
    ((_, found, advice),) = doctor.check_solvers(backends("1.15.1").values())
    assert found == "milp:highs" and "highspy 1.15.1 is known" in advice
    ((_, _, advice),) = doctor.check_solvers(backends("1.12.0").values())
    assert advice == ""
    missing = [replace(one, missing="pip install highspy") for one in backends("1.15.1").values()]
    ((_, _, advice),) = doctor.check_solvers(missing)
    assert advice == ""


def campaign(version: str) -> pd.DataFrame:
    """A campaign with a release of HiGHS."""
    runs = synthetic.campaign(instances=1, repeats=1, failing=0)
    runs.loc[runs["backend"] == "milp", "solver_version"] = version
    return runs


def test_the_report_says_so(tmp_path: Path) -> None:
    """From runs.csv alone."""
    synthetic.write(tmp_path, campaign("1.15.1"))
    runs = tables.read_runs(tmp_path)
    (remark,) = trust.on_releases(runs)
    assert remark.warns and remark.text.startswith("10 runs of milp:highs: highspy 1.15.1 is known to give")
    assert remark in trust.on_trust(runs), "the terminal shows these"
    page = report.make_report(runs, measurements(runs), [], report.read_facts(tmp_path), tmp_path)
    assert "highspy 1.15.1 is known to give wrong answers" in page
    assert trust.on_releases(campaign("1.12.0")) == []


@pytest.fixture
def as_if_faulty(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """A command, in this process, where the search by hand is known to give wrong answers."""
    fault = Fault(("backtrack:python",), "python", "3.0", "4.0", "errs", "a better one", "a test")
    monkeypatch.setattr(releases, "FAULTS", (fault,))
    monkeypatch.setattr(signal, "signal", lambda *_: None)

    def run(*arguments: str) -> Any:
        monkeypatch.setattr(sys, "argv", ["bench", *arguments])
        with pytest.raises(SystemExit) as ended:
            app.main()
        assert not ended.value.code
        return capsys.readouterr()

    return run


def test_solve_says_so(as_if_faulty: Any) -> None:
    said = as_if_faulty("solve", str(CROSS), "--backend", "backtrack").err
    assert said.startswith("warning: python 3.") and said.count("\n") == 1
    assert "it errs (a test). Use a better one." in said
    assert as_if_faulty("solve", str(CROSS), "--backend", "csp").err == ""


def test_list_marks_the_solver(as_if_faulty: Any) -> None:
    shown = " ".join(as_if_faulty("list").out.split())
    assert "known to give wrong answers" in shown
