"""The command line as a user meets it."""

import csv
import inspect
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner
from rich.console import Console

from bench import catalogue
from bench.campaign.execute import Completed
from bench.campaign.plan import plan
from bench.campaign.results import COLUMNS
from bench.campaign.runner import Progress
from bench.campaign.schedule import Repeats
from bench.campaign.selection import Request, find_instances
from bench.catalogue import ROOT
from bench.catalogue.errors import RequestError
from bench.cli import app, listing, progress, results, run, solve
from bench.cli.console import Terminal
from bench.contract import Backend, Solver, Status
from bench.environment import releases
from bench.execution.protocol import backend_line
from tests import synthetic
from tests.conftest import Lab, started
from tests.synthetic import ROW
from tests.test_catalogue import INSTANCE, make
from tests.test_scale import BASE

JUNE = ROOT / "instances/block_party/june_2022.toml"
EXAMPLE = ROOT / "instances/block_party/june_2022_example.toml"
TOWERS = {
    "puzzle.py": """
class Numbers:
    def __init__(self, n): self.n = n
    size = 3
    def check(self, solution): return [] if solution in range(self.n) else ["out of range"]
    def answer(self, solution): return solution
    def text(self, solution): return str(solution)
    def draw(self, axes, solution): axes.set_title("numbers")
def parse(table): return Numbers(table["n"])
""",
    "backtrack.py": """
def search(puzzle, tally):
    yield from range(puzzle.n)
def breaks(puzzle, tally):
    yield from (1 // zero for zero in [0])
FORMULATIONS = {"search": search, "breaks": breaks}
""",
    "instances/three.toml": 'puzzle = "towers"\ntitle = "Three"\nsource = "me"\nn = 3\n',
}
"""A puzzle in a folder of its own, with a model that crashes and no model but for one backend."""


