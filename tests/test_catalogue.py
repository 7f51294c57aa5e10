"""Puzzles in folders of their own, mistakes in a puzzle's files, hashes of what a model consists of."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench import catalogue
from bench.catalogue import ROOT, RequestError

PUZZLE = '''\
"""The numbers below a size, in order."""

from dataclasses import dataclass

from models.shared.document import Document, read_document


class Form(Document):
    count: int


def parse(table):
    return Steps(read_document(Form, table).count)


@dataclass(frozen=True)
class Steps:
    size: int

    def check(self, solution):
        return [] if solution == list(range(self.size)) else ["the numbers are not in order"]

    def answer(self, solution):
        return sum(solution)

    def text(self, solution):
        return f"steps {solution}"

    def draw(self, axes, solution):
        axes.plot(solution or [])
'''
BACKTRACK = """\
from .puzzle import Steps


def search(puzzle: Steps, tally):
    tally.root(variables=puzzle.size, undecided=0)
    yield list(range(puzzle.size))


FORMULATIONS = {"counting": search}
"""
CPSAT = """\
from ortools.sat.python import cp_model

from models.shared.model import Model


def increasing(puzzle):
    model = cp_model.CpModel()
    x = [model.new_int_var(0, puzzle.size - 1, "") for _ in range(puzzle.size)]
    for low, high in zip(x, x[1:]):
        model.add(low < high)
    return Model(model, lambda of: [of(variable) for variable in x])


FORMULATIONS = {"increasing": increasing}
"""
GENERATE = """\
from models.shared.draft import Draft

SIZE = "the numbers"


def draft(size, hardness, rng):
    return Draft({"count": size}, list(range(size)))


def narrow(draft, other, rng):
    return None


def spoil(draft, rng):
    return None
"""
INSTANCE = 'puzzle = "{}"\ntitle = "Some steps"\nsource = "made up"\ncount = {}\n'
FILES = {"puzzle": PUZZLE, "backtrack": BACKTRACK, "cpsat": CPSAT, "generate": GENERATE}


def make(folder: Path, **changes: str | None) -> Path:
    """The folder of a puzzle; `changes` replaces or leaves out its files."""
    (folder / "instances" / "family-size").mkdir(parents=True)
    for name, text in (FILES | changes).items():
        if text is not None:
            (folder / f"{name}.py").write_text(text)
    (folder / "instances" / "three.toml").write_text(INSTANCE.format(folder.name, 3))
    (folder / "instances" / "family-size" / "steps_4.toml").write_text(INSTANCE.format(folder.name, 4))
    return folder


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Makes a puzzle that this process knows."""
    monkeypatch.setenv(catalogue.PUZZLES, "")

    def known(folder: Path, **changes: str | None) -> Path:
        catalogue.find_puzzle(str(make(folder, **changes)))
        return folder

    return known


