"""The harness's side of the workers: one server process for each backend, started when it is needed."""

import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import fields, replace
from typing import Any

from bench.contract import Backend, Run, Solver
from bench.environment.cgroups import delegated
from bench.environment.cores import reserved_cores
from bench.execution.process import HERE, Process, ProcessEnded, Tree
from bench.execution.worker import STOP
from models.shared.puzzle import Solution

START_S = 120.0
"""How long a server may take to import its backend."""

ANSWER_S = 10.0
"""How long after the time limit of a run its server must have answered."""

WARM_UP_S = 1.0
"""How long the run may take that a new server makes first, and that is not recorded."""

SENTINEL_EVERY = 20
"""After so many runs the sentinel is measured again."""


def converse(server: Process, run: Run, check: Callable[[Solution, int], bool]) -> dict[str, Any]:
    """Has a server make a run and checks the solutions as they come; gives what became of it.

    Reading goes before checking: a worker never waits for the checker.

    Raises:
        ProcessEnded: if the server ended, or has not answered in time.
    """
    server.send(json.dumps(run.order).encode())
    response: dict[str, Any] | None = None
    unchecked: deque[tuple[Solution, int]] = deque()
    while response is None or unchecked:
        if response is None and (not unchecked or server.has_answered()):
            line: dict[str, Any] = server.answer(run.time_limit_s + ANSWER_S)
            unchecked.extend(solutions_in(line))
            response = None if "found" in line else line
        elif not check(*unchecked.popleft()):
            unchecked.clear()
            if response is None:
                server.send(STOP)
                check = pass_over
    return response


def pass_over(_solution: Solution, _stands_for: int) -> bool:
    """Passes over what was found after a solution that was refused."""
    return True


def crashed(reason: str) -> dict[str, Any]:
    """What stands for the answer of a server that has none."""
    return {"figures": {"status": "crashed", "error": reason}}


def solutions_in(line: Mapping[str, Any]) -> Iterator[tuple[Solution, int]]:
    """The solutions in an answer of a server, and how many each stands for.

    A server of an earlier revision has them in the figures of its one answer, with their sum.
    """
    figures = line.get("figures", {})
    for solution, stands_for in line.get("found", ()):
        yield solution, stands_for
    for solution in figures.get("found", ()):
        yield solution, figures["solutions"] // len(figures["found"])


class Servers:
    """The processes of one job slot, by backend; one that ended is replaced when it is needed again.

    Args:
        cores: the cores that all runs of this slot are pinned to; None leaves it to the system.
        tree: the copy of the project that makes the runs.
        note: why there are no cores, where a user should know.
    """

    def __init__(self, cores: tuple[int, ...] | None = None, tree: Tree = HERE, note: str = "") -> None:
        self.cores = cores
        self.note = note
        self.tree = tree
        self.running: dict[str, Process] = {}
        self.backends: dict[str, Backend] = {}
        self.warm: set[str] = set()
        self.runs = 0
        self.sentinel: Process | None = None
        self.sentinel_s: float | None = None
        self.closed = False

    @property
    def pinned(self) -> tuple[str, ...]:
        """The cores as an argument of a process."""
        return () if self.cores is None else (",".join(map(str, self.cores)),)

    def run(self, run: Run, check: Callable[[Solution, int], bool] = lambda *_: True) -> dict[str, Any]:
        """Has a run made; a server that dies of it is a crash of the run.

        Args:
            run: what to do.
            check: is called for each solution and how many it stands for, while the run goes on; false ends
                the run.
        """
        name = self.server_of(run)
        try:
            server = self.get(name)
            holds = self.backends[name].contents.get(run.puzzle)
            if holds and run.model_sha256 and holds != run.model_sha256:
                return crashed("the model file has changed since the campaign began; run it again")
            response = converse(server, run, check)
            if "figures" not in response:
                raise ProcessEnded("its revision answers in another form")
            return response
        except ProcessEnded as error:
            self.warm.discard(name)
            if ended := self.running.pop(name, None):
                ended.close()
            return crashed(f"the server of the backend ended: {error}")

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
        return f"{run.backend}:{run.solver}" if solver and solver.separate_process else run.backend

    def get(self, name: str) -> Process:
        """The server of a backend, or of one solver of it: `backend:solver`."""
        if self.closed:
            raise ProcessEnded("the campaign has ended")
        if name not in self.running:
            server = self.running[name] = Process(
                "bench.execution.forkserver", name, *self.pinned, tree=self.tree
            )
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
        self.sentinel = self.sentinel or Process("bench.environment.reference_load", *self.pinned)
        return float(self.sentinel.ask("", ANSWER_S))

    def close(self) -> None:
        """Ends all processes, and starts no more."""
        self.closed = True
        for process in [*self.running.values(), *([self.sentinel] if self.sentinel else [])]:
            process.close()


@contextmanager
def job_slots(jobs: int, threads: int = 1) -> Iterator[list[Servers]]:
    """So many sets of servers, each with cores of its own, one a thread, if there are cores to spare.

    Where this user may, the control group is prepared in which runs get theirs. Nothing runs on afterwards.
    """
    with ExitStack() as stack:
        stack.enter_context(delegated())
        reserved = stack.enter_context(reserved_cores(jobs, threads))
        slots = [Servers(cores, note=reserved.note) for cores in reserved.jobs]
        for slot in slots:
            stack.callback(slot.close)
        yield slots


def announce(slots: Sequence[Servers]) -> None:
    """Says, before the first run, why runs are not pinned, if that is because of other campaigns."""
    if note := slots[0].note:
        print(note, file=sys.stderr)
