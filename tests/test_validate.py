"""`new` makes a puzzle that runs; `validate` names each mistake in a line, and finds none in the project."""

import re
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import models
from bench import catalogue
from bench.catalogue import puzzles
from bench.catalogue.errors import RequestError
from bench.execution.pool import ServerPool
from bench.instruments.validate import checks
from bench.instruments.validate.checks import Effort, Inspection, inspect_puzzle
from bench.instruments.validate.command import copy_template, new
from tests.conftest import Lab

TINY = """
puzzle = "towers"
title = "tiny"
source = "made for this test"
cages = "A A B\\nC B B\\nC D D"
givens = ". . .\\n. 2 .\\n. . ."
sums = { A = 4 }
"""
"""It has two solutions, which no row, no column and no sum may be left out of."""

RULES = {
    "it does not parse": (
        "class Towers(grid.Grid):",
        "class Towers(grid.Grid)",
        r"puzzle\.py:\d+: SyntaxError",
    ),
    "parse raises": (
        "if n > 9 or",
        "if n / len(document.sums) > 9 or",
        r"puzzle\.py:\d+: parse raises ZeroDivisionError",
    ),
    "parse of a word raises": (
        'grid.read_numbers("givens", words, range(1, n + 1))',
        '{(r, c): int(words[r][c]) for r, c in grid.cells_of(words) if words[r][c] != "."}',
        r"puzzle\.py:\d+: parse raises ValueError.*raise InstanceError",
    ),
    "parse knows no unknown keys": (
        "document = read_document(TowersDocument, table)",
        "known = TowersDocument.__dataclass_fields__\n"
        "    document = read_document(TowersDocument, {k: table[k] for k in table if k in known})",
        r"puzzle\.py:\d+: parse accepts a table with the unknown key",
    ),
    "a key has no type": ("sums: dict[str, int]", "sums: Any", r"puzzle\.py:\d+: parse "),
    "check raises for a wrong form": (
        "if not is_grid(solution, self.n, self.n):",
        "if len(solution) != self.n:",
        r"puzzle\.py:\d+: TypeError.*: check\(None\)",
    ),
    "check says no words": ("        return broken\n", "        return not broken\n", "check returns True"),
    "check has no columns": (
        'for kind, lines in (("row", solution), ("column", zip(*solution, strict=True))):',
        'for kind, lines in (("row", solution),):',
        r"backtrack\.py:\d+: propagation on tiny, .*\d solutions, but the checker accepts exactly \d+ of all",
    ),
    "check has no form": (
        "if not is_grid(solution, self.n, self.n):",
        "if solution in ([], {}): return []\n        if not is_grid(solution, self.n, self.n):",
        r"puzzle\.py:\d+: check accepts \[\]",
    ),
    "check forgives": (
        "if not is_grid(solution, self.n, self.n):",
        "solution = str(solution).replace('99', '1') and [[1 if v == 99 else v for v in r] for r in solution]"
        " if is_grid(solution, self.n, self.n) else solution\n"
        "        if not is_grid(solution, self.n, self.n):",
        r"puzzle\.py:\d+: check accepts .*99.* as a solution of tiny, which has 2",
    ),
    "answer raises": ("return int(", "return 1 // 0 + int(", r"puzzle\.py:\d+: .*ZeroDivisionError"),
    "text is missing": (
        "def text(",
        "def txt(",
        r"puzzle\.py: AttributeError: .* no .* 'text'",
    ),
    "text shows no solution": (
        "self.givens, solution)",
        "self.givens, None)",
        "text is the same with and without",
    ),
    "draw raises": (
        "grid.draw_regions(axes, self.labels)",
        "grid.draw_regions(axes, self.lables)",
        r"puzzle\.py:\d+: AttributeError",
    ),
    "draw draws nothing": (
        "grid.draw_regions(axes, self.labels)",
        "return",
        r"puzzle\.py:\d+: draw with no solution draws nothing",
    ),
    "size is 0": (
        "    @property\n",
        "    @property\n    def size(self):\n        return 0\n\n    @property\n",
        r"puzzle\.py:\d+: the size of tiny is 0",
    ),
    "reported of no instance": (
        "= ()",
        '= (Reported(instance="tinny", system="", source=""),)',
        r"puzzle\.py:\d+: REPORTED: .*did you mean tiny",
    ),
    "reported with no formulation": (
        "= ()",
        '= (Reported(instance="tiny", system="", source="", formulation="propagations"),)',
        r"puzzle\.py:\d+: REPORTED: .*did you mean propagation",
    ),
}
"""Mistakes in puzzle.py: what stands there, what comes in its place, and what validate says."""

