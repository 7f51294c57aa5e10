"""Puzzles in folders of their own, mistakes in a puzzle's files, and hashes of what a model consists of."""

import csv
import gc
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bench import catalogue
from bench.catalogue import ROOT, puzzles
from bench.catalogue.errors import PuzzleError, RequestError
from bench.cli import listing

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
from models.shared.generator import Planted

SIZE = "the numbers"


def plant(size, rng):
    return Planted(list(range(size)), [], lambda clues: {"count": size})


def spoil(planted, clues, rng):
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
    with (folder / "runs.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_puzzle_elsewhere_by_its_instance(command: Any, command_in: Any, tmp_path: Path) -> None:
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
    assert missing == "there is no steps/csp.py"
    assert (tmp_path / "out" / "plots" / "solution-steps-three.svg").exists()
    page = tmp_path / "out" / "report.html"
    assert "solution-steps-three" in page.read_text()
    # Who draws it later names the puzzle.
    page.unlink()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert command_in(elsewhere, "report", tmp_path / "out", "--puzzle", "../steps").returncode == 0
    assert "solution-steps-three" in page.read_text()


def test_an_instance_finds_its_puzzle(command: Any, command_in: Any, tmp_path: Path) -> None:
    """Beside it, or where the command is called; what is wrong there is told as it is."""
    home = make(tmp_path / "steps")
    assert command("generate", "./steps", "--size", 5, "--out", "five.toml").returncode == 0
    (below := tmp_path / "below").mkdir()
    file = below / "five.toml"
    file.write_text((tmp_path / "five.toml").read_text())
    for folder, name in ((tmp_path, "five.toml"), (below, tmp_path / "five.toml"), (tmp_path, file)):
        solved = command_in(folder, "solve", name, "--backend", "cpsat", "--json")
        assert solved.returncode == 0 and json.loads(solved.stdout)["solution"] == [0, 1, 2, 3, 4], solved
    # One that would not find it is not written.
    words = ("generate", "../steps", "--size", 5, "--out")
    lost = command_in(below, *words, "lost.toml")
    mend = f"choose --out {home}/instances/lost.toml\n"
    assert lost.returncode == 2 and lost.stderr.endswith(mend) and not (below / "lost.toml").exists(), lost
    for name in ("../six.toml", "../steps/instances/six.toml"):
        assert command_in(below, *words, name).returncode == 0
        assert command_in(below, "solve", name, "--backend", "cpsat").returncode == 0
    (tmp_path / "solution.json").write_text("[0, 2, 1, 3, 4]")
    assert command("check", "five.toml", "solution.json").stdout.startswith("the numbers are not in order")

    def refused(folder: Path, name: object) -> str:
        result = command_in(folder, "solve", name)
        assert result.returncode == 2
        return str(result.stderr)

    says = (
        "puzzle: 'steps' is unknown, and no folder of this name with puzzle.py is here or beside the file; "
    )
    assert says in refused(below, "five.toml")
    file.write_text('puzzle = "../steps"')
    assert "'../steps' is unknown" in refused(below, "five.toml")
    file.write_text(file.read_text().replace("../", "") + '\ntitle = "t"\nsource = "s"\ncount = "3"')
    assert "below/five.toml: count: " in refused(tmp_path, file)
    code = (home / "puzzle.py").read_text()
    (home / "puzzle.py").write_text(f"import sys; sys.path.append({str(tmp_path)!r}); import helper\n{code}")
    assert "steps/puzzle.py:1: ModuleNotFoundError: No module named 'helper'" in refused(
        tmp_path, "five.toml"
    )
    (tmp_path / "helper.py").write_text("\ndef (")
    says = "steps/puzzle.py:1: SyntaxError: invalid syntax (helper.py:2)"
    assert says in refused(tmp_path, "five.toml")
    (home / "puzzle.py").write_text(f"def (\n{code}")
    assert "steps/puzzle.py:1: SyntaxError: invalid syntax\n" in refused(tmp_path, "five.toml")


def test_a_puzzle_elsewhere_by_its_name(command: Any, tmp_path: Path) -> None:
    """Once it is known, it is listed, found by name, climbed and generated as the project's own are."""
    command = told(command, make(tmp_path / "steps"))
    listed = json.loads(command("list", "--json").stdout)["puzzles"]
    assert listed["steps"]["instances"][0]["path"] == "steps/instances/three.toml"
    assert listed["steps"]["formulations"]["cpsat"] == ["increasing"]
    assert listed["steps"]["families"] == {"size": ["steps_4"]}
    assert listed["block_party"]["instances"][0]["path"] == "instances/block_party/june_2022.toml"
    assert command("solve", "steps/three", "--backend", "backtrack").stdout.startswith("steps [0, 1, 2]")
    made = command("generate", "steps", "--size", 5, "--out", tmp_path / "steps" / "instances" / "five.toml")
    assert made.returncode == 0, made.stderr
    climbed = command("scale", "steps", "--backend", "backtrack", "--out", "climbed", "--no-plots")
    assert climbed.returncode == 0, climbed.stderr
    assert [row["instance"] for row in rows(tmp_path / "climbed")] == ["steps_4"]


def hashes(puzzle: str) -> list[str]:
    """Of its models and rules."""
    models = [catalogue.model_sha256(puzzle, backend) for backend in ("backtrack", "cpsat")]
    return [*models, catalogue.rules_sha256(puzzle)]


def test_moving_it_into_the_project_changes_nothing(
    known: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither what is found nor the hashes of it."""
    home = known(tmp_path / "steps")
    before = hashes("steps")
    project = tmp_path / "project"
    shutil.copytree(ROOT / "models", project / "models", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(home, project / "models" / "steps")
    monkeypatch.setenv(catalogue.PUZZLES, "")
    monkeypatch.setattr(puzzles, "MODELS", project / "models")
    assert hashes("steps") == before


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
        ("./nowhere", "./nowhere: there is no such folder"),
        ("bug_bite", "unknown puzzle 'bug_bite'; did you mean bug_byte?"),
        ("empty", "empty: this folder has no puzzle.py"),
        ("sub/block_party", "the name block_party is taken by the puzzle in "),
        ("sub/shared", "the name shared is taken"),
        ("twice/steps", "the name steps is taken by the puzzle in "),
        ("Towers", "a puzzle cannot be called 'Towers'; rename the folder"),
        ("my-towers", "a puzzle cannot be called 'my-towers'; rename the folder"),
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
def test_a_folder_that_vanished_is_left_out(command: Any, tmp_path: Path, value: str) -> None:
    """No command fails for it, and the other puzzles of the environment variable are there."""
    command = told(command, make(tmp_path / "steps"), Path(value))
    result = command("solve", "steps/three", "--backend", "backtrack")
    assert result.returncode == 0 and result.stdout.startswith("steps [0, 1, 2]")
    left_out = f"left out: BENCH_PUZZLES: {value} is not the absolute path of a folder with puzzle.py"
    assert result.stderr.splitlines().count(left_out) == 1


def test_a_name_that_is_taken_elsewhere(command: Any, tmp_path: Path) -> None:
    home = make(tmp_path / "mine" / "steps")
    refused = told(command, home)("new", "steps")
    says = "the name steps is taken by the puzzle in mine/steps; choose another name"
    assert (refused.returncode, refused.stderr) == (2, f"error: {says}\n")


def test_a_hash_covers_what_a_model_consists_of(known: Callable[..., Path], tmp_path: Path) -> None:
    """Its own file and what that imports, by whatever form of import, and nothing else."""
    shared = {
        "a": "from . import b\n",
        "b": "from .c import name\n",
        "c": "def f():\n    from models.steps import d as other\n",
        "d": "import models.steps.e, json\n",
        "e": "",
    }
    home = known(tmp_path / "steps", backtrack=BACKTRACK + "import models.steps.a\n", **shared)
    backtrack, cpsat, rules = hashes("steps")
    assert len({backtrack, cpsat, rules}) == 3 and {len(backtrack), len(cpsat), len(rules)} == {64}
    for name in shared:
        (home / f"{name}.py").write_text(f"{shared[name]}# a comment counts\n")
        changed = hashes("steps")
        assert changed[0] != backtrack, f"{name} is part of the model"
        assert changed[1:] == [cpsat, rules], f"{name} is part of this model alone"
        backtrack = changed[0]
    (home / "puzzle.py").write_text(f"# {PUZZLE}")
    changed = hashes("steps")
    assert changed[1] == cpsat, "the model for CP-SAT does not import the rules"
    assert changed[0] != backtrack and changed[2] != rules
    (home / "cpsat.py").write_text("this is not Python")
    assert hashes("steps")[1] not in (cpsat, "")
    (home / "cpsat.py").unlink()
    assert hashes("steps")[1] == ""


def test_a_hash_covers_the_files_that_a_model_names(known: Callable[..., Path], tmp_path: Path) -> None:
    """Rules or programs beside it, and what they include; no file that it does not name."""
    home = known(tmp_path / "steps", backtrack=BACKTRACK, cpsat=f'{CPSAT}\nFILE = "rules.lp"\n')
    for file, text in {
        "rules.lp": '#include "../parts/more.lp".\n',
        "../parts/more.lp": "a.\n",
        "other.lp": '#include "rules.lp".\n',
    }.items():
        (home / file).parent.mkdir(exist_ok=True)
        (home / file).write_text(text)
    before = hashes("steps")
    for file, differs in {"rules.lp": True, "../parts/more.lp": True, "other.lp": False}.items():
        with (home / file).open("a") as source:
            source.write("% changed\n")
        changed = hashes("steps")
        assert (changed[1] != before[1]) is differs and [changed[0], changed[2]] == [before[0], before[2]]
        before = changed


def test_a_hash_covers_shared_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change in a module of models/shared/ changes the models that import it, at however many removes."""
    models = tmp_path / "models"
    shutil.copytree(ROOT / "models", models, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(puzzles, "MODELS", models)
    assert catalogue.model_sha256("number_cross", "cpsat") != catalogue.model_sha256("number_cross", "csp")
    changes = {
        "shared/automaton.py": {"number_cross"},
        "shared/csp.py": set[str](),
        "number_cross/csp.py": set(),
        "shared/document.py": {"number_cross", "block_party"},
        "shared/__init__.py": {"number_cross", "block_party"},
    }
    for file, changed in changes.items():
        before = {name: catalogue.model_sha256(name, "cpsat") for name in ("number_cross", "block_party")}
        with (models / file).open("a") as source:
            source.write("# changed\n")
        assert {
            name for name in before if catalogue.model_sha256(name, "cpsat") != before[name]
        } == changed, file


MISTAKES = {
    "raises": (
        {"puzzle": "[][1]\n"},
        "puzzle.py:1: IndexError: list index out of range",
    ),
    "syntax": ({"puzzle": "def parse(table:\n"}, "puzzle.py:1: SyntaxError: "),
    "ends": ({"puzzle": "import sys\n\nsys.exit('bye')\n"}, "puzzle.py:3: SystemExit: bye"),
    "imports": ({"puzzle": "import no_such_library\n"}, "puzzle.py:1: ModuleNotFoundError: No module"),
    "package": ({"__init__": "\nfrom .puzzle import nothing\n"}, "__init__.py:2: ImportError: cannot import"),
    "parse_missing": ({"puzzle": "REPORTED = []\n"}, "puzzle.py: AttributeError: module 'models."),
    "parse_raises": (
        {"puzzle": PUZZLE.replace("read_document(Form, table).count", 'table["size"]')},
        "puzzle.py:13: KeyError: 'size'",
    ),
    "parse_returns_nothing": (
        {"puzzle": "def parse(table):\n    pass\n"},
        "puzzle.py: AttributeError: 'None",
    ),
    "size_is_text": (
        {"puzzle": PUZZLE.replace(".count)", ".title)")},
        "puzzle.py: the size is 'Some steps', not",
    ),
}
"""For each mistake what stands in the files, and what is said of it."""


@pytest.fixture
def busy_collector() -> Iterator[None]:
    """The garbage collector calls Python code and threads take turns all the time, as in a worker of Dask."""

    def callback(phase: str, info: dict[str, int]) -> None:
        for _ in range(50):
            pass

    interval = sys.getswitchinterval()
    gc.callbacks.append(callback)
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)
    gc.callbacks.remove(callback)


def test_threads_that_parse_at_the_same_time(busy_collector: None) -> None:
    """Without a lock CPython 3.11 loses count of its recursion: SystemError in one call of ten."""
    source = Path(__file__).read_bytes()
    with ThreadPoolExecutor(4) as threads:
        assert all(tree.body for tree in threads.map(puzzles.parsed, [source] * 100))


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_the_rules_names_its_place(
    known: Callable[..., Path], tmp_path: Path, name: str
) -> None:
    changes, says = MISTAKES[name]
    home = known(tmp_path / name, **changes)
    with pytest.raises(PuzzleError) as said:
        catalogue.load(home / "instances" / "three.toml")
    assert f"{home}/{says}" in str(said.value) and "\n" not in str(said.value)
    assert said.value.puzzle == name
    assert catalogue.load(catalogue.find_instance("june_2022")).puzzle_name == "block_party"


@pytest.mark.parametrize(
    ("title", "says"), [("", "title: this key is missing"), ("title = 1", "title: should be a text, not 1")]
)
def test_the_keys_of_every_instance_are_checked(
    known: Callable[..., Path], tmp_path: Path, title: str, says: str
) -> None:
    """Also where the puzzle's own parse does not look at them."""
    home = known(
        tmp_path / "steps", puzzle=PUZZLE.replace("read_document(Form, table).count", 'table["count"]')
    )
    path = home / "instances" / "three.toml"
    path.write_text(f'puzzle = "steps"\n{title}\nsource = "made up"\ncount = 3\n')
    with pytest.raises(RequestError, match=f"three.toml: {says}"):
        catalogue.load(path)


NO_TABLE = "is no table of functions by name"


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("", "is missing"),
        ("FORMULATIONS = {}", NO_TABLE),
        ("FORMULATIONS = [search]", NO_TABLE),
        ('FORMULATIONS = {"one": 1}', f"{NO_TABLE} (entry 'one')"),
        ("FORMULATIONS = {1: search}", f"{NO_TABLE} (entry 1)"),
    ],
)
def test_a_table_of_formulations_that_is_none(
    known: Callable[..., Path], tmp_path: Path, table: str, says: str
) -> None:
    home = known(tmp_path / "steps", backtrack=f"def search(puzzle, tally):\n    yield []\n\n\n{table}\n")
    with pytest.raises(PuzzleError) as said:
        catalogue.formulations("steps", "backtrack")
    mend = 'write FORMULATIONS = {"name": function}'
    assert str(said.value) == f"{home / 'backtrack.py'}: FORMULATIONS {says}; {mend}"
    assert catalogue.formulations("steps", "csp") == {}


