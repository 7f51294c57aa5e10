"""The harness's side of the workers: one server process for each backend, started when it is needed."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.catalogue import ROOT
from bench.contract import Solver
from bench.run import Run


@dataclass(frozen=True)
class Backend:
    """What a backend offers, as its server tells; `missing` says why it offers nothing."""

    name: str
    missing: str | None = None
    core: bool = False
    seeded: bool = False
    solvers: Mapping[str, Solver] = field(default_factory=dict)
    formulations: Mapping[str, list[str]] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)


class ServerError(Exception):
    """The server of a backend ended; the message is the end of what it printed."""


class Server:
    """A process that holds one backend preloaded and makes its runs, one at a time."""

    def __init__(self, backend: str):
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115, it lives as long as the server
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.server", backend],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "0"},
            start_new_session=True,  # Ctrl-C is for the harness, which ends its servers in order.
        )
        try:
            hello = self.receive()
        except ServerError as error:
            hello = {"missing": f"its server does not start: {error}"}
        solvers = {name: Solver(**solver) for name, solver in hello.pop("solvers", {}).items()}
        self.backend = Backend(name=backend, solvers=solvers, **hello)

    def run(self, run: Run) -> dict[str, Any]:
        """Has a run made and waits for what became of it.

        Raises:
            ServerError: if the server ended before it could tell.
        """
        assert self.process.stdin
        try:
            self.process.stdin.write(json.dumps(asdict(run)).encode() + b"\n")
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise ServerError(self.last_words()) from None
        return self.receive()

    def receive(self) -> dict[str, Any]:
        """The server's next line."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise ServerError(self.last_words())
        message: dict[str, Any] = json.loads(line)
        return message

    def last_words(self) -> str:
        """The end of what the server printed."""
        self.errors.seek(0)
        lines = self.errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it was killed"

    def close(self) -> None:
        """Ends the server, and with it any run that it makes."""
        assert self.process.stdin
        with suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Servers:
    """The servers of one job slot, by backend; a server that ended is replaced at its next run."""

    def __init__(self) -> None:
        self.running: dict[str, Server] = {}
        self.closed = False

    def run(self, run: Run) -> dict[str, Any]:
        """Has a run made; a server that dies of it is a crash of the run."""
        try:
            return self.get(run.backend).run(run)
        except ServerError as error:
            if server := self.running.pop(run.backend, None):
                server.close()
            return {"result": None, "killed": None, "signal": None, "exit": None, "tail": f"server: {error}"}

    def get(self, backend: str) -> Server:
        """The server of a backend."""
        if self.closed:
            raise ServerError("the campaign has ended")
        if backend not in self.running:
            self.running[backend] = Server(backend)
        return self.running[backend]

    def describe(self, backends: Iterable[str]) -> dict[str, Backend]:
        """What the backends offer; starts their servers side by side."""
        with ThreadPoolExecutor() as pool:
            return {server.backend.name: server.backend for server in pool.map(self.get, backends)}

    def close(self) -> None:
        """Ends all servers, and starts no more."""
        self.closed = True
        for server in list(self.running.values()):
            server.close()
