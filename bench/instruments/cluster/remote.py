"""What the worker processes of a Dask cluster do for a campaign.

A worker holds its site as the result of a task, which Dask drops when nobody wants it any more: also when the
harness was killed.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from secrets import token_hex
from threading import Lock
from time import monotonic
from typing import NoReturn, TypeVar
from weakref import finalize

import psutil
from distributed import get_worker

from bench import catalogue
from bench.catalogue import ROOT, Instance
from bench.catalogue.errors import shown
from bench.contract import Run
from bench.environment.cores import keep_off_reserved
from bench.environment.machine import Machine, usable_cores
from bench.environment.processes import or_none
from bench.execution.executor import Execute, Site
from bench.execution.pool import ServerPool

T = TypeVar("T")

CLAIM = Lock()
"""Held by the site of this process: the runs of two would wait for each other, and share cores."""

_LOADED: dict[str, float] = {}
"""When each file of the project that this process has loaded was changed last, as it was then."""


class Unfit(Exception):
    """A worker cannot execute runs that may be compared with those of others; the message says why."""


class Busy(Exception):
    """A worker executes the runs of another campaign, or has not yet ended those of one before."""


class Restarted(Exception):
    """A worker was restarted at its address, where Dask repeats what the harness sent before."""


@dataclass(frozen=True)
class WorkerFacts:
    """What a worker says of itself.

    Attributes:
        pinned: the cores of each job; None where it got none of its own.
        exposed: what of it everybody can reach, as the end of a sentence; empty if nothing.
    """

    machine: Machine
    site_id: str
    pinned: Sequence[tuple[int, ...] | None]
    exposed: str


class RemoteSite(Site):
    """The site of a worker, which reads the instances of its runs itself.

    Raises Busy if the worker has a site already; Unfit if its code is older than its files.
    """

    def __init__(self, jobs: int, threads: int, elsewhere: Mapping[str, str]):
        _refuse_old_code()
        if not CLAIM.acquire(blocking=False):
            raise Busy
        self.release = finalize(self, CLAIM.release)
        os.environ.update((name, value) for name, value in elsewhere.items() if value)
        # On a machine that executes runs alone nothing else needs a core.
        self.cores = usable_cores()
        self.moved_at = monotonic()
        super().__init__(jobs, threads, spare=0)
        # Tells it from the site of the same worker before a restart.
        self.id = token_hex(8)
        self.instances: dict[str, Instance] = {}

    def facts(self) -> WorkerFacts:
        """What the worker says of itself."""
        return WorkerFacts(self.machine, self.id, self.pinned, _exposure(get_worker().address))

    def execute_here(self, site_id: str, execute: Execute[T], run: Run) -> T:
        """Executes a run; raises Restarted if it was sent to another site, Unfit if it would differ here."""
        if site_id != self.id:
            raise Restarted
        if monotonic() - self.moved_at > 1.0:
            self.moved_at = monotonic()
            # Workers that joined later have reserved cores since.
            keep_off_reserved(self.cores)
        if run.instance_sha256 not in self.instances:
            self.instances[run.instance_sha256] = read(run)
        instance = self.instances[run.instance_sha256]
        here = replace(run, path=str(instance.path))
        result = self.execute(partial(_execute_same, execute), instance, here)
        if self.pools[0].closed:
            # The run was ended, and not by what it did.
            raise Restarted
        return result

    def close(self) -> None:
        """Ends all runs."""
        super().close()
        self.release()


class Lease:
    """Closes a site as soon as nobody holds the lease, while a run may still hold the site."""

    def __init__(self, site: RemoteSite):
        self.end = finalize(self, site.close)

    def __reduce__(self) -> NoReturn:
        """Dask writes to the disk what it can, and drops the original."""
        raise TypeError("a lease is of this process")


def _exposure(address: str) -> str:
    """What everybody can reach of the worker that this process is at an address; empty if nothing."""
    sockets = or_none(lambda: psutil.Process().net_connections("inet")) or []
    listening = (each.laddr for each in sockets if each.status == psutil.CONN_LISTEN)
    ports = {socket.port for socket in listening if socket.ip in ("0.0.0.0", "::")}
    everywhere = "listens on all networks"
    own = int(address.rpartition(":")[2])
    if own in ports and not address.startswith("tls:"):
        return f"{everywhere} without TLS: whoever reaches it can run any program as you"
    return f"has a web server that {everywhere}, without a login" if ports - {own} else ""


def _execute_same(execute: Execute[T], pool: ServerPool, machine: Machine, instance: Instance, run: Run) -> T:
    """Executes a run with the solver release and the model that it was planned with; others raise Unfit."""
    backend = pool.backend(run.backend)
    if missing := backend.lacks(run.solver):
        raise Unfit(f"{run.backend}:{run.solver} is not there: {missing}")
    if (version := backend.solver(run.solver).version or "") != run.solver_version:
        raise Unfit(f"its {run.backend}:{run.solver} is {version}, not {run.solver_version}")
    if backend.contents.get(run.puzzle, "") != run.model_sha256:
        raise Unfit(f"its model of {run.puzzle} for {run.backend} and the one here differ")
    return execute(pool, machine, instance, run)


def _refuse_old_code() -> None:
    """Raises Unfit if a file of the code has changed since this process loaded it."""
    for name, module in [*sys.modules.items()]:
        file = getattr(module, "__file__", None)
        if file and name.partition(".")[0] in ("bench", "models"):
            changed_at = Path(file).stat().st_mtime if Path(file).exists() else 0.0
            if _LOADED.setdefault(file, changed_at) != changed_at:
                raise Unfit(f"{shown(Path(file))} has changed since it loaded it; restart the worker")


def portable(run: Run) -> Run:
    """The run with the path of its instance within the project, if it is there; `read` finds it anywhere."""
    path = os.path.relpath(run.path, ROOT)
    return run if path.startswith(os.pardir) else replace(run, path=path)


def read(run: Run) -> Instance:
    """The instance of a run, as it is here; raises Unfit if it or its rules differ from those planned."""
    try:
        instance = catalogue.load(ROOT / run.path)
    except catalogue.RequestError as error:
        mend = "it must be at the same place there"
        raise Unfit(f"its instance file cannot be read ({error}); {mend}") from None
    for what, here, planned in (
        (f"file {run.path}", instance.sha256, run.instance_sha256),
        (f"puzzle.py of {run.puzzle}", catalogue.rules_sha256(run.puzzle), run.rules_sha256),
    ):
        if here != planned:
            raise Unfit(f"its {what} and the one here differ")
    _refuse_old_code()
    return instance
