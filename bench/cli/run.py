"""The commands that execute campaigns: `run` and `scale`; what `explain` shares with them."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from functools import partial
from importlib import import_module
from itertools import chain, count
from pathlib import Path
from typing import Annotated, NoReturn

from rich.markup import escape

from bench import catalogue
from bench.analysis.units import shortened
from bench.campaign.execute import Completed
from bench.campaign.machine_json import read_facts
from bench.campaign.plan import folder_of
from bench.campaign.recorder import LOGS
from bench.campaign.results import current, located, read
from bench.campaign.runner import measure
from bench.campaign.schedule import Repeats
from bench.campaign.selection import DEFAULT, SAMPLE, TIME_LIMIT_OF_ALL_S, Request, Solvers, find_family
from bench.catalogue.errors import RequestError, one_line
from bench.cli.command import Argument, Option
from bench.cli.console import answers, complain, console, fail, interrupted, move_damaged, name_broken
from bench.cli.options import (
    THREADS,
    AllSolvers,
    Backends,
    Filters,
    Formulations,
    OneTask,
    OneThreads,
    Programs,
    Recording,
    Repetition,
    RunLimits,
    refuse_missing_cores,
    refuse_misspelt,
)
from bench.cli.progress import show_progress
from bench.cli.results import PAGE, publish
from bench.contract import FAULTY, Status, Task
from bench.environment.releases import pip_line
from bench.execution.executor import Cluster, Executor
from bench.invocation import command_line, this_command


def run(
    what: Annotated[
        list[str] | None,
        Argument("Puzzles (a name, or the path to a folder) and instances (a name, or a TOML file).", "WHAT"),
    ] = None,
    *,
    all_: Annotated[bool, Option("Every puzzle and instance that matches the other options.")] = False,
    filters: Filters,
    family: Annotated[
        list[str] | None,
        Option(
            "The generated instances of this family; by default no family is run. May be repeated.", "FAMILY"
        ),
    ] = None,
    sample: Annotated[
        bool,
        Option(
            "The samples, from which conclusions on each kind of puzzle are drawn: short for "
            f"--family {SAMPLE} --formulation {DEFAULT}, with the time limit of --all.",
        ),
    ] = False,
    solvers: AllSolvers = Solvers.CORE,
    repetition: Repetition,
    limits: RunLimits,
    threads: Annotated[
        list[int] | None,
        Option(
            f"{THREADS} May be repeated, to compare: each run is executed with each number. By default 1.",
            min=1,
        ),
    ] = None,
    recording: Recording,
) -> None:
    """Measure: run models on instances, check every solution, record each run; draw plots, write a report."""
    if all_ and sample:
        fail("--all and --sample: the samples are a campaign of their own; leave one of them out")
    families = [*(family or ()), *([SAMPLE] if sample else ())]
    if sample and not filters.formulation:
        filters = replace(filters, formulation=[DEFAULT])
    if not (all_ or what or families or filters.puzzle or filters.instance):
        shown = f"`{command_line('list')}` shows what there is"
        fail(f"say what to run: a puzzle, an instance, or --all; {shown}")
    if (all_ or sample) and limits.time_limit is None:
        limits = replace(limits, time_limit=TIME_LIMIT_OF_ALL_S)
    request = replace(
        filters.request(limits),
        what=what or (),
        families=families,
        solvers=solvers,
        seeds=repetition.seeds,
        threads=tuple(dict.fromkeys(threads or (1,))),
    )
    repeats = repetition.repeats(request.time_limit_s)
    left_out = name_broken(request)
    folder = execute(request, repeats, recording, left_out)
    finish(folder, recording.plots, summarise, left_out)


def scale(
    puzzle: Annotated[
        list[str],
        Argument("One puzzle or more: a name, or the path to a folder.", "PUZZLE"),
    ],
    *,
    family: Annotated[str, Option("The family of instances.", "FAMILY")] = "size",
    backend: Backends = None,
    program: Programs = None,
    formulation: Formulations = None,
    task: OneTask = Task.FIRST,
    limits: RunLimits,
    threads: OneThreads = 1,
    recording: Recording,
) -> None:
    """Run larger and larger instances with each backend until it fails at two sizes in a row."""
    for name in puzzle:
        find_family(family, [catalogue.find_puzzle(name)])
    filters = Filters(puzzle=puzzle, backend=backend, program=program, formulation=formulation, task=[task])
    request = replace(filters.request(limits), families=[family], threads=(threads,))
    folder = execute(request, None, recording)
    finish(folder, recording.plots, partial(summarise, climb=True))


def execute(request: Request, repeats: Repeats | None, recording: Recording, left_out: bool = False) -> Path:
    """Executes the missing runs of a campaign; returns its folder.

    With --dry-run it shows them instead, and exits; with 1 if a puzzle is left out, as the campaign would.
    A shard without runs exits in the same way.
    """
    cluster = recording.where
    if not cluster:
        refuse_missing_cores(recording.jobs, request.cores)
    shard = recording.part
    folder = folder_of(recording.out, shard) if recording.out else None
    if folder and recording.skip_damaged:
        move_damaged(folder / "runs.csv")
    empty = f"shard {shard} is empty: no problem of this campaign falls into it"
    refuse_misspelt(request)
    if recording.dry_run:
        from bench.campaign.forecast import forecast, known_times
        from bench.cli.dry_run import print_forecast

        found, again = forecast(request, repeats, recording.again, folder, known_times(folder), shard)
        if shard and not found:
            answers.out(empty)
            sys.exit(1 if left_out else 0)
        some = bool(cluster and not cluster.workers)
        print_forecast(found, repeats, recording.jobs * (recording.workers or 1), one_of_several=some)
        if again:
            answers.out(again)
        sys.exit(1 if left_out else 0)
    folder = folder or folder_of(_new_folder(), shard)
    file = located(folder / "runs.csv", resume=True)
    before = file.stat().st_size if file.exists() else 0
    elsewhere = partial(_open_cluster, cluster, recording.jobs, request.cores) if cluster else None
    try:
        measure(
            request, folder, repeats, recording.jobs, elsewhere, shard, progress=show_progress(console),
            command=this_command(), redo=recording.again, on_note=console.out,
            logs=recording.logs,
        )  # fmt: skip
    except KeyboardInterrupt:
        interrupted(folder, recording.out)
    if shard and not read(file, resume=True):
        # Recorded nevertheless: `merge` then knows that this shard is not missing.
        answers.out(empty)
        sys.exit(1 if left_out else 0)
    if before and file.stat().st_size == before:
        recorded = len(current(read(file, resume=True)))
        again = "nothing was executed (--redo all executes them again)"
        console.out(f"All runs asked for are among the {recorded:,} recorded already; {again}.")
    latest = not (recording.out or shard)
    if latest and any(row.status.tried for row in read(file, resume=True)):
        _point_latest(folder)
    return folder


def _open_cluster(cluster: Cluster, jobs: int, cores: int) -> Executor[Completed]:
    """Opens the executor of a cluster: Dask needs half a second to import, and need not be installed.

    Raises:
        RequestError: if Dask is not there or not set up, or if there is no such cluster.
    """
    try:
        executor = import_module("bench.instruments.cluster.executor").ClusterExecutor
    except ModuleNotFoundError as error:
        raise RequestError(f"--cluster needs Dask ({error}): {pip_line('cluster')}") from None
    except ValueError as error:  # Dask reads its configuration when it is imported.
        raise RequestError(f"--cluster {cluster.where}: {one_line(str(error))}") from None
    opened: Executor[Completed] = executor(cluster, jobs, cores, console.out)
    return opened


def nothing_measured(statuses: Iterable[Status]) -> bool:
    """Whether no run was tried, which it then prints."""
    if any(status.tried for status in statuses):
        return False
    complain("nothing was measured: every run was unavailable or unsupported")
    return True


def finish(folder: Path, plots: bool, summary: Callable[[Path], bool], failed: bool = False) -> NoReturn:
    """Prints the summary, draws the plots and writes the report, prints where everything is, and exits.

    Args:
        summary: prints it, and returns whether anything failed.
        failed: whether anything did before.
    """
    try:
        failed |= summary(folder)
    except KeyboardInterrupt:
        answers.out(f"interrupted; all runs are recorded. For a report: {command_line('report', folder)}")
        sys.exit(130)
    if plots:
        publish(folder, plots=True, page=folder / PAGE)
    drawn = f", plots/, {PAGE}" if plots else ""
    logs = f", {LOGS}/" if (folder / LOGS).is_dir() else ""
    answers.print(f"[bold]{escape(str(folder))}[/]: runs.csv, machine.json{logs}{drawn}", soft_wrap=True)
    sys.exit(1 if failed else 0)


def _new_folder() -> Path:
    """A folder under results/ that does not exist yet."""
    stamp = f"{datetime.now():%Y-%m-%d-%H%M%S}"
    # Another campaign may have begun within the same second.
    names = chain([stamp], (f"{stamp}-{number}" for number in count(2)))
    return next(path for name in names if not (path := Path("results") / name).exists())


def _point_latest(folder: Path) -> None:
    latest = folder.parent / "latest"
    if latest.is_symlink() or not latest.exists():
        latest.unlink(missing_ok=True)
        latest.symlink_to(folder.name)


def summarise(folder: Path, climb: bool = False) -> bool:
    """Prints the ending, of a climb the sizes that each backend reaches.

    Returns whether a result was wrong, a run crashed, or nothing was measured.
    """
    if console.quiet and not climb:
        return complain_of_failures(folder)
    # Importing pandas takes a second: not before there is something to read.
    from bench.analysis import growth
    from bench.analysis.measurements import measurements
    from bench.analysis.tables import read_runs
    from bench.report import tables, terminal

    runs = read_runs(folder)
    measured = measurements(runs)
    if climb:
        for table in tables.frontiers(growth.frontier(growth.steps(measured))):
            console.rich.print(table.for_terminal())
        for remark in terminal.on_reliability(runs, read_facts(folder)):
            console.print(remark, soft_wrap=True)
    else:
        terminal.print_ending(console.rich, runs, measured, folder)
    return nothing_measured(map(Status, runs["status"])) or bool(runs["status"].isin(FAULTY).any())


def complain_of_failures(folder: Path) -> bool:
    """Prints a line for each way in which runs failed; returns whether any did, or none was tried."""
    rows = read(folder / "runs.csv", resume=True)
    rows = [rows[number] for number in current(rows)]
    failures: dict[str, list[str]] = {}
    for row in rows:
        if row.status.faulty:
            label = f"{row.instance} {row.model} {row.task}"
            failures.setdefault(f"{row.status}: {row.error}", []).append(label)
    for failure, labels in failures.items():
        complain(f"{shortened(labels, 1)}: {failure}")
    return nothing_measured(row.status for row in rows) or bool(failures)
