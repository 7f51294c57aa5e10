"""Programs in any language: what breaks the protocol, commands of users, and this project's programs in C."""

import csv
import json
import os
import platform
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import HealthCheck, assume, given, settings

from bench import catalogue
from bench.campaign.check import exhaust
from bench.campaign.execute import execute_run
from bench.campaign.plan import plan
from bench.campaign.results import Row
from bench.campaign.selection import Request, backends_of
from bench.catalogue import PUZZLES, ROOT
from bench.catalogue.errors import RequestError
from bench.catalogue.programs import PROGRAMS, add_program, programs
from bench.cli.command import offered
from bench.contract import LOCAL, ModelError, Outcome, Solver, SolveRequest, Task
from bench.drivers import _compiler, native
from bench.drivers._compiler import (
    FLAGS,
    SHARED,
    Compiler,
    compile_to,
    compiler,
    executable,
    key_of,
)
from bench.execution.pool import ServerPool
from bench.instruments.generate.instance_file import as_toml
from models.die_agony.puzzle import DieAgony
from models.shared.model import Model
from models.shared.native import NativeInput
from models.shared.puzzle import Optimised
from tests.conftest import started, undisturbed
from tests.copies import copy_project
from tests.test_catalogue import make

NATIVE = """\
from pathlib import Path

from models.shared.model import Model, by_name
from models.shared.native import NativeInput


def counting(puzzle):
    numbers = dict(enumerate(range(10)))
    lines = [[puzzle.size]]
    return Model(
        NativeInput(Path(__file__).with_name("search.c"), lines, puzzle.size),
        lambda value: [numbers[value(k)] for k in range(puzzle.size)],
    )


FORMULATIONS = by_name(counting)
"""
SEARCH = """\
#include "program.h"

int main(void) {
    read_request();
    int size = (int)read_integer("the size", 1, 1000000);
    read_end();
    int64_t *values = allocate((size_t)size, sizeof *values);
    root(size, 0);
    for (int k = 0; k < size; k++) values[k] = k;
    solution(values, (size_t)size);
    return finish();
}
"""
FLOOD = SEARCH.replace("solution(values", "while (!done()) branches++, solution(values")
"""Reports its solution until it is told to end; its branches are how often it did."""

ZIG_CACHE = Path(tempfile.gettempdir()) / "puzzle-bench-tests"
"""Kept, as zig compiles parts of the standard library into it once."""

needs_compiler = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


def steps(folder: Path, search: str = SEARCH) -> Path:
    """The puzzle of tests/test_catalogue.py, whose only solution is 0, 1, 2, with a program."""
    home = make(folder, cpsat=None, generate=None, native=NATIVE)
    (home / "search.c").write_text(search)
    return home


def script(file: Path, code: str) -> str:
    """A command that runs this code."""
    file.write_text(f"import os, signal, sys, time\n{code}\n")
    return f"{sys.executable} -S -E {file}"


