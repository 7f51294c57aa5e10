"""What a campaign would run, and about how long that would take: `--dry-run`."""

import socket
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import median

from bench import catalogue
from bench.campaign.plan import Shard, plan_campaign
from bench.campaign.releases import with_releases
from bench.campaign.results import Key, key, measurement, read
from bench.campaign.schedule import Redo, Repeats, to_come, what_counts
from bench.campaign.selection import Request, find_instances
from bench.catalogue import errors
from bench.catalogue.errors import RequestError
from bench.contract import Run, Status
from bench.execution.pool import ServerPool

_COMMITTED = ("reference", "scale", "solvers")
"""The campaigns in results/ of the project whose times are used first, in this order."""


@dataclass(frozen=True)
class Forecast:
    """A run, how often it is wanted in all (with `--repeat auto` at least), and how many of them are missing.

    `most_s` is how long the missing ones last at most, by the limits; `seconds` how long one lasted in the
    campaign `source`, None if none has it.
    """

    run: Run
    wanted: int
    missing: int
    most_s: float
    seconds: float | None
    source: str


def forecast(
    request: Request, repeats: Repeats | None, redo: Redo, folder: Path | None, shard: Shard | None = None
) -> tuple[list[Forecast], str]:
    """Forecasts what a campaign would execute; starts servers to list the models, and runs nothing.

    Returns a forecast for each measurement, and lines on what is left out or would be executed again.

    Args:
        repeats: None for a climb, of which every run is counted.
        folder: where it would record; None for a new folder.

    Raises:
        RequestError: if the request cannot be fulfilled.
    """
    instances = find_instances(request)
    with closing(ServerPool()) as servers:
        request, offers = with_releases(request, servers.offers, makes=False)
        planned = plan_campaign(request, instances, offers)
    if shard:
        planned = shard.part(planned, request.tasks, climbing=repeats is None)
    rows = read(folder / "runs.csv", resume=True) if folder else []
    completed, again = what_counts(rows, planned.runs, redo)
    known: dict[Key, tuple[float | None, str]] = {}
    for source in _known_times(folder):
        if all(measurement(run) in known for run in planned.runs):
            break
        known = _recorded_times(source) | known
    found = []
    for run in planned.runs:
        seconds, origin = known.get(measurement(run), (None, ""))
        if not planned.backends[run.offered].formulations.get(run.puzzle):
            seconds = 0.0
        elif seconds is not None:
            seconds = min(seconds, run.time_limit_s)
        recorded = completed[key(run)]
        if repeats is None:  # In a climb any repeat will do.
            left = int(not recorded)
        elif repeats.fixed or recorded:
            left = to_come(repeats, recorded)
        elif seconds is None:
            left = repeats.times or 1
        else:
            fails = not 0 < seconds < run.time_limit_s
            left = 1 if fails else to_come(repeats, {}, seconds)
        wanted = repeats.times if repeats and repeats.times and repeats.fixed else left + len(recorded)
        most_s = left * run.time_limit_s
        if repeats and repeats.budget_s is not None:
            most_s = min(most_s, repeats.budget_s + run.time_limit_s)
        found.append(Forecast(run, wanted, left, most_s, seconds, origin))
    return found, "\n".join(filter(None, (*planned.left_out, again)))


def _recorded_times(folder: Path) -> dict[Key, tuple[float | None, str]]:
    """The median seconds of a run of each measurement, with overhead, and the source; {} if unreadable.

    A run that reached its time limit reaches any other.
    """
    try:
        rows = read(folder / "runs.csv")
    except RequestError:
        return {}
    times: dict[Key, list[float]] = defaultdict(list)
    for row in rows:
        lasted_s = row.time_limit_s if row.total_s is None else row.total_s
        if row.status == Status.TIMEOUT:
            lasted_s = inf
        times[measurement(row)].append(lasted_s + (row.overhead_s or 0.0) if row.status.tried else 0.0)
    elsewhere = socket.gethostname() not in {row.host for row in rows}
    source = errors.shown(folder) + (" (measured on another machine)" if elsewhere else "")
    return {measured: (median(seconds), source) for measured, seconds in times.items()}


def _known_times(folder: Path | None) -> list[Path]:
    """The campaigns whose times may be used: the one to resume, the latest, all others in results/."""
    here, committed = Path("results"), catalogue.ROOT / "results"
    first = [*([folder] if folder else []), here / "latest", *(committed / name for name in _COMMITTED)]
    others = (file.parent for home in (here, committed) for file in sorted(home.glob("*/runs.csv*")))
    return list({path.resolve(): path for path in (*first, *others)}.values())
