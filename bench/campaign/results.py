"""runs.csv: one row a run, appended and flushed, valid after a kill at any moment."""

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.campaign.validation import Verdict
from bench.catalogue import Instance
from bench.catalogue.errors import RequestError
from bench.contract import Run
from bench.execution.answer import Answer

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
"""The columns of runs.csv in order; docs/columns.md says what each one means."""

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

DISTURBED_SHARE = 0.02
DISTURBED_S = 0.001
"""A run is disturbed if it had to wait for a core for more than this share of its time, and this long."""

Row = dict[str, Any]


def make_row(
    campaign: Mapping[str, Any],
    started_at: str,
    instance: Instance,
    run: Run,
    answered: Answer,
    verdict: Verdict,
    sentinel_s: float | None,
) -> Row:
    """The row of a run; a figure that there is none of is None."""
    outcome = vars(answered.outcome) if answered.outcome else {}
    row: Row = dict.fromkeys(COLUMNS)
    row |= {column: value for column, value in {**vars(answered), **outcome}.items() if column in row}
    row |= {column: getattr(run, column) for column in (*KEY, *CONTENTS, "repeat")}
    row |= {column: campaign.get(column) for column in FROM_MACHINE}
    row["disturbed"] = disturbed(row)
    if verdict.status == "crashed":  # For the terminal; it is no column.
        row["traceback"] = answered.traceback or answered.tail
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
