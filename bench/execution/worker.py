"""What a worker process does to execute a run."""

import signal
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from bench import catalogue
from bench.contract import Run, SolveRequest, Status, TimeLimit, Unsupported
from bench.execution.answer import Answer
from bench.execution.protocol import Found, build_part, found_line
from models.shared.puzzle import Solution

AT_ONCE = 50
"""How many solutions of a run are sent as they are found; later ones are sent together."""

TOGETHER_S = 0.1
"""Seconds between two lines with solutions that are sent together."""


class Stream:
    """Sends solutions as a run finds them, so that they are checked while it goes on.

    The first ones are sent at once. Later ones wait until a tenth of a second is over and another is found,
    or the run ends: a line for each would slow down a run that finds many.

    Attributes:
        found: how many solutions were added.
        spent_s: seconds spent on sending them.
    """

    def __init__(self, send: Callable[[bytes], None]):
        self.send = send
        self.found = 0
        self.spent_s = 0.0
        self.waiting: list[Found] = []
        self.sent_at = 0.0
        self.fault: Exception | None = None

    def add(self, solution: Solution, stands_for: int) -> None:
        """Adds a solution, and how many it stands for."""
        self.found += 1
        self.waiting.append((solution, stands_for))
        now = perf_counter()
        if self.found <= AT_ONCE or now - self.sent_at > TOGETHER_S:
            try:
                self.flush()
            except Exception as error:  # Raised later: here it would pass through the solver.
                self.fault = error
            self.spent_s += perf_counter() - now

    def flush(self) -> None:
        """Sends what is waiting.

        Raises:
            TypeError: if a solution cannot be written as JSON.
        """
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


def execute(run: Run, send: Callable[[bytes], None]) -> Answer:
    """Reads the instance, builds the model, solves it.

    Args:
        run: what to execute.
        send: receives a line with build_s when the model is built, and solutions as they are found.

    Returns:
        The claim, the total time, and the driver's outcome as it is.
    """
    driver = catalogue.driver(run.backend)
    stream = Stream(send)
    started = perf_counter()
    instance = catalogue.load(Path(run.path))
    if instance.sha256 != run.instance_sha256:
        raise ValueError(f"{run.path} has changed since the campaign began")
    model = driver.build(catalogue.formulations(run.puzzle, run.backend)[run.formulation], instance.puzzle)
    built = perf_counter()
    send(build_part(built - started))
    request = SolveRequest(run.task, run.time_limit_s - (built - started), run.threads, run.seed, run.solver)
    if request.time_s <= 0:
        error = "building the model took all of the time"
        return Answer(Status.TIMEOUT, error, total_s=built - started)
    try:
        outcome = driver.solve(model, request, stream.add)
    except Unsupported as reason:
        return Answer(Status.UNSUPPORTED, str(reason))
    except TimeLimit:
        return Answer(Status.TIMEOUT, "the solver did not stop by itself")
    finally:
        ended = perf_counter()
        stream.flush()
    total_s = ended - started - stream.spent_s
    found = Status.SOLVED if stream.found else Status.INFEASIBLE
    return Answer(found if outcome.complete else Status.TIMEOUT, outcome=outcome, total_s=total_s)
