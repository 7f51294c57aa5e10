"""Connects to the scheduler of a Dask cluster.

Certificates for TLS are those of the user's Dask configuration (`distributed.comm.tls`).
"""

import json
import logging
import re
import socket
import ssl
import warnings
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from distributed import Client

from bench.catalogue.errors import RequestError, one_line
from bench.execution.batch import batch_cluster
from bench.execution.certificates import check_certificates
from bench.execution.executor import BATCH_SYSTEMS, Cluster

CONNECT_S = 5
"""How many seconds a scheduler has to answer; one that starts at the same time needs some."""

ADDRESS = re.compile(r"((?:tcp|tls)://)?((?:\[[^]]+\]|[^/:]+):\d+)")

LOGGERS = ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio")
"""Dask's, each with a level of its own."""


def connect(cluster: Cluster, stack: ExitStack) -> Client:
    """A client of the scheduler of a cluster; what is started for it ends with `stack`.

    Raises:
        RequestError: if there is no such scheduler, or none can be started.
    """
    # What becomes of workers is said in our words.
    for logger in LOGGERS:
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    where = cluster.where
    scheduler: Any
    if where in BATCH_SYSTEMS:
        scheduler = batch_cluster(where, cluster.workers or 1, stack)
    else:
        scheduler = address_of(where)
        if scheduler.startswith("tls:"):
            check_certificates(where, "client")
        elif is_mute(scheduler):
            port = "its port is 8786 by default, and with TLS its address begins with tls://"
            raise RequestError(f"--cluster {where}: {scheduler} does not answer as a scheduler does; {port}")
    try:
        # Workers of other releases of Python are refused in our words too.
        with warnings.catch_warnings(action="ignore"):
            client = Client(scheduler, timeout=CONNECT_S)
    except (OSError, RuntimeError, ValueError) as error:
        address = getattr(scheduler, "scheduler_address", scheduler)
        raise RequestError(f"--cluster {where}: {why_not_connected(error, address)}") from None
    stack.enter_context(client)
    return client


def address_of(where: str) -> str:
    """The address of a scheduler that --cluster names, itself or by a scheduler file.

    Raises:
        RequestError: if it names none.
    """
    if Path(where).is_file():
        try:
            address = json.loads(Path(where).read_text())["address"]
        except (ValueError, TypeError, KeyError):
            writes = f"`dask scheduler --scheduler-file {where}` writes one"
            raise RequestError(f"--cluster {where}: this is not the file of a scheduler; {writes}") from None
    else:
        address = where
    if ADDRESS.fullmatch(f"{address}:8786"):
        raise RequestError(f"--cluster {where}: the port is missing, as in {address}:8786")
    if not (found := ADDRESS.fullmatch(str(address))):
        systems = ", ".join(BATCH_SYSTEMS)
        known = f"the address of a scheduler (tcp://HOST:8786), its file, or a batch system ({systems})"
        raise RequestError(f"--cluster {where}: there is no such file; name {known}")
    return f"{found[1] or 'tcp://'}{found[2]}"


def why_not_connected(error: BaseException, address: str) -> str:
    """Why a scheduler could not be connected to, and what to do."""
    causes = [error]
    while cause := causes[-1].__cause__:
        causes.append(cause)
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return f"{address} has a certificate that is not of the CA in distributed.comm.tls.ca-file"
    if isinstance(error, RuntimeError):
        return one_line(str(error))
    # Dask tries again what may become better, and then says only that the time is over.
    if type(error) is OSError:
        start = "start one with `dask scheduler --host ADDRESS`, and workers with `dask worker`"
        return f"no scheduler answers at {address} ({_why_silent(address)}); {start}"
    if address.startswith("tls:"):
        accepts = "does not accept the certificate of distributed.comm.tls.client"
        return f"{address} {accepts}, or has no TLS: then its address begins with tcp://"
    return f"{address} closes the connection; if it has TLS, its address begins with tls://"


def _why_silent(address: str) -> str:
    """What the system says of a connection to an address."""
    try:
        _dial(address).close()
    except (OSError, OverflowError) as error:
        return str(error)
    return "something listens there, but is too busy or no scheduler"


def is_mute(address: str) -> bool:
    """Whether something listens at an address that does not speak first, as schedulers without TLS do.

    Dask would wait for it for ever, for instance for the web server of a scheduler.
    """
    with suppress(OSError, OverflowError), _dial(address) as connection:
        try:
            connection.recv(1)
        except TimeoutError:
            return True
    return False


def _dial(address: str) -> socket.socket:
    host, _, port = address.partition("://")[2].rpartition(":")
    return socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_S)