def test_a_puzzle_without_figures_from_sources(known: Callable[..., Path], tmp_path: Path) -> None:
    known(tmp_path / "steps")
    assert len(catalogue.reported("steps")) == 0 and catalogue.reported("block_party")


def test_a_broken_puzzle_harms_no_other(command: Any, tmp_path: Path) -> None:
    """It is listed with its mistake, left out of what does not name it, and refused by name."""
    mistake = "broken/puzzle.py:2: ZeroDivisionError: division by zero"
    broken = make(tmp_path / "broken", puzzle="\n1 / 0\n")
    command = told(command, broken, make(tmp_path / "steps", cpsat="FORMULATIONS = 1 / 0\n"))

    listed = command("list", "--json")
    assert listed.returncode == 0
    puzzles = json.loads(listed.stdout)["puzzles"]
    assert puzzles["broken"]["error"] == mistake and puzzles["steps"]["error"] is None
    assert puzzles["steps"]["formulations"]["backtrack"] == ["counting"]
    assert listing.instance_table({"broken": puzzles["broken"]}).rows == [["broken", "", "", mistake]]

    ran = command(
        "run", "--all", "--backend", "backtrack", "--formulation", "counting", "--formulation", "shaving",
        "--task", "first", "--repeat", 1, "--out", "out", "--no-plots",
    )  # fmt: skip
    # There may be a line about cores that other campaigns have.
    assert ran.returncode == 1 and ran.stderr.splitlines().count(f"left out: {mistake}") == 1
    done = {(row["puzzle"], row["status"]) for row in rows(tmp_path / "out")}
    assert done >= {("steps", "solved"), ("block_party", "solved")}
    assert {puzzle for puzzle, status in done if status == "crashed"} == set()

    few = ("run", "--all", "--backend", "backtrack", "--formulation", "counting", "--task", "first")
    dry = command(*few, "--dry-run")
    assert dry.returncode == 1 and dry.stderr.splitlines().count(f"left out: {mistake}") == 1
    assert " steps " in dry.stdout and "broken" not in dry.stdout
    compared = command("ab", "no_such_revision")
    assert compared.returncode == 2 and compared.stderr.splitlines()[0] == f"left out: {mistake}"

    for words in (["run", "--puzzle", "broken"], ["run", "--instance", "broken/three"], ["scale", "broken"]):
        refused = command(*words)
        assert (refused.returncode, refused.stderr) == (2, f"error: {mistake}\n")
    assert command("solve", "steps/three", "--backend", "backtrack").returncode == 0
    failed = command("solve", "steps/three", "--backend", "cpsat")
    assert " steps/cpsat.py:1: ZeroDivisionError" in failed.stdout + failed.stderr


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"generate": "1 / 0\n"}, "steps/generate.py:1: ZeroDivisionError: division by zero"),
        ({"generate": GENERATE.replace("range(size)", "range('')")}, "steps/generate.py:7: TypeError: "),
        ({"generate": GENERATE.replace("SIZE", "KIND")}, "steps/generate.py: AttributeError: module"),
        ({"puzzle": PUZZLE.replace("sum(solution)", "solution['sum']")}, "steps/puzzle.py:24: TypeError: "),
    ],
)
def test_a_mistake_that_generating_meets_names_its_place(
    command: Any, tmp_path: Path, changes: dict[str, str], says: str
) -> None:
    command = told(command, make(tmp_path / "steps", **changes))
    refused = command("generate", "steps", "--size", 5)
    assert refused.returncode == 2 and refused.stdout == ""
    doing, mistake = refused.stderr.splitlines()
    assert doing.startswith("generating steps of size 5, for at most ")
    assert mistake.removeprefix("error: ").startswith(says)


