"""Fuzzing finds what is wrong, shrinks it and counts it; solvers that are right get no finding."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bench import catalogue
from bench.catalogue import ROOT
from bench.fuzzing.finding import Kind
from bench.fuzzing.folder import Folder, Seen
from bench.fuzzing.record import read_record

DENIES = "import sys; sys.stdin.read()"
"""A program that says of each instance that it has no solution."""

DIES = "import os, sys; os.kill(os.getpid(), 11) if sys.stdin.read().split()[0] == '0' else None"
"""A program that dies if all solutions are wanted, and else says that there is none."""


def program(folder: Path, text: str) -> str:
    """The value of --program for a program in Python, the solver native:liar."""
    (folder / "liar.py").write_text(text)
    return f"liar={sys.executable} {folder / 'liar.py'}"


def faults(folder: Path) -> dict[Path, Seen]:
    """The findings in a folder."""
    return Folder(folder).all()


def session(folder: Path) -> dict[str, object]:
    """What the last session has executed, without times and dates."""
    values = json.loads(max((folder / "sessions").iterdir()).read_text())
    return {name: values[name] for name in ("seed", "instances", "counted", "runs", "faults", "errors")}


def test_a_false_claim_is_found_shrunk_and_counted(command: Any, tmp_path: Path) -> None:
    """The smallest Bug Byte with a solution is one edge; a second session counts what is known."""
    out = tmp_path / "out"
    words = ("fuzz", "--puzzle", "bug_byte", "--formulation", "propagation", "--backend", "native:liar")
    words = (*words, "--program", program(tmp_path, DENIES), "--out", str(out))
    found = command(*words, "--examples", "15", "--seed", "1")
    assert found.returncode == 1, found.stderr
    (folder,) = faults(out)
    seen = faults(out)[folder]
    assert (seen.signature.solver, seen.signature.kind) == ("native:liar", Kind.FALSE_INFEASIBLE)
    assert f"{folder}: native:liar" in found.stdout.replace("\n", "")

    record = read_record(folder)
    instance = catalogue.load(folder / "instance.toml")
    assert instance.puzzle.check(record.witness) == [] and record.solutions == instance.expected.solutions
    assert record.said == "0 solutions" and record.show and record.show.fault
    assert instance.puzzle.size <= min(2, catalogue.load(folder / "as-found.toml").puzzle.size)

    again = command(*words, "--examples", "5", "--seed", "2")
    assert again.returncode == 0, "it is known"
    assert [*faults(out)] == [folder] and faults(out)[folder].times > seen.times
    assert len([*(out / "sessions").iterdir()]) == 2


def test_crashes_and_wrong_claims_are_told_apart(command: Any, tmp_path: Path) -> None:
    """Of the same solver: each is a finding of its own, though both show on the same instance."""
    out = tmp_path / "out"
    words = ("--puzzle", "sudoku", "--formulation", "norvig", "--backend", "native:liar")
    words = (*words, "--program", program(tmp_path, DIES))
    found = command("fuzz", *words, "--examples", "10", "--seed", "3", "--out", str(out))
    assert found.returncode == 1, found.stderr
    kinds = {seen.signature.kind: seen.signature.place for seen in faults(out).values()}
    assert {Kind.CRASH, Kind.FALSE_INFEASIBLE} == {*kinds} and "SIGSEGV" in kinds[Kind.CRASH]


def test_the_core_solvers_agree(command: Any, tmp_path: Path) -> None:
    """On instances of each puzzle; the same seed draws the same, and each kind of model is tried."""
    said = []
    for out in (tmp_path / "one", tmp_path / "two"):
        words = ("--backend", "backtrack", "--backend", "csp", "--examples", "16", "--out", str(out))
        found = command("fuzz", *words, "--seed", "5")
        assert found.returncode == 0, found.stdout + found.stderr
        assert faults(out) == {} and "0 at fault" in found.stdout
        said.append(session(out))
    assert said[0] == said[1]
    assert {*said[0]["instances"]} == {*catalogue.puzzle_names()} and said[0]["errors"] == []


def test_ctrl_c_keeps_what_was_found(tmp_path: Path) -> None:
    """The session is written, and nothing runs on."""
    out = tmp_path / "out"
    words = ["--backend", "backtrack", "--minutes", "5", "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "bench", "fuzz", *words], cwd=ROOT, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    until = time.monotonic() + 60
    while not any((out / "sessions").glob("*.json")) and time.monotonic() < until:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert session(out)["instances"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--minutes", "1", "--examples", "2"), "leave the other out"),
        (("--puzzle", "bugbyte"), "did you mean bug_byte"),
        (("--backend", "milp:higs"), "did you mean highs"),
        (("--backend", "backtrack", "--out", "file"), "file: "),
        (("--formulation", "none"), "unknown formulation 'none'"),
    ],
)
def test_mistakes_get_one_line(command: Any, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    (tmp_path / "file").touch()
    done = command("fuzz", *words)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and said in done.stderr, done.stderr
