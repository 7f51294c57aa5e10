"""The command line, `python -m bench` or `puzzle-bench`.

The commands that compare two campaigns are in changes.py, `list` in listing.py, what all have in common in
usage.py. Exit codes: 0 done, 1 a result was wrong, a run crashed, or nothing was solved or measured, 2 the
request cannot be carried out, 70 an error of this program, 130 Ctrl-C.
"""

import json
import os
import shlex
import signal
import sys
import traceback
from collections.abc import Iterable
from datetime import datetime
from importlib.metadata import version as package_version
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer
from rich.markup import escape
from rich.table import Table

from bench import (
    catalogue,
    changes,
    completion,
    doctor,
    forecast,
    install,
    listing,
    machine,
    new,
    processes,
    validate,
    verdict,
)
from bench.campaign import make_run
from bench.catalogue import PuzzleError, RequestError
from bench.console import (
    Again,
    Backends,
    DryRun,
    Failed,
    Families,
    Formulations,
    InstanceArgument,
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
    answers,
    complain,
    console,
    existing,
    name_broken,
)
from bench.contract import Task
from bench.generate import Order, Wanted, generate
from bench.invoked import PROGRAM, command_line, invoked, this_command
from bench.known_faults import known_fault
from bench.measure import measure
from bench.plan import (
    ALL,
    PRECISION,
    Redo,
    Repeats,
    Request,
    Solvers,
    backends_of,
    find_family,
    find_instances,
    find_one,
    plan,
)
from bench.progress import show_progress
from bench.record import current, read_rows
from bench.usage import Quiet, Verbose, command, explain, set_verbosity
from bench.verdict import DONE, NOT_TRIED, WRONG, one_line
from bench.workers import announce, job_slots

app = typer.Typer(
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    help="Puzzles, modelled several times and measured the same way every time.",
)
DEFAULT_REPEAT = 5
DEFAULT_BACKEND = "cpsat"
PAGE = "report.html"
INTERNAL = 70
"""The exit code of an error of this program (EX_SOFTWARE); 1 would look like a result."""


def main() -> None:
    """Runs the command line; a request that cannot be carried out is one line and exit code 2."""
    signal.signal(signal.SIGTERM, interrupt)
    # A shell completes the console script only: it cannot tell one `python -m` from another.
    completes = any(word.endswith("-completion") for word in sys.argv[1:2])
    try:
        program = typer.main.get_command(app)
        code = program.main(prog_name=PROGRAM if completes else invoked(), standalone_mode=False)
    except RequestError as error:
        fail(str(error))
    except typer.TyperException as error:
        fail(explain(error))
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(0)
    except OSError as error:
        if console.verbose:
            traceback.print_exc()
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except Exception as error:
        if console.verbose:
            traceback.print_exc()
        what = one_line(f"{type(error).__name__}: {error}")
        fail(
            f"internal error: {what}{'' if console.verbose else '; run with -v for the traceback'}", INTERNAL
        )
    sys.exit(code if isinstance(code, int) else 0)


def interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    """A request to end is treated as Ctrl-C, so that it ends the workers too."""
    raise KeyboardInterrupt


def fail(message: str, code: int = 2) -> NoReturn:
    """Ends with one line on the standard error."""
    complain(f"error: {message}")
    sys.exit(code)


