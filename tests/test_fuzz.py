"""Fuzzing finds what is wrong, shrinks it and counts it; solvers that are right get no finding."""

import json
import signal
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bench import catalogue
from bench.catalogue import ROOT
from bench.catalogue.errors import RequestError
from bench.instruments.fuzz.command import Session, _in_short
from bench.instruments.fuzz.findings import Fault, Hunt, Kind, add_finding, known_faults
from tests.conftest import with_forked_servers
from tests.test_evidence import read_record

DENIES = "cat > /dev/null"
"""A program that says of each instance that it has no solution."""

DIES = 'read -r first; cat > /dev/null; if [ "${first%% *}" = 0 ]; then kill -SEGV $$; fi'
"""A program that dies if all solutions are wanted, and else says that there is none."""


def program(folder: Path, text: str) -> str:
    """The value of --program for a shell script, which starts sooner than Python: the solver native:liar."""
    (folder / "liar.sh").write_text(text)
    return f"liar=sh {folder / 'liar.sh'}"


def session(folder: Path) -> dict[str, Any]:
    """What the last session has executed, without what depends on time, as exhaustive counts do."""
    values = json.loads(max((folder / "sessions").glob("*.json")).read_text())
    models = {tuple(model) for *model, _, _ in values["runs"]}
    return {name: values[name] for name in ("seed", "instances", "faults", "errors")} | {"models": models}


def test_a_false_claim_is_found_shrunk_and_counted(command: Any, tmp_path: Path) -> None:
    """The smallest Bug Byte with a solution is one edge; a second session counts what is known."""
    out = tmp_path / "out"
    words = ("fuzz", "--puzzle", "bug_byte", "--formulation", "propagation", "--backend", "native:liar")
    words = (*words, "--program", program(tmp_path, DENIES), "--out", str(out))
    found = command(*words, "--examples", "15", "--seed", "1")
    assert found.returncode == 1, found.stderr
    (folder,) = known_faults(out)
    seen = known_faults(out)[folder]
    assert (seen.solver, seen.kind) == ("native:liar", Kind.FALSE_INFEASIBLE)
    assert f"{folder}: native:liar" in found.stdout.replace("\n", "")

    record = read_record(folder)
    instance = catalogue.load(folder / "instance.toml")
    assert instance.puzzle.check(record.witness) == [] and record.solutions == instance.expected.solutions
    assert record.said == "0 solutions" and record.show and record.show.fault
    assert instance.puzzle.size <= min(2, catalogue.load(folder / "as-found.toml").puzzle.size)

    again = command(*words, "--examples", "5", "--seed", "2")
    assert again.returncode == 0, "it is known"
    assert [*known_faults(out)] == [folder] and known_faults(out)[folder].times > seen.times
    assert len([*(out / "sessions").iterdir()]) == 2


def test_crashes_and_wrong_claims_are_told_apart(command: Any, tmp_path: Path) -> None:
    """Of the same solver: each is a finding of its own, though both show on the same instance."""
    out = tmp_path / "out"
    words = ("--puzzle", "sudoku", "--formulation", "locked_candidates", "--backend", "native:liar")
    words = (*words, "--program", program(tmp_path, DIES))
    found = command("fuzz", *words, "--examples", "10", "--seed", "3", "--out", str(out))
    assert found.returncode == 1, found.stderr
    kinds = {seen.kind: seen.place for seen in known_faults(out).values()}
    assert {Kind.CRASH, Kind.FALSE_INFEASIBLE} == {*kinds} and "SIGSEGV" in kinds[Kind.CRASH]

    folder = next(folder for folder, seen in known_faults(out).items() if seen.kind is Kind.CRASH)
    text = (folder / "issue.md").read_text()
    assert f"{tmp_path / 'liar.sh'} < input.txt" in text and "3 of 3 repeats" in text
    assert text.count("SIGSEGV") == 2, "in the first sentence, and in what the script prints"
    assert not [word for word in ("the model", "presolve off", "rewritten", "highspy") if word in text]
    given = (folder / "input.txt").read_text()
    died = subprocess.run(["sh", tmp_path / "liar.sh"], input=given, text=True, check=False)
    assert died.returncode == -signal.SIGSEGV and (folder / "output.txt").read_text() == ""


