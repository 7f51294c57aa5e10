"""What is said about the machine."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.cli import listing
from bench.environment import doctor, machine, processes
from bench.environment.machine import Machine
from tests.conftest import Lab

GOOD = Machine(
    cores=4, threads=8, usable_cores=[[0, 4], [1, 5], [2, 6], [3, 7]], clock="tsc",
    timer="clock_gettime(CLOCK_MONOTONIC)", timer_resolution_s=1e-9, load=0.1, governor="performance",
    turbo=False, swap_mb=0, swapped_mb=0, on_battery=False, quota=None, virtual=None,
)  # fmt: skip
STEADY = [0.01, 0.0101, 0.0099]


def test_a_good_machine_gets_no_advice() -> None:
    checks = list(doctor.check_machine(GOOD, STEADY, 0.0))
    assert [what for what, _, advice in checks if advice] == []
    assert {what for what, _, _ in checks} >= {"cores", "load", "turbo", "virtualisation", "swap"}


@pytest.mark.parametrize(
    ("what", "facts"),
    [
        ("cores", {"usable_cores": [[0]]}),
        ("cores", {"quota": 1.5}),
        ("load", {"load": 3.0}),
        ("frequency governor", {"governor": "powersave"}),
        ("turbo", {"turbo": True}),
        ("virtualisation", {"virtual": "virtual machine"}),
        ("swap", {"swap_mb": 2000, "swapped_mb": 100}),
        ("power", {"on_battery": True}),
        ("clock", {"clock": "hpet"}),
        ("clock", {"timer_resolution_s": 0.01}),
    ],
)
def test_what_is_bad_is_advised_against(what: str, facts: dict[str, Any]) -> None:
    checks = doctor.check_machine(replace(GOOD, **facts), STEADY, 0.0)
    assert [checked for checked, _, advice in checks if advice] == [what]


def test_an_unsteady_load_is_advised_against() -> None:
    for reference_load_s, stolen_s in (([0.01, 0.02, 0.01], 0.0), (STEADY, 0.5)):
        *_, (what, _, advice) = doctor.check_machine(GOOD, reference_load_s, stolen_s)
        assert what == "reference load" and advice


def test_the_doctor_looks_at_this_machine(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With fewer measurements than the command, which tests/test_systems.py calls."""
    monkeypatch.setattr(doctor, "SAMPLES", 5)
    monkeypatch.setattr(listing, "offered_backends", lambda: lab.backends)
    listing.doctor_()
    shown = capsys.readouterr().out
    for what in ("cores", "reference load", "frequency governor", "turbo", "virtualisation", "swap", "clock"):
        assert what in shown


@pytest.mark.parametrize(
    ("file", "dirty"),
    [
        ("slurm-1.out", False), ("results/runs.csv", False), ("docs/kept.txt", False),
        ("bench/new.py", True), ("models/p/cpsat.py", True), ("instances/p/i.toml", True),
        ("bench/kept.py", True),
    ],
)  # fmt: skip
def test_a_checkout_is_dirty_if_what_runs_depend_on_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, dirty: bool
) -> None:
    """Not by the log of a job, or a document."""
    monkeypatch.setattr(machine, "ROOT", tmp_path)
    assert machine.describe().dirty is None
    for kept in ("bench/kept.py", "docs/kept.txt"):
        (tmp_path / kept).parent.mkdir()
        (tmp_path / kept).touch()
    identity = "-c", "user.name=x", "-c", "user.email=x"
    for arguments in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "x"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    assert machine.describe().dirty is False
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text("changed")
    assert machine.describe().dirty is dirty


def test_control_groups_are_used_only_where_they_are_handed_over() -> None:
    """Elsewhere nothing happens; either way this process is back where it was afterwards."""
    where = Path("/proc/self/cgroup")
    before = where.read_text() if where.exists() else ""
    with processes.delegated_group() as group:
        if group is None:
            assert processes.GROUP_PARENT not in os.environ
            assert not before or where.read_text() == before
        else:
            assert "memory" in (group / "cgroup.subtree_control").read_text()
    assert processes.GROUP_PARENT not in os.environ
    assert not before or where.read_text() == before
