"""Mistakes in a puzzle's files: each is told with file and line, and harms nothing else."""

import csv
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bench.catalogue import PUZZLES, ROOT
from tests.conftest import Once
from tests.test_catalogue import BACKTRACK, PUZZLE, make
from tests.test_cli import rows_of
from tests.test_native import NATIVE

CPSAT = """\
from ortools.sat.python import cp_model

from models.shared.model import Model


def increasing(puzzle, least=1):
    model = cp_model.CpModel()
    x = [model.new_int_var(0, puzzle.size - 1, "") for _ in range(puzzle.size)]
    for low, high in zip(x, x[1:]):
        model.add(low + least <= high)
    return Model(model, lambda of: [of(variable) for variable in x])


def raises(puzzle):
    return increasing(puzzle.sise)


def returns_nothing(puzzle):
    increasing(puzzle)


def returns_the_problem(puzzle):
    return increasing(puzzle).problem


def wraps_something_else(puzzle):
    return Model(7, print)


def decodes_badly(puzzle):
    model = increasing(puzzle)
    return Model(model.problem, lambda of: {}["x"])


def decodes_to_a_set(puzzle):
    model = increasing(puzzle)
    return Model(model.problem, lambda of: {1, 2})


def allows_too_much(puzzle):
    return increasing(puzzle, least=-99)


FORMULATIONS = {
    function.__name__: function
    for function in (
        increasing, raises, returns_nothing, returns_the_problem, wraps_something_else, decodes_badly,
        decodes_to_a_set, allows_too_much,
    )
}
"""
LINES = {
    line[len("def ") :].split("(")[0]: number
    for number, line in enumerate(CPSAT.splitlines(), 1)
    if line.startswith("def ")
}

EXPECTED = {
    "increasing": ("solved", ""),
    "raises": ("crashed", f"cpsat.py:{LINES['raises'] + 1}: AttributeError: 'Steps' object has no"),
    "returns_nothing": ("crashed", f"cpsat.py:{LINES['returns_nothing']}: returns_nothing returns None, n"),
    "returns_the_problem": ("crashed", f"cpsat.py:{LINES['returns_the_problem']}: returns_the_problem re"),
    "wraps_something_else": ("crashed", "wraps_something_else returns a Model of 7; write `return M"),
    "decodes_badly": ("crashed", f"cpsat.py:{LINES['decodes_badly'] + 2}: KeyError: 'x'"),
    "decodes_to_a_set": ("crashed", "TypeError: Object of type set is not JSON serializable"),
    "allows_too_much": ("wrong", "solution 1: the numbers are not in order"),
    # Other backends of the same puzzle.
    "csp": ("crashed", 'csp.py: FORMULATIONS is missing; write FORMULATIONS = {"name": function}'),
    "milp": ("crashed", "milp.py:1: ModuleNotFoundError: No module named 'nothing_like_this'"),
    "search": ("crashed", "backtrack.py:4: search returns None, not an iterator; write `yield`"),
}  # fmt: skip


@pytest.fixture(scope="session")
def campaign(command_in: Any, once: Once) -> Any:
    """What a command says of every mistake of a model file, and its rows."""
    home = once("mistakes", partial(execute, command_in))
    return json.loads((home / "said.json").read_text()), rows_of(home / "out")


def execute(command_in: Any, home: Path) -> None:
    """Executes every mistake of a model file; what allows too much has 12^12 solutions."""
    folder = make(
        home / "steps",
        cpsat=CPSAT,
        csp="SOMETHING = 1\n",
        milp="import nothing_like_this\n",
        backtrack="from .puzzle import Steps\n\n\ndef search(puzzle, tally):\n    return None\n\n\n"
        "FORMULATIONS = {'search': search}\n",
    )
    path = folder / "instances" / "three.toml"
    path.write_text(path.read_text().replace("count = 3", "count = 12"))
    result = command_in(
        home, "run", "--no-plots", "--puzzle", "steps", "--task", "count", "--repeat", 1,
        *(word for name in EXPECTED for word in ("--formulation", name) if name not in ("csp", "milp")),
        "--time-limit", 20, "--out", "out", env=os.environ | {PUZZLES: str(folder)},
    )  # fmt: skip
    (home / "said.json").write_text(json.dumps([result.returncode, result.stdout + result.stderr]))


