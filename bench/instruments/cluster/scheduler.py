"""Connects to the scheduler of a Dask cluster, or starts one whose workers are jobs of a batch system."""

import asyncio
import json
import logging
import re
import shutil
import signal
import socket
import ssl
import warnings
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import dask.config
from distributed import Client, Security, Status
from distributed.comm.addressing import parse_host_port

from bench.catalogue.errors import RequestError, one_line
from bench.execution.executor import BATCH_SYSTEMS, Cluster


def _check_certificates(where: str, *roles: str) -> None:
    """Raises RequestError if a certificate that one of the roles needs is not named, or not there."""
    for role in roles:
        tls = Security().get_tls_config_for_role(role)
        if not (tls["ca_file"] and tls["cert"]):
            names = f"distributed.comm.tls.ca-file, {role}.cert and {role}.key"
            file = Path(dask.config.PATH) / "distributed.yaml"
            raise RequestError(f"--cluster {where}: TLS needs certificates: name them in {file} ({names})")
        for file in (tls["ca_file"], tls["cert"], tls["key"]):
            # A text of several lines is the certificate itself.
            if file and "\n" not in file and not Path(file).is_file():
                raise RequestError(f"--cluster {where}: distributed.comm.tls: there is no {file}")


LOOPBACK = "127.0.0.1"


def _batch_cluster(name: str, workers: int, stack: ExitStack) -> Any:
    """A scheduler in this process whose workers are jobs, one each; both end with `stack`.

    They use TLS, because all users of a login node can connect to its loopback interface. Without
    certificates of the user there are temporary ones, which only the user can read. Raises RequestError if
    jobqueue.yaml is wrong, or a job cannot be submitted.
    """
    # When it is imported, it has Ctrl-C exit with 0.
    interrupt = signal.getsignal(signal.SIGINT)
    import dask_jobqueue

    signal.signal(signal.SIGINT, interrupt)
    file = Path(dask.config.PATH) / "jobqueue.yaml"
    section = dask.config.get(f"jobqueue.{name}") or {}
    if not isinstance(section.get("cores"), int) or section.get("memory") is None:
        example = f"jobqueue: {{{name}: {{cores: 1, memory: 6GB}}}}"
        raise RequestError(f"--cluster {name}: say in {file} what a job needs, as in {example}")
    system = getattr(dask_jobqueue, BATCH_SYSTEMS[name])
    submits = system.job_cls.submit_command.split()[0]
    if not shutil.which(submits):
        elsewhere = "call this on a machine that submits jobs"
        raise RequestError(f"--cluster {name}: the command {submits} is not there; {elsewhere}")
    options, arguments = listening(name, section)
    if own := dask.config.get("distributed.comm.tls.ca-file"):
        _check_certificates(name, "client", "scheduler", "worker")
    dask.config.set({
        # A worker that says nothing for so long is lost; by default after five minutes.
        "distributed.scheduler.worker-ttl": "30 s",
        # Dask has a web server even without the dashboard: it has nothing to show.
        "distributed.scheduler.http.routes": [],
    })  # fmt: skip
    try:
        with warnings.catch_warnings(action="ignore"):
            cluster = stack.enter_context(
                system(
                    processes=1,
                    security=Security() if own else Security.temporary(),
                    shared_temp_directory=section.get("shared-temp-directory") or str(Path.home()),
                    scheduler_options=options,
                    worker_extra_args=arguments,
                    silence_logs=logging.CRITICAL,
                )
            )
        cluster.sync(submit, cluster, workers)
    except (OSError, RuntimeError, TypeError, ValueError) as error:
        # What the command printed is the reason.
        printed = re.search(r"stderr:\n(.+)", str(error), re.DOTALL)
        reason = one_line(printed[1] if printed else str(error))
        raise RequestError(f"--cluster {name}: {reason}; {file} describes the jobs") from None
    # Starts another job for each that reached the limit of its time.
    cluster.adapt(minimum=workers, maximum=workers, interval="5 s")
    return cluster


def listening(name: str, section: Any) -> tuple[dict[str, Any], list[str]]:
    """The options of the scheduler, and the arguments of the workers, by a section of jobqueue.yaml.

    Dask executes what it is sent: by default both listen on the loopback interface, and RequestError is
    raised if they would listen on all.
    """
    options = {
        "dashboard": False, "dashboard_address": f"{LOOPBACK}:0", **(section.get("scheduler-options") or {})
    }  # fmt: skip
    arguments = ["--no-dashboard", "--dashboard-address", f"{LOOPBACK}:0"]
    arguments += map(str, section.get("worker-extra-args") or [])
    # dask_jobqueue passes an interface on to both.
    if not section.get("interface"):
        if not {"host", "interface"} & options.keys():
            options["host"] = LOOPBACK
        if not any(re.match("--(host|interface)", word) for word in arguments):
            # The host of the scheduler is none of the workers', but for this one; "" is all.
            where = LOOPBACK if options.get("host") == LOOPBACK else ""
            network = options.get("interface")
            arguments += ["--interface", network] if network else ["--host", where]
    named = (str(options[key]) for key in ("host", "dashboard_address") if key in options)
    values = (word.partition("=")[2] if word.startswith("--") and "=" in word else word for word in arguments)
    if {_host_of(address) for address in (*named, *values)} & {"", "0.0.0.0", "::"}:
        listens = "would listen on all networks; name the one of the compute nodes, as in interface: eth0"
        raise RequestError(f"--cluster {name}: what jobqueue.yaml describes {listens}")
    return options, arguments


