"""The runs of a campaign as a table, executed or read; the order and the names that all tables share."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd
from pydantic import ConfigDict, PositiveInt, ValidationError, validate_call

from bench.campaign import machine_json, results
from bench.campaign.results import COLUMNS, Row
from bench.campaign.schedule import Redo, Repeats
from bench.campaign.selection import MOST, Request
from bench.catalogue import programs
from bench.catalogue.errors import RequestError
from bench.contract import FAULTY, Status, Task
from bench.environment.index import by_version
from models.shared.document import shorten

MEASUREMENT = list(results.MEASUREMENT)
"""The columns that identify a measurement."""

_TEXT = {column for column, kind in results.KINDS.items() if kind in (str, Task, Status)}

TASKS: dict[str, str] = {
    Task.FIRST: "one solution", Task.COUNT: "all solutions", Task.BEST: "best solution"
}  # fmt: skip
"""The tasks in the order in which they are shown, in words."""

BACKENDS = {
    "cpsat": "constraint programming with OR-Tools CP-SAT",
    "milp": "integer programming, by default with HiGHS",
    "asp": "answer set programming with clingo",
    "csp": "python-constraint, a constraint solver in Python",
    "backtrack": "a hand-written search in Python",
    "native": "a hand-written search in C, or a program of a user",
    "cpmpy": "constraint models in CPMpy, for many solvers",
    "local": "a hand-written local search, which proves nothing",
}
"""What each backend is, in the order of all tables; backends from elsewhere follow by name."""

PROVENANCE = {
    "host": "machines", "cpu": "processors", "python": "versions of Python",
    "version": "versions of the benchmark", "commit": "commits",
}  # fmt: skip
"""The columns that tell where and by which version a run was executed, with the plural of what they hold."""

RESOLUTION_S = 0.010
"""Timing resolution: forking and first touches of memory are a varying part of shorter times."""

SPANS = {
    "below 10 ms": (0.0, RESOLUTION_S),
    "10 to 50 ms": (RESOLUTION_S, 0.05),
    "50 to 200 ms": (0.05, 0.2),
    "from 200 ms": (0.2, np.inf),
}
"""Ranges of total times in seconds, which vary by different amounts."""

PHASES = ["reasoning_s", "build_s", "translate_s", "presolve_s", "search_s"]
"""The phases of a run in order, by the columns of their times."""

DEFAULTS = {
    "cpsat": "cpsat", "milp": "highs", "asp": "clingo", "csp": "recursive", "backtrack": "python"
}  # fmt: skip
"""The default solver of each backend that is explained or compared."""

WITHOUT, ALONE, BARE = "no", "only", "bare"
"""`noX` is a default solver without its mechanism X, `onlyX` with X alone, and `bare` with none of them."""

STEPS = {
    "alldifferent": "what assigned values exclude",
    "bounds": "bounds",
    "full": "full propagation",
    "shaving": "shaving",
}
"""The variants of `backtrack` in words, from the least propagation to the most, which has all before it."""

STOPPING = ("root", "relaxation", "presolved_relaxation", "propagation", "probing")
"""The variants that give up before they search; their times are no times of a solution."""

OTHERS = {
    "cpsat": ("lp2", "fixed", *STOPPING),
    "milp": STOPPING,
    "asp": ("frumpy", "jumpy", "tweety", "handy", "crafty", "trendy", "lookahead", "usc", *STOPPING),
    "backtrack": tuple(STEPS),
}
"""The variants with names of their own, of the backends that have variants."""


def is_variant(backend: str, solver: str) -> bool:
    """Whether a solver is a variant of its backend's default."""
    return backend in OTHERS and (solver in (BARE, *OTHERS[backend]) or solver.startswith((WITHOUT, ALONE)))


_T = TypeVar("_T")
_K = TypeVar("_K")


class NothingRecorded(RequestError):
    """A campaign without any run."""


