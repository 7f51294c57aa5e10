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
from bench.verdict import Verdict, is_figure

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
    "switches",
    "waited_s",
    "stolen_s",
    "disturbed",
    "sentinel_s",
    "restarts",
    "model_sha256",
    "rules_sha256",
    "witnesses",
)
"""The columns of runs.csv in order; docs/measurements.md says what each one means."""

ADDED = ("restarts", "model_sha256", "rules_sha256", "witnesses")
"""The columns that campaigns of earlier versions do not have; they are read as empty."""

KEY = (
    "puzzle",
    "instance",
    "instance_sha256",
    "backend",
    "solver",
    "formulation",
    "task",
    "seed",
    "threads",
    "time_limit_s",
    "memory_limit_mb",
)
"""What tells one run of a campaign from another, but for its repeat; all of it is known before the run."""

FROM_MACHINE = ("host", "cpu", "python", "version", "commit")
FROM_RESPONSE = ("cpu_s", "peak_mb", "switches", "stolen_s")

DISTURBED_SHARE = 0.02
DISTURBED_S = 0.001
"""A run is disturbed if it had to wait for a core for more than this share of its time, and this long."""

Row = dict[str, Any]


def make_row(
    campaign: Mapping[str, Any],
    started_at: str,
    instance: Instance,
    run: Run,
    solver: Solver | None,
    response: Mapping[str, Any],
    verdict: Verdict,
    sentinel_s: float | None,
) -> Row:
    """The row of a run; a figure that there is none of is None."""
    figures = {name: value for name, value in response["figures"].items() if is_figure(value)}
    row: Row = {column: figures.get(column) for column in COLUMNS}
    row |= {column: getattr(run, column) for column in (*KEY, "repeat")}
    row |= {column: campaign.get(column) for column in FROM_MACHINE}
    row |= {column: response[column] for column in FROM_RESPONSE if is_figure(response.get(column))}
    row["disturbed"] = disturbed(row)
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
        "sentinel_s": sentinel_s,
    }


def disturbed(row: Row) -> int | None:
    """1 if something else had the core for a while that matters, else 0; None if that is not known."""
    if row["total_s"] is None or row["waited_s"] is None:
        return None
    lost_s = row["waited_s"] + (row["stolen_s"] or 0.0)
    return int(lost_s > max(DISTURBED_S, DISTURBED_SHARE * row["total_s"]))


def written(value: Any) -> str:
    """A value as it stands in runs.csv: times to the microsecond, nothing for None."""
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) and value != int(value) else str(value)


def key(run: Run) -> tuple[str, ...]:
    """The key of a run, the same for all its repeats, as the text that stands in runs.csv."""
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
            self.lock()
            self.rows = self.recover()
        except RequestError:
            self.close()
            raise

    def lock(self) -> None:
        """Takes the file for this campaign alone."""
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            message = "another campaign is writing here; wait for it or use --out"
            raise RequestError(f"{self.path}: {message}") from None

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
        rows = list(reader)
        for number, row in enumerate(rows, 1):
            if None in row.values() or not row["repeat"].isdigit():
                raise RequestError(f"{self.path}: row {number} is damaged; mend it or choose another --out")
        return rows

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