def told(command: Any, *folders: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """A command that knows these puzzles by the environment."""
    env = os.environ | {catalogue.PUZZLES: os.pathsep.join(map(str, folders))}
    return lambda *arguments: command(*arguments, env=env)


def rows(folder: Path) -> list[dict[str, str]]:
    import csv

    with (folder / "runs.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_puzzle_elsewhere_by_its_instance(command: Any, tmp_path: Path) -> None:
    """The file of an instance is enough to solve, check and run; its puzzle is in the folder above."""
    make(tmp_path / "steps")
    solved = command("solve", "steps/instances/three.toml", "--backend", "cpsat", "--json")
    assert solved.returncode == 0, solved.stderr
    assert json.loads(solved.stdout)["solution"] == [0, 1, 2]
    (tmp_path / "solution.json").write_text("[0, 2, 1]")
    checked = command("check", "steps/instances/family-size/steps_4.toml", "solution.json")
    assert (checked.returncode, checked.stdout.splitlines()[0]) == (1, "the numbers are not in order")
    ran = command(
        "run", "--instance", "steps/instances/three.toml", "--repeat", 1, "--out", "out",
        "--backend", "backtrack", "--backend", "cpsat", "--backend", "csp", "--task", "count",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    status = {row["backend"]: (row["puzzle"], row["status"], row["answer"]) for row in rows(tmp_path / "out")}
    assert status["backtrack"] == status["cpsat"] == ("steps", "solved", "3")
    assert status["csp"] == ("steps", "unsupported", "")
    missing = next(row["error"] for row in rows(tmp_path / "out") if row["backend"] == "csp")
    assert missing == f"there is no {tmp_path / 'steps' / 'csp.py'}"
    assert (tmp_path / "out" / "plots" / "solution-steps-three.svg").exists()


def test_a_puzzle_elsewhere_by_its_name(command: Any, tmp_path: Path) -> None:
    """Once it is known, it is listed, found by name, climbed and generated as the project's own are."""
    command = told(command, make(tmp_path / "steps"))
    listed = json.loads(command("list", "--json").stdout)["puzzles"]
    assert listed["steps"]["instances"][0]["path"] == str(tmp_path / "steps" / "instances" / "three.toml")
    assert listed["steps"]["formulations"]["cpsat"] == ["increasing"]
    assert listed["steps"]["families"] == {"size": ["steps_4"]}
    assert listed["block_party"]["instances"][0]["path"] == "instances/block_party/june_2022.toml"
    assert command("solve", "steps/three", "--backend", "backtrack").stdout.startswith("steps [0, 1, 2]")
    made = command("generate", "steps", "--size", 5, "--out", tmp_path / "steps" / "instances" / "five.toml")
    assert made.returncode == 0, made.stderr
    climbed = command("scale", "steps", "--backend", "backtrack", "--out", "climbed", "--no-plots")
    assert climbed.returncode == 0, climbed.stderr
    assert [row["instance"] for row in rows(tmp_path / "climbed")] == ["steps_4"]


def test_moving_it_into_the_project_changes_nothing(
    known: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither what is found nor the hashes of it."""
    home = known(tmp_path / "steps")
    before = [catalogue.model_sha256("steps", backend) for backend in ("backtrack", "cpsat", "puzzle")]
    project = tmp_path / "project"
    shutil.copytree(ROOT / "models", project / "models", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(home, project / "models" / "steps")
    monkeypatch.setenv(catalogue.PUZZLES, "")
    monkeypatch.setattr(catalogue, "MODELS", project / "models")
    assert before == [
        catalogue.model_sha256("steps", backend) for backend in ("backtrack", "cpsat", "puzzle")
    ]


def test_find_puzzle(known: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "steps")
    monkeypatch.setenv(catalogue.PUZZLES, "")
    monkeypatch.chdir(tmp_path)
    assert catalogue.find_puzzle("bug_byte") == "bug_byte"
    assert catalogue.find_puzzle(str(ROOT / "models" / "bug_byte")) == "bug_byte"
    assert os.environ[catalogue.PUZZLES] == ""
    assert [catalogue.find_puzzle(text) for text in ("./steps", "steps", "steps/")] == ["steps"] * 3
    assert os.environ[catalogue.PUZZLES] == str(tmp_path / "steps")
    assert "steps" in catalogue.puzzle_names()
    assert catalogue.folder("steps") == tmp_path / "steps"
    assert catalogue.load(catalogue.find_instance("three")).puzzle.size == 3


@pytest.mark.parametrize(
    ("folder", "says"),
    [
        ("./nowhere", "unknown puzzle './nowhere'"),
        ("bug_bite", "unknown puzzle 'bug_bite'; did you mean bug_byte?"),
        ("empty", "empty: this folder has no puzzle.py"),
        ("sub/block_party", "the name block_party is taken by the puzzle in "),
        ("sub/shared", "the name shared is taken"),
        ("twice/steps", "the name steps is taken by the puzzle in "),
        ("Tents", "a puzzle cannot be called 'Tents'; rename the folder"),
        ("my-tents", "a puzzle cannot be called 'my-tents'; rename the folder"),
        ("class", "a puzzle cannot be called 'class'; rename the folder"),
    ],
)
def test_a_folder_that_cannot_be_used(
    known: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, says: str
) -> None:
    known(tmp_path / "steps")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    if not folder.startswith((".", "bug", "empty")):
        make(tmp_path / folder)
    before = os.environ[catalogue.PUZZLES]
    with pytest.raises(RequestError) as refused:
        catalogue.find_puzzle(folder)
    assert says in str(refused.value) and "\n" not in str(refused.value)
    assert os.environ[catalogue.PUZZLES] == before


def test_an_instance_in_a_folder_of_a_name_that_is_taken(known: Callable[..., Path], tmp_path: Path) -> None:
    """It is not read by the rules of another puzzle."""
    known(tmp_path / "steps")
    other = make(tmp_path / "other" / "steps")
    with pytest.raises(RequestError, match="the name steps is taken"):
        catalogue.load(other / "instances" / "three.toml")


@pytest.mark.parametrize("value", ["steps", "/no/such/folder"])
def test_an_environment_that_lists_no_puzzle(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(catalogue.PUZZLES, value)
    with pytest.raises(RequestError, match=f"^BENCH_PUZZLES: {value} is not the absolute path"):
        catalogue.puzzle_names()