RAISES = {
    "check": (
        "[] if solution == list(range(self.size)) else [",
        "[] if {}['check'] else [",
        "KeyError: 'check'",
    ),
    "answer": ("sum(solution)", "1 / 0", "ZeroDivisionError: division by zero"),
    "text": ('f"steps {solution}"', "1 / 0", "ZeroDivisionError: division by zero"),
}
"""Of a function what stands there, what comes in its place, and what that raises."""


@pytest.mark.parametrize("name", RAISES)
def test_a_mistake_that_checking_or_showing_meets_names_its_place(
    command: Any, tmp_path: Path, name: str
) -> None:
    """Whoever meets it, a worker or the command itself; and nothing that was found is lost."""
    before, after, raised = RAISES[name]
    text = PUZZLE.replace(before, after)
    make(tmp_path / "steps", puzzle=text)
    line = text.splitlines().index(next(line for line in text.splitlines() if after in line)) + 1
    says = f"steps/puzzle.py:{line}: {raised}"
    three = "steps/instances/three.toml"
    (tmp_path / "solution.json").write_text("[0, 1, 2]")
    checked = command("check", three, "solution.json")
    if name == "text":
        assert checked.returncode == 0
    else:
        assert (checked.returncode, checked.stdout, checked.stderr) == (1, "", f"error: {says}\n")
    solved = command("solve", three, "--backend", "backtrack")
    assert solved.returncode == 1
    if name == "text":
        assert solved.stdout.startswith("solved, answer 3") and solved.stderr == f"error: {says}\n"
    else:
        assert says in solved.stdout and not solved.stderr


