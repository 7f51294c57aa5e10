"""The wheel is whole: installed into an environment of its own it works outside the project."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from bench.catalogue import ROOT

CONTENT = ("bench", "models", "instances", "docs")
"""The folders of the project that are in the wheel, whole."""


def called(*words: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a command says; it knows nothing of this environment."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
    return subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=env | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def project_files() -> set[str]:
    """The files of the project that make it up, without what tools leave beside them."""
    return {
        path.relative_to(ROOT).as_posix()
        for name in CONTENT
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as `pip install .` does, from a copy: the build leaves files behind."""
    folder = tmp_path_factory.mktemp("build")
    source = folder / "source"
    for name in (*project_files(), "pyproject.toml", "README.md", "LICENSE"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    built = called(
        sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet",
        "--disable-pip-version-check", "--wheel-dir", folder, source, cwd=folder,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of an environment that has the wheel, and what it needs from this environment.

    It lies in a repository that is not the project's.
    """
    folder = tmp_path_factory.mktemp("elsewhere")
    environment = folder / ".venv"
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "--allow-empty", "-m", "x"],
        cwd=folder, check=True,
    )  # fmt: skip
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / "bin" / "python"
    done = called(
        sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--quiet", "--no-index",
        "--disable-pip-version-check", wheel, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    # The .pth file with which this project is installed here is not read from there.
    (packages,) = environment.glob("lib/*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return environment / "bin"


def test_the_wheel_has_all_of_the_project(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == project_files()
    assert "instances/block_party/june_2022.toml" in names and "bench/report/page/report.html" in names


def test_the_wheel_works_outside_the_project(installed: Path, tmp_path: Path) -> None:
    command = installed / "puzzle-bench"
    where = called(installed / "python", "-c", "import bench; print(bench.__file__)", cwd=tmp_path)
    assert Path(where.stdout).is_relative_to(installed.parent), "it is not the project that is tested"

    listed = json.loads(called(command, "list", "--json", cwd=tmp_path).stdout)["puzzles"]
    assert {name: len(puzzle["instances"]) for name, puzzle in listed.items()} == {
        folder.name: len(list(folder.glob("*.toml"))) for folder in (ROOT / "instances").iterdir()
    }
    assert all(puzzle["families"] for puzzle in listed.values())

    made = called(command, "new", "towers", cwd=tmp_path)
    page = made.stdout.splitlines()[-1].rpartition(": ")[2]
    assert (tmp_path / page).read_text().startswith("# Adding a puzzle"), made.stdout
    shutil.rmtree(tmp_path / "towers")

    solved = called(command, "solve", "june_2022", "--backend", "cpsat", cwd=tmp_path)
    assert solved.returncode == 0 and "solved, answer" in solved.stdout

    words = ("run", "june_2022_example", "--backend", "backtrack", "--task", "first", "--repeat", "1")
    ran = called(command, *words, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    latest = tmp_path / "results" / "latest"
    assert latest.is_symlink() and list((tmp_path / "results").glob("20*")) == [latest.resolve()]
    assert "solution-block_party-june_2022_example" in (latest / "report.html").read_text()
    (session,) = json.loads((latest / "machine.json").read_text())["sessions"]
    assert session["commit"] is None and session["dirty"] is None, "the repository there is another one"

    made = called(command, "generate", "bug_byte", "--size", "12", "--out", "mine.toml", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert called(command, "solve", "mine.toml", "--backend", "milp", cwd=tmp_path).returncode == 0
    version = called(installed / "python", "-m", "bench", "--version", cwd=tmp_path)
    assert version.stdout == called(command, "--version", cwd=tmp_path).stdout != ""
    assert {path.name for path in tmp_path.iterdir()} == {"results", "mine.toml"}


def test_the_wheel_compares_no_revisions(installed: Path, tmp_path: Path) -> None:
    """An environment in a repository of something else is no checkout of this project."""
    refused = called(installed / "puzzle-bench", "ab", "HEAD", cwd=tmp_path)
    assert refused.returncode == 2 and "this is no checkout" in refused.stderr