def measure(
    request: Request,
    folder: Path | str,
    repeats: Repeats | None = Repeats(),  # noqa: B008, it is frozen
    jobs: int = 1,
    redo: Redo = Redo.STALE,
    on_note: Callable[[str], None] = print,
    **options: Any,
) -> pd.DataFrame:
    """Executes all runs of a campaign that a folder does not record yet; returns those that it then records.

    The arguments are those of `measure` in bench/campaign/runner.py. Raises a RequestError of one line for a
    wrong argument, before anything is started, or if the request cannot be fulfilled; what is recorded stays.
    """
    # With all that executes runs, which reading them does not need.
    from bench.campaign import runner

    try:
        # Preparing this takes a while, and most commands only read.
        check: Callable[..., Any] = validate_call(config=ConfigDict(revalidate_instances="always"))(_checked)
        checked = check(request=request, folder=folder, repeats=repeats, jobs=jobs, redo=redo)
    except ValidationError as error:
        raise RequestError(_mistake(error)) from None
    home = checked["folder"]
    if home.exists() and not home.is_dir():
        raise RequestError(f"folder: {home} is a file; choose another name")
    runner.measure(**checked, on_note=on_note, **options)
    return read_runs(home)


def _checked(request: Request, folder: Path, repeats: Repeats | None, jobs: PositiveInt, redo: Redo) -> Any:
    """The arguments in the types that they are to have: of texts, tasks and paths are made."""
    # Not by their types: those of pydantic would have every command import it.
    limited = {name: number for name, number in vars(request).items() if name in MOST and number is not None}
    numbers = {f"request.{name}": number for name, number in limited.items()}
    numbers |= {f"request.threads, entry {place}": number for place, number in enumerate(request.threads, 1)}
    numbers |= {f"repeats.{name}": number for name, number in vars(repeats or Repeats()).items() if number}
    for place, number in numbers.items():
        most = MOST.get(place.partition(".")[2], number)
        if not 0 < number <= most:
            limit = f" and at most {most}" if most != number else ""
            raise RequestError(f"{place}: should be greater than 0{limit}, not {number}")
    return {"request": request, "folder": folder, "repeats": repeats, "jobs": jobs, "redo": redo}


def _mistake(error: ValidationError) -> str:
    """The first mistake in arguments, in one line."""
    first = error.errors(include_url=False)[0]
    if first["type"] in ("sequence_str", "is_instance_of"):
        message = f"write a list, as in {shorten([first['input']])}"
    else:
        message = f"{first['msg'][0].lower()}{first['msg'][1:]}, not {shorten(first['input'])}"
    path = (f", entry {part + 1}" if isinstance(part, int) else f".{part}" for part in first["loc"])
    return f"{''.join(path).removeprefix('.')}: {message}"


def read_runs(folder: Path) -> pd.DataFrame:
    """The runs of a campaign (its folder or runs.csv) that count, as `current_runs` has them.

    The column `session` is added: the number of the session that executed the run, counted from 0. Raises
    RequestError if there is no such file, or it has other columns; NothingRecorded if it has no rows.
    """
    path = folder if folder.is_file() else folder / "runs.csv"
    rows = results.read(path)
    if not rows:
        raise NothingRecorded(f"{path}: no run is recorded yet")
    runs = current_runs(rows)
    texts = [session.started_at for session in machine_json.read_facts(path.parent).sessions]
    begun = pd.to_datetime(texts, utc=True, format="ISO8601", errors="coerce")
    at = pd.to_datetime(runs["started_at"], utc=True, format="ISO8601", errors="coerce")
    runs["session"] = sum((at >= time).astype(int) for time in sorted(begun.dropna())[1:])
    return runs


