"""Faults of a cluster: no row is lost or doubled, lost runs are executed again, no solver survives."""

import csv
import os
import pickle
import re
import signal
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import cast

import psutil
import pytest

from tests.clusters import PATIENCE_S, TestCluster, dask_cluster, wait_until

pytest.importorskip("distributed")

pytestmark = pytest.mark.extra

PUZZLE = '''\
"""A puzzle that needs as long as its instance says."""

import os
import time
from dataclasses import dataclass

from models.shared.document import Document, read_document


class NapDocument(Document):
    seconds: float
    size: int


def parse(table):
    document = read_document(NapDocument, table)
    return Nap(document.seconds, document.size)


@dataclass(frozen=True)
class Nap:
    seconds: float
    size: int

    def check(self, solution):
        if solution == "deadly":
            os.kill(os.getppid(), 9)  # This is a process aside.
        while solution == "stuck" and not os.path.exists(os.environ["BENCH_PUZZLES"] + "/go_on"):
            time.sleep(0.05)
        return []

    def answer(self, solution):
        return solution

    def text(self, solution):
        return solution or ""

    def draw(self, axes, solution):
        pass
'''
SEARCH = """\
import time

from .puzzle import Nap


def nap(puzzle: Nap, tally):
    time.sleep(puzzle.seconds)
    yield "rested"


def deadly(puzzle: Nap, tally):
    yield "deadly"


def stuck(puzzle: Nap, tally):
    yield "stuck"


FORMULATIONS = {"nap": nap, "deadly": deadly, "stuck": stuck}
"""
INSTANCE = """\
puzzle = "nap"
title = "A nap"
source = "a test"
seconds = {}
size = {}
"""
FORKSERVER = "bench.execution.forkserver"