@pytest.mark.parametrize("mistake", EXPECTED)
def test_a_mistake_is_told_with_its_place(campaign: Any, mistake: str) -> None:
    (code, said), rows = campaign
    assert code == 1
    assert "Traceback" not in said
    (row,) = [row for row in rows if mistake == (row["formulation"] or row["backend"])]
    status, says = EXPECTED[mistake]
    assert row["status"] == status, row
    assert says in row["error"] if says else not row["error"]


def test_a_model_that_allows_too_much_ends_at_its_first_wrong_solution(campaign: Any) -> None:
    """It has 12^12 solutions and 20 seconds; the solver is stopped when the checker has seen the first."""
    (row,) = [row for row in campaign[1] if row["formulation"] == "allows_too_much"]
    assert (row["status"], row["witnesses"]) == ("wrong", "0")
    assert float(row["cpu_s"]) < 10
    assert row["solution"] and not row["answer"] and not row["total_s"]


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("return [] if solution ==", "return [] if solutoin ==", "puzzle.py:21: NameError: name 'solutoin'"),
        ("return sum(solution)", "return solution[99]", "puzzle.py:24: IndexError"),
        ("return sum(solution)", "return None", "answer returns None, not a whole number or a text"),
        ("return sum(solution)", "return 'a\\r\\ud800'", r"answer returns 'a\r\ud800', which has characters"),
        ("return sum(solution)", "return 10**5000", "puzzle.py: ValueError: Exceeds the limit"),
    ],
)
def test_a_rule_that_fails_is_the_puzzles_fault(
    command_in: Any, tmp_path: Path, right: str, wrong: str, says: str
) -> None:
    folder = make(tmp_path / "steps", puzzle=PUZZLE.replace(right, wrong), backtrack=BACKTRACK, cpsat=None)
    result = command_in(
        tmp_path, "run", "--no-plots", "--puzzle", "steps", "--backend", "backtrack", "--repeat", 1,
        "--task", "first", "--out", "out", env=os.environ | {PUZZLES: str(folder)},
    )  # fmt: skip
    (row,) = rows_of(tmp_path / "out")
    assert result.returncode == 1
    assert row["status"] == "crashed" and says in row["error"], row


def test_what_a_puzzle_and_a_search_say_is_no_command_to_the_terminal(command: Any, tmp_path: Path) -> None:
    code = "\\x1b[31m\\r\\x9b\\ud800"
    puzzle = PUZZLE.replace("the numbers are", f"{code}the numbers are").replace('f"steps', f'f"{code}steps')
    raises = f"def raises(puzzle, tally):\n    raise ValueError('{code}no')\n"
    search = f"{BACKTRACK}\n\n{raises}\n\nFORMULATIONS['raises'] = raises\n"
    folder = make(tmp_path / "steps", puzzle=puzzle, backtrack=search, cpsat=None, native=NATIVE)
    (tmp_path / "solution.json").write_text("[1]")
    (tmp_path / "mine.py").write_text("import sys\nsys.exit('\\x1b[31mno\\r')\n")
    program = ("--program", f"mine={sys.executable} {tmp_path / 'mine.py'}", "-v")
    env = os.environ | {PUZZLES: str(folder)}
    for words, says in (
        (("solve", "three", "--backend", "backtrack"), "steps [0, 1, 2]"),
        (("solve", "three", "--backend", "backtrack", "--formulation", "raises", "-v"), "ValueError: ?[31m"),
        (("solve", "three", *program), "no"),
        (("check", "three", "solution.json"), "the numbers are not in order"),
        (("run", "steps", "--backend", "backtrack", "--formulation", "raises", "--no-plots", "-v"), "no"),
    ):
        result = command(*words, env=env)
        said = result.stdout + result.stderr
        assert says in said and "internal error" not in said, said
        assert all(line.isprintable() for line in said.split("\n")), said


