"""The command line as a user meets it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bench import catalogue
from bench.catalogue import ROOT, RequestError
from bench.record import COLUMNS

JUNE = ROOT / "instances/block_party/june_2022.toml"


@pytest.mark.parametrize(
    "arguments", [["--help"], ["run", "--help"], ["solve", "--help"], ["check", "--help"]]
)
def test_help(command: Any, arguments: list[str]) -> None:
    result = command(*arguments)
    assert result.returncode == 0 and "Usage" in result.stdout


def test_list_names_everything(command: Any) -> None:
    shown = command("list").stdout
    listed = json.loads(command("list", "--json").stdout)
    for puzzle, facts in listed["puzzles"].items():
        assert puzzle in shown
        for backend in ("cpsat", "milp", "csp", "backtrack"):
            assert facts["formulations"][backend], f"{backend} has no model of {puzzle}"
        for instance in facts["instances"]:
            assert instance["error"] is None and instance["name"] in shown
    for name, backend in listed["backends"].items():
        assert name in shown and (backend["missing"] is None or not catalogue.is_core(name))
        assert all(solver["version"] or solver["missing"] for solver in backend["solvers"].values())


@pytest.mark.parametrize("backend", ["cpsat", "milp", "csp", "backtrack"])
def test_solve_and_check(command: Any, tmp_path: Path, backend: str) -> None:
    result = command("solve", JUNE, "--backend", backend, "--task", "count", "--json")
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
    shown = command("solve", "june_2022", "--backend", "backtrack").stdout
    assert "│ 4  │ 3    6    5  │" in shown
    assert "answer 24405360" in shown


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run"], "say what to run"),
        (["run", "--all", "--puzzle", "block_party"], "leave out --all or the filters"),
        (["run", "--puzzle", "blok_party"], "did you mean block_party?"),
        (["run", "--instance", "june_2023"], "did you mean june_2022?"),
        (["run", "--instance", "nowhere.toml"], "nowhere.toml: there is no such file"),
        (["run", "--backend", "cpsad"], "did you mean cpsat?"),
        (["run", "--backend", "csp:optimised"], "did you mean optimized?"),
        (["run", "--formulation", "ruben"], "did you mean rubin?"),
        (["run", "--backend", "csp", "--formulation", "rubin"], "unknown formulation 'rubin'"),
        (["run", "--all", "--jobs", "9999"], "this machine has"),
        (["solve", "june_2022", "--backend", "nothing"], "unknown backend 'nothing'"),
        (["solve", "june_2022", "--backend", "csp:minconflicts", "--task", "count"], "cannot count"),
        (["check", "june_2022", "nowhere.json"], "nowhere.json: No such file"),
        (["plot", "nowhere"], "there is no such file"),
        (["report", "nowhere"], "there is no such folder"),
    ],
)
def test_a_request_that_cannot_be_carried_out(command: Any, arguments: list[str], says: str) -> None:
    result = command(*arguments)
    assert result.returncode == 2
    assert says in result.stderr
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    assert not result.stdout


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "puzzle: this key is missing"),
        (b"puzzle = ", "not TOML"),
        (b"\xff\xfe\x00", "not a text file in UTF-8"),
        (b'puzzle = "sudoku"', "'sudoku' is unknown; known are block_party"),
        (b"puzzle = 3", "3 is unknown"),
        (b"#" * 2_000_000, "larger than 1000000 bytes"),
        (b'puzzle = "block_party"', "this key is missing"),
    ],
)
def test_a_broken_instance_is_refused(command: Any, tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(RequestError, match=re.escape(f"{path}: ")) as refused:
        catalogue.load(path)
    assert says in str(refused.value) and "\n" not in str(refused.value)
    for arguments in (
        ["run", "--instance", path],
        ["solve", path, "--backend", "csp"],
        ["check", path, path],
    )[: 1 if content else 3]:
        result = command(*arguments)
        assert result.returncode == 2
        assert result.stderr == f"error: {refused.value}\n"


def test_an_instance_from_anywhere_is_measured(command: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(JUNE.read_text().replace("24405360", "1"))
    out = tmp_path / "out"
    result = command("run", "--instance", path, "--backend", "backtrack", "--task", "first", "--out", out)
    assert result.returncode == 1, "the expected answer is wrong on purpose"
    assert "the answer is 24405360, but 1 is expected" in result.stdout
    assert {"runs.csv", "machine.json", "plots"} <= {entry.name for entry in out.iterdir()}