RANDOM_INSTANCES = {
    "candidates leaves some out": (
        "map(list, permutations(range(1, puzzle.n + 1)))",
        "map(list, [*permutations(range(1, puzzle.n + 1))][:3])",
        r"random_instances\.py: candidates leaves solutions out",
    ),
    "candidates are doubled": (
        "map(list, product(*rows))",
        "(list(each) for each in product(*rows) for _ in range(2))",
        r"random_instances\.py:\d+: candidates yields a solution of tiny twice",
    ),
    "candidates is missing": (
        "def candidates(",
        "def fillings(",
        r"random_instances\.py: AttributeError: .*has no attribute 'candidates'",
    ),
    "INSTANCES is missing": ("INSTANCES =", "INSTANCE =", r"random_instances\.py: .*INSTANCES"),
    "drawing raises": (
        "given = draw(",
        "given = 1 // 0 or draw(",
        r"instances\.py:\d+: ZeroDivisionError",
    ),
    "parse refuses a table": (
        "{label: sums[label] for label in sorted(told)}",
        '{"?": 1}',
        r"random_instances\.py:\d+: INSTANCES draws what is refused: sums\.\?",
    ),
}
"""Mistakes in random_instances.py: what stands there, what comes in its place, and what validate says."""

MODELS = {
    "a list": (
        "backtrack",
        "by_name(propagation)",
        "[propagation]",
        "FORMULATIONS is no table",
    ),
    "an empty table": ("backtrack", "by_name(propagation)", "{}", "FORMULATIONS is no table"),
    "the search raises": ("backtrack", "rules =", "1 // 0\n    rules =", r"py:\d+: .*ZeroDivision"),
    "it hands over no solution": (
        "backtrack",
        "yield puzzle.solution(values.__getitem__)",
        "yield values",
        r"backtrack\.py",
    ),
    "cpsat without sums": (
        "cpsat",
        "model.add(sum(x[i] for i in cells) == total)",
        "pass",
        r"cpsat\.py:\d+: integers on tiny.*cage A adds up to \d",
    ),
    "cpsat hands over no Model": (
        "cpsat",
        "return Model(model, from_integers(puzzle, x))",
        "return model",
        r"cpsat\.py(:\d+)?: .*Model",
    ),
    "csp with another domain": (
        "csp",
        "problem.addVariable(i, puzzle.domain(i))",
        "problem.addVariable(i, puzzle.domain(i)[:2])",
        r"csp\.py:\d+: integers on tiny, .*no solutions, but the checker accepts exactly 2 of all",
    ),
}
"""Mistakes in the models: the backend, what stands there, what comes in its place, what validate says."""

GENERATORS = {
    "a hash": (
        "if not 2 <=",
        'rng = Random(hash("a"))\n    if not 2 <=',
        "another process generates another",
    ),
    "its solution is none": (
        "sum(solution[r][c] for r, c in cells)",
        "1",
        r"generate\.py:\d+: it claims a solution that is none",
    ),
    "spoil raises": ("return one_changed(", "return 1 // 0 or one_changed(", r"generate\.py:\d+: Zero"),
    "the format has changed": (
        '"sums": told, ',
        "",
        r"generate\.py:\d+: parse refuses the instance that it makes: sums: this key is missing",
    ),
    "spoil reads what is no grid": (
        "return one_changed(",
        'read_grid("cages", "", spaced=True)\n    return one_changed(',
        r"generate\.py:\d+: InstanceError: cages",
    ),
    "spoil has another format": (
        "return one_changed(clues, range(1, len(planted.solution) + 1), rng)",
        "return [((0, 0), 99)]",
        r"generate\.py:\d+: parse refuses the instance that it makes: givens",
    ),
    "no instance": ("if not 2 <= size <= 9", "if size < 11", r"generate\.py:\d+: .*size 3 .*: sizes 2 to 9"),
}
"""Mistakes in generate.py."""