class Campaign:
    """A campaign of naps on a cluster, and what it prints."""

    def __init__(self, cluster: TestCluster, naps: int, seconds: float = 0.5, name: str = "out"):
        self.cluster, self.naps = cluster, naps
        self.folder = cluster.folder / name
        self.home = cluster.folder / "nap"
        family = self.home / "instances" / "family-size"
        family.mkdir(parents=True, exist_ok=True)
        (self.home / "puzzle.py").write_text(PUZZLE)
        (self.home / "backtrack.py").write_text(SEARCH)
        for number in range(naps):
            (self.home / "instances" / f"nap_{number}.toml").write_text(INSTANCE.format(seconds, 1))
        for size in range(1, 7):
            (family / f"nap_size_{size}.toml").write_text(INSTANCE.format(0.1 if size < 3 else 60, size))

    def start(self, *options: object, command: str = "run", module: str = "bench") -> "subprocess.Popen[str]":
        """Starts the campaign, or goes on with it."""
        words = (
            command, self.home, "--no-plots", "--backend", "backtrack", "--formulation", "nap",
            "--task", "first", *(["--repeat", 1] if command == "run" else []), "--time-limit", 10,
            "--cluster", self.cluster.file, "--out", self.folder, *options,
        )  # fmt: skip
        with self.printed.open("w") as file:
            self.process = self.cluster.start(module, *map(str, words), output=file.fileno())
        return self.process

    @property
    def printed(self) -> Path:
        """The file of what the last command prints."""
        return self.folder.with_suffix(".txt")

    @property
    def said(self) -> str:
        """What the last command has printed, with names instead of addresses."""
        return re.sub(r"tcp://[\d.]+:\d+( on \S+)?", "W", self.printed.read_text())

    def rows(self) -> list[dict[str, str]]:
        """The rows that are recorded whole."""
        try:
            text = (self.folder / "runs.csv").read_text()
        except FileNotFoundError:
            return []
        return list(csv.DictReader(text[: text.rfind("\n") + 1].splitlines()))

    def wait_for_rows(self, count: int = 1) -> None:
        """Waits for further rows."""
        wanted = len(self.rows()) + count
        wait_until(lambda: len(self.rows()) >= wanted, f"{count} rows")

    def wait_for(self, line: str, times: int = 1) -> None:
        """Waits for a line."""
        wait_until(lambda: self.said.count(line) >= times, line)

    def ends(self) -> int:
        """The exit code, when the command has ended; it printed nothing of Dask's own."""
        code = self.process.wait(PATIENCE_S)
        for strange in ("Traceback", "distributed", "Error", "Exception"):
            assert strange not in self.said
        return code

    def completes(self, alone: bool = True) -> None:
        """Waits for the end: each run is recorded once, and if it is alone, nobody solves on."""
        assert self.ends() == 0, self.said
        assert Counter(row["instance"] for row in self.rows()) == {f"nap_{n}": 1 for n in range(self.naps)}
        assert {row["status"] for row in self.rows()} == {"solved"}
        if alone:
            self.leaves_nothing()

    def leaves_nothing(self) -> None:
        """Waits until no solver process is left."""
        wait_until(lambda: not self.cluster.processes(FORKSERVER), "no solver process", within_s=10)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[TestCluster]:
    """A cluster without workers."""
    with dask_cluster(tmp_path) as cluster:
        yield cluster


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def child_of(nanny: "subprocess.Popen[str]") -> psutil.Process:
    """The process that a nanny watches; others, below it, may end while they are looked at."""
    found = []
    for child in psutil.Process(nanny.pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
    # What a worker forks has its name.
    (worker,) = (child for child in found if child.ppid() not in {other.pid for other in found})
    return worker


def test_a_worker_that_retires(cluster: TestCluster) -> None:
    """Dask lists it until it has ended, but it executes nothing of what it was sent."""
    campaign = Campaign(cluster, 8)
    cluster.worker()
    cluster.worker("--lifetime", "5s")
    campaign.start()
    campaign.wait_for("worker W joined", 2)
    campaign.completes()
    assert campaign.said.count("worker W is lost: it disconnected") == 1


def test_a_lease_stays_in_memory() -> None:
    """Dask writes to the disk what it can when memory runs low; without the original the site would close."""
    from bench.instruments.cluster.remote import Lease, RemoteSite

    closed = Event()
    lease = Lease(cast(RemoteSite, SimpleNamespace(close=closed.set)))
    with pytest.raises(TypeError):
        pickle.dumps(lease)
    assert not closed.is_set()
    del lease
    assert closed.is_set()


def test_a_killed_worker(cluster: TestCluster) -> None:
    campaign = Campaign(cluster, 6)
    victim, other = cluster.worker(), cluster.worker()
    campaign.start()
    campaign.wait_for("worker W joined", 2)
    campaign.wait_for_rows()
    victim.kill()
    campaign.completes()
    assert campaign.said.count("worker W is lost: it disconnected") == 1
    other.kill()
    campaign.start()
    # Nothing is left to execute: it needs no worker.
    campaign.completes()


def test_workers_killed_again_and_again(cluster: TestCluster) -> None:
    """Also with results that are on their way; nannies restart the workers."""
    campaign = Campaign(cluster, 100, seconds=0.05)
    nannies = [cluster.worker(nanny=True) for _ in range(2)]
    campaign.start()
    for number in range(3):
        campaign.wait_for("worker W joined", number + 2)
        campaign.wait_for_rows(number + 1)
        child_of(nannies[number % 2]).kill()
    campaign.completes()
    assert campaign.said.count(" is lost: ") >= 2


def test_no_worker_then_a_late_one_then_another(cluster: TestCluster) -> None:
    """The first one is killed with its whole process group."""
    campaign = Campaign(cluster, 4)
    campaign.start()
    campaign.wait_for("scheduler.json: no worker yet; waiting for one\n")
    first = cluster.worker(nanny=True)
    campaign.wait_for_rows()
    os.killpg(first.pid, signal.SIGKILL)
    campaign.wait_for("worker W is lost: it disconnected")
    campaign.leaves_nothing()
    cluster.worker()
    campaign.completes()
    assert campaign.said.count("worker W joined\n") == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_kills_its_worker_has_crashed(cluster: TestCluster, jobs: int) -> None:
    """Not so the one beside it. A nanny restarts the worker; at the same address Dask itself tries again."""
    campaign = Campaign(cluster, 1, seconds=1)
    same_address = ["--worker-port", str(free_port())] if jobs == 1 else []
    cluster.worker("--nthreads", str(jobs), *same_address, nanny=True)
    campaign.start("--formulation", "deadly", "--jobs", jobs)
    assert campaign.ends() == 1
    found = {row["formulation"]: (row["status"], row["error"]) for row in campaign.rows()}
    error = "its worker was lost 3 times while executing it"
    assert found == {"nap": ("solved", ""), "deadly": ("crashed", error)}
    assert len(campaign.rows()) == 2
    assert f"nap_0 backtrack:python deadly first crashed: {error}\n" in campaign.said
    # Of a run whose answer was on its way, the harness cannot know that it was not the cause.
    assert 3 <= campaign.said.count(" is lost: ") <= 5
    campaign.leaves_nothing()


@pytest.mark.parametrize("stopped", [False, True])
def test_a_worker_that_hangs(cluster: TestCluster, stopped: bool) -> None:
    """Its runs are executed again when it answers; what it then says of the first ones is not recorded."""
    (cluster.folder / "impatient.py").write_text(
        "from bench.instruments.cluster import executor\nexecutor.HUNG_S = 4\n"
        "from bench.cli.app import main\nif __name__ == '__main__':\n    main()\n"
    )
    campaign = Campaign(cluster, 3)
    worker = psutil.Process(cluster.worker().pid)
    campaign.start(*([] if stopped else ["--formulation", "stuck"]), "--time-limit", 1, module="impatient")
    if stopped:
        campaign.wait_for_rows()
        worker.suspend()
    campaign.wait_for("worker W is lost: it has not answered for ")
    if stopped:
        worker.resume()
    else:
        campaign.leaves_nothing()
        (campaign.home / "go_on").touch()
    campaign.wait_for("worker W joined", 2)
    assert campaign.ends() == 0
    runs = Counter((row["instance"], row["formulation"]) for row in campaign.rows())
    assert len(runs) == (3 if stopped else 6) and set(runs.values()) == {1}


def test_stopped_workers(tmp_path: Path) -> None:
    """As if their network were gone: one is restarted by its nanny, the other ends as soon as it goes on."""
    with dask_cluster(tmp_path, DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="1s") as cluster:
        campaign = Campaign(cluster, 8)
        nanny, alone = cluster.worker(nanny=True), cluster.worker()
        campaign.start()
        campaign.wait_for("worker W joined", 2)
        campaign.wait_for_rows()
        for process in (child_of(nanny), psutil.Process(alone.pid)):
            process.suspend()
        campaign.wait_for("worker W joined", 3)
        alone.send_signal(signal.SIGCONT)
        campaign.completes()
        assert campaign.said.count("worker W is lost: it disconnected") == 2
        assert alone.wait(PATIENCE_S) == 0


def test_a_killed_scheduler(cluster: TestCluster) -> None:
    campaign = Campaign(cluster, 5)
    cluster.worker()
    campaign.start()
    campaign.wait_for_rows()
    cluster.scheduler.kill()
    killed_at = time.monotonic()
    assert campaign.ends() == 2
    assert time.monotonic() - killed_at < 25, "it is noticed, and no time limit of Dask is waited for"
    gone = "scheduler.json: its scheduler is gone or was restarted; what was recorded stays, and the same "
    assert campaign.said.endswith(f"{gone}command with --out goes on\n")
    campaign.leaves_nothing()
    recorded = campaign.rows()
    assert 0 < len(recorded) < 5
    cluster.start_scheduler()
    cluster.worker()
    campaign.start()
    campaign.completes()
    assert campaign.rows()[: len(recorded)] == recorded


def test_ctrl_c_and_a_killed_harness(cluster: TestCluster) -> None:
    """The workers solve nothing any more, and serve the next campaign."""
    campaign = Campaign(cluster, 8)
    cluster.worker()
    recorded: list[dict[str, str]] = []
    for signals, codes in (
        ([signal.SIGINT], {130}),
        # At the second one Python may be ending already; shells show both as 130.
        ([signal.SIGINT, signal.SIGINT], {130, -signal.SIGINT}),
        ([signal.SIGKILL], {-signal.SIGKILL}),
    ):
        process = campaign.start()
        campaign.wait_for_rows()
        for number in signals:
            process.send_signal(number)
            time.sleep(0.1)
        assert campaign.ends() in codes
        said = re.search(r"interrupted; [1-9]\d* completed runs? (is|are) recorded", campaign.said)
        assert bool(said) == (signal.SIGINT in signals)
        campaign.leaves_nothing()
        assert campaign.rows()[: len(recorded)] == recorded
        recorded = campaign.rows()
    assert len(recorded) < campaign.naps
    campaign.start()
    campaign.completes()
    assert campaign.rows()[: len(recorded)] == recorded


def test_a_worker_has_one_campaign_at_a_time(cluster: TestCluster) -> None:
    """A second one waits for its end; after both the worker's process has all its cores again."""
    campaign, second = Campaign(cluster, 14), Campaign(cluster, 0, name="second")
    worker = psutil.Process(cluster.worker("--nthreads", "3").pid)
    cores = worker.cpu_affinity()
    campaign.start()
    campaign.wait_for_rows()
    second.start("--instance", "nap_0")
    second.wait_for(
        "scheduler.json: no worker is free: all are refused or have another campaign; waiting for one\n"
    )
    assert campaign.process.poll() is None
    campaign.completes(alone=False)
    assert second.ends() == 0
    assert [row["instance"] for row in second.rows()] == ["nap_0"]
    assert second.rows()[0]["started_at"] > max(row["started_at"] for row in campaign.rows())
    wait_until(lambda: worker.cpu_affinity() == cores, "all cores")


def test_a_worker_with_older_code_is_refused(cluster: TestCluster) -> None:
    """It has loaded the rules for the first campaign, and they changed before the second one."""
    campaign = Campaign(cluster, 1)
    cluster.worker()
    campaign.start()
    campaign.completes()
    (campaign.home / "puzzle.py").write_text(PUZZLE.replace("return []", "return ['broken']"))
    campaign.start()
    assert campaign.ends() == 2
    assert campaign.said.endswith("nap/puzzle.py has changed since it loaded it; restart the worker\n")
    assert len(campaign.rows()) == 1
    cluster.worker()
    campaign.start()
    assert campaign.ends() == 1
    assert [row["status"] for row in campaign.rows()] == ["solved", "wrong"]


def test_a_climb_with_a_killed_worker(cluster: TestCluster) -> None:
    """It ends after two sizes that fail, as a local one does."""
    campaign = Campaign(cluster, 0)
    victim, _ = cluster.worker(), cluster.worker()
    campaign.start("--time-limit", 2, "--formulation", "stuck", command="scale")
    (campaign.home / "go_on").touch()
    campaign.wait_for_rows()
    victim.kill()
    assert campaign.ends() == 0
    found = [(row["size"], row["status"]) for row in campaign.rows() if row["formulation"] == "nap"]
    assert found == [("1", "solved"), ("2", "solved"), ("3", "timeout"), ("4", "timeout")]
    assert sorted(row["size"] for row in campaign.rows() if row["formulation"] == "stuck") == [*"123456"]


def test_as_many_repeats_as_needed_with_a_killed_worker(cluster: TestCluster) -> None:
    """No repeat is left out or doubled."""
    campaign = Campaign(cluster, 3, seconds=0.2)
    victim, _ = cluster.worker(), cluster.worker()
    campaign.start("--repeat", "auto", "--budget", 3)
    campaign.wait_for_rows(4)
    victim.kill()
    assert campaign.ends() == 0
    for number in range(3):
        repeats = sorted(int(row["repeat"]) for row in campaign.rows() if row["instance"] == f"nap_{number}")
        assert repeats == list(range(1, len(repeats) + 1)) and len(repeats) >= 6
