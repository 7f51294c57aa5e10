"""The command line, `python -m bench`; the commands that compare two campaigns are in changes.py.

Exit codes: 0 done, 1 a result was wrong or a run crashed, 2 the request cannot be carried out, 130 Ctrl-C.
"""

import json
import os
import shlex
import signal
import sys
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer
from rich.markup import escape
from rich.table import Table

from bench import catalogue, changes, doctor, machine, new, processes, validate
from bench.campaign import make_run
from bench.catalogue import RequestError
from bench.console import Backends, Formulations, Jobs, MemoryLimit, Out, Plots, TimeLimit, console
from bench.contract import Task
from bench.generate import Order, Wanted, generate
from bench.measure import measure
from bench.plan import PRECISION, Repeats, Request, Solvers, backends_of, find_instances, find_solver, plan
from bench.progress import show_progress
from bench.workers import Backend, Servers, job_slots

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Puzzles, modelled several times and measured the same way every time.",
)
app.command()(changes.compare)
app.command()(changes.gate)
app.command()(changes.ab)
app.command()(new.new)
app.command()(validate.validate)
DEFAULT_REPEAT = 5
PAGE = "report.html"
WRONG = ("wrong", "crashed")


def main() -> None:
    """Runs the command line; a request that cannot be carried out is one line and exit code 2."""
    signal.signal(signal.SIGTERM, interrupt)
    try:
        app(standalone_mode=True)
    except RequestError as error:
        fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(0)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    """A request to end is treated as Ctrl-C, so that it ends the workers too."""
    raise KeyboardInterrupt


def fail(message: str) -> NoReturn:
    """Ends with one line on the standard error."""
    print(f"error: {message}", file=sys.stderr)
    sys.exit(2)


@app.command()
def run(
    all_: Annotated[
        bool,
        typer.Option("--all", help="Every puzzle, instance and core backend; default, seed models."),
    ] = False,
    puzzle: Annotated[list[str] | None, typer.Option(help="Only this puzzle (may be repeated).")] = None,
    family: Annotated[
        list[str] | None,
        typer.Option(help="This family of generated instances, which --all leaves out (repeat)."),
    ] = None,
    instance: Annotated[
        list[str] | None, typer.Option(help="Only this instance: a name, or a path to a TOML file (repeat).")
    ] = None,
    backend: Backends = None,
    solvers: Annotated[
        Solvers,
        typer.Option(
            help="core: one solver a backend, of the core or those named; all: every one installed."
        ),
    ] = Solvers.CORE,
    formulation: Formulations = None,
    task: Annotated[
        list[Task] | None, typer.Option(help="first: one solution; count: all of them. Default: both.")
    ] = None,
    repeat: Annotated[
        str,
        typer.Option(
            metavar="N|auto",
            help="How often each run is repeated; auto: until the 95% interval of its median total time "
            f"lies within {PRECISION:.0%}.",
        ),
    ] = str(DEFAULT_REPEAT),
    budget: Annotated[
        float, typer.Option(min=0, help="With --repeat auto: seconds that a run and its repeats may take.")
    ] = 60.0,
    seeds: Annotated[
        int,
        typer.Option(min=1, help="How many seeds; where a solver takes none, permutations of the model."),
    ] = 1,
    time_limit: TimeLimit = 60.0,
    memory_limit: MemoryLimit = 4096,
    jobs: Jobs = 1,
    out: Out = None,
    plots: Plots = True,
) -> None:
    """Measure: make all runs of a campaign, check and record each, draw plots and report."""
    filters = [
        option
        for options in (puzzle, family, instance, backend, formulation, task)
        for option in options or ()
    ]
    if all_ and filters:
        fail("--all takes everything; leave out --all or the filters")
    if not all_ and not filters:
        fail("say what to run: --all, or --puzzle, --family, --instance, --backend, ... (see --help)")
    repeats = read_repeats(repeat, budget)
    request = Request(
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
    )
    folder = carry_out(request, repeats, jobs, out)
    finish(folder, plots, failed=summarise(folder))


