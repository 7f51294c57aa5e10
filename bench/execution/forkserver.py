"""The process that holds one backend preloaded and forks a worker for each run.

`python -m bench.execution.forkserver BACKEND[:SOLVER] [CORES] [PUZZLE ...]` imports the driver and its models
of these puzzles, by default of all, with the library of SOLVER if that needs a separate process. It says on
one line what the backend offers, then answers each Run until its input ends (protocol.py has the lines). It
enforces the limits, and no run can harm it: a worker is killed with all its descendants. Workers are pinned
to as many of CORES, as in `2,3`, as their run has threads.
"""

import gc
import os
import resource
import selectors
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import IO

import psutil

from bench import catalogue
from bench.contract import Backend, Compiles, ModelError
from bench.environment import counting, processes
from bench.environment.processes import or_none
from bench.execution import protocol
from bench.execution.protocol import FOUND, STOP, Answer, Killed
from bench.execution.worker import WARM_S, work

_GRACE_S = 0.5
"""Seconds by which a run may exceed its time limit before it is killed."""

_TAIL_BYTES = 2000
"""How much of the end of a run's output is kept."""


def main(name: str, cores: Sequence[int], puzzles: Sequence[str] = ()) -> None:
    """Serves runs of one backend, or of one of its solvers, on the standard streams."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # So that what a library prints does not get between the answers.
    processes.adopt_orphans()
    send(answers, protocol.backend_line(describe(name, puzzles)))
    gc.collect()
    gc.freeze()
    if counting.IS_ON:
        os.environ.pop(counting.OPTIONS, None)
        for line in requests():
            _execute_apart(line, cores, answers)
        return
    worker = _Worker()
    for line in requests():
        send(answers, _supervise(worker, line, cores, answers))
        worker = _Worker()


def _execute_apart(line: bytes, cores: Sequence[int], answers: IO[bytes]) -> None:
    """Has a child supervise a run, so that all runs begin with the same memory, and need the same work."""
    if (pid := os.fork()) == 0:
        try:
            processes.adopt_orphans()
            send(answers, _supervise(_Worker(), line, cores, answers))
            os._exit(0)
        finally:
            os._exit(1)
    if os.waitpid(pid, 0)[1]:
        sys.exit("what supervised the run has ended")


def send(answers: IO[bytes], line: bytes) -> None:
    """Sends a line to the harness."""
    answers.write(line + b"\n")
    answers.flush()


def requests() -> Iterator[bytes]:
    """Lines of the standard input, read without a buffer so that `select` sees what is there."""
    pending = b""
    while chunk := os.read(0, 65536):
        *lines, pending = (pending + chunk).split(b"\n")
        # A run that was to be stopped may have ended by itself before.
        yield from (line for line in lines if line != STOP)


def describe(name: str, puzzles: Sequence[str] = (), prepares: bool = True) -> Backend:
    """What the backend offers for puzzles, or all, or why it is missing; imports all that its runs will need.

    Where it `prepares`, programs are compiled and contents of model files hashed.
    """
    backend, _, solver = name.partition(":")
    offers = Backend(backend)
    try:
        driver = catalogue.driver(backend)
        offers = replace(offers, solvers=driver.solvers())
        driver.load(solver)
    except ImportError as error:
        return replace(offers, missing=str(error))
    formulations: dict[str, list[str]] = {}
    contents: dict[str, str] = {}
    broken: dict[str, str] = {}
    compile_s: dict[str, float] = {}
    for puzzle in puzzles or catalogue.puzzle_names():
        if prepares:
            contents[puzzle] = catalogue.model_sha256(puzzle, backend)
        try:
            catalogue.puzzle_module(puzzle)
            formulations[puzzle] = list(catalogue.formulations(puzzle, backend))
            if prepares and isinstance(driver, Compiles):
                compile_s[puzzle] = sum(map(driver.prepare, catalogue.sources_beside(puzzle, backend)))
        except (catalogue.PuzzleError, ModelError) as error:
            broken[puzzle] = str(error)
    return replace(offers, formulations=formulations, contents=contents, broken=broken, compile_s=compile_s)


class _Worker:
    """A forked process that waits for one run and executes it.

    It is forked ahead, while the harness checks and records the run before: a fork costs milliseconds.
    """

    def __init__(self) -> None:
        request_read, self.requests = os.pipe()
        self.reports, report_write = os.pipe()
        self.output, output_write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            self.close()
            work(request_read, report_write, output_write)
        with suppress(OSError):
            # Both processes do this: whichever is first, the worker can be killed as a group.
            os.setpgid(self.pid, self.pid)
        for theirs in (request_read, report_write, output_write):
            os.close(theirs)

    def pin(self, cores: Sequence[int]) -> None:
        """Moves it to cores, none for any, while it waits: it then wakes up there, and not on this core.

        Not before: until it has a run, the cores may have one of another server.
        """
        if cores:
            with suppress(ProcessLookupError):
                os.sched_setaffinity(self.pid, cores)

    def send(self, line: bytes) -> None:
        """Sends a line of its request; that the process has died shows in the end of its reports."""
        with suppress(BrokenPipeError):
            os.write(self.requests, line + b"\n")

    def close(self) -> None:
        """Closes the server's ends of its pipes."""
        for pipe in (self.requests, self.reports, self.output):
            os.close(pipe)


