"""kill -9 of the harness: no finished run is lost, none is made twice, no process or temporary file stays."""

import csv
import io
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import psutil
import pytest

from bench.catalogue import ROOT
from bench.environment.files import TEMPORARY, TemporaryFolder, remove_abandoned, replace_file
from tests.copies import copy_project

REPEATS = 15
MODELS = 4
KILLS = 4
CAMPAIGN = (
    "run", "--no-plots", "--instance", "june_2022_example", "--backend", "backtrack",
    "--formulation", "shaving", "--formulation", "propagation", "--repeat", str(REPEATS), "--out",
)  # fmt: skip


def start(out: Path) -> subprocess.Popen[bytes]:
    """A campaign whose temporary files are in `tmp` beside its folder."""
    (temporary := out.with_name("tmp")).mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "bench", *CAMPAIGN, str(out)],
        env=os.environ | {"TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def whole_rows(out: Path) -> list[list[str]]:
    """The rows of runs.csv whose line has an end."""
    try:
        text = (out / "runs.csv").read_text()
    except FileNotFoundError:
        return []
    return list(csv.reader(io.StringIO(text[: text.rfind("\n") + 1], newline="")))[1:]


def moments() -> Iterator[float | int]:
    """When to kill: after some seconds, or as soon as so many more rows stand in the file."""
    generator = random.Random(4)
    for number in range(KILLS):
        yield generator.uniform(0, 1.2) if number % 2 else generator.randint(1, 4)


def wait_for(moment: float | int, out: Path, process: subprocess.Popen[bytes]) -> None:
    if isinstance(moment, float):
        time.sleep(moment)
        return
    wanted = len(whole_rows(out)) + moment
    while process.poll() is None and len(whole_rows(out)) < wanted:
        time.sleep(0.005)


def family(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def name_of(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.NoSuchProcess:
        return ""


def test_a_killed_campaign_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "out"
    known: list[list[str]] = []
    killed_at = []
    for moment in moments():
        process = start(out)
        wait_for(moment, out, process)
        children = family(process)
        process.kill()
        process.wait()
        _gone, alive = psutil.wait_procs(children, timeout=60)
        assert not alive, "servers and workers end with the harness"
        rows = whole_rows(out)
        assert rows[: len(known)] == known, "what was recorded stays as it is"
        known = rows
        killed_at.append(len(rows))
    assert start(out).wait(timeout=120) == 0
    rows = whole_rows(out)
    assert rows[: len(known)] == known
    assert len(rows) == REPEATS * MODELS
    header = (out / "runs.csv").read_text().splitlines()[0].split(",")
    named = [dict(zip(header, row, strict=True)) for row in rows]
    runs = {(row["formulation"], row["task"], row["repeat"]) for row in named}
    assert runs == {
        (formulation, task, str(repeat))
        for formulation in ("shaving", "propagation")
        for task in ("first", "count")
        for repeat in range(1, REPEATS + 1)
    }
    assert len({row["campaign"] for row in named}) == 1
    assert {row["status"] for row in named} == {"solved"}
    assert len(set(killed_at)) > KILLS // 4, "the kills came at different stages"
    assert not list(out.with_name("tmp").iterdir()), "the next start removes what is left"


def test_only_folders_whose_owner_is_gone_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_text("")
    (tmp_path / f"{TEMPORARY}link").symlink_to(tmp_path / "other")
    (tmp_path / f"{TEMPORARY}file").write_text("")
    abandoned = tmp_path / f"{TEMPORARY}abandoned"
    abandoned.mkdir()
    (abandoned / "file").write_text("")
    with closing(TemporaryFolder()) as owned:
        remove_abandoned.__wrapped__()
        assert not abandoned.exists()
        assert {path.name for path in tmp_path.iterdir()} == {
            "other", f"{TEMPORARY}link", f"{TEMPORARY}file", owned.path.name
        }  # fmt: skip
        assert (tmp_path / "other" / "file").exists()
    assert not owned.path.exists()


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    """By several at once, and not through a link; a pipe is written to."""
    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(file)
    file.write_text("old")
    texts = [letter * 100_000 for letter in "abcdefgh"]
    with ThreadPoolExecutor() as threads:
        list(threads.map(partial(replace_file, link), texts))
    assert not link.is_symlink() and link.read_text() in texts and file.read_text() == "old"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_file(pipe, "text")
    assert os.read(reader, 10) == b"text"
    os.close(reader)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            replace_file(file, "x" * 2000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.read_text() == "old"
    assert set(tmp_path.iterdir()) == {file, link, pipe}


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux are orphans adopted")
@pytest.mark.parametrize("to_whom", ["harness", "server"])
def test_nothing_is_left_of_a_run_with_children(tmp_path: Path, to_whom: str) -> None:
    """A run has started a child in a session of its own when the harness or the server is killed."""
    driver = """
import subprocess, sys, time
from bench.contract import Solver
CORE = False
def solvers(): return {"s": Solver("s", "1")}
def load(solver): pass
def build(formulation, puzzle): return None
def solve(*_):
    subprocess.Popen(["sleep", "601.5"], start_new_session=True)
    time.sleep(600)
"""
    tree = copy_project(tmp_path / "tree", backends=[])
    (tree / "bench/drivers/sleepy.py").write_text(driver)
    (tree / "models/block_party/sleepy.py").write_text("FORMULATIONS = {'sleep': print}\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "bench", "run", "june_2022", "--backend", "sleepy", "--time-limit", "600"],
        cwd=tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    until = time.monotonic() + 30
    sleeper: list[psutil.Process] = []
    while not sleeper and time.monotonic() < until:
        sleeper = [child for child in family(process) if name_of(child) == "sleep"]
    (sleep,) = sleeper
    worker = sleep.parent()
    assert worker
    server = worker.parent()
    assert server
    victim = process.pid if to_whom == "harness" else server.pid
    os.kill(victim, signal.SIGKILL)
    _gone, alive = psutil.wait_procs([sleep, worker, server], timeout=60)
    process.kill()
    process.wait()
    assert not alive


def test_processes_that_begin_together_remove_no_folder_of_each_other() -> None:
    """One may look for abandoned folders while another has made its own, and not locked it yet."""
    code = (
        "from bench.environment.files import TemporaryFolder, remove_abandoned\n"
        "for _ in range(100):\n"
        "    remove_abandoned.cache_clear()\n"
        "    folder = TemporaryFolder()\n"
        "    assert folder.path.exists()\n"
        "    folder.close()\n"
    )
    begun = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT) for _ in range(4)]
    assert [process.wait() for process in begun] == [0] * 4
