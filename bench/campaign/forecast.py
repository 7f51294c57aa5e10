"""What a campaign would run, and about how long that would take: `--dry-run`."""

import socket
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from statistics import median

from bench import catalogue
from bench.campaign.plan import plan_campaign
from bench.campaign.results import Key, Row, key, measurement, read
from bench.campaign.resume import Redo, missing, refuse_other_threads, what_counts
from bench.campaign.schedule import SMALLEST_SAMPLE, Repeats
from bench.campaign.selection import Request, backends_of, find_instances
from bench.catalogue import errors
from bench.catalogue.errors import RequestError
from bench.contract import Run
from bench.execution.pool import ServerPool

COMMITTED = ("reference", "scale", "solvers")
"""The campaigns in results/ of the project whose times are used, in this order."""


@dataclass(frozen=True)
class Forecast:
    """One measurement that is to be repeated.

    Attributes:
        wanted: how often in all; with `--repeat auto` at least.
        missing: how many of them are not recorded, or are executed again.
        seconds: how long one run takes by a recorded campaign; None if none has it.
        source: the folder of that campaign.
    """

    run: Run
    wanted: int
    missing: int
    seconds: float | None
    source: str


def forecast(
    request: Request, repeats: Repeats | None, redo: Redo, folder: Path | None, sources: Sequence[Path]
) -> tuple[list[Forecast], str]:
    """Forecasts what a campaign would execute; starts servers to list the models, and runs nothing.

    Args:
        repeats: None for a climb, of which every run is counted.
        folder: where it would record; None for a new folder.
        sources: folders of campaigns whose times are used, the best first; missing ones are skipped.

    Returns:
        A forecast for each measurement, and lines on what is left out or would be executed again.

    Raises:
        RequestError: if the request cannot be fulfilled.
    """
    instances = find_instances(request)
    servers = ServerPool()
    try:
        backends = servers.offers(backends_of(request))
    finally:
        servers.close()
    planned = plan_campaign(request, instances, backends)
    rows = read(folder / "runs.csv", resume=True) if folder else []
    if folder:
        refuse_other_threads(folder, rows, planned.runs)
    completed, again = what_counts(rows, planned.runs, redo)
    known = [(described(source, rows), times(rows)) for source in sources if (rows := readable_rows(source))]
    found = []
    for run in planned.runs:
        measured = measurement(run)
        seconds, source = next(
            ((took[measured], name) for name, took in known if measured in took), (None, "")
        )
        if not run.formulation:
            seconds = 0.0
        elif seconds is not None:
            seconds = min(seconds, run.time_limit_s)
        wanted = how_often(repeats, seconds)
        # In a climb any repeat will do.
        left = missing([run], wanted, completed) if repeats else int(not completed[key(run)])
        found.append(Forecast(run, wanted, left, seconds, source))
    return found, "\n".join(filter(None, (*planned.left_out, again)))


def readable_rows(folder: Path) -> list[Row]:
    """The rows of a campaign; none if it cannot be read."""
    try:
        return read(folder / "runs.csv")
    except RequestError:
        return []


def described(folder: Path, rows: Sequence[Row]) -> str:
    """The folder of a campaign, and whether its times are of another machine."""
    elsewhere = all(row.host != socket.gethostname() for row in rows)
    return f"{errors.shown(folder)}{' (measured on another machine)' if elsewhere else ''}"


def times(rows: Iterable[Row]) -> dict[Key, float]:
    """The median time of a run of each measurement in seconds, overhead included."""
    took: dict[Key, list[float]] = defaultdict(list)
    for row in rows:
        total_s = row.time_limit_s if row.total_s is None else row.total_s
        seconds = total_s + (row.overhead_s or 0.0) if row.status.tried else 0.0
        took[measurement(row)].append(seconds)
    return {measured: median(seconds) for measured, seconds in took.items()}


def how_often(repeats: Repeats | None, seconds: float | None) -> int:
    """How often a run is executed; with `--repeat auto` at least."""
    if repeats is None:
        return 1
    if repeats.times is not None:
        return repeats.times
    if not seconds:
        return 1
    return min(SMALLEST_SAMPLE, max(1, ceil(repeats.budget_s / seconds)))


def known_times(folder: Path | None) -> list[Path]:
    """The campaigns whose times may be used: the one to resume, the latest, those committed."""
    committed = (catalogue.ROOT / "results" / name for name in COMMITTED)
    return [*([folder] if folder else []), Path("results") / "latest", *committed]
