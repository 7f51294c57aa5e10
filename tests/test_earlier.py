"""Servers of earlier revisions, as `ab` starts them."""

import json
from dataclasses import replace
from pathlib import Path

from bench.contract import Run, Status, Task
from bench.execution.answer import Killed
from bench.execution.earlier import Revision
from bench.execution.process import Checkout

RUN = Run(
    "magic_hexagon", "aristotle", "a.toml", "s", "cpmpy", "choco", "integers", Task.COUNT, 1, 1, 1, 60.0, 4096
)
OFFERS = {
    "solvers": {"choco": {"title": "Choco", "version": "1", "missing": None, "own": True, "parallel": False}},
    "missing": None,
    "formulations": {"magic_hexagon": ["broken", "all"], "block_party": ["all"]},
    "contents": {"magic_hexagon": "abc"},
    "broken": {},
}


def earlier(root: Path) -> Revision:
    """A revision with a driver `cp` and no rooms in bench/."""
    (root / "bench" / "drivers").mkdir(parents=True)
    (root / "bench" / "drivers" / "cp.py").touch()
    return Revision(Checkout(root))


def test_an_earlier_server_has_its_names_and_is_known_by_todays(tmp_path: Path) -> None:
    revision = earlier(tmp_path)
    assert revision.server == "bench.server"
    assert revision.server_name("cpmpy:choco") == "cp:choco"
    assert revision.server_name("cpsat") == "cpsat"
    offered = revision.read_backend("cpmpy", json.dumps(OFFERS).encode())
    assert offered.name == "cpmpy" and offered.solvers["choco"].separate_process
    assert offered.formulations == {
        "magic_hexagon": ["symmetry_breaking", "integers"], "block_party": ["all"]
    }  # fmt: skip
    asked = json.loads(revision.run_line(RUN))
    assert (asked["backend"], asked["formulation"]) == ("cp", "all")
    assert "model_sha256" not in asked


def test_todays_server_is_asked_in_todays_words() -> None:
    revision = Revision(Checkout())
    assert revision.server == "bench.execution.forkserver"
    asked = json.loads(revision.run_line(RUN))
    assert (asked["backend"], asked["formulation"]) == ("cpmpy", "integers")


def test_the_answer_of_an_earlier_server_is_understood(tmp_path: Path) -> None:
    revision = earlier(tmp_path)
    system = {"killed": None, "signal": None, "exit": 0, "cpu_s": 0.5, "stolen_s": float("nan"), "tail": ""}
    figures = {"base_mb": 9.5, "build_s": 0.1, "status": "solved", "total_s": 1.5, "branches": 7, "nodes": 1}
    found, answer = revision.read_answer(json.dumps({"figures": figures, **system}).encode())
    assert not found and answer and answer.outcome
    assert (answer.claim, answer.total_s, answer.base_mb, answer.cpu_s) == (Status.SOLVED, 1.5, 9.5, 0.5)
    assert (answer.outcome.branches, answer.outcome.complete, answer.stolen_s) == (7, True, None)

    died = {"figures": {"base_mb": 9.5}, **system, "killed": "time", "signal": 9, "exit": None}
    _, answer = revision.read_answer(json.dumps(died).encode())
    assert answer and (answer.claim, answer.killed, answer.signal) == (None, Killed.TIME, 9)

    # Before solutions were sent as they are found, they stood in the answer.
    at_once = {"figures": figures | {"found": [[1], [2]], "solutions": 24}, **system}
    found, answer = revision.read_answer(json.dumps(at_once).encode())
    assert found == [([1], 12), ([2], 12)] and answer
    found, answer = revision.read_answer(b'{"found": [[[1], 2]]}')
    assert found == [[[1], 2]] and answer is None


def test_an_unknown_status_of_an_earlier_server_is_refused(tmp_path: Path) -> None:
    line = json.dumps({"figures": {"status": "finished"}, "killed": None}).encode()
    try:
        earlier(tmp_path).read_answer(line)
    except ValueError:
        return
    raise AssertionError("it is taken for an answer")


def test_names_of_todays_servers_stay(tmp_path: Path) -> None:
    """A revision with the driver `cpmpy` and models with today's names is asked by these."""
    revision = earlier(tmp_path)
    (tmp_path / "bench" / "drivers" / "cp.py").unlink()
    today = OFFERS | {"formulations": {"magic_hexagon": ["symmetry_breaking", "integers"]}}
    offered = revision.read_backend("cpmpy", json.dumps(today).encode())
    assert offered.formulations["magic_hexagon"] == ["symmetry_breaking", "integers"]
    asked = json.loads(revision.run_line(replace(RUN, formulation="symmetry_breaking")))
    assert (asked["backend"], asked["formulation"]) == ("cpmpy", "symmetry_breaking")
