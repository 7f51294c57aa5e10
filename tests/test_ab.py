"""Two revisions, interleaved, as a user runs them: in a copy of the project, changed after a commit."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bench.catalogue import PUZZLES, ROOT
from bench.instruments.regression.compare import compare_folders
from bench.instruments.regression.interleaved import make_environment
from bench.instruments.regression.significance import slower_in_pairs, too_few
from tests.changes import CHANGES
from tests.conftest import started, valgrind
from tests.copies import copy_project

DEFAULT = ("--instance", "june_2022_example", "--formulation", "default")
QUICK = (*DEFAULT, "--backend", "backtrack", "--backend", "csp")
FIRST = (*DEFAULT, "--task", "first")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with the project as its only commit."""
    copy = copy_project(tmp_path / "project")
    git(copy, "init", "-q")
    (copy / ".git" / "info" / "exclude").write_text("__pycache__\n")
    commit(copy)
    return copy


def git(folder: Path, *arguments: str) -> None:
    author = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True)


def read(folder: Path, *arguments: str) -> str:
    """What a command of git prints."""
    said = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return said.stdout.strip()


def commit(folder: Path) -> None:
    """Commits all that is in a repository."""
    git(folder, "add", ".")
    git(folder, "commit", "-q", "--allow-empty", "-m", "as it is now")


