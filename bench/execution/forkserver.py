"""The process that holds one backend preloaded and forks a worker for each run.

`python -m bench.execution.forkserver BACKEND[:SOLVER] [CORES]` imports the backend's driver and models, with
the library of SOLVER if that needs a separate process. It says on one line what the backend offers, then
answers each Run until its input ends (protocol.py has the lines). It enforces the limits, and nothing that a
run does can harm it: the worker is its own process group with its own output, and is killed as a whole, with
all its descendants. Workers are pinned to CORES, as in `2,3`.
"""

import gc
import os
import resource
import selectors
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import IO, NoReturn

import psutil

from bench import catalogue
from bench.catalogue import errors
from bench.contract import Backend, ModelError, Run, Status
from bench.environment import cgroups, processes
from bench.environment.tolerant import or_none
from bench.execution.answer import Answer, Killed
from bench.execution.protocol import (
    CLAIM,
    FOUND,
    STOP,
    Assignment,
    answer_line,
    answer_part,
    assignment_line,
    backend_line,
    memory_part,
    read_assignment,
    read_run,
)
from bench.execution.worker import execute

GRACE_S = 0.5
"""Seconds by which a run may exceed its time limit before it is killed."""

POLL_S = 0.01
"""Seconds between two measurements of the memory of a run."""

SPARE_MB = 1024
"""RLIMIT_DATA is this much above the memory limit: it stops what grows faster than the poll."""

RECURSION = 20_000
"""Limit of nested calls: a search may be as deep as there are variables; Python's own limit is 1,000."""

TAIL_BYTES = 2000
"""How much of the end of a run's output is kept."""

KIB_PER_MB = 1e6 / 1024