# What a program does: the status of its run, and what the error says.
BEHAVIOUR = {
    "right": ("print('solution 0 1 2')", "solved", ""),
    "no_newline": ("print('branches 7\\nsolution 0 1 2', end='')", "solved", ""),
    "windows": ("print('solution 0 1 2', end='\\r\\n')", "solved", ""),
    "nothing": ("", "infeasible", ""),
    "does_not_read": ("os.close(0)\nprint('solution 0 1 2')", "solved", ""),
    "complains_much": (
        "sys.stderr.write('x' * 10**6)\nprint('solution 0 1 2')", "solved", ""
    ),
    "leaves_a_process": (
        "print('solution 0 1 2', flush=True)\n"
        "if (pid := os.fork()) == 0:\n"
        "    os.setsid()\n"
        "    for stream in range(3): os.close(stream)\n"
        "    time.sleep(60)\n"
        "open(sys.argv[0] + '.pid', 'w').write(str(pid))", "solved", ""
    ),
    "garbage": (
        "print('solution 0 1 2\\nhello world')",
        "crashed", "line 2 of the program's output is 'hello world': a line begins with solution, bound,",
    ),
    "empty_line": ("print()", "crashed", "line 1 of the program's output is '': a line begins with"),
    "binary": (
        "sys.stdout.buffer.write(bytes(range(256)))",
        "crashed", "line 1 of the program's output is '\\x00\\x01",
    ),
    "huge_line": (
        "sys.stdout.write('solution ' + '1 ' * (1 << 23))",
        "crashed", "a line of the program's output has more than 16,777,216 bytes: 'solution 1 1 1",
    ),
    "too_few": (
        "print('solution 0 1')", "crashed",
        "line 1 of the program's output is 'solution 0 1': a solution has 3 integers, not 2",
    ),
    "too_many": ("print('solution', *range(10**5))", "crashed", "a solution has 3 integers, not 100000"),
    "bound": ("print('bound 3')", "crashed", "the puzzle has no objective that could have a bound"),
    "wrong": ("print('solution 2 1 0')", "wrong", "solution 1: the numbers are not in order"),
    "undecodable": (
        "print('root 0\\nsolution 0 1 99')", "crashed",
        "line 2 of the program's output is 'solution 0 1 99': it cannot be decoded: "
        "{home}/native.py:12: KeyError: 99",
    ),
    "two": (
        "print('solution 0 1 2\\nsolution 0 1 2')", "crashed",
        "line 2 of the program's output is 'solution 0 1 2': one solution was asked for",
    ),
    "million_digits": (
        "print('solution 0 1', '9' * 10**6)", "crashed", "solution is followed by integers alone"
    ),
    "other_digits": (
        "sys.stdout.buffer.write('solution ٠ ١ ٢\\n'.encode())",
        "crashed", "line 1 of the program's output is 'solution ٠ ١ ٢': solution is followed by integers",
    ),
    "underscore": ("print('branches 1_0')", "crashed", "'branches 1_0': branches is followed by integers"),
    "fraction": ("print('solution 0 1 2.0')", "crashed", "'solution 0 1 2.0': solution is followed by"),
    "negative": ("print('branches -1')", "crashed", "branches is followed by one integer, 0 or more"),
    "no_figure": ("print('root')", "crashed", "'root': root is followed by one integer"),
    "exit_code": ("sys.exit(7)", "crashed", "the program exits with 7: it says nothing"),
    "interrupted_by_none": ("print('solution 0 1 2')\nsys.exit(2)", "crashed", "the program exits with 2"),
    "last_words": ("sys.exit('one\\ntwo: no licence')", "crashed", "exits with 1: two: no licence"),
    "signal": ("os.kill(0 or os.getpid(), signal.SIGSEGV)", "crashed", "the program was ended by SIGSEGV"),
    "unnamed_signal": ("os.kill(os.getpid(), 40)", "crashed", "the program was ended by signal 40"),
    "much_memory": ("x = bytearray(10**9)\ntime.sleep(9)", "memout", "it used more than 300 MB"),
    "no_memory": ("print('no room', file=sys.stderr)\nsys.exit(3)", "memout", "exits with 3: no room"),
}  # fmt: skip
# Programs that go on, or whose output does.
LATE = {
    "silent": "time.sleep(60)",
    "flood": "while True: print('solution 0 1 2')",
    "closes_output": "print('solution 0 1 2', flush=True)\nos.close(1)\nos.close(2)\ntime.sleep(60)",
    "ignores_sigterm": "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "print('branches 3', flush=True)\ntime.sleep(60)",
    "half_a_line": "def end(*_): os.write(1, b'solution 0'); os._exit(2)\n"
    "signal.signal(signal.SIGTERM, end)\ntime.sleep(60)",
    "counts_at_the_end": "def end(*_): os.write(1, b'branches 5\\n'); os._exit(2)\n"
    "signal.signal(signal.SIGTERM, end)\ntime.sleep(60)",
    "a_child_goes_on": "if os.fork() == 0: time.sleep(2)",
}


