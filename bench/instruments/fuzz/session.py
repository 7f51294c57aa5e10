"""A session of fuzzing: what it asks several processes to do, and what they tell of it, as lines of JSON."""

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from math import inf
from pathlib import Path

from bench.environment import machine
from bench.environment.files import replace_file
from bench.execution.process import Process, ProcessEnded
from bench.instruments.fuzz.findings import Folder

_POLL_S, _SAVE_EVERY_S = 0.2, 5.0
"""Seconds between two looks at what the processes tell, and between two writes of the session's file."""

SOURCES = ("random_instances", "generate")
"""The files of a puzzle that instances are drawn from."""

Model = tuple[str, ...]
"""Puzzle, `backend:solver`, the solver's release, formulation."""


@dataclass(frozen=True)
class Order:
    """What to fuzz.

    Attributes:
        backends: as `BACKEND:SOLVER`.
        formulations: only these; empty for all.
        minutes, examples: for how long, or how many instances are drawn; the other is None.
        seed: of all draws.
        time_limit_s, memory_limit_mb: of a run.
        folder: where findings are written.
    """

    puzzles: Sequence[str]
    backends: Sequence[str]
    formulations: Sequence[str]
    minutes: float | None
    examples: int | None
    seed: str
    time_limit_s: float
    memory_limit_mb: int
    folder: str


@dataclass
class Tally:
    """What was executed.

    Attributes:
        instances: how many were drawn, by puzzle.
        counted: how many of them were counted exhaustively, by puzzle.
        runs: how many there were, by model and status.
        faults: how many of these were at fault, by model.
        errors: what is wrong in the project itself, which is no finding.
    """

    instances: Counter[str] = field(default_factory=Counter)
    counted: Counter[str] = field(default_factory=Counter)
    runs: Counter[tuple[Model, str]] = field(default_factory=Counter)
    faults: Counter[Model] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)

    def add(self, line: bytes) -> None:
        """Adds what another process executed, as `line` tells it."""
        values = json.loads(line)
        self.instances.update(values["instances"])
        self.counted.update(values["counted"])
        self.runs.update({(tuple(model), status): number for *model, status, number in values["runs"]})
        self.faults.update({tuple(model): number for *model, number in values["faults"]})
        self.errors += [error for error in values["errors"] if error not in self.errors]

    def line(self) -> bytes:
        """The tally as a line."""
        runs = [[*model, status, number] for (model, status), number in self.runs.items()]
        faults = [[*model, number] for model, number in self.faults.items()]
        return json.dumps({**vars(self), "runs": runs, "faults": faults}).encode()


class Session:
    """What the processes of one session have told, in a file of the folder `sessions`.

    Args:
        order: what to do in all; the examples are divided among the jobs.
        jobs: how many processes fuzz, each with draws of its own.
    """

    def __init__(self, order: Order, jobs: int) -> None:
        self.order, self.jobs, self.tally = order, jobs, Tally()
        self.started, self.started_at, self.saved_at = time.monotonic(), datetime.now(UTC), -inf
        self.machine = machine.describe()
        folder = Folder(Path(order.folder)).path / "sessions"
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
                    share = replace(self.order, examples=examples, seed=f"{self.order.seed}/{job}")
                    process = stack.enter_context(
                        closing(Process("bench.instruments.fuzz.job", hash_seed=job))
                    )
                    process.send(json.dumps(asdict(share)).encode())
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
        replace_file(self.file, json.dumps(facts | json.loads(self.tally.line()), indent=1) + "\n")
