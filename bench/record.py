"""runs.csv: one row a run, appended and flushed, valid after a kill at any moment."""

import csv
import fcntl
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.catalogue import Instance, RequestError
from bench.contract import Solver
from bench.run import Run
from bench.verdict import Verdict

COLUMNS = (
    "campaign",
    "started_at",
    "puzzle",
    "instance",
    "instance_sha256",
    "size",
    "backend",
    "solver",
    "solver_version",
    "formulation",
    "task",
    "seed",
    "repeat",
    "threads",
    "time_limit_s",
    "memory_limit_mb",
    "status",
    "solutions",
    "answer",
    "build_s",
    "translate_s",
    "presolve_s",
    "search_s",
    "solve_s",
    "total_s",
    "cpu_s",
    "peak_mb",
    "overhead_s",
    "variables",
    "constraints",
    "nonzeros",
    "presolved_variables",
    "presolved_constraints",
    "presolved_nonzeros",
    "branches",
    "failures",
    "propagations",
    "lp_iterations",
    "work",
    "base_mb",
    "host",
    "cpu",
    "python",
    "version",
    "commit",
    "error",
    "solution",
)
"""The columns of runs.csv in order; docs/measurements.md says what each one means."""

KEY = (
    "puzzle",
    "instance",
    "instance_sha256",
    "backend",
    "solver",
    "formulation",
    "task",
    "seed",
    "repeat",
    "threads",
    "time_limit_s",
    "memory_limit_mb",
)
"""What tells one run of a campaign from another; all of it is known before the run."""

FROM_MACHINE = ("host", "cpu", "python", "version", "commit")
FROM_RESPONSE = ("cpu_s", "peak_mb", "base_mb")

Row = dict[str, Any]


def make_row(
    campaign: Mapping[str, Any],
    started_at: str,
    instance: Instance,
    run: Run,
    solver: Solver | None,
    response: Mapping[str, Any],
    verdict: Verdict,
) -> Row:
    """The row of a run; a figure that there is none of is None."""
    figures = response.get("result") or {}
    row: Row = {column: figures.get(column) for column in COLUMNS}
    row |= {column: getattr(run, column) for column in KEY}
    row |= {column: campaign.get(column) for column in FROM_MACHINE}
    row |= {column: response.get(column) for column in FROM_RESPONSE}
    return row | {
        "campaign": campaign["campaign"],
        "started_at": started_at,
        "size": instance.puzzle.size,
        "solver_version": solver.version if solver else None,
        "status": verdict.status,
        "error": verdict.error,
        "solutions": verdict.solutions,
        "answer": verdict.answer,
        "solution": None if verdict.solution is None else json.dumps(verdict.solution, separators=(",", ":")),
    }


def written(value: Any) -> str:
    """A value as it stands in runs.csv: times to the microsecond, nothing for None."""
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) and value != int(value) else str(value)


def key(run: Run) -> tuple[str, ...]:
    """The key of a run, as the text that stands in runs.csv."""
    return tuple(written(getattr(run, column)) for column in KEY)


def row_key(row: Mapping[str, str]) -> tuple[str, ...]:
    """The key of a row that was read from runs.csv."""
    return tuple(row[column] for column in KEY)


class Recorder:
    """Appends rows to a runs.csv; one campaign at a time may hold it.

    Args:
        path: the file, made with its header if it is not there.

    Raises:
        RequestError: if it cannot be written, is held by another campaign, or has other columns.
    """

    def __init__(self, path: Path):
        self.path = path
        try:
            self.file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise RequestError(f"{path}: {error.strerror}; choose another folder with --out") from None
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RequestError(
                f"{path}: another campaign is writing here; wait for it or use --out"
            ) from None
        self.rows = self.recover()

    def recover(self) -> list[dict[str, str]]:
        """The rows that are there; a last line that a kill cut off is taken away."""
        with self.path.open("rb") as file:
            content = file.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(self.file, whole)
        if not whole:
            self.append_line(COLUMNS)
            return []
        reader = csv.DictReader(io.StringIO(content[:whole].decode("utf-8", "replace")))
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise RequestError(
                f"{self.path}: these are not the columns of this version; choose another --out"
            )
        return list(reader)

    def append(self, row: Row) -> None:
        """Writes a row, through to the disk.

        Raises:
            RequestError: if the disk is full; what was recorded before is untouched.
        """
        self.append_line([written(row[column]) for column in COLUMNS])

    def append_line(self, words: Any) -> None:
        """Writes a line in one call, and takes it back whole if it does not fit."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(words)
        line = text.getvalue().encode()
        size = os.fstat(self.file).st_size
        try:
            if os.write(self.file, line) != len(line):
                os.ftruncate(self.file, size)
                raise RequestError(f"{self.path}: no space left; all earlier runs are recorded")
            os.fsync(self.file)
        except OSError as error:
            os.ftruncate(self.file, size)
            raise RequestError(f"{self.path}: {error.strerror}; all earlier runs are recorded") from None

    def close(self) -> None:
        """Lets another campaign have the file."""
        os.close(self.file)