class Reports:
    """The lines of a worker: solutions are passed on to the harness, the parts of its answer are kept."""

    def __init__(self, answers: IO[bytes]) -> None:
        self.answers = answers
        self.parts: list[bytes] = []
        self.pending = bytearray()

    def add(self, chunk: bytes) -> None:
        """Adds what came through the pipe."""
        self.pending += chunk
        if b"\n" in chunk:
            *lines, self.pending = self.pending.split(b"\n")
            for line in map(bytes, lines):
                if line.startswith(FOUND):
                    send(self.answers, line)
                else:
                    self.parts.append(line)


def _supervise(worker: _Worker, line: bytes, cores: Sequence[int], answers: IO[bytes]) -> bytes:
    """Has a worker execute the run that a line asks for, and enforces the limits; returns its answer.

    A run with fewer threads than the job has `cores` gets the first of them; `answers` gets its solutions.
    """
    started, calendar = monotonic(), time.time()
    run = protocol.read_run(line)
    lasts_s = run.time_limit_s + _GRACE_S
    until = started + WARM_S + lasts_s
    cores = cores[: run.threads]
    worker.pin(cores)
    worker.send(line)
    stolen_before = processes.stolen_s(cores)
    group = None
    if parent := os.environ.get(processes.GROUP_PARENT):
        # The pages that a worker shares with its server are not charged to it.
        limit_mb = run.memory_limit_mb - processes.resident_mb(or_none(psutil.Process))
        group = or_none(lambda: processes.MemoryGroup(Path(parent), limit_mb))
    worker.send(bytes(group.path) if group else b"")
    reports, tail = Reports(answers), bytearray()
    killed: Killed | None = None
    deserted = False
    ended: tuple[int, resource.struct_rusage] | None = None
    tree = processes.ProcessTree(worker.pid)
    with selectors.DefaultSelector() as selector:
        for source in (0, worker.reports, worker.output):
            selector.register(source, selectors.EVENT_READ)
        while not (deserted or killed or ended):
            # Memory is measured a hundred times a second.
            for key, _ in selector.select(0.01):
                chunk = os.read(key.fd, 1 << 20)
                if not chunk:
                    selector.unregister(key.fd)
                    deserted |= key.fd == 0
                elif key.fd == 0:
                    killed = Killed.STOP
                elif key.fd == worker.reports:
                    if not reports.parts:  # The first one says that the run begins.
                        until = min(until, monotonic() + lasts_s)
                    reports.add(chunk)
                elif key.fd == worker.output:
                    tail = (tail + chunk)[-_TAIL_BYTES:]
            # A run that has ended by itself: only the last part has a claim.
            if killed or (reports.parts and reports.parts[-1].startswith(protocol.CLAIM)):
                break
            if monotonic() > until:
                killed = Killed.TIME
            elif tree.resident_mb() > run.memory_limit_mb:
                killed = Killed.MEMORY
            done, status, usage = os.wait4(worker.pid, os.WNOHANG)
            if done:
                ended = status, usage
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(worker.pid, signal.SIGKILL)
    status, usage = ended or os.wait4(worker.pid, 0)[1:]
    processes.end_children()
    # Nobody writes any more, so the pipes hold all that is left.
    reports.add(_read_now(worker.reports))
    tail = (tail + _read_now(worker.output))[-_TAIL_BYTES:]
    ran_out = group is not None and group.ran_out()
    if group:
        group.end()
    worker.close()
    if deserted:
        sys.exit(0)
    peak_mb = processes.peak_mb(usage)
    ending = Answer(
        # The peak may have been between two polls.
        killed=Killed.MEMORY if ran_out or peak_mb > run.memory_limit_mb else killed,
        signal=os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
        exit=os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        cpu_s=usage.ru_utime + usage.ru_stime,
        peak_mb=peak_mb,
        switches=usage.ru_nivcsw,
        stolen_s=processes.since(stolen_before, processes.stolen_s(cores)),
        clock_set_s=time.time() - calendar - (monotonic() - started),
        tail=tail.decode("utf-8", "replace"),
    )
    return protocol.answer_line([*reports.parts, protocol.answer_part(ending)])


def _read_now(pipe: int) -> bytes:
    """The bytes that a pipe holds at this moment."""
    os.set_blocking(pipe, False)
    try:
        return os.read(pipe, 1 << 20)
    except BlockingIOError:
        return b""


if __name__ == "__main__":
    # No name of a puzzle begins with a digit.
    pinned = [word for word in sys.argv[2:] if word[0].isdigit()]
    main(sys.argv[1], [int(core) for word in pinned for core in word.split(",")], sys.argv[2 + len(pinned) :])
    # The harness waits for the end, and to free what was imported lasts longer than a short run.
    os._exit(0)
