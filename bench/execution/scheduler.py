"""Connects to the scheduler of a Dask cluster, or starts one whose workers are jobs of a batch system.

Certificates for TLS are those of the user's Dask configuration (`distributed.comm.tls`). A scheduler that is
started here listens on the loopback interface unless the user's jobqueue.yaml names another one: Dask
executes what it is sent, so it never listens on all.
"""

import logging
import re
import warnings
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import dask.config
from distributed import Client, Security

from bench.catalogue.errors import RequestError, one_line, unknown
from bench.execution.executor import BATCH_SYSTEMS, Cluster

CONNECT_S = 10
"""How many seconds a scheduler has to answer."""

LOST_AFTER = "30 s"
"""A worker that says nothing for so long is lost; Dask's own default is five minutes."""

LOOPBACK = "127.0.0.1"


def connect(cluster: Cluster, stack: ExitStack) -> Client:
    """A client of the scheduler of a cluster; what is started for it ends with `stack`.

    Raises:
        RequestError: if there is no such scheduler, or none can be started.
    """
    # What becomes of workers is said in our words.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    where = cluster.where
    address: Any = where
    file = None
    try:
        if where in BATCH_SYSTEMS:
            address = stack.enter_context(batch_cluster(where))
            # Adapting starts another job for each that reached the limit of its time.
            address.adapt(minimum=cluster.workers, maximum=cluster.workers, interval="5 s")
        elif Path(where).is_file():
            address, file = None, where
        elif not re.fullmatch(r"(\w+://)?[^/]+:\d+", where):
            known = [*BATCH_SYSTEMS, "the address of a scheduler, as tcp://HOST:8786", "a scheduler file"]
            raise RequestError(unknown("cluster", where, known))
        client = Client(address, scheduler_file=file, timeout=CONNECT_S)
    except OSError as error:
        start = "start one with `dask scheduler --host ADDRESS`, and workers with `dask worker`"
        reason = one_line(str(error))
        raise RequestError(f"--cluster {where}: no scheduler answers ({reason}); {start}") from None
    except (ImportError, RuntimeError, TypeError, ValueError) as error:
        raise RequestError(f"--cluster {where}: {one_line(str(error))}") from None
    stack.enter_context(client)
    return client


def batch_cluster(name: str) -> Any:
    """A scheduler in this process, whose workers are jobs of a batch system as jobqueue.yaml describes them.

    Raises:
        RequestError: if jobqueue.yaml does not say what a job needs.
    """
    import dask_jobqueue

    section = dask.config.get(f"jobqueue.{name}")
    if section.get("cores") is None or section.get("memory") is None:
        example = f"jobqueue: {{{name}: {{cores: 1, memory: 6GB}}}}"
        file = Path(dask.config.PATH) / "jobqueue.yaml"
        raise RequestError(f"--cluster {name}: say in {file} what a job needs, as in {example}")
    options = {"dashboard": False, **(section.get("scheduler-options") or {})}
    arguments = list(section.get("worker-extra-args") or [])
    if not (section.get("interface") or {"host", "interface"} & options.keys()):
        options["host"] = LOOPBACK
        arguments += ["--host", LOOPBACK]
    if "--no-dashboard" not in arguments:
        arguments.append("--no-dashboard")
    dask.config.set({"distributed.scheduler.worker-ttl": LOST_AFTER})
    with warnings.catch_warnings(action="ignore"):
        return getattr(dask_jobqueue, BATCH_SYSTEMS[name])(
            security=Security() if dask.config.get("distributed.comm.tls.ca-file") else Security.temporary(),
            shared_temp_directory=section.get("shared-temp-directory") or str(Path.home()),
            scheduler_options=options,
            worker_extra_args=arguments,
            silence_logs=logging.CRITICAL,
        )
