"""Dask clusters of real processes on the loopback interface."""

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import psutil

from bench.catalogue import ROOT
from tests.conftest import all_cores

T = TypeVar("T")

PATIENCE_S = 60.0
"""No test waits longer for something that must happen; only one that fails gets there."""

MARK = "TEST_CLUSTER"
"""The environment variable that marks all processes of a cluster."""

CLI = "distributed.cli.dask_"

NO_WEB = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")
"""Options of a scheduler or a worker whose web server nobody reaches."""


def wait_until(condition: Callable[[], T], what: str, within_s: float = PATIENCE_S) -> T:
    """Waits for a condition, and returns what it is; fails if it does not come true in time."""
    until = time.monotonic() + within_s
    while not (found := condition()):
        assert time.monotonic() < until, f"waited {within_s:.0f} s for: {what}"
        time.sleep(0.02)
    return found


class TestCluster:
    """A scheduler, workers, and campaigns on them; all end with `stack`.

    The workers reserve cores under names of their own: campaigns outside the test leave them enough.

    Args:
        folder: has the scheduler file, and what the processes print.
        options: of the scheduler and the workers, such as certificates.
        environment: of all processes, beside this one's.

    Attributes:
        file: for --cluster.
    """

    __test__ = False

    def __init__(
        self,
        folder: Path,
        stack: ExitStack,
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ):
        self.folder, self.options = folder, options
        self.file = folder / "scheduler.json"
        self.mark = secrets.token_hex(8)
        self.environment = {
            **os.environ, "PYTHONPATH": str(ROOT), "DASK_CONFIG": str(folder), MARK: self.mark,
            **(environment or {}),
        }  # fmt: skip
        self.started: list[subprocess.Popen[str]] = []
        stack.callback(self.kill_all)
        self.scheduler = self.start_scheduler()

    @property
    def address(self) -> str:
        """The address of the scheduler."""
        return str(json.loads(self.file.read_text())["address"])

    def start_scheduler(self, port: int = 0) -> "subprocess.Popen[str]":
        """Starts a scheduler, and waits until it answers."""
        self.file.unlink(missing_ok=True)
        arguments = ["--host", "127.0.0.1", "--port", str(port), *NO_WEB, *self.options]
        scheduler = self.start(CLI + "scheduler", *arguments, "--scheduler-file", str(self.file))
        wait_until(lambda: self.file.exists() and self.file.read_text().endswith("}"), "a scheduler file")
        return scheduler

    def worker(self, *options: str, nanny: bool = False) -> "subprocess.Popen[str]":
        """Starts a worker; it need not have connected yet."""
        cores = f"from bench.environment import cores; cores.NAMES = 'test/{self.mark}/'"
        return self.start(
            CLI + "worker", "--scheduler-file", str(self.file), "--host", "127.0.0.1", *NO_WEB,
            "--nanny" if nanny else "--no-nanny", "--local-directory", str(self.folder), "--preload", cores,
            *([] if "--nthreads" in options else ["--nthreads", "1"]), *self.options, *options,
        )  # fmt: skip

    def bench(self, *arguments: object) -> "subprocess.Popen[str]":
        """Starts `python -m bench`; standard error is in the same pipe as the output."""
        return self.start("bench", *map(str, arguments), output=subprocess.PIPE)

    def start(self, module: str, *arguments: str, output: int | None = None) -> "subprocess.Popen[str]":
        """Starts a Python module in a process group of its own."""
        with all_cores(), (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                stdout=output or log,
                stderr=log if output is None else subprocess.STDOUT,
                text=True,
                cwd=self.folder,
                env=self.environment,
                start_new_session=True,
            )
        self.started.append(process)
        return process

    def processes(self, module: str = "") -> list[psutil.Process]:
        """The processes of this cluster that run a module, or all; also those whose parents are gone."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                ours = process.environ().get(MARK) == self.mark and process.status() != psutil.STATUS_ZOMBIE
                if ours and module in " ".join(process.cmdline()):
                    found.append(process)
        return found

    def kill_all(self) -> None:
        """Kills what is left."""
        while left := self.processes():
            for process in left:
                with suppress(psutil.Error):
                    process.kill()
        for started in self.started:
            started.__exit__(None, None, None)  # Waits for it, and closes its output.


@contextmanager
def dask_cluster(
    folder: Path, workers: int = 0, options: Sequence[str] = (), **environment: str
) -> Iterator[TestCluster]:
    """A Dask cluster on the loopback interface, with so many workers."""
    with ExitStack() as stack:
        cluster = TestCluster(folder, stack, options, environment)
        for _ in range(workers):
            cluster.worker()
        yield cluster