@pytest.fixture
def towers(tmp_path: Path) -> Path:
    for name, text in TOWERS.items():
        path = tmp_path / "towers" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "towers"


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "runs.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def as_script(code: str, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Calls the console script `puzzle-bench`, after some code."""
    start = (
        f"import sys; sys.argv[0] = '/usr/bin/puzzle-bench'; from bench.cli import app; {code}; app.main()"
    )
    return subprocess.run(
        [sys.executable, "-c", start, *map(str, arguments)], capture_output=True, text=True, **options
    )


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Calls the console script in this process; returns its exit code and what it printed.

    Its forecasts read no campaign: there are many in results/.
    """
    monkeypatch.setattr(app.console, "verbose", False)
    monkeypatch.setattr(app.signal, "signal", lambda *_: None)
    monkeypatch.setattr("bench.campaign.forecast._known_times", lambda _: [])
    monkeypatch.setenv(catalogue.PUZZLES, "")

    def call(*words: str) -> tuple[Any, str, str]:
        monkeypatch.setattr(sys, "argv", ["/usr/bin/puzzle-bench", *words])
        with pytest.raises(SystemExit) as ended:
            app.main()
        return ended.value.code, *capsys.readouterr()

    return call


def test_every_command_has_help() -> None:
    for name in app.COMMANDS:
        result = CliRunner().invoke(app.program, [name, "-h"])
        assert (result.exit_code, result.stderr) == (0, "") and "Usage" in result.stdout
        assert "--quiet" in result.stdout and "--verbose" in result.stdout
    listed = CliRunner().invoke(app.program, ["--help"]).stdout
    assert all(name in listed for name in app.COMMANDS)


def test_version(command: Any) -> None:
    result = command("--version")
    assert (result.returncode, result.stdout) == (0, f"puzzle-bench {version('puzzle-bench')}\n")


@pytest.fixture
def shown_by_list(lab: Lab, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """What `list` shows, with the servers that this process has; tests/test_known_faults.py starts it."""
    monkeypatch.setattr(listing, "offered_backends", lambda *_: lab.backends)

    def shown(puzzle: str | None = None) -> str:
        listing.list_(puzzle)
        return capsys.readouterr().out

    return shown


def test_list_names_everything(command: Any, shown_by_list: Any) -> None:
    shown = shown_by_list()
    listed = json.loads(command("list", "--json").stdout)
    for puzzle, facts in listed["puzzles"].items():
        assert puzzle in shown
        for backend in filter(catalogue.is_core, catalogue.backend_names()):
            there = catalogue.source_of(puzzle, backend).exists()
            assert bool(facts["formulations"][backend]) == there, f"{backend} has no model of {puzzle}"
        for instance in facts["instances"]:
            assert instance["error"] is None and instance["name"] in shown
    for name, backend in listed["backends"].items():
        assert name in shown and (backend["missing"] is None or not catalogue.is_core(name))
        assert all(solver["version"] or solver["missing"] for solver in backend["solvers"].values())
        read = catalogue.solver_names(name)
        variants = [name for name, solver in backend["solvers"].items() if solver["variant"]]
        others = [name for name in backend["solvers"] if name not in variants]
        assert not read or read == [name for name in others if "/" not in name]
        assert catalogue.solver_names(name, variants=True) == variants
        assert all(variant in shown for variant in variants)


def test_list_of_one_puzzle(command: Any, shown_by_list: Any, towers: Path) -> None:
    shown = shown_by_list("block_party")
    format_of = "rules and format of instances: models/block_party/puzzle.py"
    names = ("june_2022_example", "family size", "family givens", "textbook", "nearest", "CP Optimizer")
    for expected in (*names, format_of):
        assert expected in shown
    assert "bug_byte" not in shown and "OR-Tools CP-SAT" not in shown
    listed = json.loads(command("list", "./towers", "--json").stdout)
    assert list(listed["puzzles"]) == ["towers"]
    assert listed["puzzles"]["towers"]["formulations"]["backtrack"] == ["search", "breaks"]


def test_solve_and_check(command: Any, tmp_path: Path) -> None:
    """tests/test_models.py solves with every backend."""
    result = command("solve", JUNE, "--backend", "backtrack", "--task", "count", "--json")
    assert result.returncode == 0, result.stderr
    solved = json.loads(result.stdout)
    assert (solved["status"], solved["solutions"], solved["answer"]) == ("solved", 1, 24405360)
    assert set(COLUMNS) <= set(solved)
    path = tmp_path / "solution.json"
    path.write_text(json.dumps(solved["solution"]))
    assert command("check", JUNE, path).returncode == 0
    path.write_text(result.stdout)
    assert "the answer is 24405360" in command("check", JUNE, path).stdout
    solved["solution"][0][0] += 1
    path.write_text(json.dumps(solved["solution"]))
    refused = command("check", "june_2022", path)
    assert refused.returncode == 1
    assert "row 1, column 1 holds 5" in refused.stdout and "Traceback" not in refused.stderr


def test_solve_shows_the_filled_grid(command: Any) -> None:
    """And has a default backend."""
    shown = command("solve", "june_2022").stdout
    assert "│ 4  │ 3    6    5  │" in shown
    assert "answer 24405360" in shown and "cpsat:cpsat narrowed" in shown


def test_a_terminal_that_cannot_show_a_grid_shows_the_rest_of_it(tmp_path: Path) -> None:
    result = started(tmp_path, "solve", JUNE, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0, result.stderr
    assert "? 4  ? 3    6    5  ? 3 " in result.stdout


def test_solve_without_a_solution_ends_with_1(command: Any) -> None:
    timeout = command("solve", "magic_hexagon_5_1", "--backend", "backtrack", "--time-limit", 0.1)
    assert (timeout.returncode, timeout.stdout.split(",")[0]) == (1, "timeout")
    memout = command("solve", "june_2022_example", "--backend", "backtrack", "--memory-limit", 16)
    # On a busy machine it finds a solution before it is ended.
    said = memout.stdout.splitlines()[-1]
    assert (memout.returncode, said.split(",")[0]) == (1, "memout")


def test_solve_says_what_cannot_be_checked(command: Any, tmp_path: Path) -> None:
    """Nobody can check that there is nothing more; where the instance's file says so, it is confirmed."""
    text = EXAMPLE.read_text()
    head, _, _ = text.partition("[expected]")
    (tmp_path / "mine.toml").write_text(head)
    count = ("--backend", "backtrack", "--task", "count")
    said = command("solve", "mine.toml", *count)
    assert "no more solutions (unconfirmed: only backtrack:python was run; " in said.stdout
    assert "python -m bench run mine.toml --task count" in said.stdout
    for silent in (
        command("solve", EXAMPLE, *count),
        command("solve", "mine.toml", "--backend", "backtrack"),
        command("-q", "solve", "mine.toml", *count),
    ):
        assert silent.returncode == 0 and "unconfirmed" not in silent.stdout
    told = json.loads(command("solve", "mine.toml", *count, "--json", "-q").stdout)["caveat"]
    assert told.startswith("There are no more solutions (unconfirmed: only backtrack:python was run")
    assert json.loads(command("solve", EXAMPLE, *count, "--json").stdout)["caveat"] is None


def test_solve_of_an_infeasible_instance_is_a_claim(command: Any, towers: Path) -> None:
    (towers / "instances/three.toml").write_text(TOWERS["instances/three.toml"].replace("n = 3", "n = 0"))
    result = command("solve", "./towers", "--backend", "backtrack")
    assert result.returncode == 0 and result.stdout.startswith("infeasible")
    assert "There is no solution (unconfirmed: only backtrack:python was run; " in result.stdout


