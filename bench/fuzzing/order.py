"""What a process that fuzzes is asked to do, and what it tells of it; both go as lines of JSON."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field

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
