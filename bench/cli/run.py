"""The commands that record campaigns: `run`, `scale` and `merge`; what `explain` shares with them."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from importlib import import_module
from itertools import chain, count
from pathlib import Path
from typing import Annotated, NoReturn

from rich.markup import escape

from bench import catalogue
from bench.campaign import selection
from bench.campaign.execute import Completed
from bench.campaign.machine_json import read_facts
from bench.campaign.plan import SHARDS, folder_of, refuse_other
from bench.campaign.recorder import LOGS
from bench.campaign.results import current, located, read
from bench.campaign.runner import measure
from bench.campaign.schedule import Repeats
from bench.campaign.selection import DEFAULT, SAMPLES, Request, Solvers, find_family, find_instances
from bench.catalogue.errors import RequestError, command_line, one_line, this_command
from bench.cli import options
from bench.cli.command import Argument, Option
from bench.cli.console import answers, complain, console, existing, interrupted, move_damaged, name_broken
from bench.contract import Task
from bench.environment import counting
from bench.environment.index import NEW, find_release, minor_releases, new_releases
from bench.environment.releases import pip_line
from bench.execution.executor import Cluster, Executor

_MANY = 1_000
"""With so many instances of collections or more, the plan is shown before the campaign starts."""


def run(
    what: Annotated[
        list[str] | None,
        Argument("Puzzles (a name, or the path to a folder) and instances (a name, or a TOML file).", "WHAT"),
    ] = None,
    *,
    all_: Annotated[bool, Option("Every puzzle and instance that matches the other options.")] = False,
    filters: options.Filters,
    family: Annotated[
        list[str] | None,
        Option("The generated instances of this family; by default of none. May be repeated.", "FAMILY"),
    ] = None,
    sample: Annotated[
        bool,
        Option(
            "The samples, from which conclusions on each kind of puzzle are drawn: short for "
            f"{' '.join(f'--family {name}' for name in SAMPLES)} --formulation {DEFAULT} "
            f"--task {Task.FIRST} --time-limit {selection.TIME_LIMIT_OF_SAMPLE_S:g}."
        ),
    ] = False,
    collection: options.Collections = None,
    at_most: Annotated[
        int | None,
        Option(
            "With --collection: only so many instances, drawn evenly from puzzles and orders of size; "
            "always the same ones.",
            min=1,
            max=selection.MOST["at_most"],
        ),
    ] = None,
    solvers: options.AllSolvers = Solvers.CORE,
    repetition: options.Repetition,
    limits: options.RunLimits,
    instructions: options.Instructions = False,
    threads: Annotated[
        list[int] | None,
        Option(f"{options.THREADS} May be repeated, to compare several. By default 1.", min=1),
    ] = None,
    release: Annotated[
        list[str] | None,
        Option(
            "With this release of a package, in an environment of its own (docs/releases.md), as "
            f"ortools==9.12; {NEW}: of each solver here the newest, if it is newer. May be repeated.",
            "PACKAGE==RELEASE",
        ),
    ] = None,
    releases: Annotated[
        list[str] | None,
        Option("With all minor releases of this package, as ortools. May be repeated.", "PACKAGE"),
    ] = None,
    recording: options.Recording,
) -> None:
    """Measure: run models on instances, check every solution, record each run; draw plots, write a report."""
    if all_ and sample:
        raise RequestError("--all and --sample: the samples are a campaign of their own; leave one out")
    families = [*(family or ()), *(SAMPLES if sample else ())]
    if sample:
        filters = replace(
            filters, formulation=filters.formulation or [DEFAULT], task=filters.task or options.one_task(None)
        )
    if collection and families:
        other = "--sample" if sample else "--family"
        raise RequestError(f"--collection and {other}: each has its own instances; leave one of them out")
    if at_most and not collection:
        raise RequestError(f"--at-most {at_most}: only with --collection; leave it out")
    if all_ and collection and not at_most:
        raise RequestError("--all and --collection: say how many instances, as in --at-most 100")
    if not (all_ or what or families or collection or filters.puzzle or filters.instance):
        shown = f"`{command_line('list')}` shows what there is"
        raise RequestError(f"say what to run: a puzzle, an instance, or --all; {shown}")
    if (all_ or sample) and limits.time_limit is None:
        usual_s = selection.TIME_LIMIT_OF_ALL_S if all_ else selection.TIME_LIMIT_OF_SAMPLE_S
        limits = replace(limits, time_limit=usual_s)
    if (release or releases) and recording.cluster:
        raise RequestError("--release and --cluster: environments are of this machine; leave one of them out")
    request = replace(
        filters.request(limits),
        what=what or (),
        families=families,
        collections=collection or (),
        at_most=at_most,
        solvers=solvers,
        seeds=repetition.seeds,
        threads=tuple(dict.fromkeys(threads or (1,))),
        instructions=instructions,
        releases=_releases(release or (), releases or ()),
    )
    repeats = repetition.repeats(request.time_limit_s)
    left_out = name_broken(request)
    folder = execute(request, repeats, recording, left_out)
    if instructions:
        console.out("Instructions are in runs.csv, and in the report; `gate` and `history` compare them.")
    finish(folder, recording.plots, _summarise, left_out)


def _releases(named: Sequence[str], packages: Sequence[str]) -> Sequence[str]:
    """The releases that --release and --releases mean; exits if nothing is new."""
    found: list[str] = []
    for text in named:
        found += new_releases() if text == NEW else [str(find_release(text))]
    for package in packages:
        found += map(str, minor_releases(package))
    if named and not found:
        answers.out("nothing in the index is newer than what is installed here")
        sys.exit(0)
    return list(dict.fromkeys(found))


def scale(
    puzzle: Annotated[list[str], Argument("One puzzle or more: a name, or the path to a folder.", "PUZZLE")],
    *,
    family: Annotated[str, Option("The family of instances.", "FAMILY")] = "size",
    backend: options.Backends = None,
    program: options.Programs = None,
    formulation: options.Formulations = None,
    task: options.OneTask = None,
    limits: options.RunLimits,
    threads: options.OneThreads = 1,
    recording: options.Recording,
) -> None:
    """Run larger and larger instances with each backend until it fails at two sizes in a row."""
    for name in puzzle:
        find_family(family, [catalogue.find_puzzle(name)])
    filters = options.Filters(puzzle, None, backend, program, formulation, options.one_task(task))
    request = replace(filters.request(limits), families=[family], threads=(threads,))
    folder = execute(request, None, recording)
    finish(folder, recording.plots, partial(_summarise, climb=True))


def merge(
    folder: Annotated[
        list[Path], Argument("Folders of campaigns; one that has shards stands for all of them.", "FOLDER...")
    ],
    *,
    out: Annotated[
        Path, Option("The folder to record in; what is new is added to a merged campaign there.", "FOLDER")
    ],
    plots: Annotated[bool, Option("Draw plots and write the report at the end.")] = True,
    skip_damaged: options.SkipDamaged = False,
) -> None:
    """Put shards, or campaigns of several machines, together into one campaign."""
    from bench.analysis.units import are, listed, plural
    from bench.campaign.merge import merge as merge_campaigns

    refuse_other(out)
    folders = [each for path in folder for each in campaigns_of(path)]
    if skip_damaged:
        for each in (*folders, out):
            move_damaged(each / "runs.csv")
    merged = merge_campaigns(folders, out)
    console.out(f"{plural(merged.runs, 'run')}, {merged.new:,} of them new")
    if merged.missing:
        numbers, of = listed(str(shard.number) for shard in merged.missing), merged.missing[0].of
        several = len(merged.missing)
        again = "when they are complete, merge again with the same --out"
        answers.out(f"shard{'s' * (several > 1)} {numbers} of {of} {are(several)} not among them; {again}")
    finish(out, plots, partial(_summarise, climb=merged.climb), failed=bool(merged.missing))


def campaigns_of(path: Path) -> list[Path]:
    """The folders of the shards in a folder, else the campaign's; raises RequestError if there is none."""
    shards = sorted(path.glob(SHARDS))
    if links := [shard for shard in shards if shard.is_symlink()]:  # They may lead anywhere.
        raise RequestError(f"{links[0]}: this is a link; name the folders that are meant")
    return shards or [path.parent if existing(path).is_file() else path]


