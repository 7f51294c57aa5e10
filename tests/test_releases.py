"""`run --release` and `bisect`: environments made by uv, with fake releases where a fault is wanted."""

import csv
import json
import math
import os
import zipfile
from collections.abc import Mapping
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.analysis.plots.style import style
from bench.catalogue.errors import RequestError
from bench.environment.index import by_version
from bench.instruments.regression.bisect import first_at_fault

PACKAGE = "python-constraint2"

FAULTS = {
    "99.1": "",
    "99.2": "# As it was.",
    "99.3": """
from constraint.solvers import RecursiveBacktrackingSolver as _Solver
_all = _Solver.getSolutionIter
_Solver.getSolutionIter = lambda self, *problem: (each for n, each in enumerate(_all(self, *problem)) if n)
""",
    "99.4": "raise ImportError('it needs what is not there')",
    "99.5.post1": "",
}
"""What the fake releases add to the real one, in pure Python; 99.3 loses the first solution."""


@given(st.integers(0, 60), st.integers(1, 60), st.sets(st.integers(1, 100)))
def test_bisect_finds_the_first_release_at_fault(before: int, after: int, untriable: set[int]) -> None:
    releases = list(map(str, range(before + 1 + after)))
    judged: list[str] = []

    def judge(release: str) -> str | None:
        judged.append(release)
        number = int(release)
        return None if number in untriable else "slower" if number > before else ""

    there = [number for number in map(int, releases) if number not in untriable]
    faulty = [number for number in there if number > before]
    if faulty:
        last = max(number for number in there if number <= before)
        assert first_at_fault(releases, judge) == (str(last), str(min(faulty)))
    elif len(there) > 1:
        assert first_at_fault(releases, judge) is None
    else:
        with pytest.raises(RequestError, match="no release after 0 can be tried"):
            first_at_fault(releases, judge)
    assert len(judged) == len({*judged})
    if not untriable:
        assert len(judged) <= 3 + math.log2(len(releases))


def test_bisect_needs_a_release_that_is_right() -> None:
    with pytest.raises(RequestError, match="choose another --from"):
        first_at_fault(["1", "2"], lambda _: "slower")


def test_releases_are_in_order_and_look_different() -> None:
    """The digit in the name of a package is no part of its number."""
    names = ["z3-solver==4.8.17.0", "z3-solver==4.12.6.0", "python-constraint2==2.10.0"]
    assert sorted(names, key=by_version) == [names[2], *names[:2]]
    assert len({style(f"csp ({name.replace('==', ' ')})") for name in names}) == 3


def _wheel(folder: Path, version: str, code: str) -> None:
    """A wheel of the installed package in pure Python, with another version and code at its end."""
    real = distribution(PACKAGE)
    info = f"python_constraint2-{version}.dist-info"
    files = {str(file): file.read_text() for file in real.files or () if file.match("constraint/*.py")}
    files["constraint/__init__.py"] += code
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: {version}\n"
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nGenerator: none\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(folder / f"python_constraint2-{version}-py3-none-any.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)


@pytest.fixture
def releases(tmp_path: Path) -> Mapping[str, str]:
    """The environment of a user whose index has the fake releases, too."""
    pytest.importorskip("uv")
    (tmp_path / "wheels").mkdir()
    for version, code in FAULTS.items():
        _wheel(tmp_path / "wheels", version, code)
    kept = os.environ.get("UV_CACHE_DIR") or str(Path.home() / ".cache" / "uv")
    return {
        **os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "UV_CACHE_DIR": kept,
        "UV_FIND_LINKS": str(tmp_path / "wheels"),
    }  # fmt: skip


def _rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "runs.csv").open(newline="") as file:
        return list(csv.DictReader(file))


ASK = ("--no-plots", "--formulation", "default", "--backend", "csp", "june_2022_example")


@pytest.mark.extra
def test_a_fault_of_a_release_is_found(command: Any, tmp_path: Path, releases: Mapping[str, str]) -> None:
    """The same runs with each: what loses a solution is wrong, what cannot be imported is unavailable."""
    words = [
        word for version in FAULTS for word in ("--release", f"{PACKAGE}=={version.partition('.post')[0]}")
    ]
    done = command("run", *words, *ASK, "--repeat", 2, "--out", "out", env=releases)
    assert done.returncode == 1
    statuses = {(row["release"], row["task"], row["status"]) for row in _rows(tmp_path / "out")}
    of = {version: f"{PACKAGE}=={version}" for version in FAULTS}
    assert {each for each in statuses if each[1] == "count"} == {
        (of["99.1"], "count", "solved"), (of["99.2"], "count", "solved"), (of["99.3"], "count", "wrong"),
        (of["99.4"], "count", "unavailable"), (of["99.5.post1"], "count", "solved"),
    }  # fmt: skip
    again = command("run", *words[:4], *ASK, "--repeat", 2, "--out", "out", env=releases)
    assert "nothing was executed" in again.stdout
    found = command(
        "bisect", "csp", "--problem", "june_2022_example", "--task", "count", "--from", "99.1", "--to",
        "99.3", "--repeat", 1, "--slower", 100, "--out", "halves", env=releases,
    )  # fmt: skip
    assert f"The first release at fault is {of['99.3']}; {of['99.2']} is right." in found.stdout
    asked = json.loads((tmp_path / "out" / "machine.json").read_text())["sessions"][0]["request"]
    assert asked["releases"] == list(of.values())
    assert f"{PACKAGE}==99.1" in asked["environments"][of["99.1"]]
    shown = command("history", "out", "--csv", "history.csv", env=releases)
    with (tmp_path / "history.csv").open(newline="") as file:
        wrong = {row["version"]: int(row["wrong"]) for row in csv.DictReader(file)}
    assert "2 wrong" in shown.stdout and {version for version, n in wrong.items() if n} == {"99.3"}


@pytest.mark.extra
def test_real_releases(command: Any, tmp_path: Path, releases: Mapping[str, str]) -> None:
    """Two of the index, by their beginnings; none has another answer."""
    words = ("--release", f"{PACKAGE}==2.6", "--release", f"{PACKAGE}==2.8")
    done = command("run", *words, *ASK, "--repeat", 1, "--out", "out", env=releases)
    rows = _rows(tmp_path / "out")
    assert done.returncode == 0 and {row["status"] for row in rows} == {"solved"}
    assert {row["release"] for row in rows} == {f"{PACKAGE}==2.6.0", f"{PACKAGE}==2.8.0"}
    assert all(row["release"].endswith(f"=={row['solver_version']}") for row in rows)


@pytest.mark.extra
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--release", f"{PACKAGE}=2.6"], "write a package and a release, as in ortools==9.12"),
        (["--release", f"{PACKAGE}==98"], "the index has no wheel of it for Python"),
        (["--release", f"{PACKAGE}==99.1", "--backend", "cpsat"], "cpsat needs no such package"),
        (["--release", f"{PACKAGE}==99.1", "--cluster", "slurm", "--workers", "1"], "leave one of them out"),
        (["--releases", "no-such-package-at-all"], "the index has no release of it"),
        (["--releases", f"{PACKAGE}>=2"], "write the name of a package"),
    ],
)
def test_mistakes(command: Any, releases: Mapping[str, str], words: list[str], says: str) -> None:
    done = command("run", *words, "june_2022_example", env=releases)
    assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1