def show_version(wanted: bool) -> None:
    """Shows the version, and ends."""
    if wanted:
        print(f"{PROGRAM} {package_version(PROGRAM)}")
        raise typer.Exit()


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=show_version, help="Show the version, and end."),
    ] = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Puzzles, modelled several times and measured the same way every time."""
    set_verbosity(quiet, verbose)
    for line in catalogue.forget_vanished():
        complain(line)
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(2)


@app.command()
@command
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


@app.command()
@command
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
    from bench.reading import growth, tables, terminal

    runs = tables.read_runs(folder)
    terminal.print_frontier(console, growth.frontier(growth.steps(runs)))
    terminal.print_trust(console, runs, folder)
    failed = bool(runs["status"].isin(WRONG).any())
    finish(folder, plots, failed or nothing_measured(runs["status"]))


app.command("list")(command(listing.list_))


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
    forecast.show(answers, found, repeats, jobs)
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
    if not out and tried(row["status"] for row in read_rows(folder)):
        point_latest(folder)
    return folder


def tried(statuses: Iterable[str]) -> bool:
    """Whether any of the runs was tried at all."""
    return not set(statuses) <= set(NOT_TRIED)


def nothing_measured(statuses: Iterable[str]) -> bool:
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
    from bench.reading import tables, terminal

    runs = tables.read_runs(folder)
    table = tables.cells(runs)
    terminal.print_summary(console, table)
    terminal.print_comparisons(console, table)
    terminal.print_findings(console, table)
    terminal.print_more_runs(console, runs, table, folder)
    terminal.print_trust(console, runs, folder)
    terminal.print_disagreements(console, runs)
    return nothing_measured(runs["status"]) or bool(table["status"].isin(WRONG).any())


def complain_of_failures(folder: Path) -> bool:
    """Says in a line each, with -q, what was wrong or crashed; whether there is any, or nothing measured."""
    rows = read_rows(folder)
    rows = [rows[number] for number in current(rows)]
    failures = [row for row in rows if row["status"] in WRONG]
    for row in failures:
        model = f"{row['instance']} {row['backend']}:{row['solver']} {row['formulation']} {row['task']}"
        complain(f"{model}: {row['status']}: {row['error']}")
    return nothing_measured(row["status"] for row in rows) or bool(failures)


def publish(folder: Path, plots_too: bool, page: Path | None) -> list[Path]:
    """Draws plots, page, or both; gives the files written. Ctrl-C ends with one line and exit code 130."""
    from bench.reading import report

    try:
        published = report.publish(folder, plots_too, page)
    except KeyboardInterrupt:
        again = command_line("report" if page else "plot", folder)
        answers.print(f"interrupted; nothing recorded is lost. To draw: {escape(again)}", soft_wrap=True)
        sys.exit(130)
    for line in published.problems:
        console.print(f"[yellow]{escape(line)}[/]", soft_wrap=True)
    return published.files


@app.command()
@command
def solve(
    file: InstanceArgument,
    backend: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BACKEND[:SOLVER]",
            autocompletion=completion.backends,
            help="The backend, as in milp, or a solver of it, as in milp:highs.",
            show_default=DEFAULT_BACKEND,
        ),
    ] = None,
    formulation: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=completion.formulations,
            help="The formulation. Without it the backend's default.",
        ),
    ] = None,
    task: OneTask = Task.FIRST,
    time_limit: TimeLimit = 60.0,
    memory_limit: MemoryLimit = 4096,
    threads: Threads = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """Solve one instance and show the solution."""
    if backend and len(backend) > 1:
        several = command_line("run", file, *(word for name in backend for word in ("--backend", name)))
        fail(f"solve asks one backend; to compare several: {several}")
    if formulation == ALL:
        fail(f"solve runs one formulation; to compare all: {command_line('run', file, '--formulation', ALL)}")
    check_cores(1, threads)
    request = Request(
        instances=[str(find_one(file))],
        backends=backend or [DEFAULT_BACKEND],
        formulations=[formulation] if formulation else (),
        tasks=[task],
        time_limit_s=time_limit,
        memory_limit_mb=memory_limit,
        threads=threads,
    )
    (instance,) = find_instances(request)
    names = backends_of(request)
    facts = {"campaign": "", **machine.describe()}
    with job_slots(1, threads) as (servers,):
        backends = servers.describe(names)
        install.refuse_missing(request, backends)
        announce([servers])
        wanted = plan(request, [instance], backends)[0]
        row = make_run(servers, instance, wanted, facts, backends[wanted.backend])
    if row["status"] in NOT_TRIED:
        others = "" if wanted.formulation else other_models(wanted.puzzle)
        fail(f"{request.backends[0]}: {row['status']}: {row['error']}{others}")
    if fault := known_fault(wanted.backend, wanted.solver, row["solver_version"]):
        complain(f"warning: {fault}")
    solution = json.loads(row["solution"]) if row["solution"] else None
    doubt = caveat(instance, row, command_line("run", file, "--task", task))
    mistake = None
    if as_json:
        print(json.dumps(row | {"solution": solution, "caveat": doubt}))
    else:
        mistake = show_solution(instance, row, solution)
        if doubt:
            console.print(escape(doubt), soft_wrap=True)
    if mistake:
        complain(f"error: {mistake}")
    if console.verbose and row.get("traceback"):
        complain(row["traceback"])
    sys.exit(0 if row["status"] in DONE and not mistake else 1)


def other_models(puzzle: str) -> str:
    """Which backends a puzzle has a model for, as the end of a line."""
    has = [name for name in catalogue.backend_names() if catalogue.source_of(puzzle, name).is_file()]
    return f"; there is one for --backend {' or '.join(has)}" if has else ""


def caveat(instance: catalogue.Instance, row: dict[str, Any], again: str) -> str | None:
    """What a result claims that no checker can check and the instance's file does not confirm, in words.

    Args:
        again: the command that compares several backends.
    """
    if row["status"] not in DONE or instance.expected.solutions is not None:
        return None
    if row["status"] != "infeasible" and row["task"] != Task.COUNT:
        return None
    claim = "there is no solution" if row["status"] == "infeasible" else "there are no more solutions"
    return (
        f"That {claim} rests on {row['backend']}:{row['solver']} alone: it cannot be checked, and no "
        f"second backend was asked ({again} compares them)."
    )


def show_solution(instance: catalogue.Instance, row: dict[str, Any], solution: Any) -> str | None:
    """Shows the filled picture and the main figures; gives the mistake of a puzzle that cannot draw it."""
    mistake = None
    if solution is not None:
        try:
            print(instance.puzzle.text(solution))
        except (Exception, SystemExit) as error:
            mistake = catalogue.blamed(error, instance.puzzle_name, "puzzle")
    parts = [str(row["status"]), row["error"] or ""]
    if row["answer"] is not None:
        parts.append(f"answer {row['answer']}")
    if row["task"] == "count" and row["solutions"] is not None:
        parts.append(f"{row['solutions']} solution{'' if row['solutions'] == 1 else 's'}")
    if row["total_s"] is not None:
        parts.append(f"{row['total_s']:.3f} s")
    if row["branches"] is not None:
        parts.append(f"{row['branches']} branches")
    parts.append(f"{row['backend']}:{row['solver']} {row['formulation']}")
    print(", ".join(part for part in parts if part))
    return mistake


@app.command()
@command
def check(
    file: InstanceArgument,
    solution: Annotated[
        Path,
        typer.Argument(
            metavar="SOLUTION", help="A JSON file with the solution, or with what `solve --json` printed."
        ),
    ],
) -> None:
    """Check a solution against the rules; list every broken rule."""
    instance = catalogue.load(find_one(file))
    try:
        content = json.loads(solution.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"not JSON: {error}"
        raise RequestError(f"{solution}: {reason}") from None
    if isinstance(content, dict) and "solution" in content:
        content = content["solution"]
    try:
        broken, answer = verdict.validate(instance, content)
    except PuzzleError as error:
        fail(str(error), 1)
    for rule in broken:
        print(rule)
    if broken:
        print(f"not a solution: {len(broken)} broken rule{'' if len(broken) == 1 else 's'}")
        sys.exit(1)
    print(f"a solution; the answer is {answer}")


@app.command("generate")
@command
def generate_(
    puzzle: Annotated[
        str,
        typer.Argument(
            metavar="PUZZLE",
            autocompletion=completion.puzzles,
            help="The puzzle: its name, or the path to its folder.",
        ),
    ],
    size: Annotated[
        int, typer.Option(min=1, metavar="N", help="How large: cells, edges, or what else the puzzle counts.")
    ],
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Another seed gives another instance.")] = 1,
    hardness: Annotated[
        float,
        typer.Option(
            min=0, max=1, metavar="0..1", help="0: as many clues as there can be; 1: as few as possible."
        ),
    ] = 0.7,
    solutions: Annotated[
        Wanted, typer.Option(help="How many solutions it has: any is one or more, one is exactly one.")
    ] = Wanted.ONE,
    time_limit: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="How long it may take.")
    ] = 600.0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The TOML file to write. Without it the standard output."),
    ] = None,
) -> None:
    """Make an instance with a guaranteed number of solutions, the same for the same seed and version."""
    if out and out.exists():
        fail(f"{out}: there is such a file already; choose another name")
    text = generate(Order(catalogue.find_puzzle(puzzle), size, seed, hardness, solutions), time_limit)
    if out:
        out.write_text(text, encoding="utf-8")
        catalogue.load(out)
    else:
        print(text, end="")


@app.command("doctor")
@command
def doctor_() -> None:
    """Say what makes timings unreliable on this machine, and which solvers are missing."""
    facts = machine.hardware() | machine.state()
    with job_slots(1) as (slot,):
        announce([slot])
        stolen_before = processes.stolen_s(slot.cores)
        sentinel = [slot.sentinel_time() for _ in range(doctor.SAMPLES)]
        stolen_s = processes.stolen_s(slot.cores) - stolen_before
    backends = listing.described()
    findings = [*doctor.examine(facts, sentinel, stolen_s), *doctor.releases(listing.versions(backends))]
    table = Table("what", "found", "what it means for timings", title=machine.cpu(), title_justify="left")
    for finding in findings:
        mark = f"[yellow]{escape(finding.advice)}[/]" if finding.advice else "[green]fine[/]"
        table.add_row(finding.what, escape(finding.found), mark)
    answers.print(table)
    answers.print(listing.solver_table(backends))


@app.command()
@command
def plot(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The campaign's folder.")],
) -> None:
    """Draw the plots of a campaign again, from its runs.csv alone."""
    written = publish(existing(folder), plots_too=True, page=None)
    print(f"{len(written)} files in {folder / 'plots'}")


@app.command()
@command
def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The campaign's folder.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"The file to write. Without it {PAGE} in the folder."),
    ] = None,
) -> None:
    """Put a campaign on one page that needs nothing else: to read, to mail, to print."""
    (page,) = publish(existing(folder), plots_too=False, page=out or folder / PAGE)
    print(f"{page}: {page.stat().st_size / 1e6:.1f} MB, opens in any browser")


app.command()(command(changes.compare))
app.command()(command(changes.gate))
app.command()(command(changes.ab))
app.command()(command(new.new))
app.command()(command(validate.validate))
