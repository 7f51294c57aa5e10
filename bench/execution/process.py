"""Processes that are asked: a Python module that answers in lines, and a fork that calls functions."""

import gc
import os
import pickle
import resource
import secrets
import select
import signal
import socket
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired
from threading import Lock
from time import process_time
from typing import NoReturn, TypeVar

from bench.catalogue import PUZZLES, ROOT, elsewhere
from bench.catalogue.errors import CALLED_FROM
from bench.catalogue.programs import PROGRAMS, listing, programs
from bench.environment import counting
from bench.environment.files import TemporaryFolder
from bench.environment.processes import end_marked

T = TypeVar("T")

MARK = "BENCH_PROCESS"
"""The environment variable that marks the descendants of a process, to find them when it was killed."""

END_S = 5.0
"""How long a process may take to end by itself when it is closed."""


@dataclass(frozen=True)
class Checkout:
    """A copy of the project that executes runs: its folder, and the Python of its environment.

    `moved` has copies of the user's files and folders that it reads in their place, by the original path.
    """

    root: Path = ROOT
    python: str = sys.executable
    moved: Mapping[Path, Path] = field(default_factory=dict)

    def place(self, text: str) -> str:
        """Where it reads a file or folder; any other text as it is."""
        for path, copy in self.moved.items():
            if Path(text).is_relative_to(path):
                return str(copy / Path(text).relative_to(path))
        return text

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment variables that name puzzles and programs from elsewhere, as it finds them."""
        if not self.moved:
            return {}
        return {
            PUZZLES: os.pathsep.join(self.place(str(path)) for path in elsewhere().values()),
            PROGRAMS: listing({name: [*map(self.place, words)] for name, words in programs().items()}),
        }


HERE = Checkout()
"""This copy, in this environment."""


class ProcessEnded(Exception):
    """A process gave no answer; the message is the end of what it printed."""


class NoAnswer(ProcessEnded):
    """A process gave no answer in time."""


class Process:
    """A Python module that runs as a process and answers in lines.

    What reads an answer raises ProcessEnded if the process has ended before it. The order of sets of texts
    depends on `hash_seed`. With a `layout` it counts instructions, into the folder `counts_in`.
    """

    def __init__(
        self, module: str, *arguments: object, checkout: Checkout = HERE, hash_seed: int = 0, layout: int = 0
    ):
        self.mark = secrets.token_hex(8)
        self.lines: deque[bytes] = deque()
        self.rest = bytearray()
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115, it lives as long as the process
        # Removed with all that a killed run leaves in it.
        self.scratch = TemporaryFolder()
        self.counts_in = self.scratch.path / "instructions"
        under, more = counting.under(layout, self.counts_in)
        self.popen = Popen(
            [*under, checkout.python, "-m", module, *map(str, arguments)],
            stdin=PIPE,
            stdout=PIPE,
            stderr=self.errors,
            bufsize=0,
            cwd=checkout.root,
            env={
                **os.environ,
                **checkout.environment,
                **more,
                "PYTHONHASHSEED": str(hash_seed),
                "PYTHONDONTWRITEBYTECODE": "",  # Compiling leaves other free memory than reading bytecode.
                "PYTHONSAFEPATH": "",  # The module is that of the checkout, its current folder.
                "TMPDIR": str(self.scratch.path),
                MARK: self.mark,
                CALLED_FROM: str(Path.cwd()),
            },
            start_new_session=True,  # Ctrl-C is for the harness, which ends its processes in order.
        )

    def ask(self, question: bytes, within_s: float) -> bytes:
        """Sends a line and waits for the answer; raises NoAnswer if that does not come in time."""
        self.send(question)
        return self.answer(within_s)

    def send(self, line: bytes) -> None:
        """Sends a line; that the process has ended shows when it is asked for an answer."""
        assert self.popen.stdin
        with suppress(BrokenPipeError, ValueError):
            self.popen.stdin.write(line + b"\n")

    def answer(self, within_s: float) -> bytes:
        """The next line of the process; raises NoAnswer if there is none within `within_s` seconds."""
        while not self.lines:
            if not self.read(within_s):
                raise NoAnswer(f"no answer within {within_s:g} s")
        return self.lines.popleft()

    def has_answered(self) -> bool:
        """Whether there is an answer to read."""
        while not self.lines and self.read(0):
            pass
        return bool(self.lines)

    def read(self, within_s: float) -> bool:
        """Reads what the process writes within `within_s` seconds; returns whether that is anything."""
        assert self.popen.stdout
        if not select.select([self.popen.stdout], [], [], within_s)[0]:
            return False
        chunk = os.read(self.popen.stdout.fileno(), 1 << 20)
        if not chunk:
            self.errors.seek(0)
            printed = self.errors.read().decode("utf-8", "replace").strip().splitlines()
            raise ProcessEnded(printed[-1] if printed else "it was killed")
        self.rest += chunk
        if b"\n" in chunk:
            *lines, self.rest = self.rest.split(b"\n")
            self.lines.extend(map(bytes, lines))
        return True

    def close(self) -> None:
        """Ends the process, and whatever it runs."""
        assert self.popen.stdin
        with suppress(OSError):
            self.popen.stdin.close()
        try:
            self.popen.wait(timeout=END_S)
        except TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        if self.popen.returncode != 0:
            end_marked(MARK, self.mark)
        self.scratch.close()


class Aside:
    """Calls functions in a process that is forked from this one, so that it need not import anything.

    Whatever they do, no call lasts longer than it may; the call after one that was ended has a new process.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self.pid: int | None = None
        self.closed = False

    def call(self, within_s: float, function: Callable[..., T], *arguments: object) -> T:
        """What a function of an imported module returns; it must not raise. Arguments and result are pickled.

        Raises NoAnswer if it has not returned within `within_s` seconds; ProcessEnded if it ended its
        process, or this is closed.
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
        """Ends the process and what it runs, and with it a call that another thread waits for."""
        pid, self.pid = self.pid, None
        if pid is not None:
            for kill in (os.killpg, os.kill):  # It has no group before `_serve` makes one.
                with suppress(ProcessLookupError, PermissionError):  # On macOS it may have ended.
                    kill(pid, signal.SIGKILL)
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