Ab = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def ab(project: Path) -> Ab:
    """`python -m bench ab` of the copy, with the environment of this test for both sides."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        result = started(project, "ab", *arguments, "--python", sys.executable)
        assert worktrees(project) == 1, "nothing is left behind"
        return result

    return run


def worktrees(project: Path) -> int:
    return len(read(project, "worktree", "list").splitlines())


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def test_no_change_passes_and_runs_are_interleaved(project: Path, ab: Ab) -> None:
    result = ab("HEAD", *QUICK, "--pairs", "4", "--confirm", "0", "--out", "out", "--markdown", "comment.md")
    assert result.returncode == 0, result
    assert result.stdout.splitlines()[-1] == "pass: nothing regressed in 4 measurements"
    few = "--pairs 4: so few pairs cannot show that anything is slower (p below 0.02); use --pairs 9"
    assert few in result.stderr and f"note: {few}" in result.stdout
    comment = (project / "comment.md").read_text()
    assert comment.startswith("### Benchmarks: pass") and few in comment
    runs = pd.concat(
        [pd.read_csv(project / "out" / side / "runs.csv").assign(side=side) for side in ("base", "new")]
    )
    assert len(runs) == 32 and runs["campaign"].nunique() == 1 and set(runs["status"]) == {"solved"}
    runs = runs.sort_values("started_at", kind="stable")
    model = ["backend", "formulation", "task"]
    first, second = (
        runs.iloc[start::2][[*model, "repeat", "side"]].reset_index(drop=True) for start in (0, 1)
    )
    assert first.drop(columns="side").equals(second.drop(columns="side")), "the runs of a pair are neighbours"
    begins = {tuple(sides) for _, sides in first.sort_values("repeat").groupby(model)["side"]}
    assert begins == {("base", "new") * 2, ("new", "base") * 2}, "base new, new base, ..."


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("confirm", [0, 3])
def test_too_few_pairs_are_those_that_find_nothing(size: int, confirm: int) -> None:
    """Whatever they show: each one pair more slower than the others."""
    for pairs in range(1, 9):
        logs = [np.arange(1.0, pairs + confirm + 1)] * size
        names = [str(number) for number in range(size)]
        times = pd.DataFrame({"name": names, "logs_base": [0 * log for log in logs], "logs_new": logs})
        times = times.assign(puzzle="p", label="b", repeats=logs)
        found = slower_in_pairs(times, 1.0, pairs)
        assert bool(too_few([size], pairs, confirm)) == found.empty, (pairs, found)


def test_what_regressed_is_named(project: Path, ab: Ab) -> None:
    """A search that takes much longer, a model that does not load, and one that is gone."""
    change(
        project / "bench" / "execution" / "worker.py",
        "        ended = perf_counter()\n",
        # Beside whatever else the machine does: a busy loop would end as soon as the base does there.
        "        __import__('time').sleep(0.1 if run.backend == 'backtrack' else 0)\n"
        "        ended = perf_counter()\n",
    )
    change(project / "models" / "block_party" / "csp.py", '"""', 'raise ImportError("broken")\n"""')
    change(project / "models" / "block_party" / "milp.py", "def textbook(", "def renamed(")
    change(project / "models" / "block_party" / "milp.py", "windows, textbook)", "windows, renamed)")
    result = ab("HEAD", *DEFAULT[:2], *QUICK[4:], "--backend", "milp", "--pairs", "5", "--confirm", "6")
    assert result.returncode == 3, result
    assert "slower: block_party backtrack: " in result.stdout
    (folder,) = (project / "results").glob("ab-*")
    compared = compare_folders(folder / "base", folder / "new")
    searches = compared.timed[compared.timed["label"] == "backtrack"]
    assert compared.rounds == 5 and set(searches["repeats"].map(len)) == {11}, (
        "what looked slower got more pairs"
    )
    assert "6 pairs" in result.stdout or "12 pairs" in result.stdout, "which alone decide"
    lost = "lost: june_2022_example csp textbook first: base solved it; crashed in 5 of 5 runs"
    assert lost in result.stdout
    models = [set(pd.read_csv(folder / side / "runs.csv")["formulation"]) for side in ("base", "new")]
    assert models == [{"propagation", "narrowed", "textbook"}] * 2, (
        "a model that does not load is tried under its names"
    )
    assert "block_party milp textbook: only base has this model" in result.stdout


def test_a_backend_that_base_does_not_have_is_left_out(project: Path, ab: Ab) -> None:
    """A change that brings a backend can be compared, too."""
    driver = project / "bench" / "drivers" / "asp.py"
    text = driver.read_text()
    git(project, "rm", "-q", str(driver))
    git(project, "commit", "-qm", "without")
    driver.write_text(text)
    few = ("--instance", "june_2022_example", "--backend", "backtrack", "--backend", "asp", "--task", "first")
    result = ab("HEAD", *few, "--pairs", "4", "--confirm", "0", "--out", "out")
    assert result.returncode == 0, result
    assert "block_party asp narrowed: only new has this model" in result.stdout
    assert result.stdout.splitlines()[-1] == "pass: nothing regressed in 1 measurement"


def test_ctrl_c_leaves_what_was_recorded(project: Path, ab: Ab) -> None:
    arguments = ("HEAD", *QUICK[:6], "--pairs", "12", "--confirm", "0", "--out", "out")
    running = subprocess.Popen(
        [sys.executable, "-m", "bench", "ab", *arguments, "--python", sys.executable],
        cwd=project, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    recorded = project / "out" / "new" / "runs.csv"
    while running.poll() is None and not (recorded.exists() and recorded.read_text().count("\n") > 3):
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    said = running.communicate(timeout=60)[0]
    assert running.returncode == 130 and "To resume: python -m bench ab HEAD" in said
    assert worktrees(project) == 1
    result = ab(*arguments)
    assert result.returncode in (0, 1) and len(pd.read_csv(recorded)) == 24
    commit(project)
    result = ab(*arguments)
    assert result.returncode == 2 and "it has runs of another commit" in result.stderr


def test_what_cannot_be_done_is_refused_at_once(ab: Ab) -> None:
    result = ab("HEAD", "--puzzle", "blok")
    assert result.returncode == 2 and "known are block_party" in result.stderr
    result = ab("nowhere", *QUICK)
    assert result.returncode == 2 and "nowhere: git knows no such revision" in result.stderr


MINE = """
import sys

sys.stdin.read()
print("solution 0")
"""
"""A program that knows the solution."""

NATIVE = """
from pathlib import Path

from models.shared.model import Model, by_name
from models.shared.native import NativeInput


def known(puzzle):
    solution = [[3, 2, 4, 1], [2, 3, 1, 4], [1, 4, 3, 2], [4, 1, 2, 3]]
    return Model(NativeInput(Path("none.c"), [], 1), lambda value: solution)