@app.command()
def scale(
    puzzle: Annotated[list[str], typer.Argument(help="The puzzles, one or more.")],
    family: Annotated[str, typer.Option(help="The family of instances to climb.")] = "size",
    backend: Backends = None,
    formulation: Formulations = None,
    task: Annotated[Task, typer.Option(help="first: one solution; count: all of them.")] = Task.FIRST,
    time_limit: TimeLimit = 60.0,
    memory_limit: MemoryLimit = 4096,
    jobs: Jobs = 1,
    out: Out = None,
    plots: Plots = True,
) -> None:
    """Climb the sizes of a family with each backend until it fails twice in a row; show how far each gets."""
    request = Request(
        puzzles=puzzle,
        families=[family],
        backends=backend or (),
        formulations=formulation or (),
        tasks=[task],
        time_limit_s=time_limit,
        memory_limit_mb=memory_limit,
    )
    folder = carry_out(request, None, jobs, out)
    # pandas takes a second to import: not before there is something to read.
    from bench.reading import growth, tables, terminal

    runs = tables.read_runs(folder)
    terminal.print_frontier(console, growth.frontier(growth.steps(runs)))
    terminal.print_trust(console, runs)
    finish(folder, plots, failed=bool(runs["status"].isin(WRONG).any()))


def carry_out(request: Request, repeats: Repeats | None, jobs: int, out: Path | None) -> Path:
    """Makes the runs of a campaign, or what is missing of them; gives its folder."""
    cores = len(machine.usable_cores())
    if jobs > cores:
        fail(f"--jobs {jobs}: this machine has {cores} cores to use; more jobs would measure each other")
    folder = out or new_folder()
    command = ["python", "-m", "bench", *sys.argv[1:]]
    try:
        measure(request, folder, repeats, jobs, show_progress(console), command)
    except KeyboardInterrupt:
        again = shlex.join([*command, *(() if out else ("--out", str(folder)))])
        console.print(f"interrupted; what is finished is recorded. To go on: {escape(again)}", soft_wrap=True)
        sys.exit(130)
    if not out:
        point_latest(folder)
    return folder


def finish(folder: Path, plots: bool, failed: bool) -> NoReturn:
    """Draws what is to be drawn, says where all is, and ends."""
    if plots:
        publish(folder, plots_too=True, page=folder / PAGE)
    drawn = f", plots/, {PAGE}" if plots else ""
    console.print(f"[bold]{escape(str(folder))}[/]: runs.csv, machine.json{drawn}", soft_wrap=True)
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
    return catalogue.ROOT / "results" / f"{datetime.now():%Y-%m-%d-%H%M%S}"


def point_latest(folder: Path) -> None:
    """Makes results/latest point to the campaign."""
    latest = folder.parent / "latest"
    if latest.is_symlink() or not latest.exists():
        latest.unlink(missing_ok=True)
        latest.symlink_to(folder.name)


def summarise(folder: Path) -> bool:
    """Prints the tables; whether a result was wrong or a run crashed."""
    # pandas takes a second to import: not before there is something to read.
    from bench.reading import tables, terminal

    runs = tables.read_runs(folder)
    table = tables.cells(runs)
    terminal.print_summary(console, table)
    for puzzle, instance in tables.compared_instances(table):
        terminal.print_comparison(console, tables.comparison(table, puzzle, instance), instance)
    terminal.print_findings(console, table)
    terminal.print_trust(console, runs)
    terminal.print_disagreements(console, runs)
    return bool(table["status"].isin(WRONG).any())


def publish(folder: Path, plots_too: bool, page: Path | None) -> list[Path]:
    """Draws plots, page, or both; gives the files written. Ctrl-C ends with one line and exit code 130."""
    from bench.reading import report

    try:
        return report.publish(folder, plots_too, page)
    except KeyboardInterrupt:
        again = shlex.join(["python", "-m", "bench", "report" if page else "plot", str(folder)])
        console.print(f"interrupted; nothing recorded is lost. To draw: {escape(again)}", soft_wrap=True)
        sys.exit(130)


