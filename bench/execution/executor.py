"""Where runs are executed: what a campaign asks of this machine, or of a cluster."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Generic, Protocol, TypeVar

from bench.catalogue import Instance
from bench.contract import Backend, Run
from bench.environment import machine
from bench.environment.machine import Machine
from bench.execution.pool import ServerPool, server_pools

T = TypeVar("T")

Execute = Callable[[ServerPool, Machine, Instance, Run], T]
"""Executes a run with the servers of a machine; on a cluster it is sent to another process."""


@dataclass(frozen=True)
class Executed(Generic[T]):
    """A run that was executed on a machine: what Execute returned, or None and why the run was given up."""

    run: Run
    machine: Machine
    result: T | None
    error: str = ""


BATCH_SYSTEMS = {
    "slurm": "SLURMCluster", "pbs": "PBSCluster", "lsf": "LSFCluster", "sge": "SGECluster",
    "htcondor": "HTCondorCluster", "oar": "OARCluster",
}  # fmt: skip
"""The classes of dask_jobqueue, by the name of the batch system and of its section in jobqueue.yaml."""


@dataclass(frozen=True)
class Cluster:
    """The address or file of a Dask scheduler, or a batch system and how many workers it starts."""

    where: str
    workers: int | None = None


class Executor(Protocol[T]):
    """Executes blocks: the runs of a block are to be compared, and are executed on one machine, back to back.

    `machine` is the one that this process is on, `pinned` has the cores of each job there (none with a
    cluster), and `cluster` is what --cluster names.
    """

    machine: Machine
    cluster: str | None
    pinned: Sequence[tuple[int, ...] | None]

    @property
    def workers(self) -> int | None:
        """How many workers of a cluster execute runs at present; None without a cluster."""

    def offers(self, backends: Iterable[str]) -> Mapping[str, Backend]:
        """What the backends offer, by name."""

    def has_room(self) -> bool:
        """Whether a further block would be begun soon."""

    def submit(self, block: Sequence[Run], execute: Execute[T]) -> None:
        """Has a block executed."""

    def is_busy(self) -> bool:
        """Whether runs were submitted that `wait` has not returned."""

    def wait(self) -> list[Executed[T]]:
        """The runs that were executed since; waits for one, but returns now and then without.

        Raises RequestError if there is nothing left that can execute runs.
        """

    def close(self) -> None:
        """Ends all runs."""


class Site:
    """The server pools of this process, one a job; each executes one run at a time, on cores of its own.

    There is one core for each thread of a run, and `spare` cores are left to other processes.
    """

    def __init__(self, jobs: int, threads: int, spare: int):
        # Before cores are reserved: afterwards this process may not use all.
        self.machine = machine.describe()
        self.stack = ExitStack()
        self.pools = self.stack.enter_context(server_pools(jobs, threads, spare))
        self.pinned: Sequence[tuple[int, ...] | None] = [pool.cores for pool in self.pools]
        self.free: SimpleQueue[ServerPool] = SimpleQueue()
        for pool in self.pools:
            self.free.put(pool)

    def execute(self, execute: Execute[T], instance: Instance, run: Run) -> T:
        """Executes a run as soon as a pool is free."""
        pool = self.free.get()
        try:
            return execute(pool, self.machine, instance, run)
        finally:
            self.free.put(pool)

    def close(self) -> None:
        """Ends all runs and servers, and starts no more."""
        self.stack.close()


class LocalExecutor(Site, Generic[T]):
    """Executes runs on this machine, `jobs` at a time; `instances` has those of the runs by sha256."""

    workers = None
    cluster: str | None = None

    def __init__(self, instances: Mapping[str, Instance], jobs: int, threads: int):
        super().__init__(jobs, threads, spare=1)
        self.instances = instances
        self.threads = ThreadPoolExecutor(max_workers=jobs)
        self.running: dict[Future[T], Run] = {}

    def offers(self, backends: Iterable[str]) -> Mapping[str, Backend]:
        """What the backends offer, by name; their servers run from then on."""
        return self.pools[0].offers(backends)

    def has_room(self) -> bool:
        """Whether a job is idle, or will be after its run: the next one is then at hand."""
        return len(self.running) <= len(self.pools)

    def submit(self, block: Sequence[Run], execute: Execute[T]) -> None:
        """Has a block executed."""
        for run in block:
            instance = self.instances[run.instance_sha256]
            self.running[self.threads.submit(self.execute, execute, instance, run)] = run

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
        super().close()
        self.threads.shutdown(wait=True)
