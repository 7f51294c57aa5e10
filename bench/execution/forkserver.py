"""The process that holds one backend preloaded and forks a worker for each run.

`python -m bench.execution.forkserver BACKEND[:SOLVER] [CORES]` imports the backend's driver and models, with
the library of one solver if that has its own; says on one line what it found, then answers one line of JSON
(a Run) with lines of JSON, until its input ends: solutions as they are found, at last what became of the run.
The line `stop` meanwhile ends the run: a solution was refused. It enforces the limits, and nothing that a run
does can harm it: the worker is its own process group with its own output, and is killed as a whole, with all
its descendants. Workers are pinned to CORES, as in `2,3`.
"""

import gc
import json
import os
import resource
import selectors
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import IO, Any, NoReturn

import psutil

from bench import catalogue
from bench.catalogue import errors
from bench.contract import ModelError, Run
from bench.environment import cgroups, processes
from bench.environment.probe import fact
from bench.execution.worker import STOP, execute

GRACE_S = 0.5
"""How long a run may outlive its time limit before it is killed."""

POLL_S = 0.01
"""How often the memory of a run is looked at."""

SPARE_MB = 1024
"""RLIMIT_DATA lies this much above the memory limit: it stops what grows faster than the poll."""

RECURSION = 20_000
"""A depth-first search may be as deep as an instance has variables; Python's own limit is 1,000."""

FOUND = b'{"found": '
"""How a line begins that has solutions; it is handed on as it is."""

TAIL_BYTES = 2000
"""How much of the output of a run is kept, from its end."""

KIB_PER_MB = 1e6 / 1024


