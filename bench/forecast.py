"""What a campaign would run, and about how long that would take: `--dry-run`."""

import socket
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from statistics import median

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bench import blame, catalogue, install
from bench.campaign import missing, what_counts
from bench.catalogue import RequestError
from bench.contract import Task
from bench.plan import (
    SMALLEST_SAMPLE,
    Redo,
    Repeats,
    Request,
    backends_of,
    find_instances,
    measured_by,
    plan,
    refuse_other_threads,
)
from bench.record import MEASUREMENT, key, read_rows
from bench.run import Run
from bench.verdict import NOT_TRIED
from bench.workers import Servers

Measured = tuple[str, ...]
"""What the rows of one measurement have in common: MEASUREMENT of a run or of a row."""


COMMITTED = ("reference", "scale", "solvers")
"""The campaigns in results/ of the project that are asked for times, in this order."""


@dataclass(frozen=True)
class Forecast:
    """One measurement that is to be repeated.

    Attributes:
        wanted: how often in all; with `--repeat auto` at least.
        missing: how many of them are not recorded, or are run again.
        seconds: how long each of the others takes by the record; None if there is none.
        source: the folder with that record.
    """

    run: Run
    wanted: int
    missing: int
    seconds: float | None
    source: str


def forecast(
    request: Request, repeats: Repeats | None, redo: Redo, folder: Path | None, sources: Sequence[Path]
) -> tuple[list[Forecast], str]:
    """What a campaign would run; starts the solvers' servers to know the models, and runs nothing.

    Args:
        repeats: None for a climb, of which every run is counted.
        folder: where it would record; None for a new folder.
        sources: the campaigns whose times are taken, the best first; those that are not there are skipped.

    Returns:
        A forecast for each measurement, and a line on the recorded runs that would be run again.

    Raises:
        RequestError: if the request cannot be carried out.
    """
    instances = find_instances(request)
    servers = Servers()
    try:
        backends = servers.describe(backends_of(request))
    finally:
        servers.close()
    install.refuse_missing(request, backends)
    runs = plan(request, instances, backends)
    if not runs:
        raise RequestError("these filters leave nothing to run; leave one of them out")
    rows = read_rows(folder) if folder else []
    if folder:
        refuse_other_threads(folder, rows, runs)
    made, again = what_counts(rows, runs, redo)
    known = [(called(source, rows), times(rows)) for source in sources if (rows := readable_rows(source))]
    found = []
    for run in runs:
        measured = measured_by(run)
        seconds, source = next(
            ((took[measured], name) for name, took in known if measured in took), (None, "")
        )
        if not run.formulation:
            seconds = 0.0
        elif seconds is not None:
            seconds = min(seconds, run.time_limit_s)
        wanted = how_often(repeats, seconds)
        # A climb is content with any repeat.
        left = missing([run], wanted, made) if repeats else int(not made[key(run)])
        found.append(Forecast(run, wanted, left, seconds, source))
    return found, again


def readable_rows(folder: Path) -> list[dict[str, str]]:
    """The rows of a campaign that is asked for its times alone; none if it cannot be read."""
    try:
        return read_rows(folder)
    except RequestError:
        return []


def called(folder: Path, rows: Sequence[Mapping[str, str]]) -> str:
    """What a campaign is called, and whether its times are those of another machine."""
    elsewhere = all(row.get("host") != socket.gethostname() for row in rows)
    return f"{blame.shown(folder)}{' (measured on another machine)' if elsewhere else ''}"


def times(rows: Iterable[Mapping[str, str]]) -> dict[Measured, float]:
    """The median seconds that a run of each measurement took, with what the harness added."""
    took: dict[Measured, list[float]] = defaultdict(list)
    for row in rows:
        with suppress(KeyError, ValueError):
            seconds = float(row["total_s"] or row["time_limit_s"]) + float(row["overhead_s"] or 0)
            took[tuple(row[column] for column in MEASUREMENT)].append(
                0.0 if row["status"] in NOT_TRIED else seconds
            )
    return {measured: median(seconds) for measured, seconds in took.items()}