def test_the_core_solvers_agree(command: Any, tmp_path: Path) -> None:
    """On instances of most puzzles; the same seed draws the same, and each kind of model is tried."""
    said, each = [], str(len(catalogue.puzzle_names()))
    for out in (tmp_path / "one", tmp_path / "two"):
        words = ("--backend", "backtrack", "--backend", "csp", "--examples", each, "--out", str(out))
        found = command("fuzz", *words, "--seed", "7")
        assert found.returncode == 0, found.stdout + found.stderr
        assert known_faults(out) == {} and "0 at fault" in found.stdout
        said.append(session(out))
    # A generator may have no instance for the only example of its puzzle, or not in time.
    both = {*said[0]["instances"]} & {*said[1]["instances"]}
    models = [{model for model in each["models"] if model[0] in both} for each in said]
    assert models[0] == models[1] and said[0]["errors"] == said[1]["errors"] == []
    assert both <= {*catalogue.puzzle_names()} and 3 * len(both) > 2 * len(catalogue.puzzle_names())


def test_the_live_line_fits_a_narrow_terminal(tmp_path: Path) -> None:
    hunt = Hunt((), (), (), 1.0, None, "1", 5.0, str(tmp_path))
    seen = Session(hunt, jobs=1)
    seen.counts["runs"]["model", "solved"], seen.counts["instances"]["bug_byte"] = 123_456, 12_345
    shown = _in_short(seen)
    assert len(shown) < 58 and shown.startswith("123,456 runs of 12,345 instances, 0 at fault, "), shown


def test_ctrl_c_keeps_what_was_found(tmp_path: Path) -> None:
    """The session is written, and nothing runs on."""
    out = tmp_path / "out"
    words = ["--backend", "backtrack", "--minutes", "5", "--out", str(out)]
    process = subprocess.Popen(
        with_forked_servers("fuzz", *words), cwd=ROOT, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    until = time.monotonic() + 60
    # Its first file may be older than the first instance.
    while not (any((out / "sessions").glob("*.json")) and session(out)["instances"]):
        assert time.monotonic() < until
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert session(out)["instances"]


def test_a_folder_that_a_killed_session_left_is_not_used_again(tmp_path: Path) -> None:
    """It has a number, but says nothing of a fault; what else is in the folder does not matter."""
    for name in ("001", "7up"):
        (tmp_path / name).mkdir()
    (tmp_path / "7up" / "seen.json").write_text("{")
    fault = Fault("milp:highs", "1", Kind.CRASH, "here")
    finding: Any = SimpleNamespace(fault=fault, table={"puzzle": "sudoku"})
    assert [add_finding(tmp_path, finding), add_finding(tmp_path, finding)] == [tmp_path / "002", None]
    assert [(path.name, seen.times) for path, seen in known_faults(tmp_path).items()] == [("002", 2)]
    (tmp_path / "002" / "seen.json").write_text("{}")
    with pytest.raises(RequestError, match="cannot be read"):
        known_faults(tmp_path)


def test_only_puzzles_with_a_model_are_drawn(command: Any, tmp_path: Path) -> None:
    words = (
        "--backend",
        "csp",
        "--backend",
        "csp:recursive",
        "--formulation",
        "nearest",
        "--examples",
        "2",
    )
    done = command("fuzz", *words, "--seed", "1", "--out", str(tmp_path / "out"))
    assert done.returncode == 0 and (done.stdout + done.stderr).count("csp:recursive") == 2
    assert {*session(tmp_path / "out")["instances"]} == {"block_party"}


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