@app.command("list")
def list_(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """Show puzzles, instances, backends, solvers and formulations; for what is missing, why."""
    backends = described()
    puzzles = {name: describe_puzzle(name, backends) for name in catalogue.puzzle_names()}
    if as_json:
        print(
            json.dumps(
                {"puzzles": puzzles, "backends": {n: asdict(b) for n, b in backends.items()}}, indent=2
            )
        )
        return
    table = Table("puzzle", "instance", "size", "title", title="Instances", title_justify="left")
    for name, puzzle in puzzles.items():
        for number, instance in enumerate(puzzle["instances"]):
            shown = instance["title"] if instance["error"] is None else f"[red]{escape(instance['error'])}[/]"
            size = str(instance["size"] or "")
            table.add_row(name if number == 0 else "", instance["name"], size, shown)
        for family, names in puzzle["families"].items():
            table.add_row("", f"family {family}", "", f"{len(names)} generated instances: {names[0]}, ...")
    console.print(table)
    console.print(solver_table(backends))
    table = Table(
        "puzzle", "backend", "formulations, the default first", title="Models", title_justify="left"
    )
    for name, puzzle in puzzles.items():
        for number, (backend_name, names) in enumerate(puzzle["formulations"].items()):
            backend = backends[backend_name]
            why = backend.missing or backend.broken.get(name) or "no model"
            shown = ", ".join(names) or f"[red]none: {escape(why)}[/]"
            table.add_row(name if number == 0 else "", backend_name, shown)
    console.print(table)


def described() -> dict[str, Backend]:
    """What every backend offers."""
    servers = Servers()
    try:
        return servers.describe(catalogue.backend_names())
    finally:
        servers.close()


def solver_table(backends: dict[str, Backend]) -> Table:
    """All backends and solvers; for what is missing, what would bring it."""
    table = Table("backend", "solver", "version", "what it is", title="Backends", title_justify="left")
    for backend in backends.values():
        if backend.missing:
            table.add_row(backend.name, "", "", f"[red]missing: {escape(backend.missing)}[/]")
        for number, (name, solver) in enumerate(backend.solvers.items()):
            what = f"[red]missing: {escape(solver.missing)}[/]" if solver.missing else solver.title
            is_default = len(backend.solvers) > 1 and name == find_solver(backend.name, backends)[1]
            default = " (default)" if is_default else ""
            table.add_row(backend.name if number == 0 else "", name + default, solver.version, what)
    return table


def describe_puzzle(name: str, backends: dict[str, Backend]) -> dict[str, Any]:
    """A puzzle's instances and formulations; an instance that cannot be read has an error."""
    instances = []
    for stem, path in catalogue.instance_paths(name).items():
        facts: dict[str, Any] = {"name": stem, "path": catalogue.shown(path), "error": None}
        try:
            instance = catalogue.load(path)
            facts |= {"title": instance.title, "source": instance.source, "size": instance.puzzle.size}
            facts |= {"expected": instance.expected.model_dump()}
        except RequestError as error:
            facts |= {"title": None, "source": None, "size": None, "expected": None, "error": str(error)}
        instances.append(facts)
    return {
        "instances": instances,
        "families": {family: list(paths) for family, paths in catalogue.families(name).items()},
        "formulations": {backend.name: backend.formulations.get(name, []) for backend in backends.values()},
    }


@app.command()
def solve(
    file: Annotated[str, typer.Argument(help="A TOML file, or the name of an instance.")],
    backend: Annotated[str, typer.Option(help="The backend, or backend:solver.")],
    formulation: Annotated[str | None, typer.Option(help="The formulation; without it the default.")] = None,
    task: Annotated[Task, typer.Option(help="first: one solution; count: all of them.")] = Task.FIRST,
    time_limit: TimeLimit = 60.0,
    memory_limit: MemoryLimit = 4096,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """Solve one instance and show the solution."""
    request = Request(
        instances=[file],
        backends=[backend],
        formulations=[formulation] if formulation else (),
        tasks=[task],
        time_limit_s=time_limit,
        memory_limit_mb=memory_limit,
    )
    (instance,) = find_instances(request)
    facts = {"campaign": "", **machine.describe()}
    try:
        with job_slots(1) as (servers,):
            backends = servers.describe(backends_of(request))
            wanted = plan(request, [instance], backends)[0]
            row = make_run(servers, instance, wanted, facts, backends[wanted.backend])
    except KeyboardInterrupt:
        sys.exit(130)
    if row["status"] in ("unavailable", "unsupported"):
        fail(f"{backend}: {row['status']}: {row['error']}")
    solution = json.loads(row["solution"]) if row["solution"] else None
    if as_json:
        print(json.dumps(row | {"solution": solution}))
    else:
        show_solution(instance, row, solution)
    sys.exit(1 if row["status"] in WRONG else 0)


def show_solution(instance: catalogue.Instance, row: dict[str, Any], solution: Any) -> None:
    """The filled picture and the main figures."""
    if solution is not None:
        print(instance.puzzle.text(solution))
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


@app.command()
def check(
    file: Annotated[str, typer.Argument(help="A TOML file, or the name of an instance.")],
    solution: Annotated[
        Path, typer.Argument(help="A JSON file with the solution, or what `solve --json` prints.")
    ],
) -> None:
    """Check a solution against the rules; list every broken rule."""
    instance = catalogue.load(catalogue.find_instance(file))
    try:
        content = json.loads(solution.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"not JSON: {error}"
        raise RequestError(f"{solution}: {reason}") from None
    if isinstance(content, dict) and "solution" in content:
        content = content["solution"]
    broken = instance.puzzle.check(content)
    for rule in broken:
        print(rule)
    if broken:
        print(f"not a solution: {len(broken)} broken rule{'' if len(broken) == 1 else 's'}")
        sys.exit(1)
    print(f"a solution; the answer is {instance.puzzle.answer(content)}")


@app.command("generate")
def generate_(
    puzzle: Annotated[str, typer.Argument(help="The puzzle.")],
    size: Annotated[int, typer.Option(min=1, help="How large; what it counts depends on the puzzle.")],
    seed: Annotated[int, typer.Option(min=0, help="Another seed, another instance.")] = 1,
    hardness: Annotated[
        float, typer.Option(min=0, max=1, help="0: as many clues as there can be; 1: as few as possible.")
    ] = 0.7,
    solutions: Annotated[Wanted, typer.Option(help="any: one or more; one: exactly one; none.")] = Wanted.ONE,
    time_limit: Annotated[float, typer.Option(min=1, help="Seconds that it may take.")] = 600.0,
    out: Annotated[Path | None, typer.Option(help="The TOML file; without it the standard output.")] = None,
) -> None:
    """Make an instance with a guaranteed number of solutions, the same for the same seed and version."""
    if out and out.exists():
        fail(f"{out}: there is such a file already; choose another name")
    try:
        text = generate(Order(puzzle, size, seed, hardness, solutions), time_limit)
    except KeyboardInterrupt:
        sys.exit(130)
    if out:
        out.write_text(text, encoding="utf-8")
        catalogue.load(out)
    else:
        print(text, end="")


@app.command("doctor")
def doctor_() -> None:
    """Say what makes timings unreliable on this machine, and which solvers are missing."""
    facts = machine.hardware() | machine.state()
    with job_slots(1) as (slot,):
        stolen_before = processes.stolen_s(slot.cores)
        sentinel = [slot.sentinel_time() for _ in range(doctor.SAMPLES)]
        stolen_s = processes.stolen_s(slot.cores) - stolen_before
    findings = doctor.examine(facts, sentinel, stolen_s)
    table = Table("what", "found", "what it means for timings", title=machine.cpu(), title_justify="left")
    for finding in findings:
        mark = f"[yellow]{escape(finding.advice)}[/]" if finding.advice else "[green]fine[/]"
        table.add_row(finding.what, escape(finding.found), mark)
    console.print(table)
    console.print(solver_table(described()))


@app.command()
def plot(folder: Annotated[Path, typer.Argument(help="The campaign's folder.")]) -> None:
    """Draw the plots of a campaign again, from its runs.csv alone."""
    written = publish(folder, plots_too=True, page=None)
    print(f"{len(written)} files in {folder / 'plots'}")


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(help="The campaign's folder.")],
    out: Annotated[
        Path | None, typer.Option(help=f"The file to write; without it {PAGE} in the folder.")
    ] = None,
) -> None:
    """Put a campaign on one page that needs nothing else: to read, to mail, to print."""
    (page,) = publish(folder, plots_too=False, page=out or folder / PAGE)
    print(f"{page}: {page.stat().st_size / 1e6:.1f} MB, opens in any browser")
