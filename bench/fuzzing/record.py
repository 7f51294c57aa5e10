"""finding.json: what is known about a finding."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pydantic

from bench.catalogue.errors import RequestError
from bench.contract import Task
from bench.environment.files import replace_file
from bench.fuzzing.finding import Kind
from bench.fuzzing.witness import Trial


class Shows(pydantic.BaseModel, frozen=True):
    """Whether show.py shows the fault, and how it solves: `fresh`, `sequence` or `project`."""

    how: str
    fault: bool
    output: str


@dataclass(frozen=True)
class Record:
    """What finding.json says.

    Attributes:
        said, truth: what the run said, and what is true or how it failed.
        solutions: how many the instance has, if that was counted exhaustively.
        witness: a solution of the puzzle that passed the checker, and that the run denies.
        refused: a solution that the run gave and the checker refuses.
        model: the file that show.py solves; empty if it runs the project's command.
        model_witness_by: who found witness.json: a solution of the model, or where all are counted those that
            are known.
        repeats, repeated: how often the run was repeated, and how often it was at fault then.
        trials: what the solver says of that model with other seeds, with presolve and without.
        left_out: what is not in this folder, and why.
    """

    solver: str
    version: str
    kind: Kind
    said: str
    truth: str
    puzzle: str
    formulation: str
    task: Task
    seed: int
    threads: int
    rewriting: int
    time_limit_s: float
    solutions: int | None
    witness: Any
    model: str
    model_witness_by: str
    repeated: int
    show: Shows | None
    trials: Sequence[Trial]
    python: str
    platform: str
    cpu: str | None
    packages: dict[str, str]
    left_out: list[str] = field(default_factory=list)
    repeats: int = 1
    refused: Any = None


RECORDS = pydantic.TypeAdapter(Record)


def write_record(folder: Path, record: Record) -> None:
    """Writes finding.json."""
    replace_file(
        folder / "finding.json",
        RECORDS.dump_json(record, indent=2, exclude={"trials": {"__all__": {"found"}}}).decode() + "\n",
    )


def read_record(folder: Path) -> Record:
    """What finding.json says.

    Raises:
        RequestError: if it cannot be read.
    """
    try:
        return RECORDS.validate_json((folder / "finding.json").read_bytes())
    except (OSError, ValueError):
        raise RequestError(f"{folder / 'finding.json'}: it cannot be read; choose another --out") from None
