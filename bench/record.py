"""runs.csv: one row a run, appended and flushed, valid after a kill at any moment."""

import csv
import fcntl
import io
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import Any

from bench.catalogue import Instance, RequestError
from bench.run import Run
from bench.verdict import Agreement, Verdict, is_figure, settle

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

MEASUREMENT = ("puzzle", "instance", "backend", "solver", "formulation", "task")
"""The columns that the repeats of a measurement have in common, whatever their seeds."""

KEY = (
    *MEASUREMENT,
    "seed",
    "threads",
    "time_limit_s",
    "memory_limit_mb",
)
"""What names a run of a campaign, but for its repeat; all of it is known before the run."""

CONTENTS = ("instance_sha256", "model_sha256", "solver_version")
"""What the run depends on: runs of one name are repeats of each other only if these are the same."""

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
    response: Mapping[str, Any],
    verdict: Verdict,
    sentinel_s: float | None,
) -> Row:
    """The row of a run; a figure that there is none of is None."""
    figures = {name: value for name, value in response["figures"].items() if is_figure(value)}
    row: Row = {column: figures.get(column) for column in COLUMNS}
    row |= {column: getattr(run, column) for column in (*KEY, *CONTENTS, "repeat")}
    row |= {column: campaign.get(column) for column in FROM_MACHINE}
    row |= {column: response[column] for column in FROM_RESPONSE if is_figure(response.get(column))}
    row["disturbed"] = disturbed(row)
    if verdict.status == "crashed":  # For the terminal; it is no column.
        row["traceback"] = response["figures"].get("traceback") or response.get("tail")
    return row | {
        "campaign": campaign["campaign"],
        "started_at": started_at,
        "size": instance.puzzle.size,
        "rules_sha256": run.rules_sha256,
        "status": verdict.status,
        "error": verdict.error,
        "solutions": verdict.solutions,
        "answer": verdict.answer,
        "solution": None if verdict.solution is None else json.dumps(verdict.solution, separators=(",", ":")),
        "witnesses": verdict.witnesses,
        "sentinel_s": sentinel_s,
    }


def subject(row: Mapping[str, str]) -> tuple[str, str]:
    """What a row makes claims about: the contents of the instance, and of the rules it was checked by."""
    return row["instance_sha256"], row["rules_sha256"]


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
    """The name of a run, the same for all its repeats, as the text that stands in runs.csv."""
    return tuple(written(getattr(run, column)) for column in KEY)


def contents(run: Run) -> tuple[str, ...]:
    """The contents that a run depends on, as the text that stands in runs.csv."""
    return tuple(written(getattr(run, column)) for column in CONTENTS)


def row_key(row: Mapping[str, str]) -> tuple[str, ...]:
    """The name of the run of a row that was read from runs.csv."""
    return tuple(row[column] for column in KEY)


def row_contents(row: Mapping[str, str]) -> tuple[str, ...]:
    """The contents that the run of a row that was read from runs.csv depended on."""
    return tuple(row[column] for column in CONTENTS)


def current(rows: Sequence[Mapping[str, str]]) -> list[int]:
    """The numbers of the rows that count, in their order: those that no later row supersedes."""
    return without_repeated(rows, latest_contents(rows))


def latest_contents(rows: Sequence[Mapping[str, str]]) -> list[int]:
    """The numbers of the rows with the latest contents, in their order.

    Of an instance only the file of its latest row counts, for all backends; of a measurement only the model
    and the solver release (CONTENTS) of its latest row. If a backend had no model for a while (its rows have
    no formulation), its latest row decides whether those rows count or the ones with a formulation. Rows of a
    solver that was not available count only if there are no others of it.
    """
    files = {(row["puzzle"], row["instance"]): row["instance_sha256"] for row in rows}
    kept = [
        (number, row, asked_of(row))
        for number, row in enumerate(rows)
        if row["instance_sha256"] == files[row["puzzle"], row["instance"]]
    ]
    available = {asked for _, row, asked in kept if row["status"] != "unavailable"}
    # A backend that was not installed could not name its solver: any solver of the backend stands for it.
    available |= {(*asked[:-1], "") for asked in available}
    kept = [each for each in kept if each[1]["status"] != "unavailable" or each[2] not in available]
    has_model = {asked: row["formulation"] != "" for _, row, asked in kept}
    kept = [each for each in kept if (each[1]["formulation"] != "") == has_model[each[2]]]
    latest = {measurement(row): contents_of(row) for _, row, _ in kept}
    return [number for number, row, _ in kept if contents_of(row) == latest[measurement(row)]]


def without_repeated(rows: Sequence[Mapping[str, str]], numbers: Iterable[int]) -> list[int]:
    """Of these rows only the last one of each run, in their order."""
    return sorted({run_of(rows[number]): number for number in numbers}.values())


asked_of = itemgetter("puzzle", "instance", "task", "backend", "solver")
"""The problem of a row and the solver that it was handed to, whatever the formulation."""

measurement = itemgetter(*MEASUREMENT)
contents_of = itemgetter(*CONTENTS)
run_of = itemgetter(*KEY, "repeat")


