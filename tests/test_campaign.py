"""Recording, resuming, and the verdict on wrong results."""

import csv
import itertools
import json
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench import catalogue, plan
from bench.catalogue import ROOT, RequestError
from bench.contract import Task
from bench.record import COLUMNS, Recorder, key, row_key, written
from bench.run import Run
from bench.verdict import contradicts_others, judge

EXAMPLE = ROOT / "instances/block_party/june_2022_example.toml"
SMALL = ("run", "--instance", "june_2022_example", "--backend", "backtrack", "--backend", "csp")


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "runs.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_second_run_does_only_what_is_missing(command: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert command(*SMALL, "--repeat", 1, "--out", out).returncode == 0
    before = rows_of(out)
    assert command(*SMALL, "--repeat", 2, "--out", out).returncode == 0
    after = rows_of(out)
    assert after[: len(before)] == before
    assert len(after) == 2 * len(before)
    assert len({row_key(row) for row in after}) == len(after)
    assert len({row["campaign"] for row in after}) == 1


def test_a_line_that_a_kill_cut_off_is_made_again(command: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command(*SMALL, "--repeat", 1, "--out", out)
    path = out / "runs.csv"
    whole = rows_of(out)
    path.write_bytes(path.read_bytes()[:-30])
    assert command(*SMALL, "--repeat", 1, "--out", out).returncode == 0
    again = rows_of(out)
    assert again[:-1] == whole[:-1]
    assert row_key(again[-1]) == row_key(whole[-1])


def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = [*SMALL, "--repeat", "400", "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "bench", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not (out / "runs.csv").exists() or len(rows_of(out)) < 5:
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=20)
    assert process.returncode == 130, errors
    assert f"To go on: python -m bench {' '.join(arguments)}" in said
    assert "Traceback" not in errors
    assert 5 <= len(rows_of(out)) < 1600
    assert len({row_key(row) for row in rows_of(out)}) == len(rows_of(out))


@pytest.mark.parametrize("limit", [100, 1500, 4000])
def test_a_full_disk_loses_nothing(command: Any, tmp_path: Path, limit: int) -> None:
    """A file size limit stands in for the disk: the last row is taken back whole, the error is one line."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "machine.json").write_text(json.dumps({"campaign": "c", "order_seed": 1}))
    result = command(
        *SMALL, "--repeat", 3, "--out", out,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    assert result.returncode == 2
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    assert "all earlier runs are recorded" in result.stderr
    content = (out / "runs.csv").read_bytes()
    assert not content or content.endswith(b"\n")
    assert all(None not in row.values() for row in rows_of(out))


def test_a_folder_that_cannot_be_written_is_refused(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    for out in (file, file / "below", Path("/proc/bench")):
        result = command(*SMALL, "--out", out)
        assert result.returncode == 2
        assert result.stderr.startswith(f"error: {out}") and result.stderr.count("\n") == 1
        assert "--out" in result.stderr


def test_two_campaigns_cannot_write_one_folder(command: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    recorder = Recorder(out / "runs.csv")
    result = command(*SMALL, "--out", out)
    recorder.close()
    assert result.returncode == 2 and "another campaign" in result.stderr


def test_other_columns_are_refused(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("a,b\n1,2\n")
    with pytest.raises(RequestError, match="not the columns"):
        Recorder(tmp_path / "runs.csv")


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(COLUMNS), st.text() | st.floats(0, 1e6) | st.integers() | st.none()))
def test_every_row_is_one_line_that_reads_back(tmp_path_factory: pytest.TempPathFactory, values: Any) -> None:
    values = {name: value.replace("\n", " ").replace("\r", " ") if isinstance(value, str) else value
              for name, value in values.items()}  # fmt: skip
    folder = tmp_path_factory.mktemp("row")
    recorder = Recorder(folder / "runs.csv")
    row = dict.fromkeys(COLUMNS) | {
        name: value.encode("utf-8", "ignore").decode() if isinstance(value, str) else value
        for name, value in values.items()
    }
    recorder.append(row)
    recorder.close()
    again = Recorder(folder / "runs.csv")
    assert [list(read.values()) for read in again.rows] == [[written(row[name]) for name in COLUMNS]]
    again.close()
    shutil.rmtree(folder)


RUN = Run("block_party", "x", str(EXAMPLE), "s", "cpsat", "cpsat", "f", Task.COUNT, 1, 1, 1, 60.0, 4096)


def handed_back(**result: Any) -> dict[str, Any]:
    return {"result": {"status": "solved", "solutions": 1, "found": []} | result}


def example() -> tuple[catalogue.Instance, Any]:
    """The worked example and its solution, found by the hand search."""
    from models.block_party.backtrack import shaving
    from models.shared.model import Tally

    instance = catalogue.load(EXAMPLE)
    return instance, next(shaving(instance.puzzle, Tally()))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spoil", "status", "says"),
    [
        (lambda right: {"found": [right]}, "solved", ""),
        (lambda right: {"found": [right[::-1]]}, "wrong", "solution 1 of 1: "),
        (lambda right: {"found": [right, right[::-1]], "solutions": 2}, "wrong", "solution 2 of 2: "),
        (lambda right: {"found": [right], "solutions": 2}, "wrong", "2 solutions, but 1 are expected"),
        (lambda right: {"found": [], "solutions": 0, "status": "infeasible"}, "wrong", "0 solutions, but 1"),
        (lambda right: {"found": ["nonsense"]}, "wrong", "solution 1 of 1: the solution is not"),
        (lambda right: {"found": [], "solutions": 0, "status": "timeout"}, "timeout", ""),
    ],
)
def test_a_solution_counts_only_if_the_checker_accepts_it(spoil: Any, status: str, says: str) -> None:
    instance, right = example()
    verdict = judge(instance, RUN, handed_back(**spoil(right)))
    assert verdict.status == status
    assert says in verdict.error if says else not verdict.error


def test_the_way_in_which_a_worker_dies_is_told() -> None:
    instance, _ = example()
    died = {"result": None, "killed": None, "signal": None, "exit": None, "tail": ""}
    cases = {
        ("timeout", "time limit"): {"killed": "time"},
        ("memout", "4096 MB"): {"killed": "memory"},
        ("crashed", "SIGSEGV"): {"signal": 11},
        ("crashed", "exit code 3 and without a result: boom"): {"exit": 3, "tail": "first\nboom\n"},
    }
    for (status, says), how in cases.items():
        verdict = judge(instance, RUN, died | how)
        assert verdict.status == status and says in verdict.error


def test_contradictions_between_backends_are_named() -> None:
    base = {"instance_sha256": "s", "backend": "b", "solver": "s", "formulation": "f", "task": "count"}
    one = base | {"status": "solved", "solutions": 1, "answer": "7"}
    for other, says in (
        (one, None),
        (one | {"solutions": 2}, "2 solutions, but b:s f counts 1"),
        (one | {"status": "infeasible", "solutions": 0}, "infeasible, but b:s f says solved"),
        (one | {"task": "first", "answer": "8"}, "the answer is 8, but b:s f says 7"),
        (one | {"status": "timeout", "solutions": 0}, None),
        (one | {"instance_sha256": "t", "solutions": 5}, None),
    ):
        said = contradicts_others(other, [one])
        assert (said is None) == (says is None)
        assert (says or "") in (said or "")


@settings(max_examples=30)
@given(st.integers(0, 2**31), st.integers(1, 5))
def test_the_order_interleaves_repeats(order_seed: int, repeats: int) -> None:
    """Whole repeats one after the other, each in its own order, always the same for one seed."""
    runs = [
        Run("p", "i", "path", "s", backend, "", "f", Task.FIRST, None, repeat, 1, 60.0, 4096)
        for repeat, backend in itertools.product(range(1, repeats + 1), "abcdefgh")
    ]
    shuffled = plan.shuffle(runs, order_seed)
    assert sorted(map(key, shuffled)) == sorted(map(key, runs))
    assert [run.repeat for run in shuffled] == sorted(run.repeat for run in runs)
    assert shuffled == plan.shuffle(runs, order_seed)
