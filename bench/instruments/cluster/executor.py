"""Executes runs on the workers of a Dask cluster.

Each run is a task of Dask that only one worker may execute, the same for a whole block. A worker that joins
opens a site (remote.py); if it matches this machine in what matters, it is sent blocks. The runs of one
that is lost are executed by others.
"""

import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import groupby
from math import inf
from operator import call, methodcaller
from time import monotonic, sleep
from typing import Any, Generic, TypeVar

import distributed
from distributed import Future
from distributed.client import ClosedClientError, FuturesCancelledError

from bench.catalogue import PUZZLES
from bench.catalogue.errors import RequestError, one_line, words
from bench.catalogue.programs import PROGRAMS
from bench.contract import Backend, Run
from bench.environment import machine
from bench.environment.cores import keep_off_reserved, move_to, numbers
from bench.environment.counting import limit_s
from bench.environment.machine import Machine
from bench.execution.executor import Cluster, Execute, Executed
from bench.execution.pool import ANSWER_S, START_S, ServerPool
from bench.instruments.cluster.remote import Busy, Lease, RemoteSite, Restarted, Unfit, WorkerFacts, portable
from bench.instruments.cluster.scheduler import connect

T = TypeVar("T")

_LOOK_EVERY_S = 1.0
"""Seconds between two looks at which workers there are."""

PATIENCE_S = 5.0
"""After so many seconds without a worker a line says so."""

HUNG_S = START_S + ANSWER_S
"""A worker that has not answered so many seconds after the time limit of a run is lost."""

_MOST_LOSSES = 3
"""A run whose worker was lost so many times while it executed it has crashed."""


@dataclass
class _DaskWorker:
    """A worker of the cluster.

    Attributes:
        threads: how many tasks it executes at the same time.
        site, lease: keep its site there.
        facts: what it says of itself; None as soon as it did.
        machine, site_id: None until it may execute runs.
        running: the runs that it was sent and has not answered, in their order.
        heard_at: when it last answered, or was sent a run while it had none.
    """

    address: str
    threads: int
    site: Future[Any]
    lease: Future[Any]
    facts: Future[Any] | None
    machine: Machine | None = None
    site_id: str | None = None
    running: dict[Future[Any], Run] = field(default_factory=dict)
    heard_at: float = 0.0

    @property
    def awaited(self) -> list[Future[Any]]:
        """What it has not answered."""
        return [*filter(None, [self.facts]), *self.running]