def how_often(repeats: Repeats | None, seconds: float | None) -> int:
    """How often a measurement is run; where that depends on what comes out, at least."""
    if repeats is None:
        return 1
    if repeats.times is not None:
        return repeats.times
    if not seconds:
        return 1
    return min(SMALLEST_SAMPLE, max(1, ceil(repeats.budget_s / seconds)))


def show(console: Console, found: Sequence[Forecast], repeats: Repeats | None, jobs: int) -> None:
    """A line for each puzzle, backend and formulation; then how many runs in all, and how long."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("puzzle", "backend", "formulation", "task"):
        table.add_column(title, overflow="fold")
    for title in ("runs", "recorded", "to run", "time"):
        table.add_column(title, justify="right", no_wrap=True)
    groups: dict[tuple[str, str, str], list[Forecast]] = defaultdict(list)
    for one in found:
        run = one.run
        groups[run.puzzle, f"{run.backend}:{run.solver}", run.formulation].append(one)
    for names, group in groups.items():
        tasks = [task for task in Task if any(one.run.task == task for one in group)]
        table.add_row(
            *(escape(name) or "[red]no model[/]" for name in names), " ".join(tasks), *in_figures(group, jobs)
        )
    console.print(table)
    console.print(escape(in_words(found, repeats, jobs)), soft_wrap=True)


def in_figures(group: Sequence[Forecast], jobs: int) -> tuple[str, str, str, str]:
    """The runs of a group: wanted, recorded, missing, and their time as far as known."""
    unfinished = [one for one in group if one.missing]
    seconds = sum(one.missing * one.seconds for one in unfinished if one.seconds is not None)
    unknown = any(one.seconds is None for one in unfinished)
    some = any(one.seconds is not None for one in unfinished)
    time = (
        "" if not unfinished else "unknown" if not some else f"{duration(seconds / jobs)}{' + ?' * unknown}"
    )
    wanted, left = sum(one.wanted for one in group), sum(one.missing for one in group)
    return f"{wanted:,}", f"{wanted - left:,}", f"{left:,}", time


def in_words(found: Sequence[Forecast], repeats: Repeats | None, jobs: int) -> str:
    """How many runs are missing, and how long they take by the record."""
    wanted = sum(one.wanted for one in found)
    left = sum(one.missing for one in found)
    climbs, grows = repeats is None, repeats is not None and repeats.times is None
    bound = "at most " if climbs else "at least " if grows else ""
    said = [f"{bound}{wanted:,} runs, {wanted - left:,} of them recorded already, {left:,} to run"]
    if climbs:
        said.append("a backend that fails at two sizes in a row is tried at no larger one")
    known = [one for one in found if one.missing and one.seconds is not None]
    unknown = [one for one in found if one.missing and one.seconds is None]
    if known:
        seconds = sum(one.missing * (one.seconds or 0.0) for one in known) / jobs
        number = sum(one.missing for one in known)
        sources = ", ".join(dict.fromkeys(one.source for one in known if one.source)) or "their models: none"
        said.append(f"{bound or 'about '}{duration(seconds)} for {number:,} of them by {sources}")
    if unknown:
        number = sum(one.missing for one in unknown)
        most = sum(one.missing * one.run.time_limit_s for one in unknown) / jobs
        said.append(
            f"unknown for {number:,} of them, which were never recorded: at most {duration(most)}, "
            "by the time limit"
        )
    if left:
        said.append("the start of the solvers, plots and the report not counted")
    return "; ".join(said)


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 0.95:
        return f"{max(seconds, 0.1):.1f} s" if seconds else "0 s"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 99.5 * 60 else f"{seconds / 3600:.1f} h"


def known_times(folder: Path | None) -> list[Path]:
    """The campaigns that may tell how long runs take: the one to go on with, the latest, those committed."""
    committed = (catalogue.ROOT / "results" / name for name in COMMITTED)
    return [*([folder] if folder else []), Path("results") / "latest", *committed]
