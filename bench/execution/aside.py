"""A process aside that calls functions for this one: what does not return can be ended there."""

import gc
import os
import pickle
import resource
import signal
import socket
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from time import process_time
from typing import NoReturn, TypeVar

from bench.execution.process import NoAnswer, ProcessEnded

T = TypeVar("T")


class Aside:
    """Calls functions in a process that is forked from this one, so that it need not import anything.

    Whatever they do, no call lasts longer than it may; the call after one that was ended has a new process.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self.pid: int | None = None
        self.closed = False

    def call(self, within_s: float, function: Callable[..., T], *arguments: object) -> T:
        """What a function of an imported module returns; it must not raise. All of it is pickled.

        Raises:
            NoAnswer: if it has not returned within `within_s` seconds.
            ProcessEnded: if it ended its process, or this is closed.
        """
        with self.lock:
            if self.pid is None:
                self.start()
            try:
                self.ours.settimeout(within_s)
                pickle.dump((within_s, function, arguments), self.stream)
                self.stream.flush()
                answer: T = pickle.load(self.stream)
            except BaseException as error:
                self.end()
                if isinstance(error, TimeoutError):
                    raise NoAnswer(f"has not returned after {within_s:g} s") from None
                if isinstance(error, (OSError, EOFError, pickle.UnpicklingError)):
                    raise ProcessEnded("ended its process") from None
                raise
            return answer

    def start(self) -> None:
        """Forks the process."""
        if self.closed:
            raise ProcessEnded("was ended with the campaign")
        self.ours, theirs = socket.socketpair()
        with theirs, warnings.catch_warnings(action="ignore"):
            # Python warns of other threads: what they hold is of no use to a function that only computes.
            if (pid := os.fork()) == 0:
                _serve(theirs)
        self.pid, self.stream = pid, self.ours.makefile("rwb")

    def end(self) -> None:
        """Ends the process, and with it a call that another thread waits for."""
        pid, self.pid = self.pid, None
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)

    def close(self) -> None:
        """Ends the process, and starts no more."""
        self.closed = True
        self.end()


def _serve(connection: socket.socket) -> NoReturn:
    """Calls what it is asked for until nobody is there to ask."""
    try:
        os.setsid()  # Ctrl-C is for the harness.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # Nothing that was inherited is used, so that nobody waits for an end that this process keeps open.
        gc.freeze()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        os.closerange(3, connection.fileno())
        os.closerange(connection.fileno() + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        sys.stdout = sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace")
        stream = connection.makefile("rwb")
        while True:
            within_s, function, arguments = pickle.load(stream)
            # Nobody else ends it if the harness was killed meanwhile.
            cpu_s, most = int(process_time() + within_s) + 1, resource.getrlimit(resource.RLIMIT_CPU)[1]
            with suppress(ValueError):  # Where the limit is lower already, it stays.
                resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, most))
            pickle.dump(function(*arguments), stream)
            stream.flush()
    finally:
        os._exit(0)