FORMULATIONS = by_name(known)
"""

SLEEP = "import time; time.sleep(0.2)"

ONCE = ("--instructions", "--pairs", "1", "--confirm", "0")
"""Counting is slow, and hardly differs from run to run."""


@pytest.fixture(scope="module")
def mine(command_in: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of one's own: a puzzle and a program, both of which the last commit made slower."""
    home = tmp_path_factory.mktemp("repository") / "mine"
    (home / "hooks").mkdir(parents=True)
    hook = home / "hooks" / "post-checkout"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    assert command_in(home, "new", "towers").returncode == 0
    (home / "towers" / "native.py").write_text(NATIVE)
    (home / "mine.py").write_text(MINE)
    (home / ".gitignore").write_text("results/\nnew.py\n")
    git(home, "init", "-q")
    git(home, "config", "core.hooksPath", str(hook.parent))
    commit(home)
    change(home / "towers" / "backtrack.py", "    # Each row and", f"    {SLEEP}\n\n    # Each row and")
    change(home / "mine.py", "import sys\n", f"import sys\n{SLEEP}\n")
    small = home / "towers" / "instances" / "small.toml"
    change(small, "an example", "an instance that is read as it is now, by both sides")
    commit(home)
    assert command_in(home, "new", "late").returncode == 0
    return home


@pytest.mark.extra
def test_a_puzzle_of_ones_own_is_compared_with_its_own_history(command_in: Any, mine: Path) -> None:
    """What is compared are revisions of the repository that its folder is in; so with one's own program."""
    one = ("--puzzle", "./towers", "--instance", "towers/small", "--backend", "backtrack", "--task", "first")
    program = ("--program", f"fast={sys.executable} mine.py")
    result = command_in(mine, "ab", "HEAD~1", *one, *program, "--pairs", 4, "--confirm", 8, "--out", "out")
    assert result.returncode == 1, result
    for model in ("backtrack propagation", "native:fast"):
        assert f"{model} first: " in result.stdout
    assert result.stdout.splitlines()[-1] == "fail: slower or more search, of 2 measurements"
    runs = [pd.read_csv(mine / "out" / side / "runs.csv") for side in ("base", "new")]
    here = [read(mine, "rev-parse", revision) for revision in ("HEAD~1", "HEAD")]
    assert [list(side["commit"].unique()) for side in runs] == [[commit] for commit in here]
    change(mine / "towers" / "backtrack.py", "0.2", "0.1")
    again = command_in(mine, "ab", "HEAD~1", *one, *program, "--pairs", 4, "--confirm", 8, "--out", "out")
    assert again.returncode == 2 and "or of a model that has changed" in again.stderr, again
    change(mine / "towers" / "backtrack.py", "0.1", "0.2")
    # Named by the environment variable, and by its instance's file.
    few = ("--backend", "backtrack", "--task", "first", "--pairs", 7, "--confirm", 0)
    env = os.environ | {PUZZLES: str(mine / "towers")}
    result = command_in(mine, "ab", "HEAD", "--instance", "towers/small", *few, env=env)
    assert result.returncode == 0, result
    result = command_in(mine, "ab", "HEAD~1", "--instance", "towers/instances/small.toml", *few)
    assert result.returncode == 1, result
    assert worktrees(mine) == 1


@valgrind
@pytest.mark.extra
def test_instructions_of_a_puzzle_of_ones_own(command_in: Any, mine: Path) -> None:
    """Of its model, and of a program; without a change they are the same."""
    one = ("--puzzle", "./towers", "--instance", "towers/small", "--backend", "backtrack", "--task", "first")
    program = ("--program", f"fast={sys.executable} mine.py")
    # Not while it sleeps: what other threads do meanwhile depends on the time.
    awake = "None  # awake"
    change(mine / "towers" / "backtrack.py", SLEEP, awake)
    change(mine / "mine.py", SLEEP, awake)
    result = command_in(mine, "ab", "HEAD~1", *one, *program, *ONCE[:3], "--out", "alike")
    assert result.returncode == 0, result
    change(mine / "towers" / "backtrack.py", awake, "sum(range(50_000))")
    change(mine / "mine.py", awake, "sum(range(500_000))")
    result = command_in(mine, "ab", "HEAD~1", *one, *program, *ONCE, "--out", "counted")
    change(mine / "towers" / "backtrack.py", "sum(range(50_000))", SLEEP)
    change(mine / "mine.py", "sum(range(500_000))", SLEEP)
    assert result.returncode == 1, result
    found = [line for line in result.stdout.splitlines() if line.startswith("more instructions: small ")]
    assert len(found) == 2, result.stdout


