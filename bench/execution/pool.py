"""The server processes that execute runs: one for each backend, started when it is needed."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from time import monotonic

from bench.contract import Backend, Run, Status
from bench.environment import counting
from bench.environment.cores import reserved_cores
from bench.environment.index import python_of
from bench.environment.processes import delegated_group
from bench.execution.process import HERE, Aside, Checkout, Process, ProcessEnded
from bench.execution.protocol import STOP, Answer, Found, read_answer, read_backend, run_line
from models.shared.puzzle import Solution

SERVER = "bench.execution.forkserver"
"""The module that serves a backend."""

START_S = 120.0
"""How many seconds a server may need to import its backend."""

ANSWER_S = 10.0
"""How many seconds after the time limit of a run its server must have answered."""

REFERENCE_LOAD_EVERY_S = 3.0
"""After so many seconds the reference load is measured again, before the next run: it lasts about 50 ms."""


def _converse(server: Process, run: Run, check: Callable[..., bool]) -> Answer:
    """Has a server execute a run, and checks the solutions as they come.

    Reading goes before checking: a worker never waits for the checker. Raises ProcessEnded without an answer.
    """
    server.send(run_line(run))
    answer: Answer | None = None
    unchecked: deque[Found] = deque()
    refused = False
    while answer is None or unchecked:
        if answer is None and (not unchecked or server.has_answered()):
            try:
                found, answer = read_answer(server.answer(run.time_limit_s + ANSWER_S))
            except (AttributeError, KeyError, TypeError, ValueError):
                raise ProcessEnded("it answers in a form that is not known") from None
            if not refused:
                unchecked.extend(found)
        elif not check(*unchecked.popleft()):
            refused = True
            unchecked.clear()
            if answer is None:
                server.send(STOP)
    return answer.checked(run.backend)


class ServerPool:
    """The servers of one job; one that ended is replaced when it is needed again.

    Runs are pinned to `cores` (None leaves that to the system); no `puzzles` stands for all. With a `layout`
    of memory instructions are counted, and times mean nothing.
    """

    def __init__(
        self,
        cores: tuple[int, ...] | None = None,
        checkout: Checkout = HERE,
        puzzles: Sequence[str] = (),
        layout: int = 0,
    ) -> None:
        self.cores, self.checkout, self.puzzles, self.layout = cores, checkout, puzzles, layout
        self.counter: ServerPool | None = None
        self.pinned = () if cores is None else (",".join(map(str, cores)),)
        self.running: dict[str, Process] = {}
        self.backends: dict[str, Backend] = {}
        self.starting: set[str] = set()
        self.warm: set[str] = set()
        self.aside = Aside()  # For the code of a puzzle, which may never return.
        self.reference_load: Process | None = None
        self.reference_at: float | None = None
        self.reference_s: float | None = None
        self.closed = False

    def run(self, run: Run, check: Callable[[Solution, int], bool] = lambda *_: True) -> Answer:
        """Executes a run, and ends it if `check(solution, stands_for)` is False.

        If its server dies of it, the run has crashed.
        """
        name = self.server_of(run)
        try:
            server = self.get(name)
            holds = self.backends[name].contents.get(run.puzzle)
            if holds and run.model_sha256 and holds != run.model_sha256:
                changed = "the model file has changed since the campaign began; run it again"
                return Answer(Status.CRASHED, changed)
            return _converse(server, replace(run, path=self.checkout.place(run.path)), check)
        except ProcessEnded as error:
            self.warm.discard(name)
            if ended := self.running.pop(name, None):
                ended.close()
            return Answer(Status.CRASHED, f"the server of the backend ended: {error}")

    def count(self, run: Run, took_s: float) -> tuple[Answer, int | None, int | None]:
        """Executes a run again, under valgrind, each repeat in another layout; `took_s` is its time without.

        Returns its answer, and the instructions of the run and of building, None if it came to no end.
        """
        if not self.counter or self.counter.layout != run.repeat:
            if self.counter:
                self.counter.close()
            self.counter = ServerPool(self.cores, self.checkout, self.puzzles, run.repeat)
        if self.closed:
            self.counter.close()
        limit_s, limit_mb = counting.limit_s(run, took_s), 2 * run.memory_limit_mb + 2000
        answer = self.counter.run(replace(run, time_limit_s=limit_s, memory_limit_mb=limit_mb, log=""))
        server = self.counter.running.get(self.counter.server_of(run))
        return answer, *(counting.counted(server.counts_in) if server else (None, None))

    def warm_up(self, run: Run) -> None:
        """Executes a run for at most a second, without a record, if it would be the first of its server.

        The first run reads parts of the solver's library from the disk that later ones find in memory.
        """
        name = self.server_of(run)
        if name not in self.warm:
            self.warm.add(name)
            self.run(replace(run, time_limit_s=min(run.time_limit_s, 1.0)))

    def server_of(self, run: Run) -> str:
        """The name of the server for a run, BACKEND[:SOLVER][@RELEASE], with the solver if it has its own."""
        separate = self.backend(run.offered).solver(run.solver).separate_process
        name = f"{run.backend}:{run.solver}" if separate else run.backend
        return f"{name}@{run.release}" if run.release else name

    def backend(self, name: str) -> Backend:
        """What a backend offers; its server is started if it never was."""
        if name not in self.backends:
            with suppress(ProcessEnded):
                self.get(name)
        return self.backends.get(name, Backend(name))

    def get(self, name: str) -> Process:
        """The server of this name, started if it does not run; raises ProcessEnded if the pool is closed."""
        self.start([name])
        if name in self.starting:
            self.starting.remove(name)
            try:
                within_s = START_S * (10 if self.layout else 1)
                self.backends[name] = read_backend(self.running[name].answer(within_s))
            except (ProcessEnded, ValueError) as error:
                missing = f"its server does not start: {error}"
                self.backends[name] = Backend(name.partition("@")[0], missing=missing)
        return self.running[name]

    def start(self, names: Iterable[str]) -> None:
        """Starts the servers that do not run, without waiting; raises ProcessEnded if the pool is closed."""
        if self.closed:
            raise ProcessEnded("the campaign has ended")
        for name in names:
            if name not in self.running:
                offered, _, release = name.partition("@")
                words = offered, *self.pinned, *self.puzzles
                python = str(python_of(release)) if release else self.checkout.python
                checkout = replace(self.checkout, python=python)
                self.running[name] = Process(SERVER, *words, checkout=checkout, layout=self.layout)
                self.starting.add(name)

    def offers(self, backends: Iterable[str]) -> dict[str, Backend]:
        """What the backends offer, by name; starts their servers side by side."""
        names = list(backends)
        self.start(names)
        return {name: self.backend(name) for name in names}

    def reference_load_s(self) -> float | None:
        """The time of the reference load, measured every few seconds; None if it cannot be measured."""
        if self.reference_at is None or monotonic() - self.reference_at >= REFERENCE_LOAD_EVERY_S:
            try:
                self.reference_s = self.measure_reference_load()
            except ProcessEnded:
                if self.reference_load:
                    self.reference_load.close()
                self.reference_load = self.reference_s = None
            self.reference_at = monotonic()
        return self.reference_s

    def measure_reference_load(self) -> float:
        """The time of the reference load in seconds, measured now; raises ProcessEnded if it does not run."""
        if self.closed:
            raise ProcessEnded("the campaign has ended")
        self.reference_load = self.reference_load or Process("bench.environment.reference_load", *self.pinned)
        return float(self.reference_load.ask(b"", ANSWER_S))

    def close(self) -> None:
        """Ends all processes, and starts no more."""
        self.closed = True
        self.aside.close()
        if self.counter:
            self.counter.close()
        for process in filter(None, [*self.running.values(), self.reference_load]):
            process.close()


@contextmanager
def server_pools(
    jobs: int, threads: int = 1, spare: int = 1, puzzles: Sequence[str] = ()
) -> Iterator[list[ServerPool]]:
    """A pool for each job, on cores of its own, one a thread, if there are enough beside `spare` ones.

    Where this user may, the control group is prepared in which runs get theirs. Nothing runs on afterwards.
    """
    with ExitStack() as stack:
        stack.enter_context(delegated_group())
        reserved = stack.enter_context(reserved_cores(jobs, threads, spare))
        pools = [ServerPool(cores, puzzles=puzzles) for cores in reserved]
        for pool in pools:
            stack.callback(pool.close)
        yield pools
