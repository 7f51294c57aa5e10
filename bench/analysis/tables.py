"""The runs of a campaign as a table, and the order and the names that all tables share."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from bench.campaign import current as current_rows
from bench.campaign import results
from bench.campaign.results import ADDED, COLUMNS
from bench.catalogue.errors import RequestError
from bench.contract import FAULTY, Task

MEASUREMENT = list(results.MEASUREMENT)
"""The columns that identify a measurement."""

CONTENTS = list(results.CONTENTS)
"""What a measurement depends on beside its names; times are never pooled over different ones."""

RUN = [*results.KEY, "repeat"]
"""The columns that identify a run; the later of two such rows is of the run executed again."""

TEXT = {
    "campaign", "started_at", "puzzle", "instance", "instance_sha256", "backend", "solver", "solver_version",
    "formulation", "task", "status", "answer", "host", "cpu", "python", "version", "commit", "error",
    "solution", "model_sha256", "rules_sha256",
}  # fmt: skip

TASKS: dict[str, str] = {Task.FIRST: "one solution", Task.COUNT: "all solutions"}
"""The tasks in the order in which they are shown, in words."""

CORE = ("cpsat", "milp", "csp", "backtrack")
"""The backends that come first, in this order, before the others by name."""

PROVENANCE = ("host", "cpu", "python", "version", "commit")
"""The columns that tell where a run was executed, and by which version."""

RESOLUTION_S = 0.010
"""Timing resolution: forking and first touches of memory are a varying part of shorter times."""

SPANS = {
    "below 10 ms": (0.0, RESOLUTION_S),
    "10 to 50 ms": (RESOLUTION_S, 0.05),
    "50 to 200 ms": (0.05, 0.2),
    "from 200 ms": (0.2, np.inf),
}
"""Ranges of total times in seconds, which vary by different amounts."""

PHASES = ["build_s", "translate_s", "presolve_s", "search_s"]
"""The phases of a run in order, by the columns of their times."""

SUPERSEDED = "superseded"


class NothingRecorded(RequestError):
    """A campaign without any run."""


@dataclass(frozen=True)
class Superseded:
    """How many rows of a campaign do not count, because later ones replace them.

    Attributes:
        contents: of an instance, a model or a solver release that changed since.
        repeated: of runs that were executed again.
    """

    contents: int = 0
    repeated: int = 0


def read_runs(folder: Path) -> pd.DataFrame:
    """The rows of a campaign's runs.csv that count (`current`); numbers as floats, NaN for no figure.

    Args:
        folder: the campaign's, or the file itself.

    Raises:
        RequestError: if there is no such file, or it has other columns.
        NothingRecorded: if it has no rows.
    """
    path = folder if folder.is_file() else folder / "runs.csv"
    try:
        runs = pd.read_csv(path, dtype=str, keep_default_na=False, encoding_errors="replace")
    except FileNotFoundError:
        raise RequestError(f"{path}: there is no such file") from None
    except (OSError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise RequestError(f"{path}: not a runs.csv ({' '.join(str(error).split())})") from None
    missing = [column for column in COLUMNS if column not in runs.columns]
    runs[[column for column in missing if column in ADDED]] = ""
    if missing := [column for column in missing if column not in ADDED]:
        raise RequestError(f"{path}: the column {missing[0]} is missing")
    if runs.empty:
        raise NothingRecorded(f"{path}: no run is recorded yet")
    if unknown := sorted(set(runs["task"]) - set(TASKS)):
        raise RequestError(f"{path}: task {unknown[0]!r} is unknown; known are {', '.join(TASKS)}")
    for column in runs.columns:
        if column not in TEXT:
            runs[column] = pd.to_numeric(runs[column], errors="coerce")
    return current(runs)


def current(runs: pd.DataFrame) -> pd.DataFrame:
    """The rows that no later one supersedes (`campaign.current`), so that different contents are not pooled.

    Args:
        runs: the rows of one runs.csv, in its order.

    Returns:
        The rows, in the same order; `superseded` tells how many are left out.
    """
    columns = list(dict.fromkeys([*RUN, *CONTENTS, "status"]))
    named = runs[columns].astype(object).fillna("")
    rows = [dict(zip(columns, values, strict=True)) for values in named.itertuples(index=False, name=None)]
    latest = current_rows.latest_contents(rows)
    numbers = current_rows.without_repeated(rows, latest)
    before, kept = superseded(runs), runs.iloc[numbers].reset_index(drop=True)
    kept.attrs[SUPERSEDED] = Superseded(
        before.contents + len(runs) - len(latest), before.repeated + len(latest) - len(numbers)
    )
    return kept


def superseded(runs: pd.DataFrame) -> Superseded:
    """How many rows `current` left out; none where the rows do not come from it."""
    found = runs.attrs.get(SUPERSEDED)
    return found if isinstance(found, Superseded) else Superseded()


def severity(statuses: "pd.Series[str]") -> "pd.Series[float]":
    """The place of each status among FAULTY, the worst first; all others come after them."""
    places = {status.value: float(place) for place, status in enumerate(FAULTY)}
    return statuses.map(places).fillna(len(FAULTY))


def labels(table: pd.DataFrame) -> "pd.Series[str]":
    """The label of each row: its backend, with the solver where the table has several of the backend."""
    several = table.groupby("backend")["solver"].transform("nunique") > 1
    named = table["backend"] + ":" + table["solver"]
    return table["backend"].where(~several | (table["solver"] == ""), named)


def in_order(table: pd.DataFrame) -> pd.DataFrame:
    """The rows by puzzle, family, instance, task (TASKS), backend (rank) and formulation."""
    keys = {"task": list(TASKS).index, "label": rank}
    return table.sort_values(
        [
            column
            for column in ("puzzle", "family", "instance", "task", "label", "formulation")
            if column in table
        ],
        key=lambda column: column.map(keys.get(str(column.name), lambda value: value)),
        kind="stable",
        ignore_index=True,
    )


def rank(label: str) -> tuple[int, str]:
    """The position of a backend (or backend:solver) in the order of all tables."""
    backend = label.partition(":")[0]
    return CORE.index(backend) if backend in CORE else len(CORE), label
