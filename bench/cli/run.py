"""The commands that execute campaigns: `run` and `scale`."""

import shlex
import sys
from collections.abc import Iterable
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.markup import escape

from bench import catalogue
from bench.campaign import forecast
from bench.campaign.current import current
from bench.campaign.measure import measure
from bench.campaign.results import read_recorded
from bench.campaign.resume import Redo
from bench.campaign.schedule import PRECISION, Repeats
from bench.campaign.selection import Request, Solvers, find_family
from bench.cli import completion
from bench.cli.console import answers, complain, console, fail, name_broken
from bench.cli.dry_run import print_forecast
from bench.cli.options import (
    Again,
    Backends,
    DryRun,
    Failed,
    Families,
    Formulations,
    Instances,
    Jobs,
    Keep,
    MemoryLimit,
    OneTask,
    Out,
    Plots,
    Puzzles,
    Tasks,
    Threads,
    TimeLimit,
)
from bench.cli.progress import show_progress
from bench.cli.results import PAGE, publish
from bench.contract import FAULTY, Status, Task
from bench.environment import machine
from bench.invocation import command_line, this_command

DEFAULT_REPEAT = 5


def run(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WHAT",
            autocompletion=completion.what,
            help="Puzzles (a name, or the path to a folder) and instances (a name, or a TOML file).",
        ),
    ] = None,
    all_: Annotated[
        bool,
        typer.Option("--all", help="Everything that the other options leave: every puzzle and instance."),
    ] = False,
    puzzle: Puzzles = None,
    family: Families = None,
    instance: Instances = None,
    backend: Backends = None,
    solvers: Annotated[
        Solvers,
        typer.Option(
            help="core: the default solver of each core backend, or of those named with --backend; "
            "all: every solver that is installed."
        ),
    ] = Solvers.CORE,
    formulation: Formulations = None,
    task: Tasks = None,
    repeat: Annotated[
        str,
        typer.Option(
            metavar="N|auto",
            help="How often each run is repeated; auto: until the 95% interval of its median total time "
            f"lies within {PRECISION:.0%}.",
        ),
    ] = str(DEFAULT_REPEAT),
    budget: Annotated[
        float,
        typer.Option(
            min=0,
            metavar="SECONDS",
            help="With --repeat auto: how long a run and its repeats may take in all.",
        ),
    ] = 60.0,
    seeds: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="How many seeds; for a solver that has none, as many permutations of the model.",
        ),
    ] = 1,
    time_limit: TimeLimit = 60.0,
    memory_limit: MemoryLimit = 4096,
    threads: Threads = 1,
    jobs: Jobs = 1,
    out: Out = None,
    keep: Keep = False,
    redo: Again = None,
    dry_run: DryRun = False,
    plots: Plots = True,
) -> None:
    """Measure: run models on instances, check every solution, record each run; draw plots and a report.

    What is named or filtered is run with its default and published formulations.
    """
    filters = (what, puzzle, family, instance, backend, formulation, task)
    if not all_ and not any(filters):
        fail(
            f"say what to run: a puzzle, an instance, or --all; `{command_line('list')}` shows what there is"
        )
    request = Request(
        what=what or (),
        puzzles=puzzle or (),
        families=family or (),
        instances=instance or (),
        backends=backend or (),
        solvers=solvers,
        formulations=formulation or (),
        tasks=tuple(dict.fromkeys(task or Task)),
        seeds=seeds,
        time_limit_s=time_limit,
        memory_limit_mb=memory_limit,
        threads=threads,
    )
    repeats = read_repeats(repeat, budget)
    again = what_again(keep, redo)
    left_out = name_broken(request)
    if dry_run:
        preview(request, repeats, jobs, again, out, left_out)
    folder = carry_out(request, repeats, jobs, again, out)
    finish(folder, plots, failed=summarise(folder) or left_out)


def scale(
    puzzle: Annotated[
        list[str],
        typer.Argument(
            metavar="PUZZLE",
            autocompletion=completion.puzzles,
            help="One puzzle or more: names, or paths to their folders.",
        ),
    ],
    family: Annotated[
        str,
        typer.Option(
            metavar="NAME", autocompletion=completion.families, help="The family of instances to climb."
        ),
    ] = "size",
    backend: Backends = None,
    formulation: Formulations = None,
    task: OneTask = Task.FIRST,
    time_limit: TimeLimit = 60.0,
    memory_limit: MemoryLimit = 4096,
    threads: Threads = 1,
    jobs: Jobs = 1,
    out: Out = None,
    keep: Keep = False,
    redo: Again = None,
    dry_run: DryRun = False,
    plots: Plots = True,
) -> None:
    """Climb the sizes of a family with each backend until it fails twice in a row; show how far each gets."""
    for name in puzzle:
        find_family(family, [catalogue.find_puzzle(name)])
    request = Request(
        puzzles=puzzle,
        families=[family],
        backends=backend or (),
        formulations=formulation or (),
        tasks=[task],
        time_limit_s=time_limit,
        memory_limit_mb=memory_limit,
        threads=threads,
    )
    again = what_again(keep, redo)
    if dry_run:
        preview(request, None, jobs, again, out)
    folder = carry_out(request, None, jobs, again, out)
    # pandas takes a second to import: not before there is something to read.
    from bench.analysis import growth, tables, terminal

    runs = tables.read_runs(folder)
    terminal.print_frontier(console, growth.frontier(growth.steps(runs)))
    terminal.print_trust(console, runs, folder)
    failed = bool(runs["status"].isin(FAULTY).any())
    finish(folder, plots, failed or nothing_measured(map(Status, runs["status"])))


