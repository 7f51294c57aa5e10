"""Fuzzes with several processes at once, and keeps what they tell."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from math import inf
from pathlib import Path

from bench import catalogue
from bench.catalogue.errors import RequestError, writing
from bench.environment import machine
from bench.execution.process import Process, ProcessEnded
from bench.fuzzing.folder import Folder
from bench.fuzzing.order import SOURCES, Order, Tally

POLL_S = 0.2
"""Seconds between two looks at what the processes tell."""

SAVE_EVERY_S = 5.0
"""Seconds between two writes of the session's file; the first comes with the first instance."""


@dataclass(frozen=True)
class Progress:
    """Where a session stands."""

    tally: Tally = field(default_factory=Tally)
    seconds: float = 0


def hunt(order: Order, jobs: int, on_progress: Callable[[Progress], None]) -> None:
    """Fuzzes until the time is up or the examples are drawn; what was found stays if it is interrupted.

    Args:
        order: what to do in all; the examples are divided among the jobs.
        jobs: how many processes fuzz, each with draws of its own.

    Raises:
        RequestError: if the folder cannot be written.
        KeyboardInterrupt: after all processes are ended.
    """
    session = Session(order, jobs)
    with ExitStack() as stack:
        running = []
        for number, share in enumerate(shares(order, jobs)):
            process = stack.enter_context(closing(Process("bench.fuzzing.job", hash_seed=number)))
            process.send(share.line())
            running.append(process)
        stack.callback(session.save)
        while running:
            time.sleep(POLL_S)
            for process in [*running]:
                if not session.hear(process):
                    running.remove(process)
            on_progress(session.progress)


def shares(order: Order, jobs: int) -> Iterator[Order]:
    """The orders of the processes."""
    for job in range(jobs):
        examples = None if order.examples is None else (order.examples + jobs - 1 - job) // jobs
        if examples != 0:
            yield replace(order, examples=examples, seed=f"{order.seed}/{job}")


class Session:
    """What the processes of one session have told, in a file of the folder `sessions`."""

    def __init__(self, order: Order, jobs: int) -> None:
        self.order, self.jobs = order, jobs
        self.started, self.started_at = time.monotonic(), datetime.now(UTC)
        self.saved_at = -inf
        self.tally = Tally()
        self.machine = machine.describe()
        folder = Folder(Path(order.folder)).path / "sessions"
        with writing(folder, "choose another folder with --out"):
            folder.mkdir(exist_ok=True)
        self.file = folder / f"{self.started_at:%Y-%m-%dT%H-%M-%S.%f}.json"

    @property
    def progress(self) -> Progress:
        """Where it stands."""
        return Progress(self.tally, time.monotonic() - self.started)

    def hear(self, process: Process) -> bool:
        """Adds what a process tells; returns whether it goes on. If one fails, the others go on."""
        try:
            while process.has_answered():
                self.tally.add(Tally.from_line(process.answer(POLL_S)))
        except ProcessEnded as error:
            if process.popen.wait() != 0:
                self.tally.errors.append(f"a process that fuzzes has ended: {error}")
            return False
        if self.tally.instances and time.monotonic() - self.saved_at > SAVE_EVERY_S:
            self.save()
        return True

    def save(self) -> None:
        """Writes the file."""
        self.saved_at = time.monotonic()
        facts = {
            "started_at": f"{self.started_at:%Y-%m-%d %H:%M:%S}",
            "seconds": round(self.progress.seconds, 1),
            "jobs": self.jobs,
            "seed": self.order.seed,
            "time_limit_s": self.order.time_limit_s,
            "commit": self.machine.commit,
            "cpu": self.machine.hardware.cpu,
            "python": self.machine.python,
        }
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(facts | json.loads(self.tally.line()), indent=1) + "\n", encoding="utf-8")
        part.replace(self.file)


def has_instances(puzzle: str) -> bool:
    """Whether there is anything to draw for a puzzle."""
    return any(catalogue.source_of(puzzle, name).exists() for name in SOURCES)


def chosen(puzzles: Sequence[str]) -> list[str]:
    """The puzzles to fuzz; all that have instances to draw if none is named.

    Raises:
        RequestError: if there is nothing to draw for one that is named.
    """
    names = [catalogue.find_puzzle(name) for name in puzzles]
    for name in names:
        if not has_instances(name):
            file = catalogue.errors.shown(catalogue.source_of(name, "random_instances"))
            raise RequestError(f"{name}: there is nothing to draw; write {file} (docs/adding.md)")
    return names or [name for name in catalogue.puzzle_names() if has_instances(name)]
