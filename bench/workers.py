"""The harness's side of the workers: one server process for each backend, started when it is needed."""

import json
import os
import secrets
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from bench.catalogue import ROOT
from bench.cgroups import delegated
from bench.contract import Solver
from bench.machine import reserved_cores
from bench.processes import end_marked
from bench.run import Run

MARK = "BENCH_PROCESS"
"""The environment variable by which the descendants of a process that was killed are found."""

START_S = 120.0
"""How long a server may take to import its backend."""

ANSWER_S = 10.0
"""How long after the time limit of a run its server must have answered."""

WARM_UP_S = 1.0
"""How long the run may take that a new server makes first, and that is not recorded."""

SENTINEL_EVERY = 20
"""After so many runs the sentinel is measured again."""


@dataclass(frozen=True)
class Backend:
    """What a backend offers, as its server tells; `missing` says why it offers nothing."""

    name: str
    missing: str | None = None
    solvers: Mapping[str, Solver] = field(default_factory=dict)
    formulations: Mapping[str, list[str]] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)

    def several_threads(self, solver: str) -> bool:
        """Whether a solver can use more than one."""
        return solver in self.solvers and self.solvers[solver].parallel


@dataclass(frozen=True)
class Tree:
    """A copy of the project whose workers make the runs: its folder, and the Python of its environment."""

    root: Path = ROOT
    python: str = sys.executable


HERE = Tree()
"""This copy, in this environment."""


class ProcessEnded(Exception):
    """A process gave no answer; the message is the end of what it printed."""


