"""Code of a puzzle that never returns: it is ended and named, and Ctrl-C ends the campaign."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest

from bench.catalogue import PUZZLES
from bench.execution.process import Aside, NoAnswer
from tests.conftest import with_forked_servers
from tests.test_catalogue import PUZZLE, make
from tests.test_mistakes import rows_of

SOON = (
    "from bench.campaign import check as validation; from bench.catalogue import puzzles; "
    "puzzles.CALL_S, validation.LATE_S = 0.5, 1.0"
)
NEVER = "from bench.catalogue import puzzles; puzzles.CALL_S = 3600.0"

LOOPS = {
    "python": "while True: pass",
    "sleep": "__import__('time').sleep(1e6)",
    "library": "sum(__import__('itertools').repeat(0))",
}


def endless(folder: Path, function: str, loop: str) -> Path:
    """A puzzle of which a function does not return."""
    head = next(line for line in PUZZLE.splitlines() if line.strip().startswith(f"def {function}("))
    indent = " " * (len(head) - len(head.lstrip()) + 4)
    return make(folder, puzzle=PUZZLE.replace(head, f"{head}\n{indent}{loop}"), cpsat=None)


def test_a_check_that_never_returns_is_a_crash_of_the_run_only(tmp_path: Path) -> None:
    folders = [endless(tmp_path / name, "check", loop) for name, loop in LOOPS.items()]
    folders += [
        endless(tmp_path / "unanswered", "answer", LOOPS["python"]),
        make(tmp_path / "steps", cpsat=None),
    ]
    puzzles = os.pathsep.join(map(str, folders))
    result = subprocess.run(
        with_forked_servers(
            "run", "--no-plots", *(folder.name for folder in folders), "--backend", "backtrack",
            "--task", "first", "--repeat", "1", "--out", str(tmp_path / "out"), before=SOON,
        ),
        env=os.environ | {PUZZLES: puzzles}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert result.returncode == 1, result.stderr
    rows = {row["puzzle"]: row for row in rows_of(tmp_path / "out")}
    assert rows.pop("steps")["status"] == "solved"
    late = "has not returned after"
    said = {
        "python": f"python/puzzle.py:21: check of python {late} 0.5 s",
        "sleep": f"sleep/puzzle.py:21: check of sleep {late} 0.5 s",
        "library": f"library/puzzle.py: check or answer of library {late} 1.5 s",
        "unanswered": f"unanswered/puzzle.py:24: answer of unanswered {late} 0.5 s",
    }
    assert {name: row["error"].removeprefix(f"{tmp_path}/") for name, row in rows.items()} == said
    assert {row["status"] for row in rows.values()} == {"crashed"}


def begins(begun: Path) -> str:
    """Code that makes a file and never returns: not with `open`, whose file loses a Ctrl-C as it is freed."""
    return f"__import__('pathlib').Path({str(begun)!r}).touch(); {LOOPS['sleep']}"


def interrupted(process: "subprocess.Popen[str]", begun: Path) -> str:
    """What a process says that gets Ctrl-C as soon as a file is there."""
    try:
        while not begun.exists():
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=60)[0]
    finally:
        process.kill()


def test_ctrl_c_ends_a_campaign_that_checks_a_solution(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    folder = endless(tmp_path / "steps", "check", begins(begun))
    out = str(tmp_path / "out")
    process = subprocess.Popen(
        with_forked_servers(
            "run", "--no-plots", "steps", "--backend", "backtrack", "--out", out, before=NEVER
        ),
        env=os.environ | {PUZZLES: str(folder)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    said = interrupted(process, begun)
    assert process.returncode == 130, said
    assert said.splitlines()[-1].startswith("interrupted; 0 completed runs are recorded")


@pytest.mark.parametrize(
    ("command", "function", "code"),
    [
        ("solve", "parse", 2),
        ("solve", "text", 1),
        ("check", "check", 1),
        ("validate", "check", 2),
    ],
)
def test_a_command_ends_that_waits_for_code_of_a_puzzle(
    tmp_path: Path, command: str, function: str, code: int
) -> None:
    folder = endless(tmp_path / "steps", function, LOOPS["python"])
    (tmp_path / "solution.json").write_text("[0, 1, 2]")
    what = {
        "solve": ["three", "--backend", "backtrack"], "check": ["three", str(tmp_path / "solution.json")],
        "validate": ["steps"],
    }  # fmt: skip
    result = subprocess.run(
        with_forked_servers(command, *what[command], before=SOON),
        env=os.environ | {PUZZLES: str(folder)}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert result.returncode == code, result.stderr
    line = result.stderr.splitlines()[-1]
    assert f"{function} of steps has not returned after 0.5 s" in line, line


def test_generating_ends_that_waits_for_code_of_a_puzzle(tmp_path: Path) -> None:
    """The process that generates names the function, long before its own time limit ends it."""
    folder = endless(tmp_path / "steps", "check", LOOPS["python"])
    order = {"puzzle": "steps", "size": 3, "seed": 1, "hardness": 0.5, "wanted": "one"}
    result = subprocess.run(
        [sys.executable, "-c", f"{SOON}; from bench.instruments.generate import worker; worker.main()"],
        input=json.dumps(order), env=os.environ | {PUZZLES: str(folder)},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    answer = json.loads(result.stdout)
    assert answer["mistake"] and "check of steps has not returned after 0.5 s" in answer["error"], answer


@pytest.mark.parametrize(("command", "what"), [("solve", "three"), ("validate", "steps")])
def test_a_puzzle_that_is_never_imported_is_named(tmp_path: Path, command: str, what: str) -> None:
    """Where its module-level code does not end; it is waited for once, not for each instance."""
    folder = make(tmp_path / "steps", puzzle=f"{PUZZLE}\n{LOOPS['sleep']}\n", cpsat=None)
    result = subprocess.run(
        with_forked_servers(command, what, before=SOON),
        env=os.environ | {PUZZLES: str(folder)}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert result.returncode == 2, result
    lines = (result.stdout + result.stderr).splitlines()
    assert lines[0].endswith(": module-level code of steps has not returned after 0.5 s"), lines


def test_ctrl_c_ends_the_import_of_a_puzzle(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    make(tmp_path / "steps", puzzle=f"{PUZZLE}\n{begins(begun)}\n", cpsat=None)
    process = subprocess.Popen(
        with_forked_servers("validate", str(tmp_path / "steps"), before=NEVER),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    said = interrupted(process, begun)
    assert (process.returncode, said.strip()) == (130, "interrupted")


def run_a_program(pid: Path) -> None:
    """Waits for a program that does not end, as a solver library may."""
    process = subprocess.Popen(["sleep", "600"])
    pid.write_text(str(process.pid))
    process.wait()


def test_a_call_that_is_ended_leaves_no_program_behind(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    with closing(Aside()) as aside, pytest.raises(NoAnswer):
        aside.call(2.0, run_a_program, pid)
    with suppress(psutil.NoSuchProcess):
        psutil.Process(int(pid.read_text())).wait(10)