def parsed(path: Path, content: bytes) -> tuple[tuple[str, ...], list[dict[str, str]]]:
    """The columns that a runs.csv has, and its rows with all columns of this version.

    Raises:
        RequestError: if it has others, or a damaged row.
    """
    reader = csv.DictReader(io.StringIO(content.decode("utf-8", "replace")))
    columns = tuple(reader.fieldnames or ())
    if columns != COLUMNS[: len(columns)] or not set(COLUMNS[len(columns) :]) <= set(ADDED):
        raise RequestError(f"{path}: these are not the columns of this version; choose another --out")
    rows = list(reader)
    for number, row in enumerate(rows, 1):
        if None in row.values() or not row["repeat"].isdigit():
            raise RequestError(f"{path}: row {number} is damaged; mend it or choose another --out")
    return columns, [dict.fromkeys(COLUMNS, "") | row for row in rows]


def read_rows(folder: Path) -> list[dict[str, str]]:
    """The rows of a campaign, without a last line that a kill cut off; none where there is no campaign.

    Raises:
        RequestError: if its runs.csv cannot be read.
    """
    path = folder / "runs.csv"
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RequestError(f"{path}: {error.strerror}; choose another folder with --out") from None
    whole = content.rfind(b"\n") + 1
    return parsed(path, content[:whole])[1] if whole else []


class Recorder:
    """Appends rows to a runs.csv; one campaign at a time may hold it.

    Args:
        path: the file, made with its header if it is not there.

    Attributes:
        rows: all that is recorded, as it stands there.

    Raises:
        RequestError: if it cannot be written, is held by another campaign, or has other columns.
    """

    def __init__(self, path: Path):
        self.path = path
        self.about: dict[tuple[str, str], list[int]] = defaultdict(list)
        self.agreements: dict[tuple[str, str], Agreement] = defaultdict(Agreement)
        self.file = self.opened(path)
        try:
            self.rows = self.recover()
            # A kill may have come between a row and the change of those that it refutes.
            if [row for number in range(len(self.rows)) for row in self.refuted_by(number)]:
                self.rewrite(self.rows)
        except RequestError:
            self.close()
            raise

    @staticmethod
    def opened(path: Path) -> int:
        """Opens a file for this campaign alone."""
        while True:
            try:
                file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            except OSError as error:
                raise RequestError(f"{path}: {error.strerror}; choose another folder with --out") from None
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(file)
                message = "another campaign is writing here; wait for it or use --out"
                raise RequestError(f"{path}: {message}") from None
            # The campaign that held it may have put another file in its place meanwhile.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file), path.stat()):
                    return file
            os.close(file)

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
        columns, rows = parsed(self.path, content[:whole])
        if columns != COLUMNS:
            self.rewrite(rows)
        return rows

    def append(self, row: Row) -> Row:
        """Writes a row, through to the disk, and holds its claims against those of all others.

        Returns:
            The row as it stands there: with another status if it is refuted.

        Raises:
            RequestError: if the disk is full; what was recorded before is untouched, and the campaign ends.
        """
        words = {column: written(row[column]) for column in COLUMNS}
        self.rows.append(words)
        changed = self.refuted_by(len(self.rows) - 1)
        self.append_line([words[column] for column in COLUMNS])
        if any(other is not words for other in changed):
            self.rewrite(self.rows)
        return row | {"status": words["status"], "error": words["error"]}

    def refuted_by(self, number: int) -> list[dict[str, str]]:
        """Holds a row against all others of its subject; changes and gives those with another status now."""
        about = subject(self.rows[number])
        self.about[about].append(number)
        if self.agreements[about].add(self.rows[number]):
            return []
        rows = [self.rows[other] for other in self.about[about]]
        claiming = [rows[place] for place in current(rows)]
        changed = []
        for row, (status, error) in zip(claiming, settle(claiming, rows), strict=True):
            if (row["status"], row["error"]) != (status, error):
                row |= {"status": status, "error": error}
                changed.append(row)
        return changed

    def rewrite(self, rows: Iterable[Mapping[str, str]]) -> None:
        """Writes all rows anew, so that a kill at any moment leaves the file as it was or as it is to be.

        Raises:
            RequestError: if the disk is full; what was recorded before is untouched.
        """
        # It may be a link to the file.
        path = self.path.resolve()
        draft = path.with_name(f"{path.name}.new")
        draft.unlink(missing_ok=True)
        before, self.file = self.file, self.opened(draft)
        try:
            self.append_line(COLUMNS, *([row[column] for column in COLUMNS] for row in rows))
            draft.replace(path)
        except (RequestError, OSError) as error:
            os.close(self.file)
            self.file = before
            draft.unlink(missing_ok=True)
            reason = error.strerror if isinstance(error, OSError) else "no space left"
            raise RequestError(f"{self.path}: {reason}; all earlier runs are recorded") from None
        os.close(before)

    def append_line(self, *lines: Iterable[str]) -> None:
        """Writes a line, or several, in one call, and takes all back if they do not fit."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(lines)
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