def execute(
    request: Request, repeats: Repeats | None, recording: options.Recording, left_out: bool = False
) -> Path:
    """Executes the missing runs of a campaign; returns its folder.

    With --dry-run it shows them instead. Then, and if a shard has no runs, it exits: with 1 if a puzzle is
    left out.
    """
    cluster, shard = recording.where, recording.part
    if not cluster:
        options.refuse_missing_cores(recording.jobs, request.cores)
        if request.instructions and (missing := counting.missing()):
            raise RequestError(f"--instructions: {missing}")
    folder = folder_of(recording.out, shard) if recording.out else None
    if folder and recording.skip_damaged:
        move_damaged(folder / "runs.csv")
    options.refuse_misspelt(request)
    if recording.dry_run or (request.collections and len(find_instances(request)) >= _MANY):
        from bench.cli.dry_run import show_missing

        show_missing(request, repeats, recording, folder)
    if recording.dry_run:
        sys.exit(left_out)
    if not folder:
        first = Path("results") / f"{datetime.now():%Y-%m-%d-%H%M%S}"
        # Another campaign may have begun within the same second.
        folders = chain([first], (first.with_name(f"{first.name}-{number}") for number in count(2)))
        folder = folder_of(next(each for each in folders if not each.exists()), shard)
    file = located(folder / "runs.csv", resume=True)
    before = file.stat().st_size if file.exists() else 0
    elsewhere = partial(_open_cluster, cluster, recording.jobs, request.cores) if cluster else None
    progress = None
    if not console.quiet:
        from bench.cli.progress import show_progress

        progress = show_progress(console)
    try:
        measure(
            request, folder, repeats, recording.jobs, elsewhere, shard, progress, this_command(),
            recording.again, console.out, recording.logs,
        )  # fmt: skip
    except KeyboardInterrupt:
        interrupted(folder, recording.out)
    rows = read(file, resume=True)
    if shard and not rows:
        # Recorded nevertheless: `merge` then knows that this shard is not missing.
        answers.out(f"shard {shard} is empty: no problem of this campaign falls into it")
        sys.exit(left_out)
    if before and file.stat().st_size == before:
        again = "nothing was executed (--redo all executes them again)"
        console.out(f"All runs asked for are among the {len(current(rows)):,} recorded already; {again}.")
    if not (recording.out or shard) and any(row.status.tried for row in rows):
        latest = folder.parent / "latest"
        if latest.is_symlink() or not latest.exists():
            latest.unlink(missing_ok=True)
            latest.symlink_to(folder.name)
    return folder