class Trial:
    """A server that knows the puzzle of `steps` and a program for each entry of BEHAVIOUR."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, steps(folder / "steps")
        codes = {**{name: code for name, (code, _, _) in BEHAVIOUR.items()}, **LATE}
        commands = {name: script(folder / f"run_{name}.py", code) for name, code in codes.items()}
        commands["missing"] = "/no/such/program"
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv(PUZZLES, str(self.home))
            self.programs = "\n".join(f"{name}={text}" for name, text in commands.items())
            environment.setenv(PROGRAMS, self.programs)
            self.instance = catalogue.load(self.home / "instances" / "three.toml")
            self.servers = ServerPool()
            self.backend = self.servers.offers(["native"])["native"]

    def measure(self, name: str, task: Task = Task.FIRST, time_limit_s: float = 20.0) -> Row:
        request = Request(
            instances=[str(self.instance.path)], backends=[f"native:{name}"], tasks=[task],
            time_limit_s=time_limit_s, memory_limit_mb=300,
        )  # fmt: skip
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv(PUZZLES, str(self.home))
            (run,) = plan(request, [self.instance], {"native": self.backend})
            return execute_run(self.servers, self.instance, run, {}, self.backend).row


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    trial = Trial(tmp_path_factory.mktemp("programs"))
    yield trial
    trial.servers.close()


@pytest.mark.parametrize("name", BEHAVIOUR)
def test_what_a_program_does_has_a_status_and_a_reason(trial: Trial, name: str) -> None:
    _, status, says = BEHAVIOUR[name]
    row = trial.measure(name)
    assert row.status == status, row.error
    assert says.format(home=trial.home) in row.error and "\n" not in row.error
    assert bool(row.error) is bool(says)
    assert row.branches == (7 if name == "no_newline" else None)
    if name == "leaves_a_process":
        pid = int((trial.folder / f"run_{name}.py.pid").read_text())
        assert not psutil.pid_exists(pid), "what a run leaves behind is ended with it"


@pytest.mark.parametrize("name", LATE)
def test_a_program_that_goes_on_is_ended_at_its_limit(
    trial: Trial, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """By the driver, so that what it has reported is known; in this process, as no server has to wait."""
    monkeypatch.setenv(PUZZLES, str(trial.home))
    monkeypatch.setenv(PROGRAMS, trial.programs)
    model = catalogue.formulations("steps", "native")["counting"](trial.instance.puzzle)
    request = SolveRequest(Task.COUNT, 0.4, 1, 1, name)

    def reported() -> tuple[set[str], int | None]:
        found: list[Any] = []
        outcome = native.solve(model, request, lambda *solution: found.append(solution))
        assert not outcome.complete and outcome.solve_s >= 0.4
        return set(map(repr, found)), outcome.branches

    solutions = {"([0, 1, 2], 1)"} if name in ("flood", "closes_output") else set()
    expected = solutions, {"counts_at_the_end": 5, "ignores_sigterm": 3}.get(name)
    nothing = set[str](), None
    # Python may take longer than the limit to start.
    assert undisturbed(reported, lambda found: found != nothing or expected == nothing) == expected


def test_a_program_that_is_ended_at_its_limit_has_timed_out(trial: Trial) -> None:
    assert trial.measure("silent", time_limit_s=0.2).status == "timeout"


@needs_compiler
def test_a_program_in_c_that_is_interrupted_while_it_writes_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When SIGTERM comes it waits in a write, as the pipe is full; only then is the pipe read on."""
    source = tmp_path / "search.c"
    source.write_text(FLOOD)
    model = Model(NativeInput(source, [[1000]], 1000), lambda value: [value(k) for k in range(1000)])

    def solve() -> tuple[list[Any], Outcome]:
        found: list[Any] = []

        def slow(solution: Any, _: int) -> None:
            found.append(solution)
            if len(found) == 1:
                time.sleep(0.5)

        return found, native.solve(model, SolveRequest(Task.COUNT, 0.3, 1, 1, "c"), slow)

    def kill_and_wait(pid: int, signal_number: int, kill: Callable[[int, int], None] = os.kill) -> None:
        kill(pid, signal_number)
        time.sleep(0.05)

    executable(source)
    monkeypatch.setattr(os, "kill", kill_and_wait)
    monkeypatch.setattr(native, "LAST_WORDS_S", 20.0)
    found, outcome = undisturbed(solve, lambda result: bool(result[0]))
    assert not outcome.complete
    assert found and found == [list(range(1000))] * len(found)
    assert outcome.branches == len(found)


@needs_compiler
def test_a_program_in_c_reports_its_figures(trial: Trial) -> None:
    row = trial.measure("c", Task.COUNT)
    assert (row.status, row.solutions, row.error) == ("solved", 1, "")
    assert (row.variables, row.presolved_variables, row.branches, row.failures) == (3, 0, 0, 0)
    assert row.presolve_s + row.search_s == pytest.approx(row.solve_s)
    assert trial.backend.compile_s["steps"] > 0


def test_a_program_that_is_not_there_is_unavailable(trial: Trial) -> None:
    row = trial.measure("missing")
    assert (row.status, row.error) == ("unavailable", "the program /no/such/program")


# Programs of users.


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "runs.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def write_program(file: Path, code: str) -> None:
    file.write_text(f"#!{sys.executable} -SE\n{code}\n")
    file.chmod(0o755)


def test_a_program_is_measured_beside_other_backends(command: Any, tmp_path: Path) -> None:
    """One that has changed is another release of its solver."""
    steps(tmp_path / "steps")
    mine = tmp_path / "mine.py"
    write_program(mine, "print('solution 0 1 2')")
    arguments = (
        "run", "./steps", "--program", "mine=./mine.py", "--backend", "backtrack", "--task", "first",
        "--repeat", 1, "--no-plots", "--out", "out",
    )  # fmt: skip
    result = command("-q", *arguments)
    assert result.returncode == 0, result.stderr
    rows = rows_of(tmp_path / "out")
    found = {(row["backend"], row["solver"], row["status"]) for row in rows}
    assert found == {("backtrack", "python", "solved"), ("native", "mine", "solved")}
    # It has no part in the formulations of the project's own searches.
    assert {row["solver"]: row["formulation"] for row in rows} == {"python": "counting", "mine": ""}
    planned = command("run", "./steps", *arguments[2:4], "--formulation", "all", "--dry-run").stdout
    (line,) = (line for line in planned.splitlines() if "native:mine" in line)
    assert "no model" not in line
    shown = [command("report", "out"), command("compare", "out", "out")]
    shown += [command("run", *arguments[1:])]
    assert not [each.stderr for each in shown if each.returncode]
    texts = [each.stdout for each in (result, *shown)] + [(tmp_path / "out" / "report.html").read_text()]
    assert not [text for text in texts if "mine counting" in text]
    assert "three native:mine first" in shown[1].stdout and " native:mine " in shown[2].stdout
    write_program(mine, "print('solution 0 2 1')")
    result = command(*arguments)
    assert "recorded runs that are run again: 1 with another solver release" in result.stdout
    assert result.returncode == 1
    assert [row["status"] for row in rows_of(tmp_path / "out")[2:]] == ["wrong"]
    (*_, session) = json.loads((tmp_path / "out" / "machine.json").read_text())["sessions"]
    assert session["environment"][PROGRAMS] == f"mine={mine}"
    assert session["request"]["programs"] == ["native:mine"]
    if compiler():
        assert session["compile_s"]["native"]["steps"] > 0