def test_what_both_sides_would_read_from_the_same_files_is_refused(command_in: Any, mine: Path) -> None:
    """At once, in a line that says what to change."""
    untracked = mine.parent / "towers"
    shutil.copytree(mine / "towers", untracked)
    (mine / "new.py").write_text(MINE)
    towers = ("--puzzle", "./towers", "--backend", "backtrack")
    for arguments, reason in (
        (("HEAD", "--puzzle", "../towers"), "towers: this folder is in no git repository; commit it to one"),
        (("v9", *towers), "v9: git knows no such revision in "),
        (("HEAD", "--puzzle", "./late"), "late: it is not in revision HEAD of "),
        (("HEAD", *towers, "--puzzle", "block_party"), "towers is in "),
        (("HEAD", *towers, "--program", "fast=python new.py"), "new.py: it is not in revision HEAD of "),
        (("HEAD", *towers, "--program", "fast=cat"), "native:fast: no file of this program is in "),
        (("HEAD", *QUICK, "--program", "fast=python mine.py"), "native:fast: no file of this program is in "),
        (("HEAD", *towers, "--python", sys.executable), "--python: both sides of such a puzzle use this"),
    ):
        result = command_in(mine, "ab", *arguments, "--out", "refused")
        assert result.returncode == 2 and reason in result.stderr, result
        assert result.stderr.count("\n") == 1
    assert not (mine / "refused").exists() and worktrees(mine) == 1


@valgrind
@pytest.mark.extra
def test_two_per_cent_more_in_one_phase_is_found_and_named(
    project: Path, ab: Ab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one backend's building; nothing else is named, though only new's modules are compiled before."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    subprocess.run([sys.executable, "-m", "compileall", "-q", "bench", "models"], cwd=project, check=True)
    worker = project / "bench" / "execution" / "worker.py"
    change(
        worker,
        "    build_s = ",
        "    sum(range(1_500 if run.backend == 'backtrack' else 0))\n    build_s = ",
    )
    both = ("--backend", "backtrack", "--backend", "cpsat")
    result = ab("HEAD", *FIRST, *both, *ONCE, "--out", "out", "--plot", "changes.svg")
    assert result.returncode == 1, result
    found = [line for line in result.stdout.splitlines() if line.startswith("more instructions: ")]
    assert len(found) == 1 and found[0].startswith("more instructions: june_2022_example backtrack "), found
    building, solving = map(float, re.findall(r"(?:building|solving) ([+-][\d.]+)%", found[0]))
    assert building > 10 and abs(solving) < 0.5, found
    assert "instructions, new / base" in (project / "changes.svg").read_text()


def test_what_cannot_count_is_refused(
    project: Path, ab: Ab, command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, in a line: a machine without valgrind, a revision from before."""
    if shutil.which("valgrind"):
        git(project, "rm", "-q", "--cached", "bench/environment/counting.py")
        git(project, "commit", "-q", "-m", "as it was")
        commit(project)
        result = ab("HEAD~1", *FIRST, "--instructions", "--out", "out")
        assert (
            result.returncode == 2
            and "this revision counts no instructions; leave --instructions out" in result.stderr
        )
    monkeypatch.setenv("PATH", str(project))
    result = command("run", *FIRST, "--instructions", "--out", project / "out")
    assert result.returncode == 2 and result.stderr.count("\n") == 1, result
    assert "--instructions: valgrind counts instructions; to install it: apt" in result.stderr


BUILD = """
import zipfile
from pathlib import Path

def build_editable(folder, config_settings=None, metadata_directory=None):
    name, info = "tiny-1-py3-none-any.whl", "tiny-1.dist-info/"
    with zipfile.ZipFile(Path(folder) / name, "w") as wheel:
        wheel.writestr("tiny.pth", str(Path(__file__).parent))
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1\\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "")
    return name
"""
"""What makes the project installable, without an environment that setuptools is installed into for that."""


def test_an_environment_has_what_a_revision_asks_for(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "tiny.py").write_text("found = True\n")
    backend = '[build-system]\nrequires = []\nbuild-backend = "build"\nbackend-path = ["."]\n'
    (project / "pyproject.toml").write_text(f'{backend}[project]\nname = "tiny"\nversion = "1"\n')
    (project / "build.py").write_text(BUILD)
    python = make_environment(tmp_path / "environment", project)
    subprocess.run([python, "-c", "import tiny; assert tiny.found"], check=True, cwd=tmp_path)


def test_the_changes_that_ab_is_judged_by_are_still_changes() -> None:
    gone = [each.what for each in CHANGES if each.old not in (ROOT / each.file).read_text(encoding="utf-8")]
    assert not gone