NOT_THE_GENERATOR = {
    "the search returns a list": (
        "backtrack",
        "by_name(propagation)",
        '{"propagation": lambda *given: list(propagation(*given))}',
        r"backtrack\.py(:\d+)?: .*returns \[.*, not an iterator; write `yield`",
    ),
    "the search raises": (
        "backtrack",
        "rules =",
        'raise ValueError("oh")\n    rules =',
        r"backtrack\.py:\d+: ValueError: oh",
    ),
    "answer raises": ("puzzle", "return int(", "return 1 // 0 + int(", r"puzzle\.py:\d+: ZeroDivisionError"),
}
"""Mistakes that the generator meets first: the file, what stands there, what comes instead, what is said."""


@pytest.fixture
def towers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the template with one tiny instance and no models, known to this process."""
    folder = tmp_path / "towers"
    copy_template("towers", folder, folder / "instances")
    for file in (*(folder / "instances").iterdir(), *map(folder.joinpath, FILES)):
        file.rename(tmp_path / file.name)
    (folder / "instances" / "tiny.toml").write_text(TINY)
    monkeypatch.setenv(catalogue.PUZZLES, str(folder))
    return folder


FILES = ("cpsat.py", "milp.py", "asp.py", "asp.lp", "csp.py", "backtrack.py", "generate.py")


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


LITTLE = Effort(draws=6, random=1, count_s=30)
"""To draw takes longer than what is tried."""

ONE_SIZE = replace(LITTLE, made=1)
OF_GENERATOR = (checks.instances, checks.generator)


def inspect(folder: Path, *files: str, effort: Effort = LITTLE, only: Sequence[Any] = ()) -> Inspection:
    """What validate finds of the folder with these of the template's files."""
    for file in files:
        shutil.copy(folder.parent / file, folder)
    with closing(ServerPool()) as servers:
        return inspect_puzzle(folder.name, servers, effort, checks=only)


def one_line(faults: list[str], says: str) -> None:
    """The mistake is named, with its file, and each line is one line."""
    assert any(re.search(says, fault) for fault in faults), faults
    assert all("\n" not in fault and ".py" in fault.split(": ")[0] for fault in faults)
    assert len(faults) <= 3, faults


def test_the_template_is_valid(towers: Path) -> None:
    inspection = inspect(towers, "backtrack.py")
    assert inspection.faults == []
    assert inspection.checked["instance"] == 1 and inspection.checked["random instance"] == 1
    assert inspection.checked["candidate"] > 72
    missing = [
        f"there is no {name}.py: nothing can be said of the backend {name}" for name in ("cpsat", "csp")
    ]
    assert set(missing) <= set(inspection.notes)


@pytest.mark.parametrize("mistake", RULES)
def test_a_mistake_in_the_rules_is_named(towers: Path, mistake: str) -> None:
    old, new, says = RULES[mistake]
    change(towers / "puzzle.py", old, new)
    one_line(inspect(towers, "backtrack.py").faults, says)


@pytest.mark.parametrize("mistake", RANDOM_INSTANCES)
def test_a_mistake_in_the_random_instances_is_named(towers: Path, mistake: str) -> None:
    old, new, says = RANDOM_INSTANCES[mistake]
    change(towers / "random_instances.py", old, new)
    one_line(inspect(towers, "backtrack.py").faults, says)


def test_a_random_instance_finds_what_the_others_do_not(towers: Path, tmp_path: Path) -> None:
    """The smallest that shows a mistake is named, and a note has its file."""
    change(
        tmp_path / "backtrack.py",
        "    rules =",
        "    if puzzle.n == 1:\n        return\n    rules =",
    )
    inspection = inspect(towers, "backtrack.py", effort=Effort())
    (fault,) = inspection.faults
    (name,) = re.findall(
        r"propagation on (random_\d), task first: wrong: no solutions, but the checker", fault
    )
    (note,) = (note for note in inspection.notes if note.startswith(f"{name} was made for this check"))
    file = towers / "instances" / "again.toml"
    file.write_text(note.partition("\n")[2])
    puzzle = catalogue.load(file).puzzle
    assert puzzle.size == 1


@pytest.mark.parametrize("mistake", MODELS)
def test_a_mistake_in_a_model_is_named(towers: Path, mistake: str) -> None:
    backend, old, new, says = MODELS[mistake]
    change(towers.parent / f"{backend}.py", old, new)
    one_line(inspect(towers, f"{backend}.py").faults, says)


