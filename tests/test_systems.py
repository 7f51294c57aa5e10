"""The main commands on systems that tell nothing about themselves, tell nonsense, or are not Linux."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from bench.drivers import cpmpy as cpmpy_driver
from tests.test_campaign import rows_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the other systems are made from Linux")
SYSTEMS = Path(__file__).parent / "systems"
CAMPAIGN = ("run", "--no-plots", "--instance", "june_2022_example", "--backend", "backtrack", "--repeat", 1)


@pytest.fixture
def on(tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Runs `python -m bench` on another system, without git and with packages that are broken."""
    broken = tmp_path / "broken"
    for name, metadata in (("empty", None), ("nameless", b"Version: 1\n"), ("garbage", bytes(range(256)))):
        package = broken / f"{name}-1.0.dist-info"
        package.mkdir(parents=True)
        if metadata:
            (package / "METADATA").write_bytes(metadata)

    def run(system: str, *arguments: object, code: str = "") -> "subprocess.CompletedProcess[str]":
        changed = {"TEST_SYSTEM": system, "PYTHONPATH": f"{SYSTEMS}:{broken}", "PATH": str(broken)}
        command = f"{code}\nfrom bench.cli.app import main\nmain()"
        result = subprocess.run(
            [sys.executable, "-c", command, *map(str, arguments)],
            cwd=tmp_path, capture_output=True, text=True, timeout=300, env={**os.environ, **changed},
        )  # fmt: skip
        said = [line for line in result.stderr.splitlines() if not line.startswith("note: other campaigns")]
        assert (result.returncode, said) == (0, [])
        return result

    return run


@pytest.mark.parametrize("system", ["missing", "unreadable", "nonsense"])
def test_a_campaign_needs_nothing_that_the_system_tells(on: Any, tmp_path: Path, system: str) -> None:
    on(system, *CAMPAIGN, "--out", tmp_path / "out")
    assert {row["status"] for row in rows_of(tmp_path / "out")} == {"solved"}
    (session,) = json.loads((tmp_path / "out" / "machine.json").read_text())["sessions"]
    assert session["commit"] is session["load"] is session["memory_mb"] is session["governor"] is None
    assert session["packages"]["numpy"] and session["python"], "what can be told is told"
    assert session["cpu"].isprintable()


def test_the_doctor_says_what_is_not_told(on: Any) -> None:
    few = "from bench import catalogue\nfrom bench.environment import doctor\ndoctor.SAMPLES = 3"
    two = "catalogue.backend_names = lambda: ['backtrack', 'csp']"
    assert "not told by this system" in on("nonsense", "doctor", code=f"{few}\n{two}").stdout


def test_solve_needs_nothing_that_the_system_tells(on: Any) -> None:
    assert "solved" in on("unreadable", "solve", "june_2022_example", "--backend", "backtrack").stdout


def test_what_has_no_wheel_here_is_not_advised() -> None:
    """The marker in pyproject.toml says where Exact has none, and so does what tells how to get it."""
    (exact,) = [Requirement(line) for line in requires("puzzle-bench") or () if line.startswith("exact")]
    assert exact.marker
    has_wheels = {
        (version, system): exact.marker.evaluate(
            {"python_version": version, "sys_platform": system, "extra": "solvers"}
        )
        for version in ("3.11", "3.13", "3.14")
        for system in ("linux", "darwin")
    }
    assert [where for where, has in has_wheels.items() if has] == [("3.11", "linux"), ("3.13", "linux")]
    here = f"{sys.version_info.major}.{sys.version_info.minor}", sys.platform
    assert has_wheels.get(here, cpmpy_driver.EXACT_HAS_WHEELS) == cpmpy_driver.EXACT_HAS_WHEELS
    absent = replace(
        cpmpy_driver.SOLVERS["exact"], packages=("a_library_that_nobody_has",), no_wheel="no wheel"
    )
    assert absent.missing() == "no wheel"


def test_what_only_linux_has_is_left_out_elsewhere(on: Any, tmp_path: Path) -> None:
    """A campaign with a solver's library; of the times, those that Linux alone tells are empty."""
    on("macos", *CAMPAIGN, "--backend", "cpsat", "--out", tmp_path / "out")
    rows = rows_of(tmp_path / "out")
    assert {row["status"] for row in rows} == {"solved"}
    assert {row["stolen_s"] for row in rows} == {row["waited_s"] for row in rows} == {""}
    (session,) = json.loads((tmp_path / "out" / "machine.json").read_text())["sessions"]
    assert session["request"]["pinned"] == [None]
    lacking = {"pinning", "control groups", "waited_s", "stolen_s", "workers end with their server"}
    assert set(session["unavailable"]) == lacking
    assert "solved" in on("macos", "solve", "june_2022_example", "--backend", "csp").stdout
