"""What a worker process does: it waits for a run, executes it, and reports on it."""

import gc
import os
import resource
import shutil
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NoReturn

from bench import catalogue
from bench.catalogue import errors
from bench.contract import ModelError, Run, SolveRequest, Status, Task, TimeLimit, Unsupported, WrongValues
from bench.environment import counting, processes
from bench.execution.protocol import Answer, Found, answer_part, figure_part, found_line, read_run
from models.shared.model import Reasoned
from models.shared.puzzle import Solution

RECURSION = 20_000
"""Limit of nested calls: a search may be as deep as there are variables; Python's own limit is 1,000."""

WARM_S = 1.0
"""How long a worker may warm up before its run."""


class _Stream:
    """Sends solutions as a run finds them, so that they are checked while it goes on.

    The first 50 are sent at once. Later ones wait until a tenth of a second is over and another is found,
    or the run ends: a line for each would slow down a run that finds many. Where each is `better` than the
    last, only one waits. `spent_s` is spent on sending.
    """

    def __init__(self, send: Callable[[bytes], None], better: bool):
        self.send, self.better = send, better
        self.started_at = perf_counter()
        self.found = self.bounds = 0
        self.spent_s = 0.0
        self.waiting: list[Found] = []
        self.sent_at = 0.0
        self.fault: Exception | None = None

    def add(self, solution: Solution, stands_for: int, bound: float | None = None) -> None:
        """Adds a solution, and how many it stands for; or in its place a value that no solution beats."""
        now = perf_counter()
        self.found += bound is None
        self.bounds += bound is not None
        if self.better:
            self.waiting = [each for each in self.waiting if (each[-1] is None) != (bound is None)]
        self.waiting.append((solution, stands_for, round(now - self.started_at - self.spent_s, 6), bound))
        if (self.found if bound is None else self.bounds) <= 50 or now - self.sent_at > 0.1:
            counting.toggle()
            try:
                self.flush()
            except Exception as error:  # Raised later: here it would pass through the solver.
                self.fault = error
            counting.toggle()
            self.spent_s += perf_counter() - now

    def flush(self) -> None:
        """Sends what is waiting; raises TypeError if a solution cannot be written as JSON."""
        if self.fault:
            raise self.fault
        if not self.waiting:
            return
        try:
            # A time limit must not cut a line in two; it comes after it.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
            waiting, self.waiting = self.waiting, []
            self.send(found_line(waiting))
            self.sent_at = perf_counter()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})


def _warm_up(run: Run) -> None:
    """Solves the model of one variable that a driver has, if it has one, with the solver of a run."""
    driver = catalogue.driver(run.backend)
    with suppress(Exception, TimeLimit):  # What the solver cannot do, the run says.
        request = SolveRequest(run.task, WARM_S, run.threads, run.seed, run.solver)
        if model := driver.load(run.solver):
            driver.solve(model, request, lambda *_: None)


def work(requests: int, reports: int, output: int) -> NoReturn:
    """Waits for a run, executes it, reports on it, and ends this process.

    The pipe `requests` has two lines: the run, and the folder of its control group, empty if it has none.
    `reports` gets solutions and parts of the answer, `output` what libraries print.
    """

    def report(line: bytes) -> None:
        line += b"\n"
        while line:
            line = line[os.write(reports, line) :]

    try:
        os.setpgid(0, 0)
        processes.die_with_parent()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        lines = os.fdopen(requests, "rb")
        if line := lines.readline():
            run = read_run(line)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            # A gigabyte above the memory limit: this stops what grows faster than the server polls.
            limit = (run.memory_limit_mb + 1024) * 1_000_000
            with suppress(OSError, ValueError):  # Where the limit is lower already, it stays.
                resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
            sys.setrecursionlimit(RECURSION)
            if group := lines.readline().strip():
                processes.enter_group(Path(os.fsdecode(group)))
            base_mb = processes.peak_mb(resource.getrusage(resource.RUSAGE_SELF))
            try:
                # What a fork does first is slow: it copies pages, and a library initialises itself.
                catalogue.load(Path(run.path))
                if not counting.IS_ON:  # A program that is started would be counted.
                    _warm_up(run)
                gc.collect()  # So that the collections of a run do not depend on what was done before.
                report(figure_part(b"base_mb", base_mb))
                waited_before = processes.waited_s()
                answer = execute(run, report)
                waited_s = processes.since(waited_before, processes.waited_s())
                answer = replace(answer, waited_s=waited_s)
            except MemoryError as error:
                answer = Answer(Status.MEMOUT, str(error) or "MemoryError")
            except ModelError as error:
                answer = Answer(Status.CRASHED, str(error))
            except Unsupported as reason:
                answer = Answer(Status.UNSUPPORTED, str(reason))
            except BaseException as error:
                where = errors.where(error, catalogue.folder(run.puzzle))
                answer = Answer(Status.CRASHED, where, traceback.format_exc())
            report(answer_part(answer))
            sys.stdout.flush()
    finally:
        os._exit(0)


def execute(run: Run, send: Callable[[bytes], None]) -> Answer:
    """Reads the instance, builds the model, solves it; `send` receives build_s, and each solution."""
    driver = catalogue.driver(run.backend)
    stream = _Stream(send, run.task == Task.BEST)
    counting.begin()
    started = stream.started_at = perf_counter()
    gc.disable()  # There is hardly any garbage: a model lives until the run ends.
    instance = catalogue.load(Path(run.path), adds=False)
    if instance.sha256 != run.instance_sha256:
        raise ValueError(f"{run.path} has changed since the campaign began")
    formulations = catalogue.formulations(run.puzzle, run.backend)
    # A program of a user reads what the default one writes.
    formulation = formulations[run.formulation or next(iter(formulations))]
    if isinstance(formulation, Reasoned):
        begun = perf_counter()
        known = formulation.infer(instance.puzzle)
        send(figure_part(b"reasoning_s", perf_counter() - begun))
        formulation = replace(formulation, infer=lambda _: known)
    model = driver.build(formulation, instance.puzzle)
    gc.freeze()
    gc.enable()
    build_s = perf_counter() - started
    counting.lap()
    send(figure_part(b"build_s", build_s))
    request = SolveRequest(
        run.task, run.time_limit_s - build_s, run.threads, run.seed, run.solver, run.rewriting,
        *(Path(path) if path else None for path in (run.log, run.last_model, run.trace)),
        sense=instance.objective.sense if instance.objective else None, on_bound=partial(stream.add, None, 0),
    )  # fmt: skip

    def keeping(solution: Solution, stands_for: int) -> None:
        stream.add(solution, stands_for)
        with suppress(OSError):  # Not every driver writes it.
            shutil.copy(run.last_model, f"{run.last_model}.{stream.found}")

    if request.time_s <= 0:
        return Answer(Status.TIMEOUT, "building the model took all of the time", total_s=build_s)
    try:
        outcome = driver.solve(model, request, keeping if run.last_model else stream.add)
    except WrongValues as reason:
        return Answer(Status.WRONG, str(reason))
    except TimeLimit:
        return Answer(Status.TIMEOUT, "the solver did not stop by itself")
    finally:
        ended = perf_counter()
        counting.end()
        stream.flush()
    solved = Status.OPTIMAL if run.task == Task.BEST else Status.SOLVED
    found = solved if stream.found else Status.INFEASIBLE
    unfinished = Status.STOPPED if outcome.stopped else Status.TIMEOUT
    total_s = ended - started - stream.spent_s
    return Answer(found if outcome.complete else unfinished, outcome=outcome, total_s=total_s)