class Process:
    """A Python module that runs as a process and answers one line of JSON at a time."""

    def __init__(self, module: str, *arguments: object, tree: Tree = HERE):
        self.mark = secrets.token_hex(8)
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115, it lives as long as the process
        # What a killed run leaves behind goes with it.
        self.scratch = tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True)
        self.popen = subprocess.Popen(
            [tree.python, "-m", module, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            bufsize=0,
            cwd=tree.root,
            env={**os.environ, "PYTHONHASHSEED": "0", "TMPDIR": self.scratch.name, MARK: self.mark},
            start_new_session=True,  # Ctrl-C is for the harness, which ends its processes in order.
        )

    def ask(self, question: Any, within_s: float) -> Any:
        """Sends a line and waits for the answer.

        Raises:
            ProcessEnded: if the process ended before it answered, or has not answered in time.
        """
        assert self.popen.stdin
        with suppress(BrokenPipeError, ValueError):
            self.popen.stdin.write(json.dumps(question).encode() + b"\n")
        return self.answer(within_s)

    def answer(self, within_s: float) -> Any:
        """The next line of the process.

        Raises:
            ProcessEnded: if there is none within so many seconds.
        """
        assert self.popen.stdout
        line = bytearray()
        while not line.endswith(b"\n"):
            if not select.select([self.popen.stdout], [], [], within_s)[0]:
                raise ProcessEnded(f"no answer within {within_s:g} s")
            chunk = os.read(self.popen.stdout.fileno(), 1 << 20)
            if not chunk:
                raise ProcessEnded(self.last_words())
            line += chunk
        return json.loads(line)

    def last_words(self) -> str:
        """The end of what the process printed."""
        self.errors.seek(0)
        lines = self.errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it was killed"

    def close(self) -> None:
        """Ends the process, and whatever it runs."""
        assert self.popen.stdin
        with suppress(OSError):
            self.popen.stdin.close()
        try:
            self.popen.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        if self.popen.returncode != 0:
            end_marked(MARK, self.mark)
        self.scratch.cleanup()


class Servers:
    """The processes of one job slot, by backend; one that ended is replaced when it is needed again.

    Args:
        core: the core that all runs of this slot are pinned to; None leaves it to the system.
        tree: the copy of the project that makes the runs.
    """

    def __init__(self, core: int | None = None, tree: Tree = HERE) -> None:
        self.core = core
        self.tree = tree
        self.running: dict[str, Process] = {}
        self.backends: dict[str, Backend] = {}
        self.warm: set[str] = set()
        self.runs = 0
        self.sentinel: Process | None = None
        self.sentinel_s: float | None = None
        self.closed = False

    @property
    def pinned(self) -> tuple[int, ...]:
        """The core as an argument of a process."""
        return () if self.core is None else (self.core,)

    def run(self, run: Run) -> dict[str, Any]:
        """Has a run made; a server that dies of it is a crash of the run."""
        name = self.server_of(run)
        try:
            response: dict[str, Any] = self.get(name).ask(asdict(run), run.time_limit_s + ANSWER_S)
            if "figures" not in response:
                raise ProcessEnded("its revision answers in another form")
            return response
        except ProcessEnded as error:
            self.warm.discard(name)
            if server := self.running.pop(name, None):
                server.close()
            return {"figures": {"status": "crashed", "error": f"the server of the backend ended: {error}"}}

    def warm_up(self, run: Run) -> None:
        """Has a run made that is not recorded, if it would be the first of its server.

        The first run reads parts of the solver's library from the disk that later ones find in memory.
        """
        name = self.server_of(run)
        if name not in self.warm:
            self.warm.add(name)
            self.run(replace(run, time_limit_s=min(run.time_limit_s, WARM_UP_S)))

    def server_of(self, run: Run) -> str:
        """The server that makes a run: that of the backend, or of the solver if it has its own library."""
        if run.backend not in self.backends:
            with suppress(ProcessEnded):
                self.get(run.backend)
        backend = self.backends.get(run.backend, Backend(run.backend))
        solver = backend.solvers.get(run.solver)
        return f"{run.backend}:{run.solver}" if solver and solver.own else run.backend

    def get(self, name: str) -> Process:
        """The server of a backend, or of one solver of it: `backend:solver`."""
        if self.closed:
            raise ProcessEnded("the campaign has ended")
        if name not in self.running:
            server = self.running[name] = Process("bench.server", name, *self.pinned, tree=self.tree)
            try:
                hello = server.answer(START_S)
            except ProcessEnded as error:
                hello = {"missing": f"its server does not start: {error}"}
            solvers = {name: Solver(**solver) for name, solver in hello.pop("solvers", {}).items()}
            # The server of another revision may say more than is understood here.
            understood = {field.name: hello[field.name] for field in fields(Backend) if field.name in hello}
            self.backends[name] = Backend(**understood | {"name": name, "solvers": solvers})
        return self.running[name]

    def describe(self, backends: Iterable[str]) -> dict[str, Backend]:
        """What the backends offer; starts their servers side by side."""
        names = list(backends)
        with ThreadPoolExecutor() as pool:
            list(pool.map(self.get, names))
        return {name: self.backends[name] for name in names}

    def calibrate(self) -> float | None:
        """The time of the sentinel in seconds, measured anew before the first run and every 20th after it.

        None if it cannot be measured.
        """
        if self.runs % SENTINEL_EVERY == 0:
            try:
                self.sentinel_s = self.sentinel_time()
            except ProcessEnded:
                if self.sentinel:
                    self.sentinel.close()
                self.sentinel = self.sentinel_s = None
        self.runs += 1
        return self.sentinel_s

    def sentinel_time(self) -> float:
        """The time of the sentinel in seconds, measured now.

        Raises:
            ProcessEnded: if it does not run.
        """
        if self.closed:
            raise ProcessEnded("the campaign has ended")
        self.sentinel = self.sentinel or Process("bench.sentinel", *self.pinned)
        return float(self.sentinel.ask("", ANSWER_S))

    def close(self) -> None:
        """Ends all processes, and starts no more."""
        self.closed = True
        for process in [*self.running.values(), *([self.sentinel] if self.sentinel else [])]:
            process.close()


@contextmanager
def job_slots(jobs: int, threads: int = 1) -> Iterator[list[Servers]]:
    """So many sets of servers, each with a core of its own if there are cores to spare.

    Where this user may, the control group is prepared in which runs get theirs. Nothing runs on afterwards.
    """
    with ExitStack() as stack:
        stack.enter_context(delegated())
        slots = [Servers(core) for core in stack.enter_context(reserved_cores(jobs))]
        for slot in slots:
            stack.callback(slot.close)
        yield slots