def what_again(keep: bool, redo: Failed | None) -> Redo:
    """What --keep and --redo say."""
    if keep and redo:
        fail(f"--keep runs nothing again, --redo {redo} does; leave one of them out")
    return Redo.KEEP if keep else Redo(redo or Redo.STALE)


def check_cores(jobs: int, threads: int) -> None:
    """Refuses what would need more cores than there are."""
    cores = len(machine.usable_cores())
    if jobs * threads > cores:
        asked = f"--jobs {jobs}" if threads == 1 else f"--jobs {jobs} with --threads {threads}"
        have = "1 core" if cores == 1 else f"{cores} cores"
        fail(f"{asked}: this machine has {have} to use; more would disturb each other")


def preview(
    request: Request,
    repeats: Repeats | None,
    jobs: int,
    redo: Redo,
    out: Path | None,
    left_out: bool = False,
) -> NoReturn:
    """Shows what would be run, and ends as the run would if a puzzle is left out."""
    check_cores(jobs, request.threads)
    found, again = forecast.forecast(request, repeats, redo, out, forecast.known_times(out))
    print_forecast(answers, found, repeats, jobs)
    if again:
        answers.print(escape(again), soft_wrap=True)
    sys.exit(1 if left_out else 0)


def carry_out(request: Request, repeats: Repeats | None, jobs: int, redo: Redo, out: Path | None) -> Path:
    """Makes the runs of a campaign, or what is missing of them; gives its folder."""
    check_cores(jobs, request.threads)
    folder = out or new_folder()

    def note(text: str) -> None:
        console.print(escape(text), soft_wrap=True)

    try:
        measure(request, folder, repeats, jobs, show_progress(console), this_command(), redo, note)
    except KeyboardInterrupt:
        again = shlex.join([*this_command(), *(() if out else ("--out", str(folder)))])
        answers.print(f"interrupted; what is finished is recorded. To go on: {escape(again)}", soft_wrap=True)
        sys.exit(130)
    if not out and tried(row.status for row in read_recorded(folder)):
        point_latest(folder)
    return folder


def tried(statuses: Iterable[Status]) -> bool:
    """Whether any of the runs was tried at all."""
    return any(status.tried for status in statuses)


def nothing_measured(statuses: Iterable[Status]) -> bool:
    """Whether no run was tried at all, which is then said."""
    if tried(statuses):
        return False
    complain("nothing was measured: every run was unavailable or unsupported")
    return True


def finish(folder: Path, plots: bool, failed: bool) -> NoReturn:
    """Draws what is to be drawn, says where all is, and ends."""
    if plots:
        publish(folder, plots_too=True, page=folder / PAGE)
    drawn = f", plots/, {PAGE}" if plots else ""
    answers.print(f"[bold]{escape(str(folder))}[/]: runs.csv, machine.json{drawn}", soft_wrap=True)
    sys.exit(1 if failed else 0)


def read_repeats(text: str, budget_s: float) -> Repeats:
    """What --repeat says."""
    if text == "auto":
        return Repeats(None, budget_s)
    if not text.isdecimal() or int(text) < 1:
        fail(f"--repeat {text}: write a number from 1 on, or auto")
    return Repeats(int(text))


def new_folder() -> Path:
    """A folder under results/ that does not exist yet."""
    stamp = f"{datetime.now():%Y-%m-%d-%H%M%S}"
    names = (f"{stamp}-{number}" if number > 1 else stamp for number in count(1))
    # Another campaign may have begun within the same second.
    return next(path for name in names if not (path := Path("results") / name).exists())


def point_latest(folder: Path) -> None:
    """Makes results/latest point to the campaign."""
    latest = folder.parent / "latest"
    if latest.is_symlink() or not latest.exists():
        latest.unlink(missing_ok=True)
        latest.symlink_to(folder.name)


def summarise(folder: Path) -> bool:
    """Shows the tables; whether a result was wrong, a run crashed, or nothing was measured."""
    if console.quiet:
        return complain_of_failures(folder)
    # pandas takes a second to import: not before there is something to read.
    from bench.analysis import tables, terminal

    runs = tables.read_runs(folder)
    table = tables.cells(runs)
    terminal.print_summary(console, table)
    terminal.print_comparisons(console, table)
    terminal.print_findings(console, table)
    terminal.print_more_runs(console, runs, table, folder)
    terminal.print_trust(console, runs, folder)
    terminal.print_disagreements(console, runs)
    return nothing_measured(map(Status, runs["status"])) or bool(table["status"].isin(FAULTY).any())


def complain_of_failures(folder: Path) -> bool:
    """Says in a line each, with -q, what was wrong or crashed; whether there is any, or nothing measured."""
    rows = read_recorded(folder)
    rows = [rows[number] for number in current(rows)]
    failures = [row for row in rows if row.status.faulty]
    for row in failures:
        model = f"{row.instance} {row.backend}:{row.solver} {row.formulation} {row.task}"
        complain(f"{model}: {row.status}: {row.error}")
    return nothing_measured(row.status for row in rows) or bool(failures)