def test_paths_are_those_that_the_user_sees(command_in: Any, tmp_path: Path) -> None:
    """The same from a worker and from the command: from the current folder, if it is above."""
    make(tmp_path / "steps", backtrack=BACKTRACK.replace("yield", "1 / 0\n    yield"), cpsat="1 / 0\n")
    (tmp_path / "steps" / "instances" / "broken.toml").write_text("puzzle = ")
    (tmp_path / "other").mkdir()
    for folder, home in ((tmp_path, "steps"), (tmp_path / "other", str(tmp_path / "steps"))):
        path = tmp_path / "steps" / "instances"
        for arguments, says in (
            ((path / "three.toml", "--backend", "backtrack"), f"{home}/backtrack.py:6: ZeroDivisionError"),
            ((path / "three.toml", "--backend", "cpsat"), f"{home}/cpsat.py:1: ZeroDivisionError"),
            ((path / "three.toml", "--backend", "csp"), f"there is no {home}/csp.py"),
            ((path / "broken.toml",), f"error: {home}/instances/broken.toml: not TOML"),
        ):
            result = command_in(folder, "solve", *arguments)
            said = result.stdout + result.stderr
            assert said.startswith(says) or f" {says}" in said, said


def test_a_path_stands_for_a_puzzle(command: Any, tmp_path: Path) -> None:
    """Wherever a puzzle is named."""
    make(tmp_path / "steps")
    ran = command(
        "run", "--puzzle", "./steps", "--backend", "backtrack", "--repeat", 1, "--no-plots", "--out", "out"
    )
    assert ran.returncode == 0, ran.stderr
    assert {row["instance"] for row in rows(tmp_path / "out")} == {"three"}
    made = command("generate", "steps", "--size", 5)
    assert made.returncode == 0 and "count = 5" in made.stdout
