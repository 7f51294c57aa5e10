"""Two revisions, interleaved, as a user runs them: in a copy of the project, changed after a commit."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from bench.regression.checkout import make_environment
from bench.regression.compare import compare_folders
from tests.conftest import started
from tests.copies import copy_project

QUICK = ("--instance", "june_2022_example", "--backend", "backtrack", "--backend", "csp")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with the project as its only commit."""
    copy = copy_project(tmp_path / "project")
    subprocess.run(["git", "init", "-q"], cwd=copy, check=True)
    (copy / ".git" / "info" / "exclude").write_text("__pycache__\n")
    for command in ("add .", "-c user.name=test -c user.email=test@example.org commit -qm first"):
        subprocess.run(["git", *command.split()], cwd=copy, check=True)
    return copy


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
    listed = subprocess.run(
        ["git", "worktree", "list"], cwd=project, capture_output=True, text=True, check=True
    )
    return len(listed.stdout.splitlines())


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def test_no_change_passes_and_runs_are_interleaved(project: Path, ab: Ab) -> None:
    result = ab("HEAD", *QUICK, "--pairs", "4", "--confirm", "0", "--out", "out", "--markdown", "comment.md")
    assert result.returncode == 0, result
    assert result.stdout.splitlines()[-1] == "pass: nothing regressed in 4 measurements"
    assert (project / "comment.md").read_text().startswith("### Benchmarks: pass")
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


def test_what_regressed_is_named(project: Path, ab: Ab) -> None:
    """A search that takes twice as long, a model that is larger, one that does not load, one that is gone."""
    change(
        project / "bench" / "execution" / "worker.py",
        "        ended = perf_counter()\n",
        "        while run.backend == 'backtrack' and perf_counter() - started < 0.03:\n            pass\n"
        "        ended = perf_counter()\n",
    )
    change(project / "models" / "block_party" / "csp.py", '"""', 'raise ImportError("broken")\n"""')
    change(project / "models" / "block_party" / "milp.py", "def rubin(", "def renamed(")
    change(project / "models" / "block_party" / "milp.py", "windows, rubin)", "windows, renamed)")
    result = ab("HEAD", *QUICK, "--backend", "milp", "--pairs", "5", "--confirm", "6")
    assert result.returncode == 3, result
    assert "slower: block_party backtrack: " in result.stdout
    (folder,) = (project / "results").glob("ab-*")
    compared = compare_folders(folder / "base", folder / "new")
    pairs = {len(change.times.repeats) for change in compared.timed if change.label == "backtrack"}
    assert compared.rounds == 5 and pairs == {11}, "what looked slower got more pairs"
    assert "6 pairs" in result.stdout or "12 pairs" in result.stdout, "which alone decide"
    assert (
        "lost: june_2022_example csp shaving first: base solved it; crashed in 5 of 5 runs" in result.stdout
    )
    assert "block_party milp rubin: only base has this model" in result.stdout
    assert "slower: block_party milp" not in result.stdout


def test_a_backend_that_base_does_not_have_is_left_out(project: Path, ab: Ab) -> None:
    """A change that brings a backend can be compared, too."""
    driver = project / "bench" / "drivers" / "asp.py"
    text = driver.read_text()
    commit = "-c user.name=test -c user.email=test@example.org commit -qm without"
    for command in (f"rm -q {driver.relative_to(project)}", commit):
        subprocess.run(["git", *command.split()], cwd=project, check=True)
    driver.write_text(text)
    few = ("--instance", "june_2022_example", "--backend", "backtrack", "--backend", "asp", "--task", "first")
    result = ab("HEAD", *few, "--pairs", "4", "--confirm", "0", "--out", "out")
    assert result.returncode == 0, result
    assert "block_party asp narrowed: only new has this model" in result.stdout
    assert result.stdout.splitlines()[-1] == "pass: nothing regressed in 1 measurements"


def test_ctrl_c_leaves_what_was_recorded(project: Path, ab: Ab) -> None:
    arguments = ("HEAD", *QUICK[:4], "--pairs", "12", "--confirm", "0", "--out", "out")
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
    commit = ("-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "-q", "--allow-empty")
    subprocess.run(["git", *commit, "-m", "second"], cwd=project, check=True)
    result = ab(*arguments)
    assert result.returncode == 2 and "it has runs of another commit" in result.stderr


def test_what_cannot_be_done_is_refused_at_once(ab: Ab) -> None:
    result = ab("HEAD", "--puzzle", "blok")
    assert result.returncode == 2 and "did you mean block_party?" in result.stderr
    result = ab("nowhere", *QUICK)
    assert result.returncode == 2 and "nowhere: git knows no such revision" in result.stderr


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