def test_a_puzzle_needs_no_search_in_c(command: Any, tmp_path: Path) -> None:
    """Its native.py is for programs of users alone."""
    (steps(tmp_path / "steps") / "search.c").unlink()
    write_program(tmp_path / "mine.py", "print('solution 0 1 2')")
    validated = command("validate", "./steps").stdout.splitlines()
    assert validated.count("note: native counting: unsupported: there is no steps/search.c") == 1
    assert not [line for line in validated if "native" in line and not line.startswith("note: ")]
    three = "steps/instances/three.toml"
    solved = command("solve", three, "--backend", "native")
    assert solved.returncode == 2 and "native: unsupported: there is no steps/search.c" in solved.stderr
    assert command("solve", three, "--program", "mine=./mine.py").returncode == 0


def test_no_secret_is_recorded(command: Any, tmp_path: Path) -> None:
    """Nor kept of a session that an earlier version recorded, or shown in the report of one."""
    steps(tmp_path / "steps")
    write_program(tmp_path / "mine.py", "print('solution 0 1 2')")
    secret = "hunter2"
    env = os.environ | {
        "PYTHON_TOKEN": secret, "OMP_KEY": secret, "OMP_NUM_THREADS": "2",
        PROGRAMS: f"other={tmp_path}/mine.py --key {secret}",
    }  # fmt: skip
    arguments = (
        "-q", "run", "./steps", "--program", f"mine=./mine.py --token {secret}", "--backend", "native:other",
        "--task", "first", "--no-plots", "--out", "out",
    )  # fmt: skip
    file = tmp_path / "out" / "machine.json"
    for repeat in (1, 2):
        result = command(*arguments, "--repeat", repeat, env=env)
        assert result.returncode == 0, result.stderr
        assert secret not in file.read_text()
        facts = json.loads(file.read_text())
        session = facts["sessions"][-1]
        assert session["environment"]["OMP_NUM_THREADS"] == "2"
        programs = {f"other={tmp_path}/mine.py ...", f"mine={tmp_path}/mine.py ..."}
        assert set(session["environment"][PROGRAMS].splitlines()) == programs
        assert session["command"][6:8] == ["--program", "mine=./mine.py ..."]
        session["environment"] |= {"PYTHON_TOKEN": secret, PROGRAMS: env[PROGRAMS]}
        session["command"] += ["--program", arguments[4], f"--program={arguments[4]}"]
        file.write_text(json.dumps(facts))
    assert command("report", "out").returncode == 0
    assert secret not in (tmp_path / "out" / "report.html").read_text()
    copied = command(*arguments[:3], "--program", "mine=./mine.py ...", "--out", "out")
    assert (
        copied.stderr
        == "error: --program mine=./mine.py ...: write the arguments of ./mine.py in place of ...\n"
    )


