"""The runs of a campaign as a table, and the order and the names that all tables share."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import pandas as pd

from bench.analysis.variants import are_variants
from bench.campaign import machine_json, results
from bench.campaign.results import COLUMNS, Row
from bench.catalogue import programs
from bench.catalogue.errors import RequestError
from bench.contract import FAULTY, Status, Task

MEASUREMENT = list(results.MEASUREMENT)
"""The columns that identify a measurement."""

CONTENTS = list(results.CONTENTS)
"""What a measurement depends on beside its names; times are never pooled over different ones."""

_TEXT = {column for column, kind in results.KINDS.items() if kind in (str, Task, Status)}

TASKS: dict[str, str] = {Task.FIRST: "one solution", Task.COUNT: "all solutions"}
"""The tasks in the order in which they are shown, in words."""

BACKENDS = {
    "cpsat": "constraint programming with OR-Tools CP-SAT",
    "milp": "integer programming, by default with HiGHS",
    "asp": "answer set programming with clingo",
    "csp": "python-constraint, a constraint solver in Python",
    "backtrack": "a hand-written search in Python",
    "native": "a hand-written search in C, or a program of a user",
    "cpmpy": "constraint models in CPMpy, for many solvers",
}
"""What each backend is, in the order of all tables; backends from elsewhere follow by name."""

PROVENANCE = {
    "host": "machines", "cpu": "processors", "python": "versions of Python",
    "version": "versions of the benchmark", "commit": "commits",
}  # fmt: skip
"""The columns that tell where a run was executed, and by which version, with the plural of what they hold."""

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

T = TypeVar("T")
K = TypeVar("K")


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
    """The runs of a campaign (its folder or runs.csv) that count, as `current_runs` has them.

    The column `session` is added: the number of the session that executed the run, counted from 0, by the
    times at which machine.json says that sessions began.

    Raises:
        RequestError: if there is no such file, or it has other columns.
        NothingRecorded: if it has no rows.
    """
    path = folder if folder.is_file() else folder / "runs.csv"
    rows = results.read(path)
    if not rows:
        raise NothingRecorded(f"{path}: no run is recorded yet")
    runs = current_runs(rows)
    resumed = machine_json.begun(machine_json.read_facts(path.parent))[1:]
    at = pd.to_datetime(runs["started_at"], utc=True, format="ISO8601", errors="coerce")
    runs["session"] = sum((at >= begun).astype(int) for begun in resumed) if resumed else 0
    return runs


def sessions(runs: pd.DataFrame) -> "pd.Series[int]":
    """The number of the session of each run; one session for runs from elsewhere than `read_runs`."""
    return runs["session"] if "session" in runs else pd.Series(0, runs.index)


def current_runs(rows: Sequence[Row]) -> pd.DataFrame:
    """The rows of a runs.csv that no later one supersedes, so that runs of different contents are not pooled.

    They are in the same order; a figure that is not known is NaN. `superseded` gives how many are left out.
    """
    latest = results.latest_contents(rows)
    numbers = results.without_repeated(rows, latest)
    columns = zip(*[vars(rows[number]).values() for number in numbers], strict=True)
    runs = pd.DataFrame(
        {
            # Without a dtype pandas looks at every value, and columns without any figure become objects.
            column: pd.array(values, dtype="str")
            if column in _TEXT
            else np.array(values, dtype=float if None in values else None)
            for column, values in zip(COLUMNS, columns, strict=True)
        }
    )
    runs.attrs["superseded"] = Superseded(len(rows) - len(latest), len(latest) - len(numbers))
    return runs


def superseded(runs: pd.DataFrame) -> Superseded:
    """How many rows `current_runs` left out; none for runs from elsewhere."""
    found = runs.attrs.get("superseded")
    return found if isinstance(found, Superseded) else Superseded()


def severity(statuses: "pd.Series[str]") -> "pd.Series[float]":
    """The place of each status among FAULTY, the worst first; all others come after them."""
    places = {status.value: float(place) for place, status in enumerate(FAULTY)}
    return statuses.map(places).fillna(len(FAULTY))


def labels(table: pd.DataFrame) -> "pd.Series[str]":
    """The label of each row: its backend, with the solver where the table has several of the backend.

    A program of a user always has its name, as `native` is this project's; so does a variant. Behind that
    stands the number of threads, as in `milp:highs (4 threads)`, where the table has several of a solver for
    a task.
    """
    variant = are_variants(table)
    several = table["solver"].mask(variant).groupby(table["backend"]).transform("nunique") > 1
    several |= variant
    several |= (table["backend"] == programs.BACKEND) & (table["solver"] != programs.OURS)
    named = table["backend"] + ":" + table["solver"]
    label = table["backend"].where(~several | (table["solver"] == ""), named)
    numbers = table["threads"].groupby([label, table["task"]]).transform("nunique")
    compared = (numbers > 1).groupby(label).transform("any")
    words = table["threads"].map(lambda number: f" ({number:.0f} thread{'s' * (number != 1)})")
    return label.where(~compared, label + words)


class Label(NamedTuple):
    """The parts of a label; empty, and 0 threads, for what it does not say."""

    backend: str
    solver: str
    threads: int

    @property
    def option(self) -> str:
        """The backend and the solver, as --backend takes them."""
        return ":".join(filter(None, self[:2]))


_LABEL = re.compile(r"([^:]*?)(?::(.*?))?(?: \((\d+) threads?\))?")


def parts(label: str) -> Label:
    """The parts of a label of `labels`."""
    found = _LABEL.fullmatch(label)
    backend, solver, threads = found.groups() if found else (label, "", "")
    return Label(backend, solver or "", int(threads or 0))


def in_order(table: pd.DataFrame) -> pd.DataFrame:
    """The rows by puzzle, instance, task (TASKS), backend (rank) and formulation."""
    keys = {"task": list(TASKS).index, "label": rank}
    return table.sort_values(
        ["puzzle", "instance", "task", "label", "formulation"],
        key=lambda column: column.map(keys.get(str(column.name), lambda value: value)),
        kind="stable",
        ignore_index=True,
    )


def rank(label: str) -> tuple[int, str, int]:
    """The position of a label in the order of all tables."""
    label_parts, names = parts(label), list(BACKENDS)
    place = names.index(label_parts.backend) if label_parts.backend in names else len(names)
    return place, label_parts.option, label_parts.threads


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The items by their keys, in their order."""
    groups: dict[K, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
