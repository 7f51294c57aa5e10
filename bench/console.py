"""Where the command line writes, and the options that several commands share."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bench import completion
from bench.catalogue import RequestError
from bench.contract import Task
from bench.invoked import command_line
from bench.plan import Redo, Request, broken_puzzles

WIDTH = None if sys.stdout.isatty() else 120


class Failed(StrEnum):
    """What --redo accepts."""

    FAILED = Redo.FAILED
    ALL = Redo.ALL


class Terminal(Console):
    """The terminal; `quiet` (of rich) and `verbose` are what -q and -v ask for."""

    verbose = False


console = Terminal(highlight=False, width=WIDTH)
"""For what a command says on its way; nothing of it is shown with -q."""

answers = Console(highlight=False, width=WIDTH)
"""For what a command was asked for; shown with -q too."""


def complain(text: str) -> None:
    """Writes a line to the standard error."""
    print(text, file=sys.stderr)


def name_broken(request: Request) -> bool:
    """Says which puzzles a request leaves out as they have a mistake, and why; whether there are any."""
    broken = broken_puzzles(request)
    for error in broken:
        complain(f"left out: {error}")
    return bool(broken)


def existing(path: Path) -> Path:
    """A campaign's folder, or its runs.csv.

    Raises:
        RequestError: if there is neither.
    """
    if not path.exists():
        raise RequestError(f"{path}: there is no such {'file' if path.suffix == '.csv' else 'folder'}")
    if path.is_dir() and not (path / "runs.csv").exists():
        say = f"`{command_line('run', '--out', path)} ...` would write it"
        raise RequestError(f"{path}: this folder has no runs.csv, so it is no campaign's; {say}")
    return path


TimeLimit = Annotated[
    float, typer.Option(min=0.01, metavar="SECONDS", help="How long one run may take; then it is ended.")
]
MemoryLimit = Annotated[
    int, typer.Option(min=16, metavar="MB", help="How much memory one run may use; then it is ended.")
]
Threads = Annotated[
    int,
    typer.Option(
        min=1,
        metavar="N",
        help="Threads (and cores) that each run may use; solvers that know only one run with one.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(min=1, metavar="N", help="How many runs at once; more than one makes times noisier."),
]
Puzzles = Annotated[
    list[str] | None,
    typer.Option(
        "--puzzle",
        metavar="NAME",
        autocompletion=completion.puzzles,
        help="Only this puzzle: its name, or the path to its folder. May be repeated.",
    ),
]
Instances = Annotated[
    list[str] | None,
    typer.Option(
        "--instance",
        metavar="NAME|FILE",
        autocompletion=completion.instances,
        help="Only this instance: its name, or a TOML file. May be repeated.",
    ),
]
InstanceArgument = Annotated[
    str,
    typer.Argument(
        metavar="INSTANCE",
        autocompletion=completion.instances,
        help="The name of an instance, or a TOML file; of a puzzle with one instance, the puzzle.",
    ),
]
Families = Annotated[
    list[str] | None,
    typer.Option(
        "--family",
        metavar="NAME",
        autocompletion=completion.families,
        help="The generated instances of this family, which are left out otherwise. May be repeated.",
    ),
]
Backends = Annotated[
    list[str] | None,
    typer.Option(
        "--backend",
        metavar="BACKEND[:SOLVER]",
        autocompletion=completion.backends,
        help="Only this backend, as in cpsat, or this solver of it, as in milp:highs. May be repeated.",
    ),
]
Formulations = Annotated[
    list[str] | None,
    typer.Option(
        "--formulation",
        metavar="NAME",
        autocompletion=completion.formulations,
        help="Only this formulation; `all` for every one there is. Without it the default one and those that"
        " repeat a published model. May be repeated.",
    ),
]
Tasks = Annotated[
    list[Task] | None,
    typer.Option(
        "--task", help="first: find one solution; count: find all. Without it both. May be repeated."
    ),
]
OneTask = Annotated[Task, typer.Option("--task", help="first: find one solution; count: find all.")]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Where to record. If the folder has a campaign, what is missing is added to it. Without it "
        "results/ gets a new folder, to which results/latest then points.",
    ),
]
Plots = Annotated[bool, typer.Option(help="Draw the plots and write the report at the end.")]
Keep = Annotated[
    bool,
    typer.Option(
        "--keep",
        help="Run nothing again that is recorded in --out: neither what crashed nor what has changed since.",
    ),
]
Again = Annotated[
    Failed | None,
    typer.Option(
        "--redo",
        help="Run again what is recorded in --out: everything (all), or all that was not solved (failed). "
        "Without it only what crashed or was wrong, or has changed since.",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Run nothing; show what would be run, how many runs, and about how long."),
]