def test_a_program_solves(command: Any, tmp_path: Path) -> None:
    """A command with a file of the user's folder; the environment knows it too."""
    steps(tmp_path / "steps")
    (tmp_path / "mine.py").write_text("print('solution 0 1 2')")
    instance, program = "steps/instances/three.toml", f"{sys.executable} mine.py"
    result = command("solve", instance, "--program", f"mine={program}")
    assert result.stdout.startswith("steps [0, 1, 2]\nsolved, answer 3, "), result.stderr
    env = os.environ | {PROGRAMS: f"no line\nmine={sys.executable} {tmp_path}/mine.py\nc=mine.py"}
    result = command("solve", instance, "--backend", "native:mine", env=env)
    assert result.stdout.endswith(" s, native:mine\n"), result.stderr
    for line in ("no line", "c=mine.py"):
        assert f"left out: BENCH_PROGRAMS: {line} names no program; write NAME=COMMAND" in result.stderr
    result = command("solve", instance, "--backend", "native:mien", env=env)
    says = "error: unknown solver of native 'mien'; did you mean mine?; --program mien=COMMAND makes it one"
    assert (result.returncode, result.stderr.splitlines()[-1]) == (2, says)
    result = command("solve", instance, "--backend", "cpsat", "--program", f"mine={program}")
    assert result.returncode == 2 and "solve runs one backend; to compare several: " in result.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("./search", "there is no command; write NAME=COMMAND, as in --program mine=./search"),
        ("mine=", "there is no command"),
        ("mine='", "No closing quotation"),
        ("c=./search", "'c' cannot be the name of a program, which has small letters"),
        ("My=./search", "'My' cannot be the name of a program"),
        ("mine=./nowhere", "./nowhere: there is no such program"),
        ("mine=no-such-program", "no-such-program: there is no such program"),
        ("mine=./text", "./text: it cannot be executed (chmod +x)"),
    ],
)
def test_a_program_that_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(PROGRAMS, "")
    (tmp_path / "text").write_text("")
    with pytest.raises(RequestError) as refused:
        add_program(text)
    assert str(refused.value).startswith(f"--program {text}: ") and says in str(refused.value)
    assert programs() == {}


def test_commands_know_the_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PROGRAMS, "")
    assert add_program(f"mine={sys.executable} -c 'print(1)'") == "native:mine"
    assert add_program(f"other={sys.executable}") == "native:other"
    assert programs() == {"mine": [sys.executable, "-c", "print(1)"], "other": [sys.executable]}
    assert offered("BACKEND[:SOLVER]", "native:") == ["native:c", "native:mine", "native:other"]
    assert backends_of(Request(backends=["cpsat"], programs=["native:mine"])) == ["cpsat", "native"]
    core = backends_of(Request())
    assert "native" not in core and backends_of(Request(programs=["native:mine"])) == [*core, "native"]


def test_the_release_of_a_program_is_its_command_and_files(tmp_path: Path) -> None:
    file, copy = tmp_path / "a.py", tmp_path / "b.py"
    file.write_text("1")
    copy.write_text("1")
    words = [[sys.executable, str(file)], [sys.executable, str(file), "--fast"]]
    versions = [native.solver_of(each).version for each in words]
    assert versions[0] != versions[1]
    assert native.solver_of([sys.executable, str(copy)]).version == versions[0]
    file.write_text("2")
    assert native.solver_of(words[0]).version not in versions