def _open_cluster(cluster: Cluster, jobs: int, cores: int) -> Executor[Completed]:
    """Opens the executor of a cluster; raises RequestError if it cannot be reached, or without Dask."""
    try:  # Dask needs half a second to import, and need not be installed.
        executor = import_module("bench.instruments.cluster.executor").ClusterExecutor
    except ModuleNotFoundError as error:
        raise RequestError(f"--cluster needs Dask ({error}): {pip_line('cluster')}") from None
    except ValueError as error:  # Dask reads its configuration when it is imported.
        raise RequestError(f"--cluster {cluster.where}: {one_line(str(error))}") from None
    opened: Executor[Completed] = executor(cluster, jobs, cores, console.out)
    return opened


def finish(folder: Path, plots: bool, summary: Callable[[Path], bool], failed: bool = False) -> NoReturn:
    """Prints the summary, draws the plots and writes the report, prints where everything is, and exits.

    The code is 1 if `summary`, which prints it, says that anything failed, or if something `failed` before.
    """
    try:
        failed |= summary(folder)
    except KeyboardInterrupt:
        answers.out(f"interrupted; all runs are recorded. For a report: {command_line('report', folder)}")
        sys.exit(130)
    drawn = ""
    if plots:
        from bench.cli.results import PAGE, publish

        publish(folder, plots=True, page=folder / PAGE)
        drawn = f", plots/, {PAGE}"
    logs = f", {LOGS}/" if (folder / LOGS).is_dir() else ""
    answers.print(f"[bold]{escape(str(folder))}[/]: runs.csv, machine.json{logs}{drawn}", soft_wrap=True)
    sys.exit(1 if failed else 0)


def _summarise(folder: Path, climb: bool = False) -> bool:
    """Prints the ending, of a climb the sizes that each backend reaches; returns whether anything failed."""
    if climb or not console.quiet:
        # Importing pandas takes a second: not before there is something to read.
        from bench.analysis import growth
        from bench.analysis.measurements import measurements
        from bench.analysis.tables import read_runs
        from bench.report import tables, terminal

        runs = read_runs(folder)
        measured = measurements(runs)
        if climb:
            for table in tables.frontiers(growth.climbs(measured)):
                console.rich.print(table.for_terminal())
            for remark in terminal.on_reliability(runs, read_facts(folder)):
                console.print(remark, soft_wrap=True)
        else:
            terminal.print_ending(console.rich, runs, measured, folder)
    return any_failed(folder)


def any_failed(folder: Path) -> bool:
    """Whether a result was wrong, a run crashed, or none was tried; with -q it prints how runs failed."""
    rows = read(folder / "runs.csv", resume=True)
    rows = [rows[number] for number in current(rows)]
    if not any(row.status.tried for row in rows):
        complain("nothing was measured: every run was unavailable or unsupported")
        return True
    failures: dict[str, list[str]] = {}
    for row in rows:
        if row.status.faulty:
            label = f"{row.instance} {row.model} {row.task}"
            failures.setdefault(f"{row.status}: {row.error}", []).append(label)
    for failure, (label, *more) in failures.items() if console.quiet else ():
        complain(f"{label}{f' and {len(more)} more' * bool(more)}: {failure}")
    return bool(failures)