def main(name: str, cores: Sequence[int]) -> None:
    """Serves runs of one backend, or of one of its solvers, on the standard streams."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # So that what a library prints does not get between the answers.
    processes.adopt_orphans()
    send(answers, backend_line(describe(name)))
    gc.collect()
    gc.freeze()
    worker = Worker()
    for line in requests():
        send(answers, supervise(worker, read_run(line), cores, answers))
        worker = Worker()


def send(answers: IO[bytes], line: bytes) -> None:
    """Sends a line to the harness."""
    answers.write(line + b"\n")
    answers.flush()


def requests() -> Iterator[bytes]:
    """Lines of the standard input, read without a buffer so that `select` sees what is there."""
    pending = b""
    while chunk := os.read(0, 65536):
        pending += chunk
        while b"\n" in pending:
            line, pending = pending.split(b"\n", 1)
            if line != STOP:  # Else the run that it was for has ended by itself.
                yield line


def describe(name: str) -> Backend:
    """What the backend offers, or why it is missing; imports all that its runs will need."""
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
    for puzzle in catalogue.puzzle_names():
        contents[puzzle] = catalogue.model_sha256(puzzle, backend)
        try:
            catalogue.puzzle_module(puzzle)
            formulations[puzzle] = list(catalogue.formulations(puzzle, backend))
        except catalogue.PuzzleError as error:
            broken[puzzle] = str(error)
    return replace(offers, formulations=formulations, contents=contents, broken=broken)


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

    @property
    def done(self) -> bool:
        """Whether the run has ended by itself: only the last part has a claim."""
        return bool(self.parts) and self.parts[-1].startswith(CLAIM)


class Worker:
    """A forked process that waits for one run and executes it.

    It is forked ahead, while the harness checks and records the run before: a fork costs milliseconds.
    """

    def __init__(self) -> None:
        assignment_read, self.assignments = os.pipe()
        self.reports, report_write = os.pipe()
        self.output, output_write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            for ours in (self.assignments, self.reports, self.output):
                os.close(ours)
            work(assignment_read, report_write, output_write)
        with suppress(OSError):
            # Both processes do this: whichever is first, the worker can be killed as a group.
            os.setpgid(self.pid, self.pid)
        for theirs in (assignment_read, report_write, output_write):
            os.close(theirs)

    def assign(self, assignment: Assignment) -> None:
        """Tells the process what to do; that one has died shows in the end of its reports."""
        with suppress(BrokenPipeError):
            os.write(self.assignments, assignment_line(assignment) + b"\n")

    def close(self) -> None:
        """Closes this end of its pipes."""
        for pipe in (self.assignments, self.reports, self.output):
            os.close(pipe)


def supervise(worker: Worker, run: Run, cores: Sequence[int], answers: IO[bytes]) -> bytes:
    """Has a worker execute a run, and enforces the limits; passes solutions on to `answers` as they come.

    Returns:
        The line with the answer.
    """
    group = group_of(run)
    stolen_before = processes.stolen_s(cores)
    started = monotonic()
    worker.assign(Assignment(run, cores, str(group.path) if group else None))
    reports, tail = Reports(answers), bytearray()
    killed: Killed | None = None
    deserted = False
    ended: tuple[int, resource.struct_rusage] | None = None
    tree = processes.ProcessTree(worker.pid)
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
                    killed = Killed.STOP
                elif key.fd == worker.reports:
                    reports.add(chunk)
                elif key.fd == worker.output:
                    tail = (tail + chunk)[-TAIL_BYTES:]
            if reports.done or killed:
                break
            if monotonic() - started > run.time_limit_s + GRACE_S:
                killed = Killed.TIME
            elif tree.resident_mb() > run.memory_limit_mb:
                killed = Killed.MEMORY
            done, status, usage = os.wait4(worker.pid, os.WNOHANG)
            if done:
                ended = status, usage
    processes.end_group(worker.pid)
    status, usage = ended or os.wait4(worker.pid, 0)[1:]
    processes.end_children()
    # Nobody writes any more, so the pipes hold all that is left.
    while chunk := read_now(worker.reports):
        reports.add(chunk)
    while chunk := read_now(worker.output):
        tail = (tail + chunk)[-TAIL_BYTES:]
    ran_out = group is not None and group.ran_out()
    if group:
        group.end()
    worker.close()
    if deserted:
        sys.exit(0)
    ending = Answer(
        # The peak may have been between two polls.
        killed=Killed.MEMORY if ran_out or peak_mb(usage) > run.memory_limit_mb else killed,
        signal=os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
        exit=os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        cpu_s=usage.ru_utime + usage.ru_stime,
        peak_mb=peak_mb(usage),
        switches=usage.ru_nivcsw,
        stolen_s=processes.since(stolen_before, processes.stolen_s(cores)),
        tail=tail.decode("utf-8", "replace"),
    )
    return answer_line([*reports.parts, answer_part(ending)])


def peak_mb(usage: resource.struct_rusage) -> float:
    """Megabytes (10^6 bytes) resident at most so far; of a process that was just forked, those it has."""
    return usage.ru_maxrss / (1e6 if sys.platform == "darwin" else KIB_PER_MB)


def read_now(source: int) -> bytes:
    """The bytes that a pipe holds at this moment."""
    os.set_blocking(source, False)
    try:
        return os.read(source, 1 << 20)
    except BlockingIOError:
        return b""


def group_of(run: Run) -> cgroups.Group | None:
    """A new control group for the run; None where this user may not make one."""
    if not (parent := os.environ.get(cgroups.PARENT)):
        return None
    # The pages that a worker shares with its server are not charged to it.
    limit_mb = run.memory_limit_mb - processes.resident_mb(or_none(psutil.Process))
    return or_none(lambda: cgroups.Group(Path(parent), limit_mb))


def work(assignment_read: int, report_write: int, output_write: int) -> NoReturn:
    """What a worker does: waits for its assignment, executes the run, reports on it, and ends."""

    def report(line: bytes) -> None:
        line += b"\n"
        while line:
            line = line[os.write(report_write, line) :]

    try:
        os.setpgid(0, 0)
        processes.die_with_parent()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output_write, 1)
        os.dup2(output_write, 2)
        gc.collect()  # So that the collections of a run do not depend on what its server did before.
        with os.fdopen(assignment_read, "rb") as assignments:
            line = assignments.readline()
        if line:
            assignment = read_assignment(line)
            run = assignment.run
            if assignment.group:
                cgroups.enter(Path(assignment.group))
            if assignment.cores:
                os.sched_setaffinity(0, assignment.cores)
            limit_resources(run)
            report(memory_part(peak_mb(resource.getrusage(resource.RUSAGE_SELF))))
            waited_s = None
            try:
                waited_before = processes.waited_s()
                answer = execute(run, report)
                waited_s = processes.since(waited_before, processes.waited_s())
            except MemoryError:
                answer = Answer(Status.MEMOUT, "MemoryError")
            except ModelError as error:
                answer = Answer(Status.CRASHED, str(error))
            except BaseException as error:
                where = errors.where(error, catalogue.folder(run.puzzle))
                answer = Answer(Status.CRASHED, where, traceback.format_exc())
            report(answer_part(answer, waited_s))
            sys.stdout.flush()
    finally:
        os._exit(0)


def limit_resources(run: Run) -> None:
    """Sets the limits that the system itself enforces in the worker."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limit = (run.memory_limit_mb + SPARE_MB) * 1_000_000
    with suppress(OSError, ValueError):  # Where the limit is lower already, it stays.
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    sys.setrecursionlimit(RECURSION)


if __name__ == "__main__":
    main(sys.argv[1], [int(core) for argument in sys.argv[2:] for core in argument.split(",")])