@pytest.mark.skipif(not catalogue.source_of("block_party", "native").exists(), reason="no native.py")
def test_the_example_in_the_documents_solves(command: Any, tmp_path: Path) -> None:
    """As the page says, with the command of the page."""
    page = (ROOT / "docs" / "programs.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "mine.py").write_text(example)
    (words,) = re.findall(r"python -m bench (solve .*)", page)
    for task in ("first", "count"):
        result = command(*shlex.split(words), "--task", task, "--json")
        row = json.loads(result.stdout)
        assert (row["status"], row["solver"], row["solutions"]) == ("solved", "mine", 1), result.stderr
        assert row["branches"] > row["failures"] > 0


# The compiler, and where programs are kept.


@needs_compiler
def test_a_program_that_does_not_compile_is_its_puzzles_fault(command: Any, tmp_path: Path) -> None:
    """Only the runs of that puzzle crash, and not those of a user's program."""
    folders = steps(tmp_path / "steps", SEARCH.replace("size, 0);", "size, 0)")), steps(tmp_path / "stairs")
    write_program(tmp_path / "mine.py", "print('solution 0 1 2')")
    env = os.environ | {PUZZLES: os.pathsep.join(map(str, folders))}
    result = command(
        "-q", "run", "steps", "stairs", "--backend", "native", "--program", "mine=./mine.py",
        "--task", "first", "--repeat", 1, "--no-plots", "--out", "out", env=env,
    )  # fmt: skip
    assert result.returncode == 1
    rows = {(row["puzzle"], row["solver"]): row for row in rows_of(tmp_path / "out")}
    assert {key: row["status"] for key, row in rows.items()} == {
        ("steps", "c"): "crashed", ("steps", "mine"): "solved",
        ("stairs", "c"): "solved", ("stairs", "mine"): "solved",
    }  # fmt: skip
    says = re.compile(r"steps/search\.c:(8|9): expected ';' .*\(.*cc .*\)")
    assert says.fullmatch(rows["steps", "c"]["error"]), rows["steps", "c"]["error"]
    (folders[0] / "backtrack.py").unlink()
    validated = command("validate", "./steps")
    assert validated.returncode == 1 and says.fullmatch(validated.stdout.splitlines()[0])


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own, in which nothing is compiled."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    known = _compiler.programs, compiler, executable
    for function in known:
        function.cache_clear()
    yield tmp_path / "cache" / "puzzle-bench" / "programs"
    for function in known:
        function.cache_clear()


@needs_compiler
def test_a_program_is_compiled_once(own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever compiles it at the same time makes the same file; what it depends on is in its name."""
    source = steps(tmp_path / "steps") / "search.c"
    with ThreadPoolExecutor() as threads:
        made = list(threads.map(executable.__wrapped__, [source] * 3))
    assert {each.path for each in made} == {made[0].path} and made[0].path.parent == own_cache
    left = {path.name for path in own_cache.iterdir()} - {"zig"}
    assert left == {made[0].path.name, f"{made[0].path.name}.sha256"}
    monkeypatch.setattr(_compiler, "compile_to", None)  # It is not called again.
    assert executable(source).path == made[0].path and executable(source).compile_s > 0
    cc = compiler()
    keys = {key_of(cc, source), key_of(replace(cc, version="another"), source)}
    monkeypatch.setattr(platform, "machine", lambda: "another")
    keys.add(key_of(cc, source))
    (source.parent / "part.h").write_text("")
    source.write_text(SEARCH + '#include "part.h"\n')
    keys.add(key_of(cc, source))
    (source.parent / "part.h").write_text("/* changed */")
    assert len(keys | {key_of(cc, source)}) == 5


@needs_compiler
def test_a_damaged_program_is_compiled_again(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a crash of the machine may have left it; a server looks once."""
    source = steps(tmp_path / "steps") / "search.c"
    program = executable(source).path
    note = program.with_suffix(".sha256")
    content, noted = program.read_bytes(), note.read_text()
    for file, damage in ((program, content[:1000]), (program, b""), (note, noted[:70]), (note, "")):
        file.write_bytes(damage if isinstance(damage, bytes) else damage.encode())
        executable.cache_clear()
        assert reply(executable(source).path, b"1 1 3").code == 0
        assert program.read_bytes() == content and note.read_text().split()[0] == noted.split()[0]
    monkeypatch.setattr(_compiler, "sha256", None)  # It is not called again.
    assert executable(source).path == program


@needs_compiler
def test_a_cache_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    """In a copy of the project with one puzzle, as the programs of all that there are are compiled."""
    project = copy_project(tmp_path / "project", backends=["native"])
    steps(tmp_path / "steps")
    (tmp_path / "file").write_text("")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    env = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "file"), "TMPDIR": str(scratch)}
    instance = tmp_path / "steps" / "instances" / "three.toml"
    result = started(project, "solve", instance, "--backend", "native", env=env)
    assert result.returncode == 0 and result.stdout.startswith("steps [0, 1, 2]"), result.stderr
    assert not list(scratch.iterdir())


@needs_compiler
def test_memory_that_a_program_in_c_does_not_get_is_memout(tmp_path: Path) -> None:
    """Also where the number of bytes overflows."""
    source = tmp_path / "search.c"
    for call in ("allocate(many, 8)", "grow(NULL, many - 2, 8)", "grow(NULL, many, 8)"):
        code = f"volatile size_t many = SIZE_MAX / 8 + 2;\n    *(char *){call} = 1;\n    root("
        source.write_text(SEARCH.replace("root(", code))
        compile_to(tmp_path / "program", source, compiler())
        ended = reply(tmp_path / "program", b"1 1 3")
        assert ended.code == 3 and ended.said.startswith("no memory for "), call


def test_a_value_that_the_search_in_c_cannot_hold_is_refused() -> None:
    for value in (2**62 - 1, 1 - 2**62):
        puzzle = DieAgony(((0, value),), "integer", 1)
        assert catalogue.formulations("die_agony", "native")["roll"](puzzle).problem.lines[-1] == (0, value)
        puzzle = DieAgony(((0, value + (1 if value > 0 else -1)),), "integer", 1)
        with pytest.raises(ValueError, match=r"grid, row 1, column 2: .* from -\(2\^62 - 1\) to 2\^62 - 1"):
            catalogue.formulations("die_agony", "native")["roll"](puzzle)


