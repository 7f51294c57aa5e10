"""Fuzzes with several processes at once, and keeps what they tell."""

import json
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime
from math import inf
from pathlib import Path

from bench.catalogue.errors import writing
from bench.environment import machine
from bench.execution.process import Process, ProcessEnded
from bench.fuzzing.findings import Folder
from bench.fuzzing.order import Order, Tally

_POLL_S = 0.2
"""Seconds between two looks at what the processes tell."""

_SAVE_EVERY_S = 5.0
"""Seconds between two writes of the session's file; the first comes with the first instance."""


class Session:
    """What the processes of one session have told, in a file of the folder `sessions`.

    Args:
        order: what to do in all; the examples are divided among the jobs.
        jobs: how many processes fuzz, each with draws of its own.

    Raises:
        RequestError: if the folder cannot be written.
    """

    def __init__(self, order: Order, jobs: int) -> None:
        self.order, self.jobs, self.tally = order, jobs, Tally()
        self.started, self.started_at, self.saved_at = time.monotonic(), datetime.now(UTC), -inf
        self.machine = machine.describe()
        folder = Folder(Path(order.folder)).path / "sessions"
        with writing(folder, "choose another folder with --out"):
            folder.mkdir(exist_ok=True)
        self.file = folder / f"{self.started_at:%Y-%m-%dT%H-%M-%S.%f}.json"

    @property
    def seconds(self) -> float:
        """For how long it lasts."""
        return time.monotonic() - self.started

    def hunt(self, on_progress: Callable[[], None]) -> None:
        """Fuzzes until the time is up or the examples are drawn; what was found stays if it is interrupted.

        Raises:
            KeyboardInterrupt: after all processes are ended.
        """
        with ExitStack() as stack:
            running = []
            for job in range(self.jobs):
                examples = self.order.examples and (self.order.examples + self.jobs - 1 - job) // self.jobs
                if examples != 0:
                    process = stack.enter_context(closing(Process("bench.fuzzing.job", hash_seed=job)))
                    process.send(
                        replace(self.order, examples=examples, seed=f"{self.order.seed}/{job}").line()
                    )
                    running.append(process)
            stack.callback(self._save)
            while running:
                time.sleep(_POLL_S)
                running = [process for process in running if self._hear(process)]
                on_progress()

    def _hear(self, process: Process) -> bool:
        """Adds what a process tells; returns whether it goes on. If one fails, the others go on."""
        try:
            while process.has_answered():
                self.tally.add(process.answer(_POLL_S))
        except ProcessEnded as error:
            if process.popen.wait() != 0:
                self.tally.errors.append(f"a process that fuzzes has ended: {error}")
            return False
        if self.tally.instances and time.monotonic() - self.saved_at > _SAVE_EVERY_S:
            self._save()
        return True

    def _save(self) -> None:
        """Writes the file."""
        self.saved_at = time.monotonic()
        facts = {
            "started_at": f"{self.started_at:%Y-%m-%d %H:%M:%S}",
            "seconds": round(self.seconds, 1),
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