def _host_of(address: str) -> str:
    """The host of an address: without a scheme, a port, and the brackets around an address of IPv6."""
    host = re.sub(r"^\w+://", "", address)
    if found := re.fullmatch(r"\[(.*)\](:\d+)?", host):
        return found[1]
    return host.partition(":")[0] if host.count(":") == 1 else host


async def submit(cluster: Any, workers: int) -> None:
    """Submits a job for each worker; raises RuntimeError with what the command printed if it fails."""
    cluster.scale(workers)
    with suppress(RuntimeError, OSError):
        await cluster
    # Dask does not say why a job could not be submitted: it is submitted again.
    failed = [job for job in cluster.workers.values() if job.status == Status.created]
    reasons = await asyncio.gather(*failed, return_exceptions=True)
    for job in failed:
        if job.status == Status.created:
            # Else closing the cluster fails.
            job.status = Status.failed
    for reason in reasons:
        if isinstance(reason, BaseException):
            raise reason


_CONNECT_S = 5
"""How many seconds a scheduler has to answer; one that starts at the same time needs some."""

_ADDRESS = re.compile(r"((?:tcp|tls)://)?((?:\[[^]]+\]|[^/:]+):\d+)")


def connect(cluster: Cluster, stack: ExitStack) -> Client:
    """A client of the scheduler of a cluster, or RequestError; what is started for it ends with `stack`."""
    # What becomes of workers is said in our words; each of these loggers has a level of its own.
    for logger in ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    where = cluster.where
    scheduler: Any
    if where in BATCH_SYSTEMS:
        scheduler = _batch_cluster(where, cluster.workers or 1, stack)
    else:
        scheduler = _address_of(where)
        if scheduler.startswith("tls:"):
            _check_certificates(where, "client")
        elif _is_mute(scheduler):
            port = "its port is 8786 by default, and with TLS its address begins with tls://"
            raise RequestError(f"--cluster {where}: {scheduler} does not answer as a scheduler does; {port}")
    try:
        # Workers of other releases of Python are refused in our words too.
        with warnings.catch_warnings(action="ignore"):
            client = Client(scheduler, timeout=_CONNECT_S)
    except (OSError, RuntimeError, ValueError) as error:
        address = getattr(scheduler, "scheduler_address", scheduler)
        raise RequestError(f"--cluster {where}: {_why_not_connected(error, address)}") from None
    stack.enter_context(client)
    return client


def _address_of(where: str) -> str:
    """The address of a scheduler that --cluster names, itself or by its file; raises RequestError if none."""
    try:
        address = json.loads(Path(where).read_text())["address"] if Path(where).is_file() else where
    except (ValueError, TypeError, KeyError):
        writes = f"`dask scheduler --scheduler-file {where}` writes one"
        raise RequestError(f"--cluster {where}: this is not the file of a scheduler; {writes}") from None
    if _ADDRESS.fullmatch(f"{address}:8786"):
        raise RequestError(f"--cluster {where}: the port is missing, as in {address}:8786")
    if not (found := _ADDRESS.fullmatch(str(address))):
        systems = ", ".join(BATCH_SYSTEMS)
        known = f"the address of a scheduler (tcp://HOST:8786), its file, or a batch system ({systems})"
        raise RequestError(f"--cluster {where}: there is no such file; name {known}")
    return f"{found[1] or 'tcp://'}{found[2]}"


def _why_not_connected(error: BaseException, address: str) -> str:
    """Why a scheduler could not be connected to, and what to do."""
    cause: BaseException | None = error
    while cause and not isinstance(cause, ssl.SSLCertVerificationError):
        cause = cause.__cause__
    if cause:
        return f"{address} has a certificate that is not of the CA in distributed.comm.tls.ca-file"
    if isinstance(error, RuntimeError):
        return one_line(str(error))
    # Dask tries again what may become better, and then says only that the time is over.
    if type(error) is OSError:
        try:
            _dial(address).close()
            why = "something listens there, but is too busy or no scheduler"
        except (OSError, OverflowError) as refusal:
            why = str(refusal)
        start = "start one with `dask scheduler --host ADDRESS`, and workers with `dask worker`"
        return f"no scheduler answers at {address} ({why}); {start}"
    if address.startswith("tls:"):
        accepts = "does not accept the certificate of distributed.comm.tls.client"
        return f"{address} {accepts}, or has no TLS: then its address begins with tcp://"
    return f"{address} closes the connection; if it has TLS, its address begins with tls://"


def _is_mute(address: str) -> bool:
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
    return socket.create_connection(parse_host_port(address), timeout=_CONNECT_S)