def test_without_a_compiler_the_backend_says_what_to_install(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = steps(tmp_path / "steps") / "search.c"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(_compiler, "installed", lambda _: None)
    assert native.solvers()["c"] == Solver("search in C", None, "a C compiler (cc), or: pip install ziglang")
    assert native.prepare(source) == 0.0
    with pytest.raises(ModelError, match=r"search\.c cannot be compiled: install a C compiler"):
        executable(source)


def test_ziglang_is_a_compiler(command: Any, tmp_path: Path) -> None:
    """For a user without cc; its own cache need not be writable."""
    pytest.importorskip("ziglang")
    steps(tmp_path / "steps")
    env = os.environ | {"PATH": str(tmp_path), "HOME": "/proc/none", "XDG_CACHE_HOME": str(ZIG_CACHE)}
    result = command("solve", "steps/instances/three.toml", "--backend", "native", "--json", env=env)
    row = json.loads(result.stdout)
    assert (row["status"], row["solver_version"][:7]) == ("solved", "zig cc "), result.stderr


# This project's programs.

SOURCES = sorted((ROOT / "models").glob("*/*.c"))
"""All programs in C; one that is added is found here."""

of_each_source = pytest.mark.parametrize(
    "source", SOURCES, ids=lambda path: f"{path.parent.name}-{path.stem}"
)

SANITIZE = (
    "-g", "-O0", "-U_FORTIFY_SOURCE", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
)  # fmt: skip
"""To optimize would take six times as long, and remove mistakes whose results are never used."""

REPORTED = 99
"""The exit code of a program that a sanitizer ends."""

SANITIZERS = {
    "ASAN_OPTIONS": f"exitcode={REPORTED}:detect_leaks=0:"
    "allocator_may_return_null=1:max_allocation_size_mb=500",
    "UBSAN_OPTIONS": f"exitcode={REPORTED}",
}
"""Memory is held until the end; what is asked for beyond reason is refused, as the memory limit would."""

COMPILERS = {
    "cc": shutil.which("cc") and (shutil.which("cc"),),
    "ziglang": find_spec("ziglang") and (sys.executable, "-m", "ziglang", "cc"),
}


@pytest.mark.parametrize("name", COMPILERS)
@of_each_source
def test_a_program_compiles_without_warnings(tmp_path: Path, source: Path, name: str) -> None:
    if not (command := COMPILERS[name]):
        pytest.skip(f"there is no {name}")
    if (cc := compiler()) and cc.command == command:
        # With the same flags, and kept: servers need it too.
        assert executable(source).path.exists()
    else:
        compile_to(tmp_path / "program", source, Compiler(command, name, name))


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Gives the program of a C file, built so that it ends at its first mistake."""
    folder = tmp_path_factory.mktemp("sanitized")

    @cache
    def built(source: Path) -> Path:
        program = folder / f"{source.parent.name}-{source.stem}.out"
        command = ["cc", *FLAGS, *SANITIZE, f"-I{SHARED}", "-o", str(program), str(source)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return program

    if not shutil.which("cc"):
        pytest.skip("there is no cc")
    (folder / "trivial").mkdir()
    (folder / "trivial" / "main.c").write_text("int main(void) { return 0; }\n")
    try:
        subprocess.run([built(folder / "trivial" / "main.c")], check=True)
    except (AssertionError, OSError, subprocess.CalledProcessError):
        pytest.skip("cc has no sanitizers here")
    return built


@dataclass(frozen=True)
class Reply:
    """How a program ended, and what it wrote; `late` if it had to be asked to."""

    code: int
    output: str
    said: str
    late: bool = False


def reply(program: Path, text: bytes, patience_s: float = 60.0) -> Reply:
    """Runs a program; asks it to end by SIGTERM when patience is over."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output:
        given.write(text)
        given.seek(0)
        with subprocess.Popen(
            [program], stdin=given, stdout=output, stderr=subprocess.PIPE, env=os.environ | SANITIZERS
        ) as process:
            late = False
            try:
                said = process.communicate(timeout=patience_s)[1]
            except subprocess.TimeoutExpired:
                late = True
                process.terminate()
                try:
                    said = process.communicate(timeout=60)[1]
                except subprocess.TimeoutExpired:
                    process.kill()
                    raise
        output.seek(0)
        return Reply(process.returncode, output.read(1 << 24).decode(), said.decode("utf-8", "replace"), late)


def models_of(source: Path, puzzle: Any) -> list[Model]:
    """The formulations of a puzzle that a program solves."""
    formulations = catalogue.formulations(source.parent.name, "native").values()
    models = [formulation(puzzle) for formulation in formulations]
    return [model for model in models if model.problem.source == source]


def lines_of(model: Model, wanted: int = 1) -> list[list[int]]:
    """What a program reads."""
    return [[wanted, 1], *map(list, model.problem.lines)]


def text_of(lines: Sequence[Sequence[int]]) -> bytes:
    return "".join(f"{' '.join(map(str, line))}\n" for line in lines).encode()


def found_by(program: Path, puzzle: Any, model: Model, patience_s: float = 60.0) -> int | None:
    """What a program finds, all of which passes the checker: the best value, or how many solutions.

    None for neither: if it has to be ended, or there is no solution that could be the best.
    """
    patience_s = 0.05 if model.problem.source.stem == LOCAL else patience_s
    found = reply(program, text_of(lines_of(model, wanted=0)), patience_s)
    assert (found.code, found.said) in ((0, ""), (2, "")), found
    best, lines = None, [line for line in found.output.splitlines() if line.startswith("solution ")]
    for line in dict.fromkeys(lines):
        values = list(map(int, line.split()[1:]))
        assert len(values) == model.problem.length
        solution = model.decode(values.__getitem__)
        assert puzzle.check(solution) == []
        if isinstance(puzzle, Optimised):
            value = int(puzzle.answer(solution))
            assert best is None or puzzle.objective.sense.better(value, best)
            best = value
    if isinstance(puzzle, Optimised):
        return None if found.late else best
    return None if found.late else len({*lines}) * model.stands_for


def smallest(puzzle: str) -> catalogue.Instance:
    """The smallest instance of a puzzle."""
    instances = map(catalogue.load, catalogue.instance_paths(puzzle).values())
    return min(instances, key=lambda instance: instance.puzzle.size)


@of_each_source
def test_a_program_finds_all_solutions(sanitized: Callable[[Path], Path], source: Path) -> None:
    instance = smallest(source.parent.name)
    models = models_of(source, instance.puzzle)
    assert models
    for model in models:
        found, expected = found_by(sanitized(source), instance.puzzle, model), instance.expected
        if source.stem != LOCAL:
            assert found == (expected.answer if instance.objective else expected.solutions)


@pytest.mark.parametrize("fewest", [0, 1], ids=["any", "with_a_solution"])
@of_each_source
def test_a_program_finds_what_the_checker_accepts(
    sanitized: Callable[[Path], Path], tmp_path: Path, source: Path, fewest: int
) -> None:
    """Hypothesis complains if it finds no instance with so many solutions."""
    drawn = catalogue.random_instances(source.parent.name)
    if drawn is None:
        pytest.skip("the puzzle has no random_instances.py")

    @settings(max_examples=3, suppress_health_check=list(HealthCheck), database=None)
    @given(table=drawn.INSTANCES)
    def agree(table: dict[str, Any]) -> None:
        path = tmp_path / "random.toml"
        path.write_text(as_toml(table))
        instance = catalogue.load(path)
        puzzle = instance.puzzle
        accepted = exhaust(instance, most=10**9, most_s=60)
        assert accepted
        number = len(accepted.solutions)
        assume(fewest <= number and (instance.objective or number <= 30))
        for model in models_of(source, puzzle):
            found = found_by(sanitized(source), puzzle, model, patience_s=10)
            # Some instances that are drawn need minutes, and a local search does not end.
            assume(found is not None or source.stem == LOCAL or not number)
            assert source.stem == LOCAL or found == (accepted.best if instance.objective else number)

    agree()


NUMBERS = (-(2**63), -(2**31), -1, 0, 1, 2, 3, 5, 7, 10, 60, 65, 1000, 2**31 - 1, 2**31, 2**62, 2**63 - 1)
"""With which numbers of an instance are replaced."""


def damaged(lines: Sequence[Sequence[int]], chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Input that is truncated, or too long, or random, with what was done to it."""
    numbers = [number for line in lines for number in line]
    for length in sorted({*range(5), *chance.sample(range(len(numbers)), min(8, len(numbers)))}):
        yield "truncated", text_of([numbers[:length]])
    yield "no line at all", b""
    yield "one more number", text_of([*lines, [1]])
    yield "10,000 more", text_of([*lines, [1] * 10_000])
    for huge in (b"9" * 30, b"-" + b"9" * 30, b"18446744073709551616", b"9223372036854775808", b"-", b"1e9"):
        words = text_of([numbers]).split()
        words[chance.randrange(2, len(words))] = huge
        yield "a word that is no number of 64 bits", b" ".join(words)
    for _ in range(20):
        changed = list(numbers)
        for place in chance.sample(range(2, len(numbers)), chance.choice((1, 1, 2, 5))):
            changed[place] = chance.choice((*NUMBERS, chance.randrange(-9, 99)))
        yield "changed", text_of([changed])
    for _ in range(8):
        length = chance.randrange(2, 60)
        yield "random", text_of([[0, 1, *(chance.choice(range(-2, 12)) for _ in range(length))]])
    for _ in range(5):
        yield "bytes", chance.randbytes(chance.randrange(1, 200))
        yield "bytes at the end", text_of(lines)[: chance.randrange(4, 60)] + chance.randbytes(20)


@of_each_source
def test_a_program_refuses_what_is_no_instance(sanitized: Callable[[Path], Path], source: Path) -> None:
    """In one line, by its exit code; what is an instance after all, it may search."""
    puzzle = smallest(source.parent.name).puzzle
    for seed, model in enumerate(models_of(source, puzzle)):
        refused = 0
        for what, text in damaged(lines_of(model), random.Random(seed)):
            end = reply(sanitized(source), text, patience_s=0.05 if source.stem == LOCAL else 2)
            report = (what, text[:1000], end.code, end.said[:3000])
            assert end.code in ((0, 2) if end.late else (0, 1, 3)), report
            assert len(end.said.splitlines()) == (end.code in (1, 3)), report
            assert what in ("changed", "random") or end.code in (1, 3), report
            refused += end.code == 1
        assert refused > 20
