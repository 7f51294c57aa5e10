"""Where runs are executed: what a campaign asks of this machine (local.py) and of a cluster (cluster.py)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from bench.catalogue import Instance
from bench.contract import Backend, Run
from bench.environment.machine import Machine
from bench.execution.pool import ServerPool

T = TypeVar("T")

Execute = Callable[[ServerPool, Machine, Instance, Run], T]
"""Executes a run with the servers of a machine; on a cluster it is sent to another process."""


@dataclass(frozen=True)
class Executed(Generic[T]):
    """A run that was executed on a machine.

    Attributes:
        result: what Execute returned; None if the run was given up.
        error: why it was given up.
    """

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
    """The Dask cluster that executes runs.

    Attributes:
        where: the address of a scheduler, a scheduler file, or a batch system that starts workers.
        workers: how many a batch system starts; None for all that the scheduler has.
    """

    where: str
    workers: int | None = None


class Executor(Protocol[T]):
    """Executes blocks: the runs of a block are to be compared, and are executed on one machine, back to back.

    Attributes:
        machine: the one that this process is on.
        pinned: the cores of each job on it; empty if none of them is here.
        cluster: what executes the runs, as --cluster names it; None for this machine.
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

        Raises:
            RequestError: if there is nothing left that can execute runs.
        """

    def close(self) -> None:
        """Ends all runs."""
