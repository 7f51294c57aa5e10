"""README's two commands, and that `.ci/run` takes them from there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.catalogue import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
CAMPAIGN = (
    "python3 -m venv .venv && .venv/bin/pip install -q -c constraints.txt -e . "
    "&& .venv/bin/python -m bench run --all"
)
TESTS = (
    "python3 -m venv .venv && .venv/bin/pip install -q -c constraints.txt -e '.[test]' "
    "&& .venv/bin/python -m pytest"
)


def from_readme(number: int, readme: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / ".ci/readme.py", str(number), readme], capture_output=True, text=True
    )


def test_readme_has_two_commands() -> None:
    for number, command in enumerate((CAMPAIGN, TESTS), 1):
        assert from_readme(number, ROOT / "README.md").stdout == f"{command}\n"
        assert f"```\n{command}\n```\n" in README


@pytest.mark.parametrize(
    ("old", "new", "blocks"),
    [
        ("## Two commands", "## Commands", 0),
        (f"```\n{CAMPAIGN}\n```\n", "", 1),
        ("Run the tests:\n", "Run the tests:\n\n```\nanother\n```\n", 3),
        (f"{TESTS}\n```\n", f"{TESTS}\n", 2),
    ],
)
def test_a_readme_without_them_is_refused(tmp_path: Path, old: str, new: str, blocks: int) -> None:
    assert README.count(old) == 1
    readme = tmp_path / "README.md"
    # The end of the section that has them.
    readme.write_text(README[: README.index("## What comes out")].replace(old, new))
    result = from_readme(1, readme)
    assert result.returncode == 1 and not result.stdout
    assert f"{blocks} code blocks" in result.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with .ci and a README whose commands say where they are."""
    project = tmp_path / "project"
    shutil.copytree(ROOT / ".ci", project / ".ci")
    readme = README.replace(CAMPAIGN, "touch made && echo first in $PWD").replace(
        TESTS, "ls && python3 second && false"
    )
    (project / "README.md").write_text(readme)
    for command in ("init -q", "add .", "-c user.name=test -c user.email=test@example.org commit -qm first"):
        subprocess.run(["git", *command.split()], cwd=project, check=True)
    (project / "uncommitted").touch()
    return project


def test_ci_runs_them_in_a_clone_and_names_what_failed(project: Path, tmp_path: Path) -> None:
    """With a Python that installs nothing, so that all that needs an environment fails."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, script in {
        "chromium": "",
        "fzn-gecode": "",
        "minizinc": "",
        "munged": "",
        "slurmctld": "",
        "valgrind": "",
        "my-python": f'case $1 in .ci/*) exec {sys.executable} "$@";; -m) exit 5;; *) echo ran "$@";; esac',
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    result = subprocess.run(
        ["bash", ".ci/run"],
        cwd=project, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60,
        env=os.environ
        | {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHON": "my-python", "TMPDIR": str(scratch)},
    )  # fmt: skip
    assert result.returncode == 1, result
    word, *failed = result.stdout.splitlines()[-1].split()
    assert word == "failed:" and sorted(failed) == [
        "cluster_tests", "extra_environment", "extra_tests", "fuzz", "gate", "lint", "microbenchmarks",
        "second_command", "types",
    ]  # fmt: skip
    (where,) = re.findall(r"^first in (.*)$", result.stdout, re.MULTILINE)
    assert Path(where).is_relative_to(scratch) and not list(scratch.iterdir()), "and leaves nothing behind"
    said = result.stdout.partition("== second_command")[2]
    assert "README.md\nmade\nran second\n" in said, "the same clone, without what is not committed"
    assert "What is not committed is not tested." in result.stdout