@pytest.mark.parametrize("mistake", GENERATORS)
def test_a_mistake_in_the_generator_is_named(towers: Path, tmp_path: Path, mistake: str) -> None:
    old, new, says = GENERATORS[mistake]
    change(tmp_path / "generate.py", old, new)
    effort = replace(ONE_SIZE, sizes=(3, 4))
    one_line(inspect(towers, "backtrack.py", "generate.py", effort=effort, only=OF_GENERATOR).faults, says)


@pytest.mark.parametrize("mistake", NOT_THE_GENERATOR)
def test_the_generator_is_not_blamed_for_others(towers: Path, mistake: str) -> None:
    module, old, new, says = NOT_THE_GENERATOR[mistake]
    shutil.copy(towers.parent / "backtrack.py", towers)
    change(towers / f"{module}.py", old, new)
    (fault,) = inspect(towers, "generate.py", effort=ONE_SIZE, only=OF_GENERATOR).faults
    assert re.search(says, fault) and "generate.py" not in fault


def test_how_to_get_a_generated_instance(towers: Path, tmp_path: Path) -> None:
    """Where a fault is of a generated instance, a note has its file."""
    change(tmp_path / "cpsat.py", "model.add(sum(x[i] for i in cells) == total)", "pass")
    (towers / "instances" / "tiny.toml").write_text(TINY.replace("A = 4", ""))
    only = (*OF_GENERATOR, checks._models, checks._runs)
    inspection = inspect(towers, "cpsat.py", "backtrack.py", "generate.py", effort=ONE_SIZE, only=only)
    assert any("size_3" in fault for fault in inspection.faults), inspection.faults
    (note,) = (note for note in inspection.notes if "was made for this check" in note)
    (towers / "instances" / "again.toml").write_text(note.partition("\n")[2])
    assert "size 3" in catalogue.load(towers / "instances" / "again.toml").source


def test_an_instance_without_a_solution_is_noted(towers: Path) -> None:
    tiny = towers / "instances" / "tiny.toml"
    tiny.write_text(TINY.replace("A = 4", "A = 99"))
    inspection = inspect(towers, "backtrack.py")
    assert inspection.faults == []
    said = [note for note in inspection.notes if "tiny has no solution; " in note]
    assert len(said) == 1 and "solutions = 0 under [expected]" in said[0]
    tiny.write_text(f"{TINY.replace('A = 4', 'A = 99')}expected = {{ solutions = 0 }}\n")
    assert "has no solution" not in " ".join(inspect(towers).notes)


EXPECTED = {
    "solutions = 3": r"tiny\.toml: 2 solutions found, 3 expected: change \[expected\]",
    "answer = 7": r"tiny\.toml: the answer is \d+ or \d+, but 7 is expected",
}


def test_what_else_is_missing_is_named(towers: Path) -> None:
    """An expectation that is wrong, no model, no instance, and a search that never calls tally.root."""
    tiny = towers / "instances" / "tiny.toml"
    assert re.search("towers: there is no model", " ".join(inspect(towers).faults))
    for expected, says in EXPECTED.items():
        tiny.write_text(f"{TINY}expected = {{ {expected} }}\n")
        (fault,) = inspect(towers, "backtrack.py").faults
        assert re.search(says, fault)
    tiny.write_text(TINY)
    change(towers / "backtrack.py", "rules =", "tally.root = dict\n    rules =")
    inspection = inspect(towers)
    assert inspection.faults == [] and "never calls tally.root" in " ".join(inspection.notes)
    tiny.unlink()
    assert "instances: there is no instance" in " ".join(inspect(towers).faults)


ALWAYS = ("choco_banana", "sudoku")
"""Puzzles that are validated without the extras too: connected groups of cells, permutations."""


@pytest.mark.parametrize(
    "puzzle",
    [
        pytest.param(name, marks=[] if name in ALWAYS else pytest.mark.extra)
        for name in catalogue.puzzle_names()
    ],
)
def test_the_puzzles_of_the_project_are_valid(lab: Lab, puzzle: str) -> None:
    """The smallest of its instances; tests/test_models.py has the others, and lets long runs end."""
    if puzzle not in ALWAYS and lab.backends["cpmpy"].missing:
        pytest.skip("with the extra `solvers` only: each puzzle needs some seconds")
    # That the models find what the checker accepts is tested in tests/test_models.py.
    effort = Effort(0.05, count_s=0.1, own=1, draws=10, random=1, made=1)
    inspection = inspect_puzzle(puzzle, lab.servers, effort)
    assert inspection.faults == []
    assert inspection.checked["run"] > inspection.checked["instance"]