NOWHERE = "there is no such folder"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("run", "say what to run: a puzzle, an instance, or --all"),
        ('run ""', "unknown puzzle or instance ''"),
        ("run blok_party", "did you mean block_party?"),
        ("run --puzzle blok_party", "did you mean block_party?"),
        ("run --instance june_2022_", "did you mean june_2022?"),
        ("run nothing_like_it", "`python -m bench list` shows the"),
        ("run ./nowhere", NOWHERE),
        ("generate ./nowhere --size 3", f"./nowhere: {NOWHERE}"),
        ("run nowhere.toml", "nowhere.toml: there is no such file"),
        ("run --all --backend cpsad", "did you mean cpsat or milp:cpsat?"),
        ("run --all --backend nocuts", "did you mean milp:nocuts?"),
        ("run --all --backend cpsat:noprobe", "did you mean noprobing?"),
        ("run --all --backend highs", "did you mean cpsat:highs or milp:highs or cpmpy:highs?"),
        ("run --all --backend CPSAT", "did you mean cpsat or milp:cpsat?"),
        ("run --all --solvers gurobi", "'--solvers': 'gurobi' is not one of 'core', 'all', 'variants'"),
        ("run --all --backend csp:optimised", "did you mean optimized?"),
        ("run --all --formulation textbok", "did you mean textbook?"),
        ("ab HEAD --formulation textbok", "did you mean textbook?"),
        ("run --all --backend csp --formulation windows", "error: unknown formulation 'windows'"),
        ("run --all --backend cpsat,milp", "write --backend cpsat --backend milp"),
        ("run --puzzle bug_byte,die_agony", "write --puzzle bug_byte --puzzle die_agony"),
        ("run bug_byte,die_agony", "write bug_byte die_agony"),
        ("solve bug_byte,die_agony", "unknown puzzle or instance 'bug_byte,die_agony'"),
        ("run --all --task first,count", "write --task first --task count"),
        ("solve june_2022 --backend cpsat,milp", "no commas here"),
        ("solve june_2022 --task first,count", "'first,count' is not one of 'first', 'count'"),
        (
            "solve june_2022 --backend cpsat --backend milp",
            "python -m bench run june_2022 --backend cpsat --backend milp",
        ),
        ("run --all --jobs 9999", "this machine has"),
        ("solve june_2022 --threads 9999", "this machine has"),
        ("run --all --keep --redo all", "leave one of them out"),
        ("run --all --redo stale", "'stale' is not one of 'failed', 'disturbed', 'all'"),
        (
            "run --all --jobs x",
            "'--jobs': 'x' is not a valid integer range (see `python -m bench run --help`)",
        ),
        ("run --all --jobs 0", "'--jobs': 0 is not in the range x>=1 (see"),
        ("run --all --time-limit inf", "'--time-limit': inf is not in the range 0.01<=x<=1000000 (see"),
        ("solve june_2022 --time-limit nan", "--time-limit: nan is not a number"),
        ("run --all --budget inf", "inf is not in the range 0<=x<=1000000 (see"),
        (
            "solve june_2022 --memory-limit 999999999999999999999",
            "99 is not in the range 16<=x<=100000000 (see",
        ),
        ("solve june_2022 --seed 2147483648", "2147483648 is not in the range 1<=x<=2000000000 (see"),
        ("run bug_byte --seeds 3000000000 --dry-run", "3000000000 is not in the range 1<=x<=1000 (see"),
        ("run bug_byte --repeat 3000000000 --dry-run", "write a number from 1 to 10000, or auto"),
        ("run --all --jbs 2", "no such option '--jbs'; did you mean --jobs?"),
        ("run --all --reps 2", "no such option '--reps'; did you mean "),
        ("rnu", "no such command 'rnu'; did you mean run?"),
        (
            "list june_2022",
            "june_2022 is an instance of block_party, and a puzzle is wanted; write block_party",
        ),
        (
            "check june_2022 towers/instances/three.toml",
            "`python -m bench solve june_2022 --json` prints a solution",
        ),
        ("solve block_party", "known are june_2022, june_2022_example"),
        ("solve june_2022 --backend csp:minconflicts --task count", "cannot count"),
        (
            "solve june_2022 --backend csp --formulation windows",
            "block_party, csp: unknown formulation 'windows'; known are nearest, textbook",
        ),
        (
            "export june_2022 --backend milp --formulation nope",
            "block_party, milp: unknown formulation 'nope'; known are narrowed, textbook, windows",
        ),
        (
            "export june_2022",
            "--backend is missing, for the model of an instance; for a campaign, --aslib or",
        ),
        ("export nowhere --aslib --out new", NOWHERE),
        ("export towers --parquet --out new", "towers: this folder has no runs.csv"),
        ("export towers --aslib --parquet --out new", "leave one of them out"),
        ("export towers --aslib --backend milp --out new", "are for models of instances"),
        ("export towers --aslib", "--out is missing; write it with the name of a new folder"),
        ("export towers --aslib --out towers", "towers: this file exists already"),
        ("solve towers/puzzle.py", "towers/puzzle.py: this is no instance: its name does not end in .toml"),
        (
            "run june_2022 --out towers/puzzle.py",
            "towers/puzzle.py: this is a file; choose another folder with",
        ),
        ("run june_2022 --out towers --dry-run", "towers: it has other things ("),
        ("run june_2022 --out towers --shard 1/2", "), and no campaign; choose another folder with --out"),
        ("ab HEAD --instance june_2022 --out towers", "towers: it has other things ("),
        ("merge towers --out towers", "towers: it has other things ("),
        ("fuzz --examples 1 --out /proc/bench", "; choose another folder with --out"),
        ("solve ./towers", "there is one for --backend backtrack"),
        ("check june_2022 nowhere.json", "nowhere.json: No such file"),
        ("scale ./towers", "put instances of at least 3 sizes into towers/instances/family-size/*.toml"),
        ("scale block_party --family sizes", "did you mean size?"),
        ("plot nowhere", NOWHERE),
        ("report towers/puzzle.py", "towers/puzzle.py: this is no runs.csv; name the folder of a campaign"),
        ("report towers", "this folder has no runs.csv"),
        ("compare nowhere nowhere", NOWHERE),
    ],
)
def test_a_request_that_cannot_be_carried_out(command: Any, towers: Path, arguments: str, says: str) -> None:
    result = command(*shlex.split(arguments))
    errors = result.stderr
    assert (result.returncode, result.stdout) == (2, "")
    assert says in errors
    assert errors.startswith("error: ") and errors.count("\n") == 1
    assert len(errors) < 250
    assert not (towers.parent / "results").exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "puzzle: this key is missing"),
        (b"puzzle = ", "not TOML"),
        (b"\xff\xfe\x00", "not a text file in UTF-8"),
        (
            b'puzzle = "no_such"',
            "'no_such' is unknown, and no folder of this name with puzzle.py is here or ",
        ),
        (b"puzzle = 3", "3 is unknown"),
        (b"#" * 2_000_001, "larger than 2000000 bytes"),
        (b'puzzle = "block_party"', "this key is missing"),
    ],
)
def test_a_broken_instance_is_refused(command: Any, tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    for arguments in (["run", path], ["solve", path], ["check", path, path])[: 1 if content else 3]:
        result = command(*arguments)
        assert result.returncode == 2
        assert result.stderr.startswith("error: broken.toml: ") and result.stderr.count("\n") == 1
        assert says in result.stderr


def names(**request: Any) -> list[str]:
    return sorted(instance.name for instance in find_instances(Request(**request)))


def test_what_is_run() -> None:
    """Puzzles and instances add up; the options filter them."""
    assert names(what=["bug_byte"]) == names(puzzles=["bug_byte"]) == ["bug_byte"]
    assert names(what=["june_2022"]) == names(what=[str(JUNE)]) == ["june_2022"]
    assert names(what=["bug_byte", "block_party/june_2022"]) == ["bug_byte", "june_2022"]
    assert names(what=["block_party", "june_2022"]) == sorted(catalogue.instance_paths("block_party"))
    assert names(what=["block_party", "bug_byte"], puzzles=["bug_byte"]) == ["bug_byte"]
    assert names(what=["block_party"], instances=["june_2022"]) == ["june_2022"]
    assert names(what=["bug_byte"], families=["size"]) == sorted(catalogue.families("bug_byte")["size"])
    everything = [name for puzzle in catalogue.puzzle_names() for name in catalogue.instance_paths(puzzle)]
    assert names() == sorted(everything)
    with pytest.raises(RequestError, match="leave one of the filters out"):
        names(what=["bug_byte"], instances=["june_2022"])


def test_which_formulations_are_run(lab: Lab) -> None:
    def formulations(*wanted: str) -> list[str]:
        request = Request(what=["bug_byte"], backends=["asp"], formulations=wanted, tasks=["first"])
        return [run.formulation for run in plan(request, find_instances(request), lab.backends)]

    available = lab.backends["asp"].formulations["bug_byte"]
    assert formulations() == [available[0], "textbook"]
    assert formulations("default") == available[:1]
    assert formulations("textbook") == ["textbook"]
    assert formulations("all") == available and len(available) > 2


def test_all_takes_what_the_filters_leave(command: Any, towers: Path) -> None:
    few = ("-q", "--backend", "backtrack", "--repeat", 1, "--no-plots")
    result = command("run", "--all", "--puzzle", "./towers", "--task", "first", *few, "--out", "all")
    assert result.returncode == 0, result.stderr
    (row,) = rows_of(towers.parent / "all")
    assert (row["instance"], row["formulation"], row["task"]) == ("three", "search", "first")
    command("run", "./towers", EXAMPLE, *few, "--out", "named")
    recorded = {(row["instance"], row["task"]) for row in rows_of(towers.parent / "named")}
    assert recorded == {(name, task) for name in ("three", EXAMPLE.stem) for task in ("first", "count")}


def test_what_is_named_and_not_installed_is_refused_before_anything_runs(
    command: Any, lab: Lab, tmp_path: Path
) -> None:
    missing = [
        name if backend.missing else f"{name}:{solver}"
        for name, backend in lab.backends.items()
        for solver, offered in backend.solvers.items()
        if backend.missing or offered.missing
    ]
    for arguments in (["run", "june_2022_example", "--backend", "cpsat"], ["solve", "june_2022_example"]):
        result = command(*arguments, "--backend", missing[0])
        assert result.returncode == 2 and result.stderr.count("\n") == 1
        assert f"{missing[0]} is not installed: " in result.stderr and "install" in result.stderr
        assert not (tmp_path / "results").exists()


def test_how_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    line = "pip install -c constraints.txt -e '.[solvers]'"
    assert releases.how_to_install("pip install cpmpy") == line
    assert (
        releases.how_to_install("pip install cplex docplex and install Studio")
        == f"{line} and install Studio"
    )
    assert releases.how_to_install("pip install hexaly") == "pip install hexaly", "no extra has it"
    monkeypatch.chdir(tmp_path)
    assert f"-e '{ROOT}[solvers]'" in releases.how_to_install("pip install cpmpy")
    monkeypatch.setattr(releases, "ROOT", tmp_path)
    # No index has this project: the packages themselves.
    assert releases.how_to_install("pip install cpmpy pychoco") == "pip install cpmpy pychoco"
    monkeypatch.setattr(releases, "installed", lambda package: package not in ("ortools", "pulp"))
    assert releases.how_to_install("No module named 'pulp'").endswith("; pip install ortools pulp")


def test_a_solver_is_missing_with_its_backend() -> None:
    """OR-Tools is there, CPMpy is not: `cpmpy:ortools` is not there either."""
    solver = Solver("OR-Tools by CPMpy", "9.15", None)
    backend = Backend(name="cpmpy", missing="pip install cpmpy", solvers={"ortools": solver})
    console = Console(width=200)
    with console.capture() as shown:
        console.print(listing.solver_table({"cpmpy": backend}).for_terminal())
    (line,) = (line for line in shown.get().splitlines() if "ortools" in line)
    assert "missing: pip install" in line and "9.15" not in line
    assert "cpmpy, cpmpy:ortools" in line


def test_what_installs_many_solvers_is_said_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each of these needs the extra `solvers`, one a program besides, and of one backend there is nothing."""
    monkeypatch.setattr(listing.answers, "rich", Console(width=400))
    hints = "pip install pyscipopt", "pip install cplex docplex and install Studio", None
    chosen = {
        name: Solver(name, "1", hint) for name, hint in zip(("scip", "cplex", "cbc"), hints, strict=True)
    }
    backends = {
        "milp": Backend("milp", solvers=chosen),
        "cpmpy": Backend("cpmpy", missing="pip install cpmpy", solvers={"z3": Solver("Z3", None, None)}),
    }
    monkeypatch.setattr(listing, "offered_backends", lambda *_: backends)
    listing.list_()
    shown = capsys.readouterr().out
    assert shown.count("[solvers]") == 1, shown
    assert "(milp:scip, milp:cplex, cpmpy, cpmpy:z3)" in shown and "install Studio (milp:cplex)" in shown
    listing.list_("sudoku")
    assert capsys.readouterr().out.count("[solvers]") == 1, "the table of solvers is not shown"


def test_what_is_left_out_is_said(command: Any, towers: Path) -> None:
    """A backend that nobody named and that has no file is no failure; a puzzle is not dropped in silence."""
    few = ("--task", "first", "--repeat", 1, "--no-plots")
    result = command("run", "./towers", *few, "--out", "out")
    assert result.returncode == 0, result.stderr
    assert [row["backend"] for row in rows_of(towers.parent / "out")] == ["backtrack"]
    assert result.stdout.count("towers has no model for asp, cpsat, csp, milp: left out") == 1
    assert "unsupported" not in result.stdout
    named = command("run", "./towers", "--backend", "milp", *few, "--out", "named")
    assert "three milp:highs first" in named.stdout + named.stderr
    (towers / "backtrack.py").unlink()
    nothing = command("run", "./towers")
    assert nothing.returncode == 2 and "towers has no model yet" in nothing.stderr


def test_a_puzzle_without_the_formulation_is_left_out_in_words(
    command: Any, called: Any, towers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("run", str(EXAMPLE), "./towers", "--formulation", "search", "--task", "first")
    words += ("--backend", "backtrack", "--repeat", "1", "--no-plots")
    result = command(*words)
    assert result.returncode == 0, result.stderr
    assert "block_party has no formulation search: left out" in result.stdout
    monkeypatch.chdir(towers.parent)
    code, out, _ = called(*words, "--dry-run")
    assert code == 0 and "block_party has no formulation search: left out" in out


def test_progress_tells_a_failure_once(command: Any, towers: Path) -> None:
    """Of five repeats, the first; the summary after the last line of progress is another matter."""
    crash = ("run", "./towers", "--backend", "backtrack", "--formulation", "breaks", "--task", "first")
    shown = command(*crash, "--repeat", 5, "--no-plots").stdout
    assert shown.count("three backtrack:python breaks first crashed: ") == 1, shown


def test_a_mistake_in_a_model_is_one_line(command: Any, tmp_path: Path) -> None:
    """When it is met, and in the summary, whatever the number of instances and tasks; and with -q."""
    folder = make(tmp_path / "steps", milp="def (\n")
    shutil.copy(folder / "instances" / "three.toml", folder / "instances" / "another.toml")
    shown = command("run", "steps", "--backend", "milp", "--no-plots", "--out", "out").stdout
    assert shown.count("SyntaxError") == 2, shown
    assert re.search("^steps another milp first and 3 more: crashed: steps/milp.py:1: Syntax", shown, re.M)
    quiet = command("run", "steps", "--backend", "milp", "--no-plots", "--out", "out", "-q")
    assert quiet.stderr.count("SyntaxError") == 1 and quiet.returncode == 1
    assert re.search(r"milp:highs \w+ and \d+ more: crashed: steps/milp.py:1: SyntaxError: ", quiet.stderr)


def test_generate_says_what_it_wrote(command: Any, tmp_path: Path) -> None:
    made = command("generate", "bug_byte", "--size", 8, "--solutions", "any", "--out", "mine.toml")
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith("mine.toml: ") and "seed 1" in made.stdout and made.stdout.count("\n") == 1


def test_a_campaign_that_measures_nothing_ends_with_1(command: Any, towers: Path) -> None:
    few = ("-q", "--task", "first", "--repeat", 1, "--no-plots")
    latest = towers.parent / "results" / "latest"
    assert command("run", "./towers", "--backend", "backtrack", *few).returncode == 0
    before = latest.resolve()
    assert (before / "runs.csv").exists()
    result = command("run", "./towers", "--backend", "milp", *few)
    assert result.returncode == 1 and "nothing was measured" in result.stderr
    assert latest.resolve() == before


def test_quiet_and_verbose(command: Any, towers: Path) -> None:
    crash = ("run", "./towers", "--backend", "backtrack", "--formulation", "breaks", "--task", "first")
    few = ("--repeat", 1, "--no-plots", "--out", "out", "--redo", "all")
    quiet = command(*crash, *few, "-q")
    assert quiet.returncode == 1 and quiet.stdout == "out: runs.csv, machine.json\n"
    assert "three backtrack:python breaks first: crashed: " in quiet.stderr
    assert quiet.stderr.count("\n") == 1 and "backtrack.py:5: ZeroDivisionError" in quiet.stderr
    assert "Traceback" not in quiet.stderr
    verbose = command("-v", *crash, *few)
    assert verbose.returncode == 1 and "Traceback" in verbose.stdout and "in breaks" in verbose.stdout
    solved = command("solve", "june_2022_example", "--backend", "backtrack", "-q")
    assert "answer 430" in solved.stdout and not solved.stderr


def test_an_internal_error_is_one_line(called: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its exit code is none that a result has: `gate` would mean by 1 that something is slower."""
    monkeypatch.setattr(solve, "find_one", None)
    code, out, errors = called("solve", "june_2022")
    assert code == 70 and errors.count("\n") == 1 and not out
    assert "internal error: TypeError" in errors and "run with -v for the traceback" in errors
    code, _, errors = called("solve", "june_2022", "-v")
    assert code == 70 and "Traceback" in errors and "in solve" in errors


def test_hints_name_the_command_that_was_called(called: Any) -> None:
    assert "`puzzle-bench run --help`" in called("run", "--jbs")[2]


def terminal(
    live: bool | None = None, width: int = 200, get_time: Callable[[], float] | None = None
) -> Terminal:
    """A terminal, or a file, whose content `plain` returns."""
    made = Terminal()
    made.rich = Console(file=io.StringIO(), width=width, force_terminal=live, get_time=get_time)
    return made


def test_the_time_left_is_that_of_runs_and_not_of_waiting() -> None:
    """Of a resumed campaign: a worker comes after 1,000 s, then each run needs 10 s."""
    now = 0.0
    console = terminal(get_time=lambda: now)
    with progress.show_progress(console) as show:
        for done, now in zip(range(11, 15), (1.0, 1000.0, 1010.0, 1020.0), strict=True):  # noqa: B007
            row = replace(ROW, status=Status.UNSUPPORTED if done == 11 else Status.SOLVED)
            show(Progress(Completed(BASE, row), done, planned=20, workers=1))
    said = [line.split(": workers: 1")[0] for line in plain(console).splitlines()]
    assert said == [
        "12 of 20 runs, 0:16:40 elapsed",
        "13 of 20 runs, 0:16:50 elapsed, about 0:01:10 left",
        "14 of 20 runs, 0:17:00 elapsed, about 0:01:00 left",
    ]


def test_the_pictures_that_are_drawn_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By lines between which there are ten seconds, but not here; on a terminal as runs are."""
    console = terminal()
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0.0)
    monkeypatch.setattr(results, "console", console)
    synthetic.write(tmp_path, synthetic.campaign(instances=1, repeats=1, failing=0).iloc[:1])
    results.publish(tmp_path, plots=False, page=tmp_path / "report.html")
    said = plain(console)
    times = r"\d:\d\d:\d\d elapsed(, about \S+ left)?: "
    assert re.search(f"^1 of 5 pictures, {times}ratios$", said, re.M)
    assert re.search(f"^5 of 5 pictures, {times}comparison-block_party-block_party_000$", said, re.M)


def plain(console: Terminal) -> str:
    """What was printed, without colours."""
    assert isinstance(console.rich.file, io.StringIO)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", console.rich.file.getvalue())


def test_the_time_that_has_passed_is_not_taken_for_that_left() -> None:
    console = terminal(live=True)
    with progress.show_progress(console) as show:
        show(Progress(Completed(BASE, ROW), 6, planned=1930))
    assert re.search(r" 6 of 1930 runs, 0:00:0\d elapsed: ", plain(console))


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_live_line_is_one_row_with_whole_numbers(width: int) -> None:
    console = terminal(live=True, width=width)
    with progress.show_progress(console) as show:
        show(Progress(Completed(BASE, ROW), 11831, planned=11832))
    said = plain(console)
    last = said.rstrip("\n").rpartition("\n")[2].rpartition("\r")[2]
    assert re.search(r"\b11831 of 11832 runs, \d:\d\d:\d\d elapsed: ", last), last
    assert len(last) <= width and said.count("\n") == 1


def test_a_dry_run_looks_at_all_recorded_campaigns(command: Any) -> None:
    names = ("--backend", "backtrack", "--formulation", "roll", "--task", "first")
    said = command("run", "die_agony_32_1", *names, "--dry-run").stdout
    assert "estimated from results/scale" in said and "which no campaign" not in said


def test_a_dry_run_counts_and_runs_nothing(command: Any, tmp_path: Path) -> None:
    model = ("--backend", "cpsat", "--formulation", "narrowed")
    ask = ("run", "june_2022_example", *model, "--no-plots", "--out", "out", "-q")
    before = command(*ask, "--repeat", 3, "--dry-run")
    assert before.returncode == 0 and not (tmp_path / "out").exists()
    assert "6 runs, 0 of them recorded already, 6 to run. About " in before.stdout
    assert "estimated from results/reference" in before.stdout
    assert command(*ask, "--repeat", 2).returncode == 0
    after = command(*ask, "--repeat", 3, "--dry-run").stdout
    assert "6 runs, 4 of them recorded already, 2 to run. About " in after and "estimated from out" in after
    assert len(rows_of(tmp_path / "out")) == 4
    more = command(*ask[:-1], "--repeat", 3)
    assert "resumed: 4 of 6 runs are recorded already\n" in more.stdout
    again = command(*ask, "--repeat", 3, "--redo", "all", "--dry-run").stdout
    assert "6 runs, 0 of them recorded already" in again
    shutil.copy(EXAMPLE, tmp_path / "mine.toml")
    grows = command(*ask, "mine.toml", "--repeat", "auto", "--dry-run").stdout
    assert grows.lower().count("at least") == 2
    assert (
        "unknown for 2 of them, which no campaign in results/ has: at most 2 min, by the time limit" in grows
    )


def test_a_dry_run_looks_at_the_numbers_of_repeats(command: Any, tmp_path: Path) -> None:
    """What is recorded is the second repeat: the first is to be run."""
    ask = ("run", "june_2022_example", "--backend", "backtrack", "--task", "first", "--no-plots", "-q")
    ask = (*ask, "--out", "out")
    assert command(*ask, "--repeat", 2).returncode == 0
    path = tmp_path / "out" / "runs.csv"
    rows = rows_of(tmp_path / "out")
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(row for row in rows if row["repeat"] == "2")
    assert "1 runs, 0 of them recorded already, 1 to run" in command(*ask, "--repeat", 1, "--dry-run").stdout
    assert command(*ask, "--repeat", 1).returncode == 0
    assert sorted(row["repeat"] for row in rows_of(tmp_path / "out")) == ["1", "2"]


NAP = """\
import time


def nap(puzzle, tally):
    time.sleep({2: 0, 3: 1.1, 4: 60}[puzzle.size])
    yield list(range(puzzle.size))


FORMULATIONS = {"nap": nap}
"""


@pytest.fixture
def naps(tmp_path: Path) -> Path:
    """A puzzle with an instance that lasts no time, one that lasts 1.1 s, and one that lasts too long."""
    folder = make(tmp_path / "naps", backtrack=NAP, cpsat=None, generate=None)
    for name, size in (("two", 2), ("four", 4)):
        (folder / "instances" / f"{name}.toml").write_text(INSTANCE.format("naps", size))
    return folder


@pytest.mark.extra
def test_what_fails_or_lasts_long_is_not_repeated(command: Any, tmp_path: Path, naps: Path) -> None:
    ask = ("run", "--all", "--puzzle", naps, "--task", "first", "--backend", "backtrack", "--no-plots",
           "--time-limit", 2, "--out", "out")  # fmt: skip
    said = command(*ask, "--budget", 2).stdout
    times = Counter((row["instance"], row["status"]) for row in rows_of(tmp_path / "out"))
    assert times == {("two", "solved"): 5, ("three", "solved"): 2, ("four", "timeout"): 1}
    assert "1 of 3 measurements stopped at the time limit of 2 s (backtrack 1); to give" in said
    again = f"run --all --puzzle {naps} --task first --no-plots --budget 2 --backend backtrack"
    assert f"{again} --instance naps/four --time-limit 60\n" in said
    named = command(*ask[:9], "--repeat", 1, "--instance", "naps/four", "--dry-run").stdout
    assert "at most 0.5 s" in named, "of three instances it is one"
    assert "nothing was executed" in command(*ask, "--budget", 2).stdout
    assert "8 runs, 8 of them recorded already, 0 to run" in command(*ask, "--budget", 2, "--dry-run").stdout
    assert command(*ask, "--repeat", 2).returncode == 0
    times = Counter(row["instance"] for row in rows_of(tmp_path / "out"))
    assert times == {"two": 5, "three": 2, "four": 2}, "a number of repeats is that number"


@pytest.mark.parametrize(
    ("options", "limit_s", "repeats"),
    [
        ("bug_byte", 60, Repeats(5, 6)),
        ("--all", 0.5, Repeats(5, 0.05)),
        ("--sample", 10, Repeats(5, 1)),
        ("--all --time-limit 4", 4, Repeats(5, 0.4)),
        ("--all --budget 1", 0.5, Repeats(5, 1)),
        ("--all --time-limit 4 --repeat 3", 4, Repeats(3, None)),
        ("--all --repeat 3 --budget 1", 0.5, Repeats(3, 1)),
        ("--all --repeat auto", 0.5, Repeats(None, 0.05)),
    ],
)
def test_the_defaults_of_all(
    monkeypatch: pytest.MonkeyPatch, options: str, limit_s: float, repeats: Repeats
) -> None:
    """Within the limit of --all a run is repeated for a tenth of it."""
    asked: list[Any] = []
    monkeypatch.setattr(run, "execute", lambda *arguments: asked.extend(arguments))
    monkeypatch.setattr(run, "finish", lambda *_: None)
    app.program.main(["run", *options.split()], standalone_mode=False)
    assert (asked[0].time_limit_s, asked[1]) == (limit_s, repeats)


@pytest.mark.parametrize("option", [(), ("--dry-run",)])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("a,b\n1,2\n", "this version has no column a; choose another --out"),
        (
            ",".join(COLUMNS) + "\n1,2\n",
            f"row 1 is damaged: it has 2 cells, not {len(COLUMNS)}; mend it, choose another --out or go on "
            "without it (--skip-damaged)",
        ),
    ],
)
def test_a_record_of_another_kind_is_refused(
    command: Any, tmp_path: Path, option: tuple[str, ...], content: str, says: str
) -> None:
    path = tmp_path / "out" / "runs.csv"
    path.parent.mkdir()
    path.write_text(content)
    ask = ("run", "june_2022_example", "--backend", "backtrack", "--out", "out", *option)
    result = command(*ask)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"error: out/runs.csv: {says}\n")
    assert path.read_text() == content


def test_a_dry_run_of_a_climb_is_an_upper_bound(
    called: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, said, _ = called("scale", "bug_byte", "--backend", "backtrack", "--dry-run")
    number = len(catalogue.families("bug_byte")["size"])
    assert f"at most {number} runs" in said and "fails at two sizes in a row" in said
    assert not (tmp_path / "results").exists()


def test_keep_and_redo(command: Any, towers: Path) -> None:
    ask = ("run", "./towers", "--backend", "backtrack", "--formulation", "all", "--task", "first")
    ask = (*ask, "--repeat", 1, "--no-plots", "--out", "out")
    counts, idle = [], []
    for option in ([], ["--keep"], ["--redo", "failed"], ["--redo", "all"]):
        idle.append("nothing was executed" in command(*ask, *option).stdout)
        counts.append([row["formulation"] for row in rows_of(towers.parent / "out")].count("search"))
    assert counts == [1, 1, 1, 2] and idle == [False, True, False, False]
    assert [row["status"] for row in rows_of(towers.parent / "out")].count("crashed") == 3


SLOW = (
    "numpy", "pandas", "scipy", "matplotlib", "hypothesis",
    "networkx", "ortools", "pulp", "highspy", "clingo", "constraint", "cpmpy",
)  # fmt: skip


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("run bug", ["bug_byte"]),
        ("solve june_2022_", ["june_2022_example"]),
        ("solve bug_byte_6_", [f"bug_byte_6_{seed}" for seed in (1, 2, 3)]),
        ("scale magic", ["magic_hexagon"]),
        ("run --all --backend cps", ["cpsat"]),
        ("run --all --backend milp:c", ["milp:cbc", "milp:cplex", "milp:cpsat"]),
        ("run --family g", ["givens"]),
        ("run --all --redo f", ["failed"]),
    ],
)
def test_the_tab_key_completes_names(words: str, offered: list[str]) -> None:
    *before, incomplete = words.split()
    complete = ShellComplete(app.program, {}, "puzzle-bench", "")
    assert [item.value for item in complete.get_completions(before, incomplete)] == offered


def test_the_tab_key_needs_no_solver() -> None:
    asked = {"COMP_WORDS": "puzzle-bench run --all --formulation narr", "COMP_CWORD": "4"}
    code = f"import atexit; atexit.register(lambda: print(*set({SLOW}) & set(sys.modules), file=sys.stderr))"
    result = as_script(code, env={**os.environ, **asked, "_PUZZLE_BENCH_COMPLETE": "bash_complete"})
    assert result.stdout.split() == ["plain,narrowed", "plain,narrowing"]
    assert not result.stderr.strip(), "a slow library was imported"


def test_the_command_line_starts_without_slow_libraries() -> None:
    """All commands together import no library that is slow to import."""
    code = (
        "import sys; from bench.cli.app import COMMANDS, program; "
        f"[program.get_command(None, name) for name in COMMANDS]; print(*{set(SLOW)} & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (result.stdout, result.stderr) == ("\n", "")


def test_list_is_told_what_servers_tell(lab: Lab) -> None:
    """By processes that are forked from it, which compile nothing and hash nothing."""
    for name, backend in listing.offered_backends().items():
        told = replace(lab.backends[name], contents={}, compile_s={})
        assert backend_line(backend) == backend_line(told)


@pytest.mark.parametrize(
    ("words", "unwanted"),
    [
        (
            ["--help"],
            {"rich", "pydantic", "psutil", "importlib.metadata", "bench.cli.solve", "bench.cli.run"},
        ),
        (
            ["solve", "june_2022_example", "--backend", "backtrack"],
            {"rich", "pydantic", "psutil", "importlib.metadata", "bench.cli.run"},
        ),
        # Its libraries are imported by processes that are forked from it, and numpy once for most of them.
        (["list", "sudoku"], {"pydantic", "bench.cli.run", "bench.campaign.runner", "bench.instruments"}),
    ],
)
def test_a_command_imports_what_it_needs(words: Sequence[str], unwanted: Set[str]) -> None:
    """What is imported until the command has ended is what a user waits for."""
    unwanted = {*SLOW, *unwanted} - ({"numpy"} if "list" in words else set())
    said = f"lambda: print(*{unwanted} & set(sys.modules), file=sys.stderr)"
    code = f"import atexit; atexit.register({said}); sys.argv[1:] = {words}"
    result = as_script(code, cwd=ROOT)
    # Before that it may say that runs are not pinned.
    assert (result.returncode, result.stderr.splitlines()[-1]) == (0, "")


def test_the_list_of_commands_has_what_each_does() -> None:
    """Their docstrings are read without an import."""
    for place in app.COMMANDS.values():
        module, _, function = place.rpartition(".")
        command = getattr(import_module(f"bench.{module}"), function)
        assert app.summary(place) == inspect.getdoc(command).split("\n\n")[0]


def test_an_instance_from_anywhere_is_measured(command: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(JUNE.read_text().replace("24405360", "1"))
    out = tmp_path / "out"
    result = command("run", path, "--backend", "backtrack", "--task", "first", "--out", out)
    assert result.returncode == 1, "the expected answer is wrong on purpose"
    assert "the answer is 24405360, but 1 is expected" in result.stdout
    assert {"runs.csv", "machine.json", "plots"} <= {entry.name for entry in out.iterdir()}
    assert (out / "report.html").exists()