def test_a_mended_model_is_run_again(command: Any, tmp_path: Path) -> None:
    """Runs with contents that changed, and runs that failed, are run again, after a line that says why."""
    folder = make(tmp_path / "steps", cpsat=None, backtrack=BACKTRACK.replace("list(range", "list(rnage"))
    model, instance = folder / "backtrack.py", folder / "instances" / "three.toml"
    arguments = ("run", "--no-plots", "--puzzle", "steps", "--backend", "backtrack", "--task", "count",
                 "--repeat", 2, "--out", "out")  # fmt: skip

    def run(status: int = 0) -> tuple[str, list[dict[str, str]]]:
        result = command(*arguments, env=os.environ | {PUZZLES: str(folder)})
        assert result.returncode == status, result.stdout + result.stderr
        return result.stdout + result.stderr, rows_of(tmp_path / "out")

    _, rows = run(status=1)
    assert [row["status"] for row in rows] == ["crashed"] * 2
    said, rows = run(status=1)
    assert "recorded runs that are run again: 2 crashed; --keep" in said
    model.write_text(BACKTRACK)
    said, rows = run()
    assert "run again: 2 with another model" in said
    assert [row["status"] for row in rows] == ["crashed"] * 4 + ["solved"] * 2, (
        "nothing that was recorded is lost"
    )
    said, rows = run()
    assert "run again" not in said and len(rows) == 6
    model.write_text(BACKTRACK + "# a comment\n")
    said, rows = run()
    assert "2 with another model" in said and len(rows) == 8
    instance.write_text(instance.read_text().replace("count = 3", "count = 5"))
    said, rows = run()
    assert "2 with another instance file" in said
    assert [row["size"] for row in rows[-4:]] == ["3", "3", "5", "5"]
    assert len({row["rules_sha256"] for row in rows}) == 1 and len({row["model_sha256"] for row in rows}) == 3


TWO_SOLUTIONS = PUZZLE.replace("solution == list(range(self.size))", "solution in ([0, 1, 2], [2, 1, 0])")
COUNTING = """\
def one(puzzle, tally):
    yield [0, 1, 2]


def two(puzzle, tally):
    yield from ([0, 1, 2], [2, 1, 0])


def none(puzzle, tally):
    yield from ()


FORMULATIONS = {"one": one, "two": two, "none": none}
"""


def test_a_run_that_is_refuted_later_is_recorded_as_wrong(command: Any, tmp_path: Path) -> None:
    """The first run's claim stands until a later one has more solutions that passed the checker."""
    folder = make(tmp_path / "steps", puzzle=TWO_SOLUTIONS, backtrack=COUNTING, cpsat=None)

    def run(*names: str) -> list[str]:
        chosen = [word for name in names for word in ("--formulation", name)]
        result = command(
            "run", "--no-plots", "--puzzle", "steps", "--backend", "backtrack", "--task", "count", *chosen,
            "--repeat", 1, "--out", "out", env=os.environ | {PUZZLES: str(folder)},
        )  # fmt: skip
        statuses = {row["formulation"]: row["status"] for row in rows_of(tmp_path / "out")}
        assert result.returncode == int(set(statuses.values()) != {"solved"})
        return [statuses.get(name, "") for name in ("one", "two", "none")]

    assert run("one") == ["solved", "", ""]
    assert run("two") == ["wrong", "solved", ""]
    row = rows_of(tmp_path / "out")[0]
    assert row["error"] == (
        "1 solution, but backtrack:python two (seed 1) found 2 different solutions that passed the checker"
    )
    assert (row["solutions"], row["witnesses"]) == ("1", "1")
    assert run("none") == ["wrong", "solved", "wrong"]


def test_runs_csv_of_an_earlier_version_goes_on(command: Any, tmp_path: Path) -> None:
    """Its rows get the new columns, empty; they are run again, as nobody knows what they depended on."""
    arguments = ("run", "--no-plots", "--instance", "june_2022_example", "--backend", "backtrack",
                 "--task", "first", "--repeat", 2, "--out", "out")  # fmt: skip
    assert command(*arguments).returncode == 0
    path = tmp_path / "out" / "runs.csv"
    rows = rows_of(path.parent)
    columns = list(rows[0])
    old = columns[: columns.index("model_sha256")]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, old, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    result = command(*arguments)
    assert result.returncode == 0
    assert "run again: 2 with an unknown model" in result.stdout + result.stderr
    again = rows_of(path.parent)
    assert len(again) == 4 and list(again[0]) == list(rows[0])
    assert all(again[number][column] == rows[number][column] for number in (0, 1) for column in old)