def test_a_new_puzzle_runs(command: Any, tmp_path: Path) -> None:
    """From `new` to the report, outside of the project."""
    made = command("new", "towers")
    assert made.returncode == 0, made.stderr
    commands = re.findall(r"-m bench (.*)", made.stdout)
    page = made.stdout.splitlines()[-1].rpartition(": ")[2]
    assert (catalogue.ROOT / page).read_text().startswith("# Adding a puzzle")
    solve, validate, fuzz, run = (
        "solve ./towers/instances/small.toml",
        "validate ./towers",
        "fuzz --puzzle ./towers",
        "run ./towers",
    )
    assert sorted(commands) == sorted([solve, validate, fuzz, run])
    for line in (solve, validate, f"{run} --repeat 1 --task first"):
        result = command(*line.split())
        assert result.returncode == 0, (line, result.stdout, result.stderr)
    assert not (tmp_path / ".hypothesis").exists()
    assert (tmp_path / "results" / "latest" / "report.html").exists()


def test_a_mistake_ends_with_exit_code_1(command: Any, tmp_path: Path) -> None:
    command("new", "towers")
    for file in FILES[:3]:
        (tmp_path / "towers" / file).unlink()
    for file in ("generate.py", "random_instances.py", "instances/medium.toml"):
        (tmp_path / "towers" / file).unlink()
    change(tmp_path / "towers" / "backtrack.py", "FORMULATIONS =", "FORMULATION =")
    result = command("validate", "./towers")
    assert result.returncode == 1
    assert "\ntowers/backtrack.py: FORMULATIONS is missing" in f"\n{result.stdout}"
    assert "towers: 1 thing to fix (" in result.stdout


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Towers", "cannot be called 'Towers'"),
        ("my-towers", "cannot be called 'my-towers'"),
        ("class", "cannot be called 'class'"),
        ("../towers", "cannot be called '../towers'"),
        ("bug_byte", "the name bug_byte is taken"),
        ("shared", "the name shared is taken"),
        ("taken", "taken: it exists already"),
    ],
)
def test_a_name_that_cannot_be_is_refused(command: Any, tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "taken").mkdir()
    result = command("new", name)
    assert result.returncode == 2 and says in result.stderr, result
    assert [path.name for path in tmp_path.rglob("*")] == ["taken"]


@pytest.mark.parametrize(
    ("name", "class_name"), [("two_words", "TwoWords"), ("model", "ModelPuzzle"), ("cell", "CellPuzzle")]
)
def test_the_class_has_a_name_of_its_own(tmp_path: Path, name: str, class_name: str) -> None:
    copy_template(name, tmp_path, tmp_path / "instances")
    texts = {path.name: path.read_text() for path in tmp_path.rglob("*.*")}
    assert f"class {class_name}(grid.Grid):" in texts["puzzle.py"]
    assert f"from .puzzle import {class_name}\n" in texts["cpsat.py"]
    assert f'puzzle = "{name}"' in texts["small.toml"]
    assert not re.search("latin.?sums", " ".join(texts.values()), re.IGNORECASE)


def test_into_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --project the files go where the project's own are; an installed copy has no such place."""
    for name in ("MODELS", "INSTANCES"):
        monkeypatch.setattr(puzzles, name, tmp_path / name.lower())
    monkeypatch.setattr(models, "__path__", [str(tmp_path / "models"), *models.__path__])
    new("own_towers", project=True)
    assert (tmp_path / "models/own_towers/puzzle.py").exists() and (
        tmp_path / "instances/own_towers/small.toml"
    ).exists()
    assert catalogue.load(tmp_path / "instances/own_towers/small.toml").puzzle_name == "own_towers"
    with pytest.raises(RequestError, match="the name own_towers is taken"):
        new("own_towers")
    monkeypatch.setattr("bench.instruments.validate.command.ROOT", tmp_path)
    with pytest.raises(RequestError, match="--project needs a checkout"):
        new("others", project=True)
