"""Forks the servers that commands start, from processes that have imported them: a server mainly imports.

`python -m tests.preloaded LISTENER MODULE [BACKEND]` is such a process. It imports what the module needs when
it is first asked, through the socket LISTENER, and forks a process that runs it whenever it is asked.
"""

import gc
import json
import os
import runpy
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn
from zlib import crc32

from tests.forks import ROOT, become

SERVER, GENERATOR, PROVER, LOAD, JOB, EXPORTER = (
    "bench.execution.forkserver", "bench.instruments.generate.worker", "bench.instruments.generate.prover",
    "bench.environment.reference_load", "bench.instruments.fuzz.job", "bench.instruments.generate.exporter",
)  # fmt: skip


class Preloaded:
    """The processes that fork, one for each module, backend and seed of hashes.

    Attributes:
        folder: has their sockets.
    """

    def __init__(self) -> None:
        from bench import catalogue
        from bench.contract import EFFORTS

        self.folder = tempfile.TemporaryDirectory(prefix="forks-")
        kinds = [(SERVER, name, 0) for name in catalogue.backend_names()]
        kinds += [(PROVER, name, 0) for name in EFFORTS]
        kinds += [(GENERATOR, "", seed) for seed in (0, 1, 2)] + [
            (LOAD, "", 0),
            (JOB, "", 0),
            (EXPORTER, "", 0),
        ]
        self.processes = [self.process(*kind) for kind in kinds]

    def process(self, module: str, backend: str, seed: int) -> "subprocess.Popen[bytes]":
        """Starts a process that forks."""
        with socket.socket(socket.AF_UNIX) as listener:
            env = os.environ | {"PYTHONHASHSEED": str(seed)}
            listener.bind(str(address(self.folder.name, module, backend, env)))
            listener.listen()
            return subprocess.Popen(
                [sys.executable, "-m", "tests.preloaded", str(listener.fileno()), module, backend],
                cwd=ROOT, stdin=subprocess.PIPE, pass_fds=[listener.fileno()], start_new_session=True,
                env=env,
            )  # fmt: skip

    def start(self, words: Sequence[str], **options: Any) -> Any:
        """Starts a process of `bench`."""
        return start(self.folder.name, words, **options)

    def close(self) -> None:
        """Ends the processes."""
        for process in self.processes:
            process.communicate()
        self.folder.cleanup()


def address(folder: str, module: str, backend: str, env: Mapping[str, str]) -> Path:
    """The socket of the process that forks servers of a backend, or another module.

    What it imports depends on these variables: programs are found, and kept, by them.
    """
    matters = repr([env.get(name) for name in ("PYTHONHASHSEED", "PATH", "XDG_CACHE_HOME")])
    return Path(folder) / "-".join([module.rpartition(".")[2], backend, f"{crc32(matters.encode()):08x}"])


def start(folder: str, words: Sequence[str], cwd: Path, env: Mapping[str, str], **options: Any) -> Any:
    """Starts a process of `bench`: forked, if one of those with sockets in the folder has preloaded it."""
    python, _, module, *more = words
    backend = more[0] if module in (SERVER, PROVER) else ""
    path = address(folder, module, backend, env)
    if (python, cwd) != (sys.executable, ROOT) or not path.exists():
        return subprocess.Popen(words, cwd=cwd, env=env, **options)
    return Forked(path, more, env, options["stderr"].fileno())


def command(folder: str) -> None:
    """Runs `python -m bench` in this process, whose servers are forked; the folder is that of Preloaded."""
    from bench.execution import process

    process.Popen = partial(start, folder)
    runpy.run_module("bench", run_name="__main__", alter_sys=True)


class Forked:
    """A process that was forked for this one, with what `bench` uses of a Popen."""

    def __init__(self, path: Path, words: Sequence[str], env: Mapping[str, str], errors: int) -> None:
        (given, ours), (theirs, written) = os.pipe(), os.pipe()
        self.stdin, self.stdout = os.fdopen(ours, "wb", 0), os.fdopen(theirs, "rb", 0)
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(str(path))
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        socket.send_fds(self.connection, [b"\n"], [given, written, errors])
        self.said = self.connection.makefile("rw")
        print(json.dumps([words, dict(env), cores]), file=self.said, flush=True)
        os.close(given)
        os.close(written)
        self.pid = int(self.said.readline())
        self.returncode: int | None = None
        self.lock = Lock()

    def wait(self, timeout: float | None = None) -> int:
        """Waits for its end; returns its exit code."""
        if self.returncode is None:
            if not select.select([self.connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a server", timeout or 0)
            with self.lock:  # Another thread may wait for it too.
                if self.returncode is None:
                    self.returncode = int(self.said.readline())
        return self.returncode

    def kill(self) -> None:
        """Kills it."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, 9)


def main(listener: socket.socket, module: str, backend: str) -> None:
    """Forks until the input ends."""
    imported = False
    while listener in select.select([listener, 0], [], [])[0]:
        connection = listener.accept()[0]
        if not imported:
            import_all(module, backend)
            gc.freeze()  # A forked process that collected all this would copy it.
            imported = True
        if os.fork() == 0:
            attend(connection, module)
        connection.close()
        reap()
    reap()


def import_all(module: str, backend: str) -> None:
    """Imports all that the module needs for the puzzles of the project."""
    from bench import catalogue

    imported = import_module(module)
    if module == SERVER:
        imported.describe(backend)
    elif module == GENERATOR:
        for puzzle in catalogue.puzzle_names():
            with suppress(catalogue.PuzzleError):  # What one lacks is told where it is asked for.
                catalogue.generator(puzzle)
    elif module == PROVER:
        catalogue.driver(backend)
        for puzzle in catalogue.puzzle_names():
            catalogue.formulations(puzzle, backend)
    elif module == JOB:
        for puzzle in catalogue.puzzle_names():
            catalogue.random_instances(puzzle)
    # It is executed as __main__.
    del sys.modules[module]


def attend(connection: socket.socket, module: str) -> NoReturn:
    """Forks the process that a connection asks for, tells its number and how it ended, and ends too."""
    try:
        _, streams, _, _ = socket.recv_fds(connection, 1, 3)
        with connection.makefile("rw") as said:
            words, env, cores = json.loads(said.readline())
            if (pid := os.fork()) == 0:
                os.setsid()
                if module in (GENERATOR, JOB):
                    # They start processes of their own.
                    process = import_module("bench.execution.process")
                    process.Popen = partial(start, str(Path(connection.getsockname()).parent))
                connection.close()
                become(module, ROOT, words, env, cores, streams)
            for stream in streams:
                os.close(stream)
            print(pid, file=said, flush=True)
            print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), file=said, flush=True)
    finally:
        os._exit(0)


def reap() -> None:
    """Takes note of the forked processes that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), *sys.argv[2:])
