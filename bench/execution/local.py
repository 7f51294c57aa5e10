"""Executes runs on this machine, for the harness or as a worker of a cluster."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from queue import SimpleQueue
from typing import Generic, TypeVar

from bench.catalogue import Instance
from bench.contract import Backend, Run
from bench.environment import machine
from bench.execution.executor import Execute, Executed
from bench.execution.pool import ServerPool, server_pools, warn_if_not_pinned

T = TypeVar("T")


class Site:
    """The server pools of this process; each executes one run at a time, on cores of its own.

    Args:
        jobs: how many pools there are.
        threads: how many cores each run may use.
        spare: how many cores of the machine are left to other processes.

    Attributes:
        machine: described before cores are reserved: afterwards this process may not use all.
    """

    def __init__(self, jobs: int, threads: int, spare: int):
        self.machine = machine.describe()
        self.stack = ExitStack()
        self.pools = self.stack.enter_context(server_pools(jobs, threads, spare))
        self.free: SimpleQueue[ServerPool] = SimpleQueue()
        for pool in self.pools:
            self.free.put(pool)

    @property
    def pinned(self) -> Sequence[tuple[int, ...] | None]:
        """The cores of each pool."""
        return [pool.cores for pool in self.pools]

    def execute(self, execute: Execute[T], instance: Instance, run: Run) -> T:
        """Executes a run as soon as a pool is free."""
        pool = self.free.get()
        try:
            return execute(pool, self.machine, instance, run)
        finally:
            self.free.put(pool)

    @property
    def closed(self) -> bool:
        """Whether it executes nothing any more."""
        return self.pools[0].closed

    def close(self) -> None:
        """Ends all runs and servers, and starts no more."""
        self.stack.close()


class LocalExecutor(Generic[T]):
    """Executes runs on this machine, `jobs` at a time.

    Args:
        instances: of the runs, by sha256.
    """

    workers = None
    cluster: str | None = None

    def __init__(self, instances: Mapping[str, Instance], jobs: int, threads: int):
        self.instances, self.jobs = instances, jobs
        self.site = Site(jobs, threads, spare=1)
        self.machine, self.pinned = self.site.machine, self.site.pinned
        self.threads = ThreadPoolExecutor(max_workers=jobs)
        self.running: dict[Future[T], Run] = {}
        warn_if_not_pinned(self.site.pools[0])

    def offers(self, backends: Iterable[str]) -> Mapping[str, Backend]:
        """What the backends offer, by name; their servers run from then on."""
        return self.site.pools[0].offers(backends)

    def has_room(self) -> bool:
        """Whether a job is idle, or will be after its run: the next one is then at hand."""
        return len(self.running) <= self.jobs

    def submit(self, block: Sequence[Run], execute: Execute[T]) -> None:
        """Has a block executed."""
        for run in block:
            instance = self.instances[run.instance_sha256]
            self.running[self.threads.submit(self.site.execute, execute, instance, run)] = run

    def is_busy(self) -> bool:
        """Whether runs were submitted that `wait` has not returned."""
        return bool(self.running)

    def wait(self) -> list[Executed[T]]:
        """The runs that were executed since, at least one."""
        done = wait(self.running, return_when=FIRST_COMPLETED).done
        return [Executed(self.running.pop(future), self.machine, future.result()) for future in done]

    def close(self) -> None:
        """Ends all runs."""
        self.threads.shutdown(wait=False, cancel_futures=True)
        for pool in self.site.pools:
            pool.close()
        self.threads.shutdown(wait=True)
        self.site.close()
