"""A site executes runs: it has the server pools of one process, the harness or a worker of a cluster."""

from collections.abc import Sequence
from contextlib import ExitStack
from queue import SimpleQueue
from typing import TypeVar

from bench.catalogue import Instance
from bench.contract import Run
from bench.environment import machine
from bench.execution.executor import Execute
from bench.execution.pool import ServerPool, server_pools

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