class ClusterExecutor(Generic[T]):
    """Executes runs on the workers of a cluster, those that join later too.

    Args:
        jobs, threads: how many runs a worker executes at the same time, and how many cores each may use.
        on_note: called with a line when a worker joins, is lost, or is refused.

    Raises:
        RequestError: if there is no such cluster.
    """

    pinned: Sequence[tuple[int, ...] | None] = ()

    def __init__(self, cluster: Cluster, jobs: int, threads: int, on_note: Callable[[str], None]):
        self.cluster: str | None = cluster.where
        self.wanted = cluster.workers
        self.jobs, self.threads, self.on_note = jobs, threads, on_note
        self.machine = machine.describe()
        self.cores = machine.usable_cores()
        self.known: dict[str, _DaskWorker] = {}
        # Why a worker executes nothing, and when it is asked again, by `monotonic`.
        self.refused: dict[str, tuple[str, float]] = {}
        self.noted: set[tuple[str, str]] = set()
        self.served = False
        self.again: list[Sequence[Run]] = []
        self.losses: Counter[Run] = Counter()
        self.done: list[Executed[T]] = []
        self.looked_at = 0.0
        self.alone_since = monotonic()
        self.execute: Execute[T] | None = None
        with ExitStack() as stack:
            self.client = connect(cluster, stack)
            self.stack = stack.pop_all()

    @property
    def ready(self) -> list[_DaskWorker]:
        """The workers that execute runs."""
        return [worker for worker in self.known.values() if worker.machine]

    @property
    def open(self) -> list[_DaskWorker]:
        """Those to which runs may be sent; one that executes the last try of a run gets no other."""
        return [each for each in self.ready if not any(map(self.is_last_try, each.running.values()))]

    def is_last_try(self, run: Run) -> bool:
        """Whether a run is given up if its worker is lost once more."""
        return self.losses[run] == _MOST_LOSSES - 1

    @property
    def workers(self) -> int:
        """How many workers execute runs at present."""
        return len(self.ready)

    def offers(self, backends: Iterable[str]) -> Mapping[str, Backend]:
        """What the backends offer on this machine, by name; workers must offer the same."""
        # Workers open their sites meanwhile.
        with self.connected():
            self.look()
        with closing(ServerPool()) as servers:
            return servers.offers(backends)

    def has_room(self) -> bool:
        """Whether a worker has no more runs than it executes at the same time."""
        return not self.again and any(len(worker.running) <= self.jobs for worker in self.open)

    def is_busy(self) -> bool:
        """Whether runs were submitted that `wait` has not returned."""
        return bool(self.again or self.done) or any(worker.running for worker in self.ready)

    def submit(self, block: Sequence[Run], execute: Execute[T]) -> None:
        """Has a block executed by the worker with the fewest runs."""
        self.execute = execute
        worker = min(self.open, key=lambda worker: len(worker.running))
        if not worker.running:
            worker.heard_at = monotonic()
        with self.connected():
            for run in block:
                what = worker.site, worker.site_id, execute, portable(run)
                worker.running[self.task(worker.address, RemoteSite.execute_here, *what)] = run

    def task(self, address: str, function: Callable[..., object], *arguments: object) -> Future[Any]:
        """A task that only one worker may execute."""
        key = f"bench-{secrets.token_hex(8)}"
        return self.client.submit(function, *arguments, workers=[address], key=key, pure=False)

    def wait(self) -> list[Executed[T]]:
        """The runs that were executed since; waits for one, at most a second.

        Raises RequestError if the scheduler is gone or was restarted, or all workers are refused.
        """
        with self.connected():
            self.look()
            # The last try of a run is alone, as another may be the cause of its losses.
            waiting, self.again = self.again, []
            for block in waiting:
                last = any(map(self.is_last_try, block))
                if self.execute and self.open and not (last and all(each.running for each in self.open)):
                    self.submit(block, self.execute)
                else:
                    self.again.append(block)
            # A worker answers next as many as it executes at the same time.
            if futures := [one for each in self.known.values() for one in each.awaited[: each.threads]]:
                with suppress(TimeoutError):
                    distributed.wait(futures, timeout=_LOOK_EVERY_S, return_when="FIRST_COMPLETED")
            else:
                sleep(_LOOK_EVERY_S)
            for worker in [*self.known.values()]:
                self.hear(worker)
        done, self.done = self.done, []
        return done

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Says in one line that the scheduler is gone; raises RequestError if it is, or was restarted."""
        cut_off = True
        with suppress(ClosedClientError, FuturesCancelledError, OSError):
            yield
            cut_off = self.client.status != "running"
        if cut_off:
            gone = f"--cluster {self.cluster}: its scheduler is gone or was restarted"
            raise RequestError(f"{gone}; what was recorded stays, and the same command with --out goes on")

    def look(self) -> None:
        """Looks which workers joined and which are lost; raises RequestError if all are refused."""
        if monotonic() - self.looked_at < _LOOK_EVERY_S:
            return
        info: Mapping[str, Any] = self.client.scheduler_info(n_workers=-1)
        # One that is retiring executes nothing of what it was sent.
        there = [address for address, worker in info["workers"].items() if worker["status"] == "running"]
        now = self.looked_at = monotonic()
        # Workers on this machine have cores of their own.
        keep_off_reserved(self.cores)
        for address, worker in [*self.known.items()]:
            if address not in there:
                self.lose(worker, "disconnected")
        self.refused = {address: each for address, each in self.refused.items() if now < each[1]}
        for address in there:
            if address not in self.known and address not in self.refused:
                self.known[address] = self.greet(address, info["workers"][address]["nthreads"])
        # One that is yet to join may be the right one, if it is known how many there will be.
        if len(there) >= (self.wanted or 1) and not (self.known or self.served):
            every = "the only worker is" if len(there) == 1 else f"all {len(there)} workers are"
            reason = f"{there[0]}: {self.refused[there[0]][0]}"
            raise RequestError(f"--cluster {self.cluster}: {every} refused; {reason}")
        if self.ready:
            self.alone_since = now
        elif now - self.alone_since > PATIENCE_S:
            self.alone_since = inf
            why = "its queue and the output of its jobs say why" if self.wanted else "waiting for one"
            free = "no worker is free: all are refused or have another campaign" if there else "no worker yet"
            self.on_note(f"--cluster {self.cluster}: {free}; {why}")

    def greet(self, address: str, threads: int) -> _DaskWorker:
        """Opens a site at a worker, and asks what it is."""
        # A message that names what a worker cannot import ends it: this one is imported there by a task.
        here = self.task(address, import_module, RemoteSite.__module__)
        opens, leases = (self.task(address, getattr, here, each.__name__) for each in (RemoteSite, Lease))
        elsewhere = {name: os.environ.get(name, "") for name in (PUZZLES, PROGRAMS)}
        site = self.task(address, call, opens, self.jobs, self.threads, elsewhere)
        lease, facts = self.task(address, call, leases, site), self.task(address, methodcaller("facts"), site)
        return _DaskWorker(address, threads, site, lease, facts)

    def hear(self, worker: _DaskWorker) -> None:
        """Takes what a worker has answered."""
        done = [future for future in worker.awaited if future.done()]
        silent_s = monotonic() - worker.heard_at
        if not done:
            running = worker.running.values()
            limits_s = [run.time_limit_s + run.counted * limit_s(run, run.time_limit_s) for run in running]
            if silent_s > HUNG_S + max(limits_s, default=inf):
                self.lose(worker, f"has not answered for {silent_s:.0f} s")
            return
        worker.heard_at = monotonic()
        finished = [future for future in done if future.status == "finished"]
        # In one message, without those that Dask repeated since, in vain.
        gather = partial(self.client.gather, finished, errors="skip", asynchronous=True)
        try:
            results = self.client.sync(gather, callback_timeout=5.0)
        except TimeoutError:
            self.lose(worker, "does not hand over its results")
            return
        if len(results) < len(finished):
            self.lose(worker, "was restarted")
            return
        for future, result in zip(finished, results, strict=True):
            if isinstance(result, WorkerFacts):
                self.welcome(worker, result)
            elif worker.machine:
                self.served = True
                self.done.append(Executed(worker.running.pop(future), worker.machine, result))
        if errors := [future.exception() for future in done if future.status == "error"]:
            self.on_error(worker, errors[0])

    def on_error(self, worker: _DaskWorker, error: BaseException) -> None:
        """Sends a worker that could not execute a task no more of them."""
        if isinstance(error, (Restarted, distributed.KilledWorker)):
            self.lose(worker, "was restarted")
        elif isinstance(error, Busy):
            # The next look asks it again.
            self.forget(worker)
        else:
            reason = str(error) if isinstance(error, Unfit) else one_line(words(error))
            lacks = "; install this project there" if isinstance(error, ImportError) else ""
            self.refuse(worker, f"{reason}{lacks}")

    def welcome(self, worker: _DaskWorker, facts: WorkerFacts) -> None:
        """Lets a worker execute runs, if it matches this machine in what matters."""
        worker.facts = None
        reason, until = self.unfit(worker, facts)
        if reason:
            self.refuse(worker, reason, until)
            return
        worker.machine, worker.site_id = facts.machine, facts.site_id
        self.on_note(f"worker {worker.address} on {facts.machine.host} joined")
        # Those of a host were started by the same command.
        if facts.exposed and (said := (facts.machine.host or "", facts.exposed)) not in self.noted:
            self.noted.add(said)
            mend = "start it with --host ADDRESS --dashboard-address 127.0.0.1:0 (docs/clusters.md)"
            self.on_note(f"warning: worker {worker.address} {facts.exposed}; {mend}")

    def unfit(self, worker: _DaskWorker, facts: WorkerFacts) -> tuple[str, float]:
        """Why a worker may not execute runs, and when it is asked again; no reason if it may."""
        if reason := difference(facts.machine, self.machine):
            return reason, inf
        if worker.threads < self.jobs:
            needs = f"--jobs {self.jobs} needs `dask worker --nthreads {self.jobs}`"
            return f"{needs}; it has {worker.threads}", inf
        host, cores = facts.machine.host, len(facts.machine.usable_cores)
        wanted = self.jobs * self.threads
        taken = wanted * sum(1 for mate in self.ready if mate.machine and mate.machine.host == host)
        if None not in facts.pinned or ("pinning" in facts.machine.unavailable and taken + wanted <= cores):
            return "", inf
        options = f"--jobs {self.jobs} and --threads {self.threads}"
        needs = f"it needs {wanted} for {options}, and may use {cores}"
        return f"too few free cores on {host}: {needs}", monotonic() + 30.0

    def refuse(self, worker: _DaskWorker, reason: str, until: float = inf) -> None:
        """Has a worker execute nothing."""
        self.refused[worker.address] = reason, until
        if (said := (worker.address, reason)) not in self.noted:
            self.noted.add(said)
            self.on_note(f"worker {worker.address} is refused: {reason}")
        self.forget(worker)

    def lose(self, worker: _DaskWorker, reason: str) -> None:
        """Has others execute the runs of a worker; one that it was executing may be the cause of its loss."""
        for run in [*worker.running.values()][: self.jobs]:
            self.losses[run] += 1
        if worker.machine:
            again = "; others execute its runs" if worker.running else ""
            self.on_note(f"worker {worker.address} on {worker.machine.host} is lost: it {reason}{again}")
        self.forget(worker)

    def forget(self, worker: _DaskWorker) -> None:
        """Cancels what a worker was sent, which closes its site, and keeps its runs to be executed again."""
        del self.known[worker.address]
        self.client.cancel([*worker.awaited, worker.lease, worker.site], force=True)
        for run in worker.running.values():
            if self.losses[run] == _MOST_LOSSES and worker.machine:
                error = f"its worker was lost {_MOST_LOSSES} times while executing it"
                self.done.append(Executed(run, worker.machine, None, error))
        again = [run for run in worker.running.values() if self.losses[run] < _MOST_LOSSES]
        # The last try of a run is a block of its own.
        groups = groupby(again, lambda run: run if self.is_last_try(run) else run.block)
        self.again += [[*block] for _, block in groups]

    def close(self) -> None:
        """Ends all runs, and the workers that were started for this campaign."""
        self.stack.close()
        move_to(numbers(self.cores))


def difference(there: Machine, here: Machine) -> str:
    """What must be the same on all machines of a campaign and is not; empty if nothing differs."""
    codes = (
        (each.commit or "unknown")[:12] + " with uncommitted changes" * bool(each.dirty)
        for each in (there, here)
    )
    for what, theirs, ours in (
        ("commit", *codes),
        ("version of the project", there.version, here.version),
        ("Python", there.python, here.python),
    ):
        if theirs != ours:
            return f"its {what} is {theirs}, here it is {ours}"
    return ""