def main(name: str, cores: Sequence[int]) -> None:
    """Serves runs of one backend, or of one of its solvers, on the standard streams."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # What a library prints must not get between the answers.
    processes.adopt_orphans()
    answers.write(json.dumps(describe(name)) + "\n")
    gc.collect()
    gc.freeze()
    worker = Worker()
    for line in requests():
        answers.write(json.dumps(supervise(worker, Run(**json.loads(line)), cores, answers)) + "\n")
        worker = Worker()


def requests() -> Iterator[bytes]:
    """The lines of the standard input, read without a buffer so that `select` sees what is there."""
    pending = b""
    while chunk := os.read(0, 65536):
        pending += chunk
        while b"\n" in pending:
            line, pending = pending.split(b"\n", 1)
            if line != STOP:  # The run that it was for has ended by itself.
                yield line


def describe(name: str) -> dict[str, Any]:
    """What the backend offers, or why it is missing; imports all that its runs will need."""
    backend, _, solver = name.partition(":")
    offers: dict[str, Any] = {}
    try:
        driver = catalogue.driver(backend)
        offers = {"solvers": {name: asdict(solver) for name, solver in driver.solvers().items()}}
        driver.load(solver)
    except ImportError as error:
        return offers | {"missing": f"{error}"}
    formulations: dict[str, list[str]] = {}
    contents: dict[str, str] = {}
    broken: dict[str, str] = {}
    for puzzle in catalogue.puzzle_names():
        contents[puzzle] = catalogue.model_sha256(puzzle, backend)
        try:
            catalogue.puzzle_module(puzzle)
            formulations[puzzle] = list(catalogue.formulations(puzzle, backend))
        except catalogue.PuzzleError as error:
            broken[puzzle] = str(error)
    return offers | {"missing": None, "formulations": formulations, "contents": contents, "broken": broken}


class Reports:
    """What a worker reports, line by line: solutions are handed on, `figures` has all other lines, merged."""

    def __init__(self, answers: IO[str]) -> None:
        self.answers = answers
        self.figures: dict[str, Any] = {}
        self.pending = bytearray()

    def take(self, chunk: bytes) -> None:
        """Adds what came through the pipe."""
        self.pending += chunk
        if b"\n" in chunk:
            *lines, self.pending = self.pending.split(b"\n")
            for line in lines:
                if line.startswith(FOUND):
                    self.answers.write(line.decode() + "\n")
                else:
                    self.figures |= json.loads(line)

    @property
    def done(self) -> bool:
        """Whether the run has ended by itself: only its last line has a status."""
        return "status" in self.figures


class Worker:
    """A forked process that waits for one run and makes it.

    It is forked ahead, while the harness checks and records the run before: a fork takes milliseconds.
    """

    def __init__(self) -> None:
        order_read, self.orders = os.pipe()
        self.reports, report_write = os.pipe()
        self.output, output_write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            for ours in (self.orders, self.reports, self.output):
                os.close(ours)
            work(order_read, report_write, output_write)
        with suppress(OSError):
            os.setpgid(self.pid, self.pid)  # Here and there: whoever is first, it can be killed as a group.
        for theirs in (order_read, report_write, output_write):
            os.close(theirs)

    def order(self, order: dict[str, Any]) -> None:
        """Tells the process what to run; one that has died says so by the end of its reports."""
        with suppress(BrokenPipeError):
            os.write(self.orders, json.dumps(order).encode() + b"\n")

    def close(self) -> None:
        """Closes this end of its pipes."""
        for pipe in (self.orders, self.reports, self.output):
            os.close(pipe)


def supervise(worker: Worker, run: Run, cores: Sequence[int], answers: IO[str]) -> dict[str, Any]:
    """Has a worker make a run, drains its pipes, enforces the limits, and tells what became of it.

    Solutions go to `answers` as they come.

    Returns:
        figures (what the worker reported), killed (`time`, `memory`, `stop` or None), signal or exit code,
        cpu_s, peak_mb, switches (involuntary), stolen_s, tail (of its output).
    """
    group = group_of(run)
    stolen_before = processes.stolen_s(cores)
    started = monotonic()
    worker.order({"run": run.order, "cores": cores, "group": str(group.path) if group else None})
    reports, tail = Reports(answers), bytearray()
    killed: str | None = None
    deserted = False
    ended: tuple[int, Any] | None = None
    tree = processes.Tree(worker.pid)
    with selectors.DefaultSelector() as selector:
        for source in (0, worker.reports, worker.output):
            selector.register(source, selectors.EVENT_READ)
        while not (deserted or killed or ended):
            for key, _ in selector.select(POLL_S):
                chunk = os.read(key.fd, 1 << 20)
                if not chunk:
                    selector.unregister(key.fd)
                    deserted |= key.fd == 0
                elif key.fd == 0:
                    killed = "stop"
                elif key.fd == worker.reports:
                    reports.take(chunk)
                elif key.fd == worker.output:
                    tail = (tail + chunk)[-TAIL_BYTES:]
            if reports.done or killed:
                break
            if monotonic() - started > run.time_limit_s + GRACE_S:
                killed = "time"
            elif tree.resident_mb() > run.memory_limit_mb:
                killed = "memory"
            done, status, usage = os.wait4(worker.pid, os.WNOHANG)
            if done:
                ended = status, usage
    processes.end_group(worker.pid)
    status, usage = ended or os.wait4(worker.pid, 0)[1:]
    processes.end_children()
    # Now that nobody writes any more, what is in the pipes is the end of it.
    while chunk := read_now(worker.reports):
        reports.take(chunk)
    while chunk := read_now(worker.output):
        tail = (tail + chunk)[-TAIL_BYTES:]
    ran_out = group is not None and group.ran_out()
    if group:
        group.end()
    worker.close()
    if deserted:
        sys.exit(0)
    return {
        "figures": reports.figures,
        # What grew and shrank again between two polls has still been there.
        "killed": "memory" if ran_out or peak_mb(usage) > run.memory_limit_mb else killed,
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
        "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_mb": peak_mb(usage),
        "switches": usage.ru_nivcsw,
        "stolen_s": processes.stolen_s(cores) - stolen_before,
        "tail": tail.decode("utf-8", "replace"),
    }


def peak_mb(usage: resource.struct_rusage) -> float:
    """Megabytes (10^6 bytes) that were resident at most; of a process that was just forked, those it has."""
    return usage.ru_maxrss / (1e6 if sys.platform == "darwin" else KIB_PER_MB)


def read_now(source: int) -> bytes:
    """What a pipe holds at this moment."""
    os.set_blocking(source, False)
    try:
        return os.read(source, 1 << 20)
    except BlockingIOError:
        return b""


def group_of(run: Run) -> cgroups.Group | None:
    """A control group for the run, where this user may make one."""
    if not (parent := os.environ.get(cgroups.PARENT)):
        return None
    # The pages that a worker shares with its server are not charged to it.
    limit_mb = run.memory_limit_mb - processes.resident_mb(fact(psutil.Process))
    return fact(lambda: cgroups.Group(Path(parent), limit_mb))


def work(order_read: int, report_write: int, output_write: int) -> NoReturn:
    """What a worker does: waits for its order, makes the run, reports figures as lines of JSON, and ends."""

    def report(figures: dict[str, Any]) -> None:
        line = json.dumps(figures).encode() + b"\n"
        while line:
            line = line[os.write(report_write, line) :]

    try:
        os.setpgid(0, 0)
        processes.die_with_parent()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output_write, 1)
        os.dup2(output_write, 2)
        gc.collect()  # So that the collections of a run do not depend on what its server did before.
        with os.fdopen(order_read) as orders:
            line = orders.readline()
        if line:
            order = json.loads(line)
            run = Run(**order["run"])
            if order["group"]:
                cgroups.enter(Path(order["group"]))
            if order["cores"]:
                os.sched_setaffinity(0, order["cores"])
            limit_resources(run)
            report({"base_mb": peak_mb(resource.getrusage(resource.RUSAGE_SELF))})
            try:
                waited_before = processes.waited_s()
                result = execute(run, report)
                report(result | {"waited_s": processes.waited_s() - waited_before})
            except MemoryError:
                report({"status": "memout", "error": "MemoryError"})
            except ModelError as error:
                report({"status": "crashed", "error": str(error)})
            except BaseException as error:
                where = errors.where(error, catalogue.folder(run.puzzle))
                report({"status": "crashed", "error": where, "traceback": traceback.format_exc()})
            sys.stdout.flush()
    finally:
        os._exit(0)


def limit_resources(run: Run) -> None:
    """What the system itself enforces in the worker."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limit = (run.memory_limit_mb + SPARE_MB) * 1_000_000
    with suppress(OSError, ValueError):  # Where the limit is lower already, it stays.
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    sys.setrecursionlimit(RECURSION)


if __name__ == "__main__":
    main(sys.argv[1], [int(core) for argument in sys.argv[2:] for core in argument.split(",")])
