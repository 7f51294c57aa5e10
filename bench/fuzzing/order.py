"""What a process that fuzzes is asked to do, and what it tells of it; both go as lines of JSON."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

SOURCES = ("random_instances", "generate")
"""The files of a puzzle that instances are drawn from."""

Model = tuple[str, str, str, str]
"""Puzzle, `backend:solver`, the solver's release, formulation."""


@dataclass(frozen=True)
class Order:
    """What to fuzz.

    Attributes:
        puzzles: their names.
        backends: as `BACKEND:SOLVER`.
        formulations: only these; empty for all.
        minutes: for how long; None for as long as there are examples.
        examples: how many instances to draw; None for as many as there is time for.
        seed: of all draws.
        time_limit_s: of a run, in seconds.
        memory_limit_mb: of a run.
        folder: where findings are written.
    """

    puzzles: tuple[str, ...]
    backends: tuple[str, ...]
    formulations: tuple[str, ...]
    minutes: float | None
    examples: int | None
    seed: str
    time_limit_s: float
    memory_limit_mb: int
    folder: str

    def line(self) -> bytes:
        """The order as a line."""
        return json.dumps(asdict(self)).encode()

    @staticmethod
    def from_line(line: bytes) -> "Order":
        """The order that a line has."""
        values = json.loads(line)
        lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
        return Order(**{**values, **lists})


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

    def add(self, other: "Tally") -> None:
        """Adds what another process executed."""
        self.instances += other.instances
        self.counted += other.counted
        self.runs += other.runs
        self.faults += other.faults
        self.errors = list(dict.fromkeys([*self.errors, *other.errors]))

    def line(self) -> bytes:
        """The tally as a line."""
        values: dict[str, Any] = {
            "instances": self.instances,
            "counted": self.counted,
            "runs": [[*model, status, number] for (model, status), number in self.runs.items()],
            "faults": [[*model, number] for model, number in self.faults.items()],
            "errors": self.errors,
        }
        return json.dumps(values).encode()

    @staticmethod
    def from_line(line: bytes) -> "Tally":
        """The tally that a line has."""
        values = json.loads(line)
        return Tally(
            Counter(values["instances"]),
            Counter(values["counted"]),
            Counter({((p, b, v, f), status): number for p, b, v, f, status, number in values["runs"]}),
            Counter({(p, b, v, f): number for p, b, v, f, number in values["faults"]}),
            values["errors"],
        )