def current_runs(rows: Sequence[Row]) -> pd.DataFrame:
    """The rows of a runs.csv that no later one supersedes, so that runs of different contents are not pooled.

    A figure that is not known is NaN. `attrs["superseded"]` has how many rows are left out, by the reason.
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
    runs.attrs["superseded"] = {
        "earlier contents (changed instance, model or solver release)": len(rows) - len(latest),
        "runs that were executed again": len(latest) - len(numbers),
    }
    return runs


def hosts(runs: pd.DataFrame) -> list[str]:
    """The hosts that tried runs; the harness of a cluster records what is not available, and tries none."""
    tried = runs[runs["status"].isin([status.value for status in Status if status.tried])]
    return sorted(set((runs if tried.empty else tried)["host"]))


def severity(statuses: "pd.Series[str]") -> "pd.Series[float]":
    """The place of each status among FAULTY, the worst first; all others come after them."""
    places = {status.value: float(place) for place, status in enumerate(FAULTY)}
    return statuses.map(places).fillna(len(FAULTY))


def labels(table: pd.DataFrame) -> "pd.Series[str]":
    """The label of each row: its backend, with the solver where the table has several of the backend.

    A variant, and a program of a user, always has its name. Behind that stand a release, and where the
    table has several of a solver for a task the threads, as in `milp:highs (highspy 1.12.0, 4 threads)`.
    """
    variant = pd.Series(map(is_variant, table["backend"], table["solver"]), table.index, dtype=bool)
    several = table["solver"].mask(variant).groupby(table["backend"]).transform("nunique") > 1
    several |= variant | ((table["backend"] == programs.BACKEND) & (table["solver"] != programs.OURS))
    named = table["backend"] + ":" + table["solver"]
    label = table["backend"].where(~several | (table["solver"] == ""), named)
    numbers = table["threads"].groupby([label, table["task"]]).transform("nunique")
    compared = (numbers > 1).groupby(label).transform("any")
    words = (
        table["threads"].map(lambda number: f"{number:.0f} thread{'s' * (number != 1)}").where(compared, "")
    )
    releases = table["release"].str.replace("==", " ")
    both = releases + np.where((releases != "") & (words != ""), ", ", "") + words
    return label.where(both == "", label + " (" + both + ")")


class Label(NamedTuple):
    """The parts of a label; empty, and 0 threads, for what it does not say; a release as in rows."""

    backend: str
    solver: str
    release: str
    threads: int

    @property
    def option(self) -> str:
        """The backend and the solver, as --backend takes them."""
        return ":".join(filter(None, self[:2]))


def parts(label: str) -> Label:
    """The parts of a label of `labels`."""
    behind = r"(?: \((?:([^ ,]+ \d[\w.]*)(?:, |(?=\))))?(?:(\d+) threads?)?\))?"
    found = re.fullmatch(rf"([^:]*?)(?::(.*?))?{behind}", label)
    backend, solver, release, threads = found.groups() if found else (label, "", "", "")
    return Label(backend, solver or "", (release or "").replace(" ", "=="), int(threads or 0))


def is_default(label: str, backend: str) -> bool:
    """Whether a label is that of a backend's default solver."""
    return parts(label)[:2] in ((backend, ""), (backend, DEFAULTS[backend]))


def in_order(table: pd.DataFrame) -> pd.DataFrame:
    """The rows by puzzle, instance, task (TASKS), backend (rank) and formulation."""
    keys = {"task": list(TASKS).index, "label": rank}
    return table.sort_values(
        ["puzzle", "instance", "task", "label", "formulation"],
        key=lambda column: column.map(keys.get(str(column.name), lambda value: value)),
        kind="stable",
        ignore_index=True,
    )


def rank(label: str) -> tuple[int, str, tuple[str, tuple[int, ...]], int]:
    """The position of a label in the order of all tables."""
    label_parts, names = parts(label), list(BACKENDS)
    place = names.index(label_parts.backend) if label_parts.backend in names else len(names)
    return place, label_parts.option, by_version(label_parts.release), label_parts.threads


def grouped(items: Iterable[_T], key: Callable[[_T], _K]) -> dict[_K, list[_T]]:
    """The items by their keys, in their order."""
    groups: dict[_K, list[_T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