def test_every_model_of_the_project_has_contents() -> None:
    from bench import catalogue

    for path in sorted((ROOT / "models").glob("*/*.py")):
        if (path.parent / "puzzle.py").exists() and path.stem in catalogue.backend_names():
            assert len(catalogue.model_sha256(path.parent.name, path.stem)) == 64


def test_a_kill_between_a_row_and_what_it_refutes_is_made_good(command: Any, tmp_path: Path) -> None:
    """Whoever opens the record again finds the claim that the last row refutes, and changes its status."""
    folder = make(tmp_path / "steps", puzzle=TWO_SOLUTIONS, backtrack=COUNTING, cpsat=None)
    arguments = ("run", "--no-plots", "--puzzle", "steps", "--backend", "backtrack", "--task", "count",
                 "--formulation", "one", "--formulation", "two", "--repeat", 1, "--keep",
                 "--out", "out")  # fmt: skip
    environment = os.environ | {PUZZLES: str(folder)}
    assert command(*arguments, env=environment).returncode == 1
    rows = rows_of(tmp_path / "out")
    for row in rows:
        row |= {"status": "solved", "error": ""}
    with (tmp_path / "out" / "runs.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    assert command(*arguments, env=environment).returncode == 1
    statuses = {row["formulation"]: row["status"] for row in rows_of(tmp_path / "out")}
    assert statuses == {"one": "wrong", "two": "solved"}


def test_a_model_that_gets_worse_is_refuted_by_its_own_earlier_run(command: Any, tmp_path: Path) -> None:
    better, worse = (f"{COUNTING}FORMULATIONS = {{'search': {name}}}\n" for name in ("two", "one"))
    folder = make(tmp_path / "steps", puzzle=TWO_SOLUTIONS, backtrack=better, cpsat=None)
    arguments = ("run", "--no-plots", "--puzzle", "steps", "--backend", "backtrack", "--task", "count",
                 "--repeat", 1, "--out", "out")  # fmt: skip
    environment = os.environ | {PUZZLES: str(folder)}
    assert command(*arguments, env=environment).returncode == 0
    (folder / "backtrack.py").write_text(worse)
    assert command(*arguments, env=environment).returncode == 1
    assert [row["status"] for row in rows_of(tmp_path / "out")] == ["solved", "wrong"]


def test_what_is_kept_gets_no_repeats_of_something_else(command: Any, tmp_path: Path) -> None:
    """With --keep a model that has changed is neither run again nor are its old runs mixed with new ones."""
    folder = make(tmp_path / "steps", cpsat=None)
    arguments = ("run", "--no-plots", "--puzzle", "steps", "--backend", "backtrack", "--task", "first",
                 "--out", "out")  # fmt: skip
    environment = os.environ | {PUZZLES: str(folder)}
    assert command(*arguments, "--repeat", 2, env=environment).returncode == 0
    (folder / "backtrack.py").write_text(BACKTRACK + "# another\n")
    result = command(*arguments, "--repeat", 3, "--keep", env=environment)
    said = "recorded runs that are kept, and get no more repeats: 2 with another model"
    assert said in result.stdout + result.stderr
    assert len(rows_of(tmp_path / "out")) == 2


def test_a_model_that_changes_during_a_campaign_is_not_recorded_as_the_old_one(tmp_path: Path) -> None:
    """A server that starts later has read the new file; its run is refused."""
    code = """
import sys
from dataclasses import replace
from pathlib import Path
from bench import catalogue
from bench.campaign.plan import plan
from bench.campaign.selection import Request, find_instances
from bench.execution.pool import ServerPool
folder = Path(sys.argv[1])
catalogue.find_puzzle(str(folder))
request = Request(puzzles=["steps"], backends=["backtrack"])
servers = ServerPool()
run = plan(request, find_instances(request), servers.offers(["backtrack"]))[0]
print(bool(servers.run(run).error))
(folder / "backtrack.py").write_text((folder / "backtrack.py").read_text() + "# another")
later = ServerPool()
print(later.run(run).error)
for each in (servers, later):
    each.close()
"""
    folder = make(tmp_path / "steps", cpsat=None)
    result = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, cwd=ROOT, timeout=120
    )
    assert result.stdout.splitlines() == [
        "False", "the model file has changed since the campaign began; run it again"
    ], result.stderr  # fmt: skip
